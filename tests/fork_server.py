"""
Has imported all of Parlour once, and becomes whichever of its programs a test asks for, as often as asked.

    python -m tests.fork_server MODULE FD [LISTENER]

MODULE has a function ``load`` that imports all there is and gives programs by name, once somebody asks for one;
what is none of them is a module to run, or with ``-c`` what stands in the word behind it. An order comes over the
socket FD, with whose end this ends too, or from one who calls at the socket LISTENER: a line of JSON with the
standard files that the process is to have, and a socket on which the number of the process is told, and later its
status. From there on the process does what the program does that is started from the disk: what is spared is to
import it again.
"""

from __future__ import annotations

import gc
import json
import os
import random
import runpy
import selectors
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any, cast

MOST = 1 << 17  # bytes of an order: its environment is the greatest part
_STANDARD = 3  # input, output, errors

Programs = Mapping[str, Callable[[], object]]


def load() -> Programs:
    """Import all that the programs do; gives each by the name of its command or module.

    No reactor is made, as each process has to have its own: klein, which would make one, is given none.
    """
    sys.modules["twisted.internet.reactor"] = ModuleType("none")
    from twisted.scripts import twistd

    import protocols.daemon.twistd
    import protocols.web.factory  # noqa: F401
    from gamecore.bots import bots_of
    from gamecore.rules import installed_rules
    from protocols.cli.main import main
    from protocols.host.door import installed_doors
    from protocols.i18n.game_text import find_text
    from protocols.web.render import load_templates

    installed_doors()
    for rules in installed_rules():
        bots_of(rules.kind)
        find_text(rules.kind)
    for _ in load_templates():
        pass
    del sys.modules["twisted.internet.reactor"]
    return {"twistd": twistd.run, "parlour": main, "protocols.cli.main": main}


class Server:
    """Takes orders, and tells how what came of each has ended."""

    def __init__(self, owner: socket.socket, listener: socket.socket | None) -> None:
        self.owner = owner
        self.listener = listener
        self.told: dict[int, socket.socket] = {}  # by the number of a process
        self.woken, self.waker = socket.socketpair()
        self.waker.setblocking(False)
        signal.set_wakeup_fd(self.waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.selector = selectors.DefaultSelector()
        for each in filter(None, (owner, listener, self.woken)):
            self.selector.register(each, selectors.EVENT_READ)

    def serve(self, load: Callable[[], None]) -> dict[str, Any] | None:
        """Fork for each order; gives it in the process that is to carry it out, None once the owner is gone."""
        self.selector.select()
        load()
        while True:
            for key, _ in self.selector.select():
                ready = cast(socket.socket, key.fileobj)
                if ready is self.woken:
                    ready.recv(4096)
                    self.bury()
                elif ready is self.listener:
                    self.selector.register(ready.accept()[0], selectors.EVENT_READ)
                else:
                    data, files, _, _ = socket.recv_fds(ready, MOST, _STANDARD + 1)
                    if data and not self.fork(files):
                        return {**json.loads(data), "files": files[:_STANDARD]}
                    if not data:
                        if ready is self.owner:
                            return None
                        self.selector.unregister(ready)
                        ready.close()

    def fork(self, files: list[int]) -> int:
        """Give the number of a new process, 0 in that process."""
        process = os.fork()
        if not process:
            self.forget()
            os.close(files[_STANDARD])
            return 0
        told = self.told[process] = socket.socket(fileno=files[_STANDARD])
        told.sendall(b"%d" % process)
        for each in files[:_STANDARD]:
            os.close(each)
        return process

    def bury(self) -> None:
        """Tell the status of each process that has ended."""
        while self.told:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            with self.told.pop(process) as told, suppress(OSError):  # nobody may be left to ask
                told.sendall(b"%d" % status)

    def forget(self) -> None:
        """Be no server any more: nothing of it is left in a process that is another program."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        asking = [cast(socket.socket, key.fileobj) for key in self.selector.get_map().values()]
        self.selector.close()
        for each in (*asking, self.waker, *self.told.values()):
            each.close()


def become(order: Mapping[str, Any]) -> None:
    """Take on the files, the folder, the environment, the words and perhaps the session of a program."""
    for number, file in enumerate(order["files"]):
        os.dup2(file, number)
        os.close(file)
    if order["session"]:
        os.setsid()
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv[:] = order["words"]
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    random.seed()


def main() -> object:
    """Serve, and be a program in each process that comes of it; gives what that program gives to the system."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with those who ask, and not before them
    owner, *listener = [socket.socket(fileno=int(each)) for each in sys.argv[2:]]
    programs: dict[str, Callable[[], object]] = {}

    def load() -> None:
        programs.update(import_module(sys.argv[1]).load())
        gc.collect()
        gc.freeze()

    order = Server(owner, *listener or [None]).serve(load)
    if order is None:
        return 0
    become(order)
    if order["program"] in programs:
        return programs[order["program"]]()
    if order["program"] == "-c":
        return exec(sys.argv.pop(1), {"__name__": "__main__"})
    return runpy.run_module(order["program"], run_name="__main__", alter_sys=True) and 0


if __name__ == "__main__":
    sys.exit(main())  # type: ignore[arg-type]
