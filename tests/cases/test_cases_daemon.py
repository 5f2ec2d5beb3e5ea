"""The real daemon, from outside: sockets, memory, files that are open, kills, and a link that dies in silence.

C11, C13, C16, C17, C29, C33 (no more files may be opened) and C55.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import time
from collections import deque
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.cases.customs import DOORS
from tests.doors import ANYWHERE, shut
from tests.patience import SECONDS
from tests.processes import start

CLOSES = 150  # at each door and each prompt
TABLES = 40
PROMPTS = {
    "nim": (b"", b'{"name": "north", "order": 0}', b'{"name": "north", "order": 1}\n'),
    "gops": (b"", b"SET-USERNAME~north\n", b"SET-USERNAME~north\nSTART-GAME~1\n"),
    "pass123": (b"", b"START\n", b"AH\n"),
    "rikiki": (b"", b"NAME north\n", b"NAME north\nNEW players=2\n"),
    "lobby": (b"", b"NAME north\n", b"PLAY nim random\nBOARD\n"),
    "json": (b"", b'{"do": "hello", "id": 1}\n', b'{"do": "open", "game": "nim", "id": 1}\n'),
    "web": (b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
}
ANY_PROMPT = (b"", b"\r\n", b"{}\n")


def connect(port):
    return socket.create_connection(("127.0.0.1", port), SECONDS)


def figure(pid, name):
    """Read one figure of a process's status, in its own unit."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise AssertionError(name)


def open_files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def settled(look, wanted):
    """Look until what is seen is as wanted, or for some seconds."""
    end = time.monotonic() + SECONDS
    while not wanted(seen := look()) and time.monotonic() < end:
        time.sleep(0.02)
    return seen


def reset(link):
    """Close at once, with a reset."""
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    link.close()


@pytest.fixture
def daemon(start_daemon):
    return start_daemon()


def test_megabytes_without_a_line_end_leave_the_memory_of_the_daemon_as_it_was(daemon):
    """C11: on every port at which the daemon listens."""
    piece = b"A" * 65_536
    for port in daemon.ports.values():  # whatever is needed once
        with connect(port) as link, suppress(OSError):
            link.sendall(piece * 4)
    before = figure(daemon.process.pid, "VmRSS")
    for kind, port in daemon.ports.items():
        with connect(port) as link, suppress(OSError):  # closed upon us, as it should be
            for _ in range(128):
                link.sendall(piece)
        grown = figure(daemon.process.pid, "VmRSS") - before
        assert grown < 6_000, f"{grown} KB more after {kind}"
    with connect(daemon.ports["lobby"]) as link:
        assert link.recv(100).startswith(b"Welcome")


def test_closes_at_every_prompt_leave_no_file_and_no_thread(daemon):
    """C29: a thousand and more of them, by an end, by a reset, and half-way."""
    pid = daemon.process.pid
    for port in daemon.ports.values():
        connect(port).close()
    files = settled(lambda: open_files(pid), lambda seen: seen <= len(daemon.ports) + 12)
    threads = figure(pid, "Threads")
    closes = 0
    for kind, port in daemon.ports.items():
        for said in PROMPTS.get(kind, ANY_PROMPT):
            links = []
            for _ in range(CLOSES // 3):
                link = connect(port)
                if said:
                    link.sendall(said)
                links.append(link)
                closes += 1
            for number, link in enumerate(links):
                (reset if number % 3 == 0 else socket.socket.close)(link)
    assert closes >= 1000
    assert settled(lambda: open_files(pid), lambda seen: seen <= files) <= files
    assert figure(pid, "Threads") <= threads


def test_where_no_file_can_be_opened_people_wait_and_are_let_in_later(daemon):
    """C33: at the last file the doors pause, and recover by themselves."""
    pid, port = daemon.process.pid, daemon.ports["lobby"]
    before = open_files(pid)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (before + 12, before + 12))
    links = [connect(port) for _ in range(30)]
    assert links[0].recv(100).startswith(b"Welcome")
    for link in links:
        link.close()
    settled(lambda: open_files(pid), lambda seen: seen <= before + 2)
    # Those of the crowd whom nobody had let in yet are still put out, and who comes in between with them.
    assert settled(lambda: is_welcome(port), bool)


def is_welcome(port):
    """Come as a newcomer does, and tell whether a greeting was heard."""
    with connect(port) as link, suppress(ConnectionError):
        return link.recv(100).startswith(b"Welcome")


# -- the sockets themselves -----------------------------------------------------------

