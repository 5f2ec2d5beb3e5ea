"""Tables of GOPS where the players came by different doors, and one that outlives a kill."""

from __future__ import annotations

import re
import signal

from tests.end_to_end.players import SECONDS, Frames, Line, Lobby, Program
from tests.processes import run

ANY_CARD = r"(?:10|[2-9JQKA])[♠♣♦♥]"
GOPS = "[gops]\ncards = 3\norder = descending\n"


def test_a_stock_client_and_a_line_client_play_gops_and_nobody_sees_a_card_too_soon(
    start_daemon, clients
):
    ports = start_daemon(ini=GOPS).ports
    north, south = clients(Frames(ports["gops"])), clients(Line(ports["gops"]))
    north.say("SET-USERNAME~north")
    north.say("START-GAME~1")
    code = north.until(r"SET-ID~(\w+)")[1]
    eve, program = clients(Lobby(ports["lobby"], "eve")), clients(Program(ports["json"]))
    eve.say(f"watch {code}")
    eve.until("You look on")
    program.ask("watch", table=code)
    south.say(f"SET-USERNAME~south\nJOIN-GAME~{code}")
    for number, (one, other) in enumerate(((2, 1), (3, 2), (1, 3)), 1):
        north.until("YOUR-TURN")
        south.until("YOUR-TURN[^\n]*\n")
        eve.until(f"Round {number}: ")
        program.event("PrizeTurned")
        boards = eve.board(), program.look()
        north.say(f"PLAY-TURN~{code}${one}")
        north.until("Waiting for south")
        check_hidden(eve, program, boards)
        south.say(f"PLAY-TURN~{code}${other}")
        assert south.text() == ""
        assert "Both of you have played" in south.until(r"^[^\n]*\n")[0]
        assert program.event("Revealed")["bids"] == [one, other]
    assert program.event("GameOver")["outcome"]["places"] == [1, 2]
    eve.until(r"Game 1 is over: north wins [^\n]*north 5, south 1")
    north.until("INFO~north wins the game!")
    north.until("END-GAME")
    south.until("(?s)INFO~north wins the game!.*END-GAME")


def check_hidden(eve: Lobby, program: Program, boards: tuple[str, dict]) -> None:
    """See that those who look on know only that the first player has laid a card."""
    drawn, seen = boards
    assert set(program.event("Laid")) == {"n", "table", "event", "seat"}
    assert program.look() == {**seen, "laid": [0]}
    laid = eve.until("(?s)^(.*)north has laid a card\\.")[1]
    assert re.search(ANY_CARD, laid.partition("]")[2]) is None
    assert eve.board().split("\r\n") == [*drawn.split("\r\n")[:-1], "north has laid a card.", ""]


def test_a_person_plays_gops_against_a_program_and_a_line_client_looks_on(start_daemon, clients):
    ports = start_daemon(ini=GOPS).ports
    ann, program = clients(Lobby(ports["lobby"], "ann")), clients(Program(ports["json"]))
    ann.say("open gops")
    code = ann.until(r"\[gops (\w+)\]")[1]
    watcher = clients(Line(ports["gops"]))
    watcher.say(f"SPECTATE~{code}")
    watcher.until("TRUE~")
    program.ask("join", table=code)
    for hers, its in ((1, 2), (2, 3), (3, 1)):
        ann.until("Your turn[^\n]*lay (one of|your last)")
        watcher.until("Current card")
        (move,) = (move for move in program.moves() if move["card"] == its)
        program.ask("play", move=move)
        assert program.look()["own"] == its
        assert "You have laid" not in ann.board()
        heard = watcher.until(r"(?s)^(.*?)INFO~\S+ has chosen a card\n")[1]
        assert re.search(r" : \[", heard) is None
        ann.say(f"bid {hers}")
        assert program.event("Revealed")["bids"] == [hers, its]
    assert program.event("GameOver")["outcome"]["places"] == [2, 1]
    ann.until(r"Game 1 is over: (?!ann)\S+ wins")
    watcher.until(r"(?s)INFO~(?!ann)\S+ wins the game!.*END-GAME")


def test_a_card_of_gops_that_was_laid_before_a_kill_still_lies_there(
    start_daemon, clients, tmp_path, bin_dir
):
    journal, ini = str(tmp_path / "games.db"), "[gops]\ncards = 5\n"
    daemon = start_daemon(ini=ini, journal=journal)
    with Line(daemon.ports["gops"]) as north, Line(daemon.ports["gops"]) as south:
        north.say("SET-USERNAME~north\nSTART-GAME")
        code = north.until(r"SET-ID~(\w+)\n")[1]
        tokens = [north.until(r"TOKEN~(\S+)\n")[1]]
        south.say(f"SET-USERNAME~south\nJOIN-GAME~{code}")
        tokens.append(south.until(r"TOKEN~(\S+)\n")[1])
        prizes = [turned(north, south)]
        for client in (north, south):
            client.say(f"PLAY-TURN~{code}$1")
        prizes.append(turned(north, south))
        north.say(f"PLAY-TURN~{code}$5")
        north.until("Waiting for south")
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait(SECONDS)
        daemon.process.returncode = 0  # it was we who ended it so
    daemon = start_daemon(ini=ini, journal=journal)
    north, south = (clients(Line(daemon.ports["gops"])) for _ in tokens)
    for client, token in zip((north, south), tokens, strict=True):
        client.say(f"RETURN~{token}")
        client.until(f"TRUE~[^\\n]*{code}")
        assert client.until(r"Current card: (.*) \n")[1] == prizes[-1]
    north.say(f"PLAY-TURN~{code}$4")
    north.until("the first choice stands")
    south.until("YOUR-TURN")
    south.say(f"PLAY-TURN~{code}$4")
    for client in (north, south):
        client.until(r"north \[5♠\] : \[4♣\] south")
    for card in (4, 3, 2):
        prizes.append(turned(north, south))
        north.say(f"PLAY-TURN~{code}${card}")
        south.say(f"PLAY-TURN~{code}${5 if card == 4 else card}")
    for client in (north, south):
        client.until("END-GAME")
        client.__exit__()
    assert daemon.stop() == 0
    check_record(bin_dir, journal, code, prizes)


def turned(*clients: Line) -> str:
    """Give the prizes at stake, as each client has been told them when asked for a card."""
    at_stake = {client.until(r"Current card: (.*) \n")[1] for client in clients}
    for client in clients:
        client.until("YOUR-TURN")
    (prizes,) = at_stake
    return prizes


def check_record(bin_dir, journal: str, code: str, prizes: list[str]) -> None:
    """See that the record holds, and tells of the same prizes in the same order."""
    replay, verify = (
        run(
            [str(bin_dir / "parlour"), command, "--journal", journal, code],
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        for command in ("replay", "verify")
    )
    assert (replay.returncode, verify.returncode) == (0, 0), replay.stderr + verify.stdout
    newest = [each.split()[-1].strip("[]") for each in prizes]
    assert len(set(newest)) == 5
    assert re.findall(r"Round \d: (\S+) is turned up", replay.stdout) == newest
    assert "north lays 5♠, south lays 4♣" in replay.stdout
