"""Commands for how things are told: language, letters, colours, how wide, and how often the board."""

from __future__ import annotations

from attrs import evolve

from gamecore.errors import Malformed
from protocols.i18n.game_text import SHOWN
from protocols.i18n.translate import N_, languages, translator_of
from protocols.lobby.session import Session

_MOST_DIGITS = 3
_BOARDS = {
    "always": N_("The board is shown before each of your moves."),
    "round": N_("The board is shown when a round begins."),
    "never": N_("The board is shown when you say BOARD."),
}
_ON = ("on", "yes", "1")
_OFF = ("off", "no", "0")


def language(session: Session, rest: str) -> None:
    """Choose a language; raises Refused ``no-such-language``."""
    if rest:
        session.say = translator_of(rest if " " in rest else rest[:2])
    known = ", ".join(languages())
    session.tell(
        session.say(
            "You are spoken to in {name} (of {known}).", name=session.say.language, known=known
        )
    )


def colour(session: Session, rest: str) -> None:
    """Turn colours on or off; raises Malformed."""
    if rest.lower() not in _ON + _OFF:
        raise Malformed(session.say("Say COLOUR on or COLOUR off."))
    session.screen.style = evolve(session.screen.style, colour=rest.lower() in _ON)
    state = session.say("on") if session.screen.style.colour else session.say("off")
    session.tell(session.say("Colours are {state}.", state=state))


def suits(session: Session, rest: str) -> None:
    """Choose how suits are written; raises Malformed."""
    word = rest.lower()
    if not word or not any(each.startswith(word) for each in ("signs", "letters")):
        raise Malformed(session.say("Say SUITS signs or SUITS letters."))
    session.screen.style = evolve(session.screen.style, letters="letters".startswith(word))
    session.tell(session.say("Suits are written so: {suits}", suits="10♠ 10♥ 10♦ 10♣"))


def charset(session: Session, rest: str) -> None:
    """Choose with which letters all is written; raises Malformed."""
    word = rest.lower().replace("-", "")
    if word not in ("ascii", "utf8"):
        raise Malformed(session.say("Say CHARSET utf-8 or CHARSET ascii."))
    session.screen.style = evolve(session.screen.style, ascii=word == "ascii")
    session.tell(session.say("Letters are written so: {letters}", letters="é è ñ ü ø, 10♠ 10♥"))


def width(session: Session, rest: str) -> None:
    """Choose how wide lines are, and how many fit on the screen; raises Malformed."""
    words = rest.split()
    if rest.lower() == "auto":
        session.line.ask_size()
        if not session.screen.rows:
            session.tell(
                session.say("Your terminal is asked. WIDTH says what it answered, if it can.")
            )
            return
    elif not all(word.isdecimal() and len(word) <= _MOST_DIGITS for word in words[:2]) or words[2:]:
        raise Malformed(
            session.say("Say WIDTH and columns, or columns and rows, like WIDTH 80 24.")
        )
    elif words:
        columns, rows = [*map(int, words), 0][:2]
        session.screen.resize(columns, rows)
    session.tell(_size(session))


def _size(session: Session) -> str:
    columns, rows, say = session.screen.style.columns, session.screen.rows, session.say
    if not columns:
        return say("Lines are as long as they are. WIDTH 80 breaks them at 80 columns.")
    if not rows:
        return say("Lines are broken at {columns} columns.", columns=columns)
    sentence = N_("Lines are broken at {columns} columns, and long texts after {rows} rows.")
    return say(sentence, columns=columns, rows=rows)


def board_shown(session: Session, rest: str) -> None:
    """Choose when the board is shown by itself; raises Malformed."""
    thing, _, when = rest.lower().partition(" ")
    if thing != "board" or when not in SHOWN:
        raise Malformed(session.say("Say SET board always, SET board round or SET board never."))
    session.screen.board_wish = when
    session.tell(session.say(_BOARDS[when]))
