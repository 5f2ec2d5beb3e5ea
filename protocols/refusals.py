"""Why something was refused, or a link closed, in one sentence for people.

The sentences of a game's own keys stand in its ``text.refusals``; these are everybody's.  A key nobody has a
sentence for is said as the words it consists of.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamecore.errors import Refused
from protocols.game_text import GameText
from protocols.speech import Say, mark
from protocols.text import clean

REFUSALS: Mapping[str, str] = {
    # names and talk
    "name-taken": mark("Somebody here has that name, or one that looks like it. Choose another."),
    "name-too-long": mark("A name has at most {most} characters."),
    "no-name": mark("A name needs at least one letter or digit, and nothing that does not print."),
    "nothing": mark("There is nothing to do."),
    "nobody-called": mark("Nobody here is called {name}."),
    "nothing-said": mark("There is nothing to say."),
    "too-fast": mark("That was too fast. Wait a moment, then try again."),
    # tables and seats
    "already-seated": mark("You have a seat already, at table {table}. Leave it first."),
    "brings-nothing": mark("Nothing is brought along to this game."),
    "closing": mark("The house is closing. What was played is kept."),
    "code-taken": mark("There is a table with that code already."),
    "game-began": mark("The game has begun already."),
    "game-not-over": mark("The game is not over yet."),
    "hall-full": mark("There are as many tables as this house can hold. Try again later."),
    "must-bring": mark("Something must be brought along to this game."),
    "no-answer": mark("No answer came in time. Try again."),
    "no-such-game": mark("There is no game called {kind} here. There are: {known}."),
    "no-such-language": mark("That language is not spoken here. There are: {known}."),
    "no-such-level": mark("There is no bot of level {level} for this game. There are: {known}."),
    "no-such-order": mark("That names not every seat once."),
    "no-such-seat": mark("Nobody sits in seat {seat}, or there is no such seat."),
    "no-such-table": mark("There is no table with that code here."),
    "no-watchers": mark("Nobody may look on at that table."),
    "not-at-a-table": mark("You are not at a table."),
    "not-away": mark("The player in seat {seat} is not away."),
    "not-here": mark("The player in seat {seat} is not here."),
    "not-organizer": mark("Only who opened the table may do that."),
    "not-seated": mark("You have no seat here, so this is not yours to do."),
    "others-play": mark("Others sit here too, so the table cannot be given up."),
    "password-needed": mark("That table wants a password. Say it after the code of the table."),
    "password-too-long": mark("A password has at most {most} characters."),
    "seat-kept": mark("That seat is kept for somebody who was invited."),
    "seat-taken": mark("Somebody sits there already."),
    "table-closed": mark("That table is closed."),
    "table-full": mark("All seats at this table are taken."),
    "table-resting": mark(
        "Something went wrong at this table and it is read again. Try once more."
    ),
    "too-few-players": mark("This game needs at least {least} players."),
    "too-many-guesses": mark("That was guessed too often. Wait a moment, then try again."),
    "too-many-tables": mark("You have opened as many tables as you may for now. Try again later."),
    "too-many-words": mark("{most} times is as often as words can be added to a shuffle."),
    "unknown-token": mark("That word brings nobody back: the game is gone, or it was mistyped."),
    "words-too-long": mark("One to {most} characters can be added to a shuffle at once."),
    "wrong-password": mark("That is not the password."),
    # the lobby
    "began-watch": mark("The game has begun there already. WATCH {code} looks on."),
    "looking-on": mark("You are looking on here: only those who sit may do that."),
    "named-at-table": mark("You sit at a table under your name. LEAVE it before you take another."),
    "no-page": mark("There is no page about {topic}. HELP lists the words, GAMES the games."),
    "no-password-said": mark("Say the password behind that word, like PASSWORD xyzzy."),
    "no-such-word": mark("There is no word {typed} here. HELP lists the words."),
    "no-table-waits": mark("No table waits for a player. OPEN one, or PLAY against a bot."),
    "out-of-turn": mark("It is not your turn. Waiting for {names}."),
    "sits-already": mark("You sit at table {code}. LEAVE it first."),
    "which-word": mark("{typed} may be one of: {words}."),
    "word-meant": mark("There is no word {typed} here. Did you mean {words}?"),
    # what can be chosen
    "no-such-setting": mark("There is nothing called {name} to choose. There is: {known}."),
    "setting-not-a-choice": mark("{name} is one of: {choices}."),
    "setting-not-a-number": mark("{name} is a number."),
    "setting-not-text": mark("{name} is given as text."),
    "setting-not-yes-or-no": mark("{name} is yes or no."),
    "setting-out-of-bounds": mark("{name} lies between {low} and {high}."),
    # moves
    "game-over": mark("The game is over."),
    "no-game": mark("No game has begun here."),
    "no-such-move": mark("There is no such move in this game."),
    "not-due": mark("Its time has not come."),
    "not-now": mark("That cannot be done now."),
    "not-your-turn": mark("It is not your turn."),
}

REASONS: Mapping[str, str] = {
    "closing": mark("The house is closing. What was played is kept; come back later."),
    "does-not-read": mark("You did not read what was sent to you, so the link is closed."),
    "error": mark("Something went wrong on our side, and you are no longer at the table."),
    "input-too-long": mark("Too much came in at once."),
    "line-too-long": mark("That line was too long."),
    "login-deadline": mark("Nothing was said for too long. Goodbye."),
    "not-utf-8": mark("That line is not UTF-8 text. Set your terminal to UTF-8."),
    "table-lost": mark("Something went wrong on our side, and this table is lost."),
    "taken-over": mark("You came back from elsewhere, so this link is no longer at the table."),
    "too-fast": mark("That was too fast. Wait a moment, then try again."),
    "too-long-negotiation": mark("That telnet option was too long."),
    "too-many-connections": mark("Too many are connected. Try again later."),
}

_AT_LEAST = mark("{name} is at least {low}.")
_AT_MOST = mark("{name} is at most {high}.")


def explain(refusal: Refused, text: GameText | None, say: Say) -> str:
    """Say in one sentence why something was refused; ``text`` has the words of the game, if there is one."""
    sentence = None if text is None else text.refusals.get(refusal.key)
    if sentence is None:
        sentence = _of_bounds(refusal) or REFUSALS.get(refusal.key) or REASONS.get(refusal.key)
    if sentence is None or (not refusal.facts and "{" in sentence):
        return in_words(refusal.key)
    facts = {name: _shown(value) for name, value in refusal.facts.items()}
    try:
        return clean(say(sentence, **facts))
    except KeyError:  # refused without a fact that the sentence names
        return in_words(refusal.key)


def explain_reason(reason: str, say: Say) -> str:
    """Say in one sentence why a link or a place at a table is no more."""
    sentence = REASONS.get(reason) or REFUSALS.get(reason)
    return say(sentence) if sentence else in_words(reason)


def in_words(key: str) -> str:
    """Say a key as the words it consists of."""
    words = clean(key.replace("-", " "))
    return f"{words[:1].upper()}{words[1:]}."


def _of_bounds(refusal: Refused) -> str | None:
    if refusal.key != "setting-out-of-bounds":
        return None
    if refusal.facts.get("high") is None:
        return _AT_LEAST
    return _AT_MOST if refusal.facts.get("low") is None else None


def _shown(value: object) -> str:
    """Write a fact as people do: no point without digits behind it, nothing that does not print."""
    return clean(f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value), 400)