SHOW_OPTIONS = """
import socket, sys
import protocols.net.link as link
tune = link.tune
def shown(transport):
    tune(transport)
    while (beneath := getattr(transport, "transport", None)) is not None:
        transport = beneath
    handle = transport.getHandle()
    seen = [handle.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY),
            handle.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE),
            handle.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)]
    print("tuned", handle.getsockname()[1], *seen, flush=True)
link.tune = shown
try:
    import protocols.web.factory as factory
    factory.tune = shown
except ImportError:
    pass
link._KEEPALIVE = eval(sys.argv.pop(1)) or link._KEEPALIVE
from twisted.scripts.twistd import run
sys.argv[0] = "twistd"
run()
"""


@contextmanager
def tuned_daemon(folder, keepalive, *options):
    """Run a daemon that prints what each accepted socket is like."""
    words = ["--nodaemon", "--pidfile=", "parlour", "--journal", "memory", "--discovery", "off"]
    command = [sys.executable, "-c", SHOW_OPTIONS, keepalive, *words, *options]
    process = start(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process, process.stdout
    finally:
        process.terminate()
        rest, _ = process.communicate(timeout=SECONDS)
        assert "Traceback" not in rest, rest
        assert process.returncode == 0, rest


def wait_for(lines, word):
    """Read what a daemon says up to a line with a word in it."""
    said = []
    for line in lines:
        said.append(line)
        if word in line:
            return said
    raise AssertionError("".join(said))


def test_every_accepted_socket_sends_at_once_and_is_kept_an_eye_on(tmp_path):
    """C13, C17: TCP_NODELAY and keepalive, within a minute, at every door."""
    config = tmp_path / "parlour.ini"
    config.write_text("[web]\nlink_file = none\n")
    doors = [word for kind in DOORS for word in (f"--{kind}", ANYWHERE)]
    with tuned_daemon(tmp_path, "()", "--config", str(config), *doors) as (_, lines):
        said = wait_for(lines, "Parlour is open")
        ports = [
            int(line.rpartition("(port ")[2].rstrip(")\n")) for line in said if "(port " in line
        ]
        assert len(ports) == len(DOORS)
        for port in ports:
            with connect(port):
                tuned = wait_for(lines, "tuned")[-1].split("tuned")[1].split()
                at, nodelay, keepalive, idle = map(int, tuned)
                assert at == port
                assert nodelay
                assert keepalive
                assert idle <= 60


# -- a link that dies in silence ------------------------------------------------------

NET = "cases"
HOST_END, FAR_END = "10.98.7.1", "10.98.7.2"


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True, check=False)


@pytest.fixture
def far_away():
    """A network of its own, joined to ours by one cable; gives how to run there, and how to cut the cable."""
    net, near, far = f"{NET}{os.getpid()}", f"cn{os.getpid() % 99999}", f"cf{os.getpid() % 99999}"
    made = ip("netns", "add", net)
    if made.returncode:
        pytest.skip(f"NO NETWORK NAMESPACES HERE, C16 IS NOT TRIED: {made.stderr.strip()}")
    try:
        steps = (
            ("link", "add", near, "type", "veth", "peer", "name", far, "netns", net),
            ("addr", "add", f"{HOST_END}/30", "dev", near),
            ("link", "set", near, "up"),
            ("-n", net, "addr", "add", f"{FAR_END}/30", "dev", far),
            ("-n", net, "link", "set", far, "up"),
        )
        for step in steps:
            done = ip(*step)
            if done.returncode:
                pytest.skip(f"NO CABLE CAN BE LAID HERE, C16 IS NOT TRIED: {done.stderr.strip()}")
        yield ["ip", "netns", "exec", net], lambda: ip("-n", net, "link", "set", far, "down")
    finally:
        ip("link", "del", near)
        ip("netns", "del", net)


FAR_PLAYER = """
import socket, sys, time
link = socket.create_connection((sys.argv[1], int(sys.argv[2])), 20)
link.sendall(b"NAME faraway\\r\\nOPEN nim\\r\\n")
print(link.recv(10), flush=True)
time.sleep(600)
"""


