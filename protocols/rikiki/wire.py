"""The wire of Rikiki: one command or event a line, for people on netcat and for programs.

Lines are UTF-8 and end in LF or CRLF; one to the server has at most 512 bytes. Verbs are read in any case, fields
are split by blanks; a name is written with ``_`` for its blanks. A card is its rank, then its suit: ``10H`` (``TH``
is read as well), ``QS``. From the client::

    HELP [verb]               what can be said, or one page of it
    MODE HUMAN|BOT            with or without the lines that begin with #; BOT adds " @n" to each event
    LANG en|fr                the language of what is said to people
    NAME Ann                  what one is called; before joining
    TABLES                    lists the tables that can be joined
    NEW [players=3] [cards=2] [schedule=down-up] [hook=off|last|last-over-3] [top_trump=never]
        [scoring=penalty] [private] [password=word] ...    opens a table, and looks on at it
                                                                        OK NEW code owner-token
    JOIN code [password]      takes a seat                  OK JOIN code seat token
    INVITE token              takes the seat of an invitation
    REJOIN token              comes back to one's seat, or to a table that one has opened
    WATCH code [password]     looks on
    START [owner-token]       begins, with those who are seated: for whoever opened the table
    ADDBOT [level]            lets a bot take a seat
    BID 2                     bids
    PLAY 10H                  plays a card
    NEXT                      begins the next round
    CARDS 3                   between rounds, the next one deals so many cards: for whoever opened the table here,
                              else for who may begin the round; if nobody says it, as the schedule has it
    HAND, TABLE, WHO, SCORE, STATE    says again how things stand
    SAY text                  says something to everybody at the table
    AGAIN                     gathers the players of a game that is over for another, or agrees to it
    LEAVE, QUIT               goes; the seat is held for a while

Each command is answered by one line, in order: ``OK`` and the command, or ``ERR key text``. A move is answered
before what it leads to is told. Events, each complete in itself, and what else the server says::

    WELCOME rikiki 1          at the beginning
    TABLE code waiting 1/3 cards=2 schedule=down hook=off top_trump=if-left scoring=tricks10
    JOINED code Ben 2         sits in seat 2; the first seat is 1
    LEFT code Ben 2 away      or left, disconnected, absent: ``away`` may come back
    BACK code Ben 2
    STARTED Ann Ben Cat       in the order of the seats
    ROUND 1 2 Ann             the number of the round, of the cards in each hand, who bids and leads first
    HAND AH 7S                one's own cards
    TRUMP 5S                  the card that was turned, or NONE
    TURN Ann BID 0 1 2        what may be bid, or (PLAY) played: told to Ann alone, the others hear TURN Ann BID
    FORCED Ben time           the bid or card that follows was not Ben's choice: time ran out, or (left) he is gone
    BID Ann 1
    BIDS 1/2                  the sum of the bids so far, of the tricks there are
    PLAYED Ann AH
    TRICK Ann AH              who took it, with which card
    RESULT Ann 1 2 2 2        bid, won, points, points in all
    ROUNDOVER 1
    CARDS 3                   somebody has said how many cards the next round deals
    GAMEOVER Ben              who has won: one or several, all where no points are counted
    GATHERED Ben Cat Ann      for another game, in their new seats
    SAID Ann hello            said by a player, or (``-``) by one who looks on
    STATE table=ABCDE stage=playing seat=1 game=1 round=1/2 cards=2 phase=bidding turn=Ann
                              between rounds, next=3: the cards that the next one deals if nothing else is said
    PAUSED key text           play is paused, and goes on with RESUMED
    CLOSED code why           the table is no more
    BYE key text              the last line before the link is closed
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from attrs import define, frozen

from gamecore.cards import Card, in_order, read_card
from gamecore.errors import Malformed
from gamecore.events import Event, RoundBegan, RoundOver
from gamecore.games.rikiki import (
    Asked,
    Awaited,
    Bid,
    BidPlaced,
    CardPlayed,
    CardsChosen,
    ChooseCards,
    Dealt,
    HandDealt,
    PlayCard,
    Result,
    RoundScored,
    TrickTaken,
    TrumpTurned,
)
from gamecore.rules import Move, NextRound
from gamecore.settings import Value
from gamecore.table_events import (
    Abandoned,
    Agreed,
    Dropped,
    GameBegan,
    GameOver,
    Gathered,
    Left,
    Replaced,
    Returned,
    Sat,
    Waiting,
)
from protocols.net.line_reader import LineReader

LIMIT = 512
WELCOME = "WELCOME rikiki 1"
_ANY = 100
_NUMBER = re.compile(r" @([0-9]+)$")

# Each verb: how it is typed behind the verb, and the least and most fields it takes.
VERBS: Mapping[str, tuple[str, int, int]] = {
    "HELP": ("[verb]", 0, 1),
    "MODE": ("HUMAN|BOT", 1, 1),
    "LANG": ("language", 1, 1),
    "NAME": ("name", 1, _ANY),
    "TABLES": ("", 0, 0),
    "NEW": ("[players=n] [cards=k] [option=value...] [private] [password=word]", 0, _ANY),
    "JOIN": ("code [password]", 1, _ANY),
    "INVITE": ("token", 1, 1),
    "REJOIN": ("token", 1, 1),
    "WATCH": ("code [password]", 1, _ANY),
    "START": ("[owner-token]", 0, 1),
    "ADDBOT": ("[level]", 0, 1),
    "BID": ("tricks", 1, 1),
    "PLAY": ("card", 1, 1),
    "NEXT": ("", 0, 0),
    "CARDS": ("number", 1, 1),
    "HAND": ("", 0, 0),
    "TABLE": ("", 0, 0),
    "WHO": ("", 0, 0),
    "SCORE": ("", 0, 0),
    "STATE": ("", 0, 0),
    "SAY": ("text", 1, _ANY),
    "AGAIN": ("", 0, 0),
    "LEAVE": ("", 0, 0),
    "QUIT": ("", 0, 0),
}


@define(eq=False)
class Request:
    """One command of a client's; ``answer`` is set, with all its lines, once it is known."""

    verb: str
    words: Sequence[str] = ()
    answer: Sequence[str] | None = None
    seat: int | None = None

    @property
    def line(self) -> str:
        """The line that `parse` reads."""
        return " ".join((self.verb, *self.words))

    def ok(self, *more: object) -> str:
        """Write the line that says it is done."""
        return " ".join(map(str, ("OK", self.verb, *(more or self.words))))


