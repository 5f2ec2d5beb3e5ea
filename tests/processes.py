"""Programs of Parlour as processes, without the seconds that each would take to import the same.

``start`` and ``run`` take what ``subprocess.Popen`` and ``subprocess.run`` do. Where a fork server has imported the
program it is had from there; where anything is asked for that makes a difference (another ``PYTHONPATH``, say, or
another program) it is started from the disk, unless it is begun to be ``served`` for a while.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

from tests.patience import SECONDS

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
# Where it takes its orders, and its process, if that is ours.
_Server = tuple[socket.socket, subprocess.Popen[bytes] | None]
_COMMANDS = ("twistd", "parlour")
_LOADERS = {
    "tests.daemons.launcher": "tests.daemons.launcher"
}  # of modules that have one of their own
_LOADER = "tests.fork_server"  # of all others
_MAY_BE_ASKED = {"cwd", "env", "stdin", "stdout", "stderr", "text", "bufsize", "encoding"}
_MAY_BE_ASKED |= {"start_new_session"}
_READ_AT_START = ("PYTHON", "LANG", "LC_", "LD_", "TZ")  # by Python itself, when a process begins
if sys.dont_write_bytecode and sys.pycache_prefix is None:
    # Nothing is to be left beside the sources. Yet hundreds of processes need not compile them all again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(ROOT / ".pytest_cache" / "bytecode")
    sys.pycache_prefix, sys.dont_write_bytecode = os.environ["PYTHONPYCACHEPREFIX"], False
_ENVIRONMENT = dict(os.environ)
_shared: dict[str, str] = {}  # where a server listens that others have, too, by its module
_served: list[Mapping[str, str]] = [_ENVIRONMENT]  # for which of them there may be fork servers
_servers: dict[tuple[str, tuple[tuple[str, str], ...]], _Server] = {}


def start(command: Sequence[object], **how: Any) -> subprocess.Popen[Any]:
    """Start a process."""
    words = [os.fspath(each) for each in command]
    program = _program(words)
    environment = how.get("env") or os.environ
    if program is None or how.keys() - _MAY_BE_ASKED or _who_begins_so(environment) is None:
        return subprocess.Popen(words, **how)
    return _Forked(words, program, **how)


def run(
    command: Sequence[object],
    *,
    input: Any = None,
    capture_output: bool = False,
    timeout: float | None = None,
    check: bool = False,
    **how: Any,
) -> subprocess.CompletedProcess[Any]:
    """Run a process to its end; raises CalledProcessError and TimeoutExpired."""
    if input is not None:
        how["stdin"] = subprocess.PIPE
    if capture_output:
        how["stdout"] = how["stderr"] = subprocess.PIPE
    with start(command, **how) as process:
        try:
            said, complaints = process.communicate(input, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    if check and process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, said, complaints)
    return subprocess.CompletedProcess(command, process.returncode, said, complaints)


def said_by(*words: str, typed: str = "") -> Deferred[tuple[bytes, bytes, int]]:
    """Let Python run beside the reactor; gives what was printed, what was complained of, and the status."""

    def play() -> tuple[bytes, bytes, int]:
        command = [sys.executable, *words]
        done = run(command, cwd=ROOT, input=typed.encode(), capture_output=True, timeout=SECONDS)
        return done.stdout, done.stderr, done.returncode

    return deferToThread(play)


def _program(words: Sequence[str]) -> str | None:
    """Name the program of a command, if a fork server has it."""
    if words[0] == sys.executable and words[1] in ("-m", "-c"):
        return words[2] if words[1] == "-m" else "-c"
    path = Path(words[0])
    return path.name if path.parent == BIN and path.name in _COMMANDS else None


@contextmanager
def served(**variables: str) -> Iterator[None]:
    """Have fork servers for processes that begin with other ``variables``, too, which Python itself reads."""
    environment = {**os.environ, **variables}
    _served.append(environment)
    try:
        yield
    finally:
        _served.remove(environment)
        for key in [key for key in _servers if key[1] == _begins_with(environment)]:
            _end(_servers.pop(key))


def _begins_with(environment: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Give what Python reads of an environment as it begins."""
    return tuple(sorted(each for each in environment.items() if each[0].startswith(_READ_AT_START)))


