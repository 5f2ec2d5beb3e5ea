"""Why something was refused, or a link closed, in one sentence for people.

The sentences of a game's own keys stand in its ``text.refusals``; these are everybody's.  A key nobody has a
sentence for is said as the words it consists of.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamecore.cards import Card
from gamecore.commands import RESTARTED
from gamecore.errors import Refused
from protocols.i18n.describe import seat_number
from protocols.i18n.game_text import GameText
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_, Translator

REFUSALS: Mapping[str, str] = {
    # names and talk
    "name-taken": N_("Somebody here has that name, or one that looks like it. Choose another."),
    "name-too-long": N_("A name has at most {most} characters."),
    "name-in-brackets": N_("A name has no round brackets: the house puts its own remarks in them."),
    "no-name": N_("A name needs at least one letter or digit, and nothing that does not print."),
    "nothing": N_("There is nothing to do."),
    "nobody-called": N_("Nobody here is called {name}."),
    "nothing-said": N_("There is nothing to say."),
    "too-fast": N_("That was too fast. Wait a moment, then try again."),
    # results
    "no-ratings": N_(
        "This house rates nobody: it has no openskill (pip install 'parlour[ladder]')."
    ),
    "no-such-group": N_("That is no group of players. There are: {known}."),
    "results-unread": N_("The results cannot be read just now. Try again later."),
    "wrong-length": N_("A list has 1 to {most} lines."),
    # tables and seats
    "agreed-already": N_("You have agreed already; the others are still asked."),
    "already-seated": N_("You have a seat already, at table {table}. Leave it first."),
    "brings-nothing": N_("Nothing is brought along to this game."),
    "closing": N_("This server is closing. What was played is kept."),
    "draining": N_(
        "This server is about to end, and begins no more games. What is played goes on; come again in a moment."
    ),
    "code-taken": N_("There is a table with that code already."),
    "game-began": N_("The game has begun already."),
    "game-not-over": N_("The game is not over yet."),
    "hall-full": N_("There are as many tables as this house can hold. Try again later."),
    "lost-by-absence": N_(
        "You were away for too long: your seat was lost by absence, and any game played there."
    ),
    "must-bring": N_("Something must be brought along to this game."),
    "hint-asked": N_("What you might play is being thought about already."),
    "hint-late": N_("The game has gone on while that was thought about. Ask again."),
    "hints-alone": N_("Hints are given here only to who plays against bots alone."),
    "hints-nobody": N_("No hints are given at this table."),
    "no-answer": N_("No answer came in time. Try again."),
    "no-thinker": N_("Nobody could think about that just now. Try again, or play as you like."),
    "no-such-game": N_("There is no game called {kind} here. There are: {known}."),
    "no-such-language": N_("That language is not spoken here. There are: {known}."),
    "no-such-level": N_("There is no bot of level {level} for this game. There are: {known}."),
    "no-such-record": N_(
        "No game that is over is kept for you under that code; for a private one say the word you were given."
    ),
    "rules-gone": N_("The rules by which that game was played are not here any more."),
    "no-such-order": N_("That names not every seat once."),
    "no-such-seat": N_("Nobody sits in seat {seat}, or there is no such seat."),
    "no-such-table": N_("There is no table with that code here."),
    "no-watchers": N_("Nobody may look on at that table."),
    "not-at-a-table": N_("You are not at a table."),
    "not-away": N_("The player in seat {seat} is not away."),
    "not-here": N_("The player in seat {seat} is not here."),
    "not-organizer": N_("Only who opened the table may do that."),
    "not-seated": N_("You have no seat here, so this is not yours to do."),
    "others-play": N_("Others sit here too, so the table cannot be given up."),
    "password-needed": N_("That table wants a password. Say it after the code of the table."),
    "password-too-long": N_("A password has at most {most} characters."),
    RESTARTED: N_(
        "The house was restarted, and not all who played there can come back: that game is void."
    ),
    "seat-kept": N_("That seat is kept for somebody who was invited."),
    "seat-taken": N_("Somebody sits there already."),
    "table-away": N_(
        "That table is at another server of this house just now. Join it there, or try again in a moment."
    ),
    "table-closed": N_("That table is closed."),
    "table-full": N_("All seats at this table are taken."),
    "table-resting": N_("Something went wrong at this table and it is read again. Try once more."),
    "table-unreadable": N_(
        "The record of this table cannot be read. Who runs this house finds more in its log."
    ),
    "too-few-players": N_("This game needs at least {least} players."),
    "too-many-guesses": N_("That was guessed too often. Wait a moment, then try again."),
    "too-many-passwords": N_("Too many passwords are worked at. Try again in {wait} seconds."),
    "too-many-seats": N_("Too many seats were asked for at once. Try again in {wait} seconds."),
    "too-many-tables": N_("Too many tables were opened at once. Try again in {wait} seconds."),
    "too-many-waiting": N_(
        "Enough tables wait for players that were opened where you are. Join one of them."
    ),
    "too-many-words": N_("{most} times is as often as words can be added to a shuffle."),
    "unknown-token": N_(
        "That word brings nobody back: the game is gone, or the word was mistyped."
    ),
    "words-too-long": N_("One to {most} characters can be added to a shuffle at once."),
    "wrong-password": N_("That is not the password."),
    "no-password-wanted": N_("That table wants no password. Say its code alone."),
    "door-locked": N_(
        "This door wants a password: JOIN, the code of a table and it, or OPEN password and it."
    ),
    # the lobby
    "began-watch": N_("The game has begun there already. WATCH {code} looks on."),
    "looking-on": N_("You are looking on here: only those who sit may do that."),
    "named-at-table": N_("You sit at a table under your name. LEAVE it before you take another."),
    "no-page": N_("There is no page about {topic}. HELP lists the words, GAMES the games."),
    "no-password-said": N_("Say the password behind that word, like PASSWORD xyzzy."),
    "no-such-word": N_("There is no word {typed} here. HELP lists the words."),
    "no-table-watched": N_("There is no table where you could look on."),
    "no-table-waits": N_("No table waits for a player. OPEN one, or PLAY against a bot."),
    "out-of-turn": N_("It is not your turn. Waiting for {names}."),
    "said-alone": N_("Say {word} alone: no word goes behind it."),
    "sits-already": N_("You sit at table {code}. LEAVE it first."),
    "which-word": N_("{typed} may be one of: {words}."),
    "word-meant": N_("There is no word {typed} here. Did you mean {words}?"),
    # tournaments
    "no-such-entrant": N_("Nobody called {name} takes part."),
    "no-such-format": N_("No tournament is called {name}. There are: {known}."),
    "no-such-pairing": N_("No pairing {name} waits for a result."),
    "too-few-entrants": N_("At least {least} must take part."),
    "two-seats-only": N_("A knockout is for games of two."),
    "wrong-pairings": N_("Those pairings name somebody twice, or somebody who is not free."),
    "wrong-places": N_("Those places are none of a game of that pairing."),
    # what can be chosen
    "no-such-setting": N_("There is nothing called {name} to choose. There is: {known}."),
    "setting-not-a-choice": N_("{name} is one of: {choices}."),
    "setting-not-a-number": N_("{name} is a number."),
    "setting-not-text": N_("{name} is given as text."),
    "setting-not-yes-or-no": N_("{name} is yes or no."),
    "setting-out-of-bounds": N_("{name} lies between {low} and {high}."),
    # moves
    "game-over": N_("The game is over."),
    "no-game": N_("No game has begun here."),
    "no-such-move": N_("There is no such move in this game."),
    "not-due": N_("Its time has not come."),
    "not-now": N_("That cannot be done now."),
    "not-your-turn": N_("It is not your turn."),
    "wrong-count": N_(
        "You have made {played} moves in this game: that counts more, or is no count."
    ),
}

ABOUT_TO_END = N_("This server is about to end: games go on, but none begins here any more.")
REASONS: Mapping[str, str] = {
    "closing": N_("This server is closing. What was played is kept; come again in a moment."),
    "does-not-read": N_("You did not read what was sent to you, so the link is closed."),
    "error": N_("Something went wrong on our side, and you are no longer at the table."),
    "idle": N_("You let your time run out again and again, so your seat was given up."),
    "input-too-long": N_("Too much came in at once."),
    "line-too-long": N_("That line was too long."),
    "login-deadline": N_("Nothing was said for too long. Goodbye."),
    "not-utf-8": N_("That line is not UTF-8 text. Set your terminal to UTF-8."),
    "table-lost": N_("Something went wrong on our side, and this table is lost."),
    "taken-over": N_("You came back from elsewhere, so this link is no longer at the table."),
    "too-fast": N_("That was too fast. Wait a moment, then try again."),
    "too-long-negotiation": N_("That telnet option was too long."),
    "too-many-connections": N_("Too many are connected. Try again later."),
}

_AT_LEAST = N_("{name} is at least {low}.")
_AT_MOST = N_("{name} is at most {high}.")


def explain(refusal: Refused, text: GameText | None, say: Translator, coded: bool = False) -> str:
    """Say in one sentence why something was refused; ``text`` has the words of the game, if there is one.

    Cards have their signs and seats are counted from 1, as on people's screens; ``coded`` is for wires, on which
    cards are letters and seats are as programs count them.
    """
    sentence = None if text is None else text.refusals.get(refusal.key)
    if sentence is None:
        sentence = _of_bounds(refusal) or REFUSALS.get(refusal.key) or REASONS.get(refusal.key)
    if sentence is None or (not refusal.facts and "{" in sentence):
        return in_words(refusal.key)
    facts = {
        name: _shown(value if coded else _for_people(name, value))
        for name, value in refusal.facts.items()
    }
    try:
        return clean(say(sentence, **facts))
    except KeyError:  # refused without a fact that the sentence names
        return in_words(refusal.key)


def explain_reason(reason: str, say: Translator) -> str:
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


def _for_people(name: str, value: object) -> object:
    if isinstance(value, Card):
        return value.signed
    return seat_number(value) if name == "seat" and isinstance(value, int) else value


def _shown(value: object) -> str:
    """Write a fact as people do: no point without digits behind it, nothing that does not print."""
    return clean(f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value), 400)