@frozen
class Told:
    """One line of the server's; ``number`` is how many events its reader was told, where MODE is BOT."""

    word: str
    text: str = ""
    number: int | None = None

    @property
    def words(self) -> list[str]:
        """The word, and the fields behind it."""
        return [self.word, *self.text.split()]


# -- from the client ------------------------------------------------------------------


def parse(line: str) -> Request:
    """Read a line; raises Malformed with a key and a sentence."""
    verb, *words = line.split() or [""]
    verb = verb.upper()
    if verb not in VERBS:
        raise Malformed("unknown-command HELP lists what can be said")
    usage, least, most = VERBS[verb]
    if not least <= len(words) <= most:
        raise Malformed(f"usage {verb} {usage}".rstrip())
    return Request(verb, words)


def read_move(request: Request) -> Move:
    """Make a move of BID, PLAY or NEXT, and write what it says as the server does; raises Malformed."""
    if request.verb == "NEXT":
        return NextRound()
    (word,) = request.words
    if request.verb == "BID":
        request.words = [str(_read_number(word))]
        return Bid(int(request.words[0]))
    try:
        card = read_card(word)
    except ValueError:
        raise Malformed("bad-card a card is a rank and a suit, like 10H") from None
    request.words = [str(card)]
    return PlayCard(card)


def read_cards_chosen(request: Request) -> ChooseCards:
    """Read CARDS, and write what it says as the server does; raises Malformed."""
    request.words = [str(_read_number(request.words[0], "a number of cards"))]
    return ChooseCards(int(request.words[0]))


def _read_number(word: str, what: str = "a bid") -> int:
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 7):
        raise Malformed(f"not-a-number {what} is a whole number")
    return int(word)


def read_options(words: Sequence[str]) -> tuple[dict[str, Value], dict[str, Value], str]:
    """Read what NEW asks for: options of the game, those of the table, and the password; raises Malformed."""
    options: dict[str, Value] = {}
    house: dict[str, Value] = {"start": "asked"}
    password = ""
    for word in words:
        name, equals, value = word.lower().partition("=")
        if name == "private" and not equals:
            house["private"] = True
        elif name == "password" and value:
            password = word.partition("=")[2]  # as it was typed
        elif not value:
            raise Malformed(f"usage NEW {VERBS['NEW'][0]}")
        elif name in ("grace", "absent", "watchers"):
            house[name] = value
        elif name == "hook" and value.startswith("last-over-"):
            options |= {"hook": "last-over", "hook_over": value.removeprefix("last-over-")}
        else:
            options["first" if name == "cards" else name] = value
    return options, house, password


def hook_word(options: Mapping[str, Value]) -> str:
    """Write the hook as NEW takes it, with the number of cards where there is one."""
    hook = str(options["hook"])
    return f"{hook}-{options['hook_over']}" if hook == "last-over" else hook


def leads_to(request: Request, event: Event, seat: int | None) -> bool:
    """Say whether an event is what a command of the player in ``seat`` has led to."""
    match request.verb, event:
        case ("BID", BidPlaced(mover, _, "")) | ("PLAY", CardPlayed(mover, _, "")):
            return mover == seat
        case ("NEXT", RoundBegan()) | ("START" | "AGAIN", GameBegan()) | ("AGAIN", Gathered()):
            return True
        case ("CARDS", CardsChosen()):
            return True
        case ("AGAIN", Agreed(agrees)):
            return agrees == seat
    return False


