"""The lobby at a door of one game: what people type there is of that game alone."""

from __future__ import annotations

import pytest

from gamecore.games.castle import RULES as CASTLE
from gamecore.games.nim import RULES as NIM
from gamecore.settings import NoSettings
from protocols.host.door import Door, DoorFactory
from protocols.lobby.one_game import open_session
from protocols.net.line import BoundedLine

FOREIGN = ("games", "suits")  # what makes no sense where castles are besieged


class Wordy(BoundedLine):
    """A link of a game's own door that speaks words from its first line on."""

    linger = 5.0
    burst = 100.0
    session = None

    def line_received(self, line):
        if self.session is None:
            self.session = open_session(self, self.factory.host, "castle", without=("suits",))
        self.session.line_received(line)

    def line_refused(self, reason_key):
        self.session.line_refused(reason_key)

    def input_ended(self):
        self.session.input_ended()

    def gone(self, reason):
        if self.session is not None:
            self.session.gone()


class WordyFactory(DoorFactory):
    protocol = Wordy


DOOR = Door("castle", "Castle Wars", "tcp:0", NoSettings, None)


@pytest.fixture
def home(lobby):
    with lobby(rules=(NIM, CASTLE)) as opened:
        opened.whole_hall = opened.factory
        opened.factory = WordyFactory(opened.host, DOOR, None)
        yield opened


def call_the_hall(home, name):
    """Let somebody come by the door of the whole hall."""
    own, home.factory = home.factory, home.whole_hall
    caller = home.call(name)
    home.factory = own
    return caller


def test_who_comes_is_greeted_by_the_name_of_the_game_and_obeyed_at_once(home):
    heard = home.call(wide=False).type("tables")
    assert heard[0] == "Welcome to Castle Wars. You are guest-1."
    assert heard[1].startswith("Type PLAY to play against a bot")
    assert heard[-2:] == [
        "No table waits for anybody. OPEN one, or PLAY against a bot.",
        "[hall]",
    ]


def test_the_name_of_the_game_may_follow_a_word_that_is_said_alone_and_nothing_else(home):
    ann = home.call("ann")
    assert ann.type("rules castle")[0].startswith("Castle Wars")
    assert ann.type("rules nim")[0] == "Say RULES alone: no word goes behind it."


@pytest.mark.parametrize(
    ("typed", "level"), [("play", "easy"), ("solo hard", "hard"), ("play castle easy", "easy")]
)
def test_a_game_against_a_bot_needs_no_name_of_a_game(home, typed, level):
    ann = home.call("ann")
    assert any(f"{level} bot, a bot, takes seat" in line for line in ann.type(typed))
    assert [table.rules.kind for table in home.tables] == ["castle"]
    ann.type("leave")


def test_options_follow_without_the_game(home):
    ann = home.call("ann")
    ann.type("open hand_limit=7 private")
    (table,) = home.tables
    assert (table.rules.kind, table.opened.options["hand_limit"], table.house.private) == (
        "castle",
        7,
        True,
    )


def test_people_of_both_doors_meet_and_other_games_are_out_of_sight(home):
    ann, ben = home.call("ann"), call_the_hall(home, "ben")
    ben.type("open nim")
    (nim,) = home.tables
    assert ann.type("tables")[0].startswith("No table waits")
    for word in ("join", "watch"):
        assert "There is no table with that code here." in ann.type(f"{word} {nim.code}")
    assert ann.type("join")[0].startswith("No table waits for a player.")
    ben.type("leave", "open castle")
    castle = home.tables[-1]
    assert castle.code in ann.type("rooms")[0]
    ann.type("join")
    assert castle.names == ("ben", "ann")
    ann.type("'hello")
    assert "ann: hello" in ben.hear()


def test_help_names_no_game_and_no_word_that_says_nothing_here(home):
    ann = home.call("ann")
    told = ann.type("help all")
    assert any(line.startswith("PLAY [bot]: ") for line in told)
    assert any(line.startswith("DECK ") for line in told)
    assert not [line for line in told if line.upper().startswith(("GAMES", "SUITS"))]
    assert any("hand_limit" in line for line in ann.type("help open"))
    assert ann.type("help start")[0] == "START"
    for word in FOREIGN:
        assert any(line.startswith("There is no word") for line in ann.type(word))
        assert ann.type(f"help {word}")[0].startswith("There is no page about")
    assert "Castle" in " ".join(ann.type("rules"))
