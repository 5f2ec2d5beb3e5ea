"""Programs of every sort: those that play, and those that crash, hang, talk nonsense, or eat memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from protocols.tournament.games_file import read_line
from tests.patience import SECONDS
from tests.processes import run, start

from .conftest import house

LINES = """
    import json, random, sys
    for line in sys.stdin:
        moves = json.loads(line).get("moves")
        if moves:
            ranks = [str(each.get("card"))[:-1] for each in moves]  # a set is gathered by passing on what is rare
            rare = [each for each, rank in zip(moves, ranks) if ranks.count(rank) == min(map(ranks.count, ranks))]
            ends = [each for each in moves if each["is"] == "Finish"]
            print(json.dumps({"do": "play", "id": 1, "move": random.choice(ends or rare)}), flush=True)
"""
PIPE = """
    import sys
    for line in sys.stdin:
        if "your_turn=1" in line:
            print("1 0", flush=True)
"""
# As the clients of the first program do: one read is one message, and nothing ends what is sent.
STOCK = """
    import json, socket, sys
    name, port, first = sys.argv[1], int(sys.argv[2]), sys.argv[3:] == ["-f"]
    link = socket.create_connection(("127.0.0.1", port))
    def send(message):
        link.sendall(json.dumps(message).encode())
    def receive():
        return json.loads(link.recv(1024).decode())
    send({"name": name, "order": 0 if first else 1})
    receive()["init_stones"]
    state, mine = {"finished": False}, first
    while not state["finished"]:
        if mine:
            send({"order": 0 if first else 1, "num_stones": 1, "reset": False})
        state, mine = receive(), not mine
"""
BAD = {
    "crash": ("import sys; sys.exit(1)", {"crash", "start", "suspended"}),
    "hangs": ("import time; time.sleep(1000)", {"move"}),
    "junk": ("while True: input(); [print('{}', flush=True) for _ in range(30)]", {"junk"}),
    "hungry": ("x = []\nwhile True: x.append(bytearray(2**22))", {"crash", "suspended"}),
    "deaf": (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)",
        {"move"},
    ),
    "forks": (
        "import os, time\nif os.fork() == 0: open('forked.' + str(os.getpid()), 'w'); time.sleep(1000)",
        {"crash", "suspended"},
    ),
}
NIM = """
    [tournament]
    game = nim
    games = {games}
    stones = 9
    concurrency = {concurrency}
    [limits]
    start = {start}
    move = {move}
    memory = 200M
    [door]
    pad = yes
"""


def night(games=2, concurrency=1, move=20, start=20) -> str:
    return "\n".join(line.strip() for line in NIM.splitlines()).format(**locals()) + "\n"


def bot(name: str, source: str, speaks: str = "json") -> str:
    words = " {name} {port} {first}" if speaks == "nim" else ""
    return f"[bot {name}]\nrun = {{python}} {source}.py{words}\nspeaks = {speaks}\n"


def results(desk):
    return [read_line(line) for line in desk.games.splitlines()]


def test_programs_of_every_wire_play_one_another(desk):
    text = night(games=4) + bot("lines", "lines") + bot("stock", "stock", "nim")
    text += bot("pipe", "pipe", "pipe") + "[bot house]\nlevel = random\n"
    desk.write(text, lines=LINES, stock=STOCK, pipe=PIPE)
    ended = desk.run()
    assert ended.returncode == 0, ended.stderr
    found = results(desk)
    assert len(found) == 24
    assert Counter(each.reason for each in found) == {"played": 24}
    assert {each.outcome for each in found} == {"last-stone"}
    for each in found:
        game = run(
            [*desk.command()[:4], "game", str(desk.run_folder), each.id],
            capture_output=True,
            timeout=SECONDS,
            check=True,
        )
        if each.id.endswith(".1"):
            (desk.folder / "game.jsonl").write_bytes(game.stdout)
            check = [*desk.command()[:3], "verify", str(desk.folder / "game.jsonl")]
            verified = run(check, capture_output=True, text=True, timeout=SECONDS)
            assert verified.returncode == 0, verified.stdout
        break
    assert not list((desk.run_folder / "stderr").glob("*"))


# The one who goes first comes only when the other has started, and has tried to come before.
LATER = """
    import os, sys, time
    if sys.argv[3:] == ["-f"]:
        while not os.path.exists("there"):
            time.sleep(0.01)
        os.remove("there")
        time.sleep(0.1)
    else:
        open("there", "w").close()