# -- from the server ------------------------------------------------------------------


def write(told: Told) -> str:
    """Write one line."""
    line = f"{told.word} {told.text}" if told.text else told.word
    return line if told.number is None else numbered(line, told.number)


def numbered(line: str, number: int) -> str:
    """Add to an event where in its reader's stream it stands."""
    return f"{line} @{number}"


def read(line: str, counted: bool = True) -> Told:
    """Read one line; its events are ``counted`` where MODE is BOT, else they may end with anything."""
    word, _, text = line.partition(" ")
    found = _NUMBER.search(line) if counted and word not in ("OK", "ERR", "#") else None
    if found is None:
        return Told(word, text)
    return Told(word, line[len(word) + 1 : found.start()], int(found[1]))


class ToldReader(LineReader[Told]):
    """Cuts what a client is sent into lines that are read."""

    def __init__(self, counted: bool = True) -> None:
        """``counted`` as `read` has it."""
        super().__init__(partial(read, counted=counted))


def name_field(name: str) -> str:
    """Write a name as one field."""
    return "_".join(name.split()) or "-"


def cards_line(cards: Iterable[Card]) -> str:
    """Write the cards of a hand, the highest first."""
    return " ".join(map(str, reversed(in_order(cards))))


def render(event: Event, names: Sequence[str], code: str) -> Sequence[str]:
    """Write one event at a table as lines; none for what this wire does not say."""
    name = [name_field(each) for each in names]
    lines = _render_game(event, name)
    return _render_table(event, name, code) if lines is None else lines


def _render_game(event: Event, name: Sequence[str]) -> Sequence[str] | None:
    match event:
        case Dealt():
            return [f"ROUND {event.number} {event.cards} {name[event.order[0]]}"]
        case HandDealt():
            return [f"HAND {cards_line(event.cards)}"]
        case TrumpTurned():
            return [trump_line(event.card)]
        case Awaited():
            return [f"TURN {name[event.seat]} {event.doing.upper()}"]
        case Asked():
            return [turn_line(name[event.seat], event.bids, event.cards)]
        case BidPlaced():
            bid = [f"BID {name[event.seat]} {event.tricks}", f"BIDS {event.total}/{event.cards}"]
            return [*_forced(name[event.seat], event.forced), *bid]
        case CardPlayed():
            played = f"PLAYED {name[event.seat]} {event.card}"
            return [*_forced(name[event.seat], event.forced), played]
        case TrickTaken():
            return [f"TRICK {name[event.seat]} {event.card}"]
        case RoundScored():
            return result_lines(event.results, name)
        case CardsChosen():
            return [f"CARDS {event.cards}"]
        case RoundOver():
            return [f"ROUNDOVER {event.number}"]
    return [] if isinstance(event, RoundBegan) else None


def _render_table(event: Event, name: Sequence[str], code: str) -> Sequence[str]:
    match event:
        case Sat() | Replaced():
            return [joined_line(code, event.name, event.seat)]
        case Left(seat, gone, why):
            return [f"LEFT {code} {name_field(gone)} {seat + 1} {name_field(why)}"]
        case Dropped(seat) | Waiting(seat):
            return [f"LEFT {code} {name[seat]} {seat + 1} away"]
        case Returned(seat):
            return [f"BACK {code} {name[seat]} {seat + 1}"]
        case GameBegan():
            return [" ".join(["STARTED", *map(name_field, event.names)])]
        case GameOver():
            return [" ".join(["GAMEOVER", *(name[seat] for seat in event.outcome.winners)])]
        case Gathered():
            return [" ".join(["GATHERED", *map(name_field, event.names)])]
        case Abandoned():
            return [f"CLOSED {code} {name_field(event.why)}"]
    return []


def joined_line(code: str, name: str, seat: int) -> str:
    """Say who sits in a seat, which is counted from 0 here and from 1 on the wire."""
    return f"JOINED {code} {name_field(name)} {seat + 1}"


def trump_line(turned: Card | None) -> str:
    """Say which card was turned, if one was left to turn."""
    return f"TRUMP {'NONE' if turned is None else turned}"


def turn_line(name: str, bids: Sequence[int], cards: Sequence[Card]) -> str:
    """Say to whoever is to move, by the name as the wire has it, what may be bid or played."""
    if cards:
        return f"TURN {name} PLAY {cards_line(cards)}"
    return " ".join(["TURN", name, "BID", *map(str, bids)])


def _forced(name: str, why: str) -> Sequence[str]:
    return [f"FORCED {name} {why}"] if why else []


def result_lines(results: Sequence[Result], name: Sequence[str]) -> Sequence[str]:
    """Say what a round has brought to each, by the names as the wire has them."""
    return [
        f"RESULT {name[each.seat]} {each.bid} {each.won} {each.points} {each.total}"
        for each in results
    ]
