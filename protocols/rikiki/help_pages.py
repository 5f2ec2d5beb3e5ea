"""What HELP says on the Rikiki wire: all verbs, or one of them in a sentence or a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from protocols.i18n.translate import N_, Translator
from protocols.rikiki.wire import VERBS

SENTENCES: Mapping[str, str] = {  # BID, PLAY and NEXT have pages, which the lobby shows as well
    "HELP": N_(
        "Lists what can be said, or says more about one verb; HELP RULES explains the game."
    ),
    "MODE": N_(
        "Sends the lines that begin with #, or (BOT) leaves them out and numbers each event."
    ),
    "LANG": N_("Chooses the language of what is said to people: en or fr."),
    "NAME": N_("Takes a name, before you sit down."),
    "TABLES": N_("Lists the tables that can be joined."),
    "NEW": N_(
        "Opens a table that begins when you say START. Its options: players, cards, max, schedule (down, down-up),"
        " hook (off, last, last-over-3), top_trump (if-left, never), scoring, next, seconds, pause. private"
        " lists it nowhere; with password=word only who says that word comes in."
    ),
    "JOIN": N_("Takes a seat; the token in the answer brings you back to it."),
    "INVITE": N_("Takes the seat that an invitation is for."),
    "REJOIN": N_("Comes back to your seat, or with an owner's token to a table that you opened."),
    "WATCH": N_("Looks on at a table, and hears what everybody may know."),
    "START": N_(
        "Begins with those who are seated: for whoever opened the table or shows its token."
    ),
    "ADDBOT": N_("Lets a bot take a seat: counting (if you say nothing) or random."),
    "CARDS": N_(
        "Says between rounds how many cards the next one deals: for whoever opened the table; if nobody says it, as"
        " the schedule has it (STATE tells)."
    ),
    "HAND": N_("Says again which cards you hold."),
    "TABLE": N_("Says again what was bid, what lies on the table, and whose turn it is."),
    "WHO": N_("Says who sits at the table."),
    "SCORE": N_("Says again what the last round brought."),
    "STATE": N_("Says again all that you may know."),
    "SAY": N_("Says something to everybody at the table."),
    "AGAIN": N_("Gathers the same players for another game."),
    "LEAVE": N_("Goes from the table; your seat is held for a while."),
    "QUIT": N_("Closes the connection; your seat is held for a while."),
}


def explain(topic: str, say: Translator) -> Sequence[str]:
    """Say more about a verb, or about the rules; nothing about anything else."""
    sentence = SENTENCES.get(topic)
    if sentence is not None:
        return [f"{topic} {VERBS[topic][0]}".rstrip(), say(sentence)]
    return _read_page(topic.lower(), say.language) if topic.isalpha() else ()


def _read_page(topic: str, language: str) -> Sequence[str]:
    for each in (language, "en"):
        page = files("protocols.rikiki").joinpath("help", each, f"{topic}.txt")
        if page.is_file():
            return page.read_text("utf-8").splitlines()
    return ()


def list_verbs(say: Translator) -> Sequence[str]:
    """List all that can be said, and how it is typed."""
    verbs = [f"{verb} {usage}".rstrip() for verb, (usage, _, _) in VERBS.items()]
    return [say("What can be said:"), *verbs]