"""


def test_programs_that_come_by_themselves_start_together_and_are_let_in_by_their_seats(desk):
    desk.write(
        night(games=2) + bot("a", "later", "nim") + bot("b", "later", "nim"), later=LATER + STOCK
    )
    ended = desk.run()
    assert ended.returncode == 0, ended.stderr
    for each in results(desk):
        assert each.reason == "played"
        sat = [command for command in json.loads(each.record) if command["is"] == "Sit"]
        assert [command["seat"] for command in sat] == [0, 1]
        assert [command["name"] for command in sat] == list(each.entrants)


@pytest.mark.parametrize("kind", ["gops", "rikiki", "pass123", "castle"])
def test_a_program_of_json_lines_plays_every_game(desk, kind):
    text = f"[tournament]\ngame = {kind}\ngames = 2\nseats = 2\n[limits]\nstart=60\ngame = 300\nmove = 60\n"
    text = text.replace("[limits]", "max = 3\n[limits]") if kind == "rikiki" else text
    # Where it is a race the bots of the house take the seconds that people would, all but the random one.
    level = "random" if kind == "pass123" else "thinker\nplayouts = 2"
    text += bot("lines", "lines") + f"[bot house]\nlevel = {level}\n"
    desk.write(text, lines=LINES)
    ended = desk.run()
    assert ended.returncode == 0, ended.stderr
    assert [each.reason for each in results(desk)] == ["played"] * 2


@pytest.mark.parametrize("name", BAD)
def test_who_spoils_a_game_loses_it_and_the_run_goes_on(desk, name):
    source, reasons = BAD[name]
    waits = reasons == {"move"}  # each game takes a second or two where time runs out
    games = 2 if waits else 6
    text = (
        night(games, concurrency=4 if waits or name == "junk" else 1, move=1, start=2)
        + bot("bad", "bad")
        + bot("good", "good")
    )
    desk.write(text + "[bot house]\nlevel = random\n", bad=source, good=LINES)
    ended = desk.run()
    found = results(desk)
    assert len(found) == 3 * games, ended.stderr
    for each in found:
        if "bad" in each.entrants:
            assert each.culprit == "bad" and each.reason in reasons
            assert each.places[each.entrants.index("bad")] == 2
        else:
            assert each.reason == "played"
    assert ended.returncode == (3 if "suspended" in {each.reason for each in found} else 0)
    for left in desk.folder.glob("forked.*"):
        assert not is_alive(int(left.suffix[1:]))


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_one_who_ends_with_the_last_move_has_not_crashed(desk):
    ends = """
        import sys
        for line in sys.stdin:
            if "your_turn=1" in line:
                left = int(line.split("stones_left=")[1].split()[0])
                print(min(left, 3) if left <= 3 else 1, 0, flush=True)
                if left <= 3:
                    break
    """
    desk.write(
        night(games=4) + bot("ends", "ends", "pipe") + bot("pipe", "pipe", "pipe"),
        ends=ends,
        pipe=PIPE,
    )
    assert desk.run().returncode == 0
    assert {each.reason for each in results(desk)} == {"played"}


def test_what_is_answered_too_late_counts_in_no_other_game(desk):
    """The slow one answers its first question after its time: the second game begins with nobody's move."""
    slow = """
        import sys, time, pathlib
        first = not pathlib.Path("slept").exists()
        for line in sys.stdin:
            if "your_turn=1" in line:
                if first:
                    pathlib.Path("slept").touch()
                    time.sleep(5)
                first = False
                print("1 0", flush=True)
    """
    text = (
        night(games=4, move=2, start=2) + bot("slow", "slow", "pipe") + bot("pipe", "pipe", "pipe")
    )
    desk.write(text, slow=slow, pipe=PIPE)
    assert desk.run().returncode == 0
    assert [each.reason for each in results(desk)].count("move") == 1
    assert {each.outcome for each in results(desk) if each.reason == "played"} == {"last-stone"}