def test_a_link_that_dies_in_silence_is_noticed_with_nobody_doing_anything(tmp_path, far_away):
    """C16: no packet comes any more, no end either; the kernel asks, and the table is told."""
    run_there, cut = far_away
    quick = repr(
        (("TCP_KEEPIDLE", 1), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 1), ("TCP_USER_TIMEOUT", 1000))
    )
    lobby = f"tcp:0:interface={HOST_END}"
    with tuned_daemon(tmp_path, quick, *shut("lobby"), "--lobby", lobby) as (_, lines):
        said = wait_for(lines, "Parlour is open")
        (port,) = [
            int(line.rpartition("(port ")[2].rstrip(")\n")) for line in said if "(port " in line
        ]
        player = subprocess.Popen(
            [*run_there, sys.executable, "-c", FAR_PLAYER, HOST_END, str(port)],
            stdout=subprocess.PIPE,
        )
        try:
            player.stdout.readline()
            # Both are closed at the end: the daemon would wait for who has not hung up.
            with (
                socket.create_connection((HOST_END, port), SECONDS) as near,
                near.makefile("rwb") as stream,
            ):
                code = listed_code(stream)
                stream.write(b"JOIN " + code + b"\r\n")
                stream.flush()
                read_until(stream, b"Waiting for faraway")
                cut()
                read_until(stream, b"faraway has lost the connection")
                stream.write(b"WHY\r\n")
                stream.flush()
                assert b"faraway (away)" in read_until(stream, b"Waiting for")
        finally:
            player.kill()
            player.communicate()


def listed_code(stream):
    """Wait until a table is listed, and give its code."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        stream.write(b"TABLES\r\n")
        stream.flush()
        seen = read_until(stream, b"[hall]")
        if found := re.search(rb"(?m)^([A-Z0-9]{5}) nim [(]", seen):
            return found[1]
    raise AssertionError(seen)


def read_until(stream, word):
    """Read lines up to one with a word in it; all of them."""
    seen = b""
    for line in stream:
        seen += line
        if word in line:
            return seen
    raise AssertionError(seen)


# -- killed in mid play ---------------------------------------------------------------


class Program:
    """A program on JSON lines."""

    def __init__(self, port):
        self.link = connect(port)
        self.stream = self.link.makefile("rwb")
        self.moves = []
        self.over = False
        self.last = deque(maxlen=12)

    def close(self):
        """Hang up."""
        self.stream.close()
        self.link.close()

    def ask(self, do, **more):
        """Ask, and read up to the reply; gives the reply and all that came before it."""
        self.stream.write(json.dumps({"do": do, "id": do, **more}).encode() + b"\n")
        self.stream.flush()
        return self.until("reply")

    def until(self, head):
        """Read up to a line with a head."""
        before = []
        for line in self.lines():
            said = json.loads(line)
            self.over = self.over or said.get("event") == "GameOver"
            if "turn" in said and "event" not in said:
                self.moves = said.get("moves", self.moves)
            if head in said and "event" not in said:
                return said, before
            before.append(said)
        raise AssertionError(before)

    def lines(self):
        """Give each line; says what came last where none comes any more."""
        try:
            for line in self.stream:
                self.last.append(line)
                yield line
        except TimeoutError:
            raise AssertionError(self.last) from None


def test_many_tables_in_mid_play_outlive_a_kill(start_daemon, tmp_path):
    """C55: each goes on where it stood with every move that was acknowledged, and people come back by token."""
    journal = str(tmp_path / "journal.db")
    only = [*shut("json")]
    first = start_daemon(*only, journal=journal)
    port = first.ports["json"]
    kinds = ["nim", "gops", "pass123", "rikiki", "castle"]
    playing = [begin(port, kinds[number % len(kinds)]) for number in range(TABLES)]
    stood = [program.ask("look")[1] for program, _ in playing]
    first.process.send_signal(signal.SIGKILL)
    first.process.wait(SECONDS)
    first.process.returncode = 0  # it was we who killed it
    for program, _ in playing:
        with suppress(OSError):
            program.close()
    second = start_daemon(*only, journal=journal)
    for (_, token), before in zip(playing, stood, strict=True):
        program = Program(second.ports["json"])
        reply, _ = program.ask("return", token=token)
        assert reply.get("ok"), reply
        view, _ = program.until("view")
        assert view["view"]["board"] == board_in(before), "an acknowledged move was lost"
        program.close()


def begin(port, kind):
    """Open a table against bots, wait for one's turn and make a move; gives the program and its token."""
    program = Program(port)
    reply, _ = program.ask("open", game=kind, house={"start": "asked"})
    assert reply.get("ok"), reply
    program.ask("join")
    token, _ = program.until("token")
    program.ask("bot", level="random")
    program.ask("start")
    for _ in range(2):
        while not (program.moves or program.over):
            program.until("turn")
        if program.over:  # a bot may finish at once
            break
        move, program.moves = program.moves[0], []
        program.ask("play", move=move)  # refused, if a bot has finished meanwhile
    return program, token["token"]


def board_in(said):
    return [each for each in said if "view" in each][-1]["view"]["board"]