def _who_begins_so(environment: Mapping[str, str]) -> Mapping[str, str] | None:
    """Give the environment of a fork server where Python begins as in this one; None if there may be none."""
    wanted = _begins_with(environment)
    return next((each for each in _served if _begins_with(each) == wanted), None)


def _server(module: str, environment: Mapping[str, str]) -> socket.socket:
    """Say where a fork server takes orders; it ends with this process, if not before."""
    key = module, _begins_with(environment)
    if key not in _servers:
        if module in _shared and key[1] == _begins_with(_ENVIRONMENT):
            _servers[key] = _call(_shared[module]), None
        else:
            _servers[key] = _start_server(module, _who_begins_so(environment))
    return _servers[key][0]


def _start_server(
    module: str, environment: Mapping[str, str] | None, *listener: socket.socket
) -> _Server:
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    with theirs:
        given, *more = [each.fileno() for each in (theirs, *listener)]
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.fork_server", module, *map(str, [given, *more])],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            pass_fds=[given, *more],
        )
    return ours, server


def _call(path: str) -> socket.socket:
    calling = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    calling.connect(path)
    return calling


def share(folder: str) -> Mapping[str, str]:
    """Start servers for other processes, which end with this one; gives what those hand to ``use``."""
    where = {}
    for module in sorted({_LOADER, *_LOADERS.values()}):
        where[module] = f"{folder}/{module}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(where[module])
            listener.listen()
            _servers[module, ()] = _start_server(module, _ENVIRONMENT, listener)
    return where


def use(shared: Mapping[str, str]) -> None:
    """Ask servers that another process has started, which began as this one."""
    _shared.update(shared)


def _end(server: _Server) -> None:
    orders, process = server
    orders.close()
    if process is not None:
        process.wait()


@atexit.register
def _end_all() -> None:
    while _servers:
        _end(_servers.popitem()[1])


class _Forked(subprocess.Popen[Any]):
    """A process that is a fork server's child, and in all else is as one that was started here."""

    def __init__(self, words: list[str], program: str, **how: Any) -> None:
        self._program = program
        super().__init__(words, **how)

    def _execute_child(self, words: list[str], *more: Any) -> None:
        """Order the process, where else it would be forked and a program executed (see subprocess.py)."""
        _, _, _, _, folder, environment, _, _, _, *pipes = more[:15]
        read, _, _, write, _, complain = pipes
        files = [
            inherited if each < 0 else each
            for inherited, each in enumerate((read, write, complain))
        ]
        self._told, told = socket.socketpair(type=socket.SOCK_SEQPACKET)
        # The word "python", and "-m" behind it, are none of the program's own.
        skipped = 0 if Path(words[0]).name == self._program else words.index(self._program, 1)
        given = dict(os.environ if environment is None else environment)
        order = {
            "program": self._program,
            "words": words[skipped:],
            "folder": os.fspath(folder or os.getcwd()),
            "environment": given,
            "session": more[20],
        }
        with told:
            server = _server(_LOADERS.get(self._program, _LOADER), given)
            socket.send_fds(server, [json.dumps(order).encode()], [*files, told.fileno()])
        self.pid = int(self._told.recv(64))
        self._child_created = True
        self._close_pipe_fds(*pipes)

    def _wait(self, timeout: float | None) -> int:
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            with self._told:
                self.returncode = os.waitstatus_to_exitcode(int(self._told.recv(64)))
        return self.returncode

    def _internal_poll(self, *_: object, **__: object) -> int | None:
        try:
            return self._wait(0)
        except subprocess.TimeoutExpired:
            return None