def test_a_program_that_is_not_there_does_not_end_the_run(desk):
    desk.write(night() + "[bot none]\nrun = /no/such/program\n[bot house]\nlevel = random\n")
    assert desk.run().returncode == 0
    assert {(each.reason, each.culprit) for each in results(desk)} <= {
        ("crash", "none"),
        ("start", "none"),
    }


# -- killed, and gone on with ---------------------------------------------------------


def kill_and_go_on(desk, times: int) -> int:
    """Kill a run so many times, each time after some more games; give how often it was killed while it ran."""
    killed = 0
    for _ in range(times):
        before = len(desk.games) if (desk.run_folder / "games.jsonl").exists() else 0
        going = start(desk.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + SECONDS
        while going.poll() is None and time.monotonic() < until:
            path = desk.run_folder / "games.jsonl"
            if path.exists() and path.stat().st_size > before:
                os.kill(going.pid, signal.SIGKILL)
                killed += 1
                break
            time.sleep(0.002)
        going.wait(SECONDS)
    return killed


def test_a_run_of_house_bots_is_the_same_to_the_byte_however_often_it_is_killed(desk):
    bots = {"a": "random", "b": "easy", "c": "perfect", "d": "random"}
    settings = {"game": "nim", "games": 60, "stones": 30}
    desk.write(house(bots, **settings))
    assert desk.run().returncode == 0
    whole, table = desk.games, (desk.run_folder / "results.json").read_bytes()
    (desk.run_folder / "games.jsonl").unlink()
    desk.write(house(bots, **settings, concurrency=2))
    assert kill_and_go_on(desk, 4) >= 2
    assert desk.run().returncode == 0
    assert desk.games == whole
    assert (desk.run_folder / "results.json").read_bytes() == table


def test_a_run_of_programs_loses_and_doubles_no_game(desk):
    desk.write(
        night(games=30) + bot("lines", "lines") + bot("pipe", "pipe", "pipe"),
        lines=LINES,
        pipe=PIPE,
    )
    kill_and_go_on(desk, 4)
    assert desk.run().returncode == 0
    assert [each.id for each in results(desk)] == [f"1.1.{number + 1}" for number in range(30)]
    assert {each.reason for each in results(desk)} == {"played"}
    table = json.loads((desk.run_folder / "results.json").read_text())
    assert sum(each["score"] for each in table["entrants"]) == pytest.approx(1.0)


def test_an_interrupted_run_says_so_and_goes_on(desk):
    desk.write(
        night(games=200) + bot("lines", "lines") + bot("pipe", "pipe", "pipe"),
        lines=LINES,
        pipe=PIPE,
    )
    going = start(desk.command(), stderr=subprocess.PIPE, text=True)
    path = desk.run_folder / "games.jsonl"
    until = time.monotonic() + SECONDS
    while not (path.exists() and path.stat().st_size) and time.monotonic() < until:
        time.sleep(0.01)
    going.send_signal(signal.SIGINT)
    _, said = going.communicate(timeout=SECONDS)
    assert going.returncode == 130 and "goes on" in said
    assert 0 < len(results(desk)) < 200


def test_another_tournament_is_not_written_into_the_same_folder(desk):
    desk.write(house({"a": "random", "b": "random"}, game="nim", games=2))
    assert desk.run().returncode == 0
    desk.write(house({"a": "random", "b": "random"}, game="nim", games=4))
    ended = desk.run()
    assert ended.returncode == 2 and "another tournament" in ended.stderr


def test_two_of_a_file_are_tested_until_it_is_clear(desk):
    desk.write(house({"a": "easy", "b": "random", "c": "random"}, game="nim", games=2000))
    ended = desk.run("--sprt", "a", "b", "0", "30")
    assert ended.returncode == 0, ended.stderr
    assert "elo1" in ended.stdout
    found = results(desk)
    assert len(found) < 2000 and not [each for each in found if "c" in each.entrants]
    numbers = [int(each.id.rpartition(".")[2]) for each in found]
    assert all(later == earlier + 1 for earlier, later in pairwise(numbers))
