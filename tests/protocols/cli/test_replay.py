"""`parlour replay`: a finished game as people read it."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing

import pytest

from gamecore.fairness import commitment
from gamecore.record_file import read_game
from protocols.cli import main as command
from protocols.cli import replay
from protocols.cli.main import main
from protocols.i18n.retelling import told
from protocols.journal.sqlite.file import connect
from tests.patience import SECONDS

SEED = "5e" * 32
SECOND_SEED = "a7" * 32
WHOLE = f"""\
Table NAAAA, "the back room": Expanding Nim, opened 2026-09-21 14:13 UTC.
Settings: stones 10.
The commitment to the seed of game 1 is {commitment("NAAAA", 1, SEED)}.
    0:01  wren takes seat 1.
    0:02  robin[2J takes seat 2.
    0:03  robin[2J adds "my [31mred[0m words" to the shuffle.
    0:04  Game 1 begins, with wren in seat 1, robin[2J in seat 2.
    0:04  wren and robin[2J play with 10 stones, 4 resets and 120 seconds each, at most 3 at first; wren begins.
    0:05  wren takes 3; 7 left, at most 4 next.
    0:06  robin[2J has lost the connection; the seat is held for 60 seconds.
    0:08  robin[2J is back.
    0:09  robin[2J takes 4 and resets; 3 left, at most 3 next.
    0:10  wren takes 3, and with that the last stone. (used: wren 1.5 s, robin[2J 4.5 s)
    0:10  Game 1 is over: wren wins (the last stone).
    0:10  The seed of game 1 was {SEED}, with "my [31mred[0m words" added.
 1:01:40  The table is closed: everybody has left.
"""


def shown(capsys, *args):
    """Run the command well and give the lines it prints."""
    assert main(["replay", *args]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


def test_a_game_is_shown_at_once(capsys, nim_file):
    assert shown(capsys, nim_file) == WHOLE.splitlines()


def test_a_game_is_found_in_the_journal_by_its_code(capsys, journal):
    assert shown(capsys, "NAAAA", "--journal", journal) == WHOLE.splitlines()
    assert shown(capsys, "naaaa", "--journal", journal) == WHOLE.splitlines()


def test_the_usual_journal_needs_no_name(capsys, make_journal, tmp_path, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    make_journal()
    assert shown(capsys, "NAAAA") == WHOLE.splitlines()


# -- who was told ---------------------------------------------------------------------


def facts(lines, *names):
    """Pick the bare facts of some kinds of event, without their times."""
    bare = [line.split("  ")[-1] for line in lines]
    return [line for line in bare if line.split(":")[0] in names]


def test_everybody_is_told_no_secret(capsys, peep_file):
    lines = shown(capsys, peep_file)
    assert facts(lines, "Dealt", "CardSeen", "Peeped") == [
        "CardSeen: seat 0",
        "CardSeen: seat 1",
        "CardSeen: seat 2",
        "Peeped: seat 1",
    ]
    assert not any("card 5" in line for line in lines)


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_is_told_what_it_was_told(capsys, peep_file, peep, seat):
    told = facts(shown(capsys, peep_file, "--seat", str(seat + 1)), "Dealt", "CardSeen")
    dealt = [
        each for events in read_game(peep.data).events for each in events if each["is"] == "Dealt"
    ]
    assert len(told) == 3
    assert f"Dealt: card {dealt[seat]['card']}, seat {seat}" in told
    assert f"CardSeen: seat {seat}" not in told


def test_with_its_rules_a_game_is_told_in_its_own_words(peep):
    game = read_game(peep.data)

    class PeepText:
        def describe(self, event, names, say):
            match event:
                case peep.Dealt():
                    return f"{names[event.seat]} looks at {event.card}."

    lines = [line for _, line in told(game, peep.RULES, PeepText(), 2)]
    assert [line for line in lines if "looks at" in line] == [lines[4]]
    assert lines[4].startswith("linnet looks at 5")
    assert lines[-2] == "Game 1 is over: robin wins; places: 1 robin, 2 wren, 2 linnet."


def test_it_is_said_that_the_rules_are_gone(capsys, peep_file):
    lines = shown(capsys, peep_file)
    assert lines[0] == 'Table PAAAA, "the back room": peep, opened 2026-09-21 14:13 UTC.'
    assert lines[2] == "Its rules (peep 1) are not installed here, so these are the bare facts."


def test_nobody_sat_in_a_seat_that_is_none(capsys, nim_file):
    assert main(["replay", nim_file, "--seat", "3"]) == 2
    assert capsys.readouterr() == ("", "parlour replay: nobody sat in seat 3\n")


def test_all_that_every_seat_was_told_shows_all_hands(capsys, peep_file, peep):
    told = facts(shown(capsys, peep_file, "--seat", "ALL"), "Dealt", "CardSeen", "Peeped")
    assert told == ["Peeped: seat 1"]
    lines = [line.split("  ")[-1] for line in shown(capsys, peep_file, "--seat", "all")]
    dealt = [
        each for events in read_game(peep.data).events for each in events if each["is"] == "Dealt"
    ]
    assert [line for line in lines if "is told" in line] == [
        f"{name} is told: Dealt: card {each['card']}, seat {each['seat']}"
        for name, each in zip(("wren", "robin", "linnet"), dealt, strict=True)
    ]


# -- by game, not by table ------------------------------------------------------------


def ends_with(lines, sentence):
    return lines[-2].endswith(sentence)


@pytest.mark.parametrize("length", [9, 10, 11, 12])
def test_a_game_that_is_over_is_shown_while_its_table_goes_on(capsys, going_on, length):
    """With both still at the table, with the next game gathering, begun, and played."""
    journal = going_on(length)
    lines = shown(capsys, "GAAAA", "--journal", journal)
    assert ends_with(lines, "Game 1 is over: wren wins (the last stone).")
    assert SEED in lines[-1]
    assert not any(SECOND_SEED in line or "Game 2" in line for line in lines)
    assert main(["verify", "GAAAA", "--journal", journal]) == 0
    assert main(["export", "GAAAA", "--journal", journal]) == 0
    assert SECOND_SEED not in capsys.readouterr().out


def test_before_its_first_game_is_over_nothing_of_a_table_is_shown(capsys, going_on):
    assert main(["replay", "GAAAA", "--journal", going_on(8)]) == 2
    assert "still being played" in capsys.readouterr().err


def test_one_game_of_a_table_is_shown_alone(capsys, nim_file):
    assert shown(capsys, nim_file, "--game", "1") == WHOLE.splitlines()
    assert main(["replay", nim_file, "--game", "2"]) == 2
    assert capsys.readouterr().err == "parlour replay: there is no game 2 of that table\n"


def test_a_table_that_is_damaged_is_named(capsys, going_on):
    """With a line that was changed, and with one that is stored as text and is none of ours."""
    journal = going_on(9)
    with closing(connect(journal)) as database:
        for line in (b"{}", "no line"):
            database.execute("UPDATE records SET line = ? WHERE code = 'GAAAA'", (line,))
            assert main(["replay", "GAAAA", "--journal", journal]) == 2
            told = capsys.readouterr().err
            assert told.startswith("parlour replay: table GAAAA cannot be read: record 0")


def test_lines_that_are_stored_as_text_are_read(capsys, going_on):
    journal = going_on(9)
    before = shown(capsys, "GAAAA", "--journal", journal)
    with closing(connect(journal)) as database:
        database.execute("UPDATE records SET line = CAST(line AS TEXT)")
    assert shown(capsys, "GAAAA", "--journal", journal) == before


# -- how fast -------------------------------------------------------------------------


def slept(nim_file, *args):
    """Run the command with a clock of our own and give all that it slept."""
    pauses = []
    parsed = command.build_parser().parse_args(["replay", nim_file, *args])
    assert replay.run(parsed, pauses.append) == 0
    return pauses


def test_at_once_means_without_a_pause(nim_file):
    assert slept(nim_file) == []


def test_a_game_is_shown_as_slowly_as_it_was_played(nim_file):
    pauses = [1.0, 1.5, 0.5, 1.0, 1.0, 1.0, 2.0, 1.5, 0.5, 3690.0]
    assert slept(nim_file, "--speed", "1") == pauses
    assert slept(nim_file, "--speed", "2.5") == [pause / 2.5 for pause in pauses]


def test_no_pause_is_longer_than_a_clock_can_wait(nim_file):
    assert max(slept(nim_file, "--speed", "1e-300")) == replay.LONGEST_PAUSE


@pytest.mark.parametrize(
    "args", [["--speed", "0"], ["--speed", "x"], ["--speed", "inf"], ["--seat", "0"]]
)
def test_a_number_that_is_none_is_refused(capsys, nim_file, args):
    with pytest.raises(SystemExit) as ended:
        main(["replay", nim_file, *args])
    assert ended.value.code == 2


def test_an_interrupt_is_quiet(capsys, nim_file, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(replay, "print_line", interrupt)
    assert main(["replay", nim_file]) == 130
    assert capsys.readouterr() == ("", "\n")


# -- in a terminal --------------------------------------------------------------------


def run_parlour(*args, **more):
    script = [sys.executable, "-W", "error", "-m", "protocols.cli.main", *args]
    return subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def test_a_terminal_that_knows_only_ascii_gets_escapes(tmp_path, nim_data):
    path = tmp_path / "other.record"
    path.write_bytes(nim_data.replace(b'"my ', rb'"m\u00fd ', 1))  # in the event alone
    with run_parlour("replay", str(path), env={"PYTHONIOENCODING": "ascii"}) as ran:
        out, err = ran.communicate(timeout=SECONDS)
    assert (ran.returncode, err) == (0, b"")
    assert out.decode("ascii") == WHOLE.replace("my ", r"m\xfd ", 1)


def test_a_reader_that_has_had_enough_hears_no_complaint(nim_file):
    with run_parlour("replay", nim_file, "--speed", "3") as ran:
        ran.stdout.readline()
        ran.stdout.close()
        assert ran.stderr.read() == b""
        assert ran.wait(30) == 0


# -- what cannot be shown -------------------------------------------------------------


def refused(capsys, *args):
    """Run a command that must fail in one clear line, and give that."""
    assert main(list(args)) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), "Traceback" in err) == ("", 1, False)
    return err.rstrip("\n")


@pytest.mark.parametrize("command", ["replay", "export", "verify"])
@pytest.mark.parametrize("code", ["LAAAA", "MAAAA", "laaaa"])
def test_a_table_that_is_being_played_is_shown_to_nobody(capsys, journal, command, code):
    assert refused(capsys, command, code, "--journal", journal) == (
        f"parlour {command}: table {code.upper()} is still being played:"
        " its seed and hidden parts are shown to nobody"
    )


@pytest.mark.parametrize("command", ["replay", "export", "verify"])
@pytest.mark.parametrize("code", ["XAAAA", "Ä", "\udcff", "' OR 1 --", "nim.record\x1b[2J"])
def test_a_table_that_is_none_is_not_found(capsys, journal, command, code):
    told = refused(capsys, command, code, "--journal", journal)
    assert told.startswith(f"parlour {command}: no table ")
    assert told.endswith(f"has ended in the journal {journal}")
    assert told.isprintable()


@pytest.mark.parametrize("command", ["replay", "export", "verify"])
def test_a_journal_that_is_none_is_named(capsys, tmp_path, monkeypatch, command):
    missing = str(tmp_path / "no" / "parlour.db")
    told = f"parlour {command}: there is no journal {missing}; name one with --journal"
    assert refused(capsys, command, "NAAAA", "--journal", missing) == told
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "no"))
    assert refused(capsys, command, "NAAAA") == told
    other = tmp_path / "other.db"
    other.write_bytes(b"this is no database, but long enough to be taken for one" * 100)
    told = f"parlour {command}: the journal {other} cannot be read: file is not a database"
    assert refused(capsys, command, "NAAAA", "--journal", str(other)) == told
    assert "cannot be read" in refused(capsys, command, "NAAAA", "--journal", str(tmp_path))
    other.write_bytes(b"")
    assert "no daemon has kept a journal in" in refused(
        capsys, command, "NAAAA", "--journal", str(other)
    )


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_file_that_is_none_is_named(capsys, tmp_path, monkeypatch, command):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    missing = str(tmp_path / "missing.record")
    told = f"parlour {command}: {missing}: No such file or directory"
    assert refused(capsys, command, missing) == told
    assert refused(capsys, command, str(tmp_path)).endswith("Is a directory")
    assert refused(capsys, command, "a\x00b.record").endswith("embedded null byte")
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"\x1b[2J\n")
    assert refused(capsys, command, str(damaged)).endswith("line 1 cannot be read: it is no JSON")
