"""The table of words: what a visitor may type, and how a line finds its word.

Words are few and forgiving: any case, their unique beginnings, and a guess where there is no such word.  While
a visitor plays, the game's own words come first, and whatever the game takes for a move is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from attrs import frozen

from gamecore.errors import Malformed, Refused
from gamecore.table_view import TableView
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_
from protocols.lobby import hall_commands, preferences_commands, table_commands, talk_commands
from protocols.lobby.aside_commands import asides, speak_aside
from protocols.lobby.table_state import who_sits

if TYPE_CHECKING:
    from protocols.lobby.visitor import Visitor


@frozen
class Word:
    """One word: how it is typed, what it does in a few words, and the function that does it."""

    form: str
    does: str
    obey: Callable[[Visitor, str], None]

    @property
    def name(self) -> str:
        """The word itself, in lower case."""
        return self.form.split(" ")[0].lower()


def help(visitor: Visitor, rest: str) -> None:
    """List the words, or explain one."""
    if rest and rest.lower() != "all":
        typed = rest.lower()
        registry = visitor.host.hall.registry
        known = [*WORDS, *_verbs(visitor), *asides(registry), *registry.kinds]
        begun = [each for each in known if each.startswith(typed)]
        topic = ALIASES.get(typed, begun[0] if typed not in known and len(begun) == 1 else typed)
        preferences_commands.explain_topic(visitor, topic, list(WORDS))
    else:
        visitor.send_lines(_list_words(visitor, everything=bool(rest)))


def _list_words(visitor: Visitor, everything: bool) -> Iterator[str]:
    """List the words; without ``everything`` it fits on one screen."""
    say = visitor.say
    for form in dict.fromkeys(_verbs(visitor).values()):
        yield say("{form}: a move of the game", form=say(form))
    if everything:
        for kind, text in asides(visitor.host.hall.registry).values():
            for form in text.asides.values():
                yield say("{form}: for {kind}", form=say(form), kind=kind)
    for word in WORDS.values():
        if everything or word.name in _FIRST:
            yield say("{form}: {does}", form=say(word.form), does=say(word.does))
    if not everything:
        rest = ", ".join(name.upper() for name in WORDS if name not in _FIRST)
        yield say("And: {words}. HELP ALL explains them too.", words=rest)
    yield say("HELP and a word says more; HELP and a game lists what can be chosen for it.")


_ALL = (
    Word(N_("PLAY game [bot]"), N_("play against a bot, at once"), hall_commands.play),
    Word("GAMES", N_("the games there are"), hall_commands.games),
    Word(N_("RULES game"), N_("how a game is played"), preferences_commands.rules),
    Word(N_("TABLES [game]"), N_("the tables there are"), hall_commands.tables),
    Word(N_("JOIN [table or game] [password]"), N_("sit down with others"), hall_commands.join),
    Word(
        N_("OPEN game [name=value] [private] [password ...]"),
        N_("open a table for others to join"),
        hall_commands.open_table,
    ),
    Word(N_("BOT [level]"), N_("let a bot sit down at your table"), table_commands.bot),
    Word("START", N_("begin with those who sit here"), table_commands.start),
    Word("BOARD", N_("how the game stands"), table_commands.board),
    Word("WHY", N_("who is waited for, and for how long"), table_commands.tell_why),
    Word("REMATCH", N_("play again with the same people"), table_commands.rematch),
    Word("LEAVE", N_("go back to the hall; a game that is not over is lost"), table_commands.leave),
    Word(N_("WATCH table [password]"), N_("look on at a table"), hall_commands.watch),
    Word(N_("SIT [seat]"), N_("take a seat where you look on"), hall_commands.sit),
    Word(
        N_("RETURN word"), N_("come back to a game after your link broke"), hall_commands.come_back
    ),
    Word(N_("NAME [name]"), N_("choose what you are called"), hall_commands.name),
    Word("WHO", N_("who is here"), talk_commands.who),
    Word(N_("SAY words"), N_("talk to all at your table, or in the hall"), talk_commands.say_aloud),
    Word(N_("TELL name words"), N_("talk to one person"), talk_commands.tell_one),
    Word(N_("MIX words"), N_("add words of yours to the shuffle"), table_commands.mix),
    Word("SEED", N_("what the cards are dealt from, to check it"), table_commands.seed),
    Word(N_("SUITS signs/letters"), N_("how suits are written"), preferences_commands.suits),
    Word(N_("COLOUR on/off"), N_("colours, or none"), preferences_commands.colour),
    Word(N_("LANG [language]"), N_("your language"), preferences_commands.language),
    Word(N_("HELP [word]"), N_("this list, or more about one word"), help),
    Word("QUIT", N_("leave the house"), hall_commands.quit),
)
_FIRST = (
    *("play", "games", "rules", "tables", "join", "open", "bot", "start"),
    *("board", "why", "leave", "name", "say", "quit"),
)
WORDS: Mapping[str, Word] = {word.name: word for word in _ALL}
ALIASES = {
    "?": "help",
    "color": "colour",
    "language": "lang",
    "exit": "quit",
    "bye": "quit",
    "logout": "quit",
    "ls": "tables",
    "look": "board",
    "chat": "say",
    "msg": "tell",
    "resume": "return",
    "observe": "watch",
}


def obey(visitor: Visitor, line: str) -> None:
    """Do what a line says; raises Refused or Malformed if it cannot be done."""
    line = clean(line).removeprefix("/")
    if line[:1] in ("'", '"') and len(line) > 1:
        line = f"say {line[1:]}"
    typed, _, rest = line.partition(" ")
    word = ALIASES.get(typed.lower(), typed.lower())
    verbs = _verbs(visitor)
    words = [typed, *rest.split()]
    if word in verbs and (_plays(visitor) or word not in WORDS):
        table_commands.move(visitor, words)
    elif word in WORDS:
        WORDS[word].obey(visitor, rest)
    elif word in asides(visitor.host.hall.registry):
        speak_aside(visitor, words)
    elif _plays(visitor) and _reads(visitor, words):
        table_commands.move(visitor, words)
    elif word:
        _guess(visitor, word, rest, verbs)


def _guess(visitor: Visitor, word: str, rest: str, verbs: Mapping[str, str]) -> None:
    """Take the beginning of a word for the word, if there is but one; else say what may be meant."""
    begun = [each for each in dict.fromkeys((*WORDS, *verbs)) if each.startswith(word)]
    moves = [each for each in begun if each in verbs and (_plays(visitor) or each not in WORDS)]
    if len(moves) == 1 and (_plays(visitor) or len(begun) == 1):
        table_commands.move(visitor, [moves[0], *rest.split()])
    elif len(begun) == 1:
        WORDS[begun[0]].obey(visitor, rest)
    elif begun:
        raise Refused("which-word", typed=clean(word, 24).upper(), words=_listed(begun))
    else:
        _turn_down(visitor, word, rest, verbs)


def _turn_down(visitor: Visitor, word: str, rest: str, verbs: Mapping[str, str]) -> None:
    close = get_close_matches(word[:24], [*WORDS, *verbs], 2, 0.6)
    if close:
        raise Refused("word-meant", typed=clean(word, 24), words=_listed(close))
    sight, words = visitor.sight, [word, *rest.split()]
    own_turn = sight is not None and sight.live and sight.is_turn_of(visitor.seat)
    if sight is not None and (own_turn or _reads(visitor, words)):
        table_commands.move(visitor, words)  # which says how moves are typed, or why not now
    raise Refused("no-such-word", typed=clean(word, 24))


def _listed(words: Sequence[str]) -> str:
    return ", ".join(word.upper() for word in words)


def _verbs(visitor: Visitor) -> Mapping[str, str]:
    sight = visitor.sight
    return {} if sight is None or sight.text is None else sight.text.verbs


def _plays(visitor: Visitor) -> bool:
    sight = visitor.sight
    return sight is not None and sight.live and visitor.seat is not None


def _reads(visitor: Visitor, words: Sequence[str]) -> bool:
    """Say whether the game takes for a move what is typed without any of its words."""
    try:
        table_commands.read_move(visitor, words)
    except Malformed:
        return False
    return True


def arrive(visitor: Visitor, view: TableView) -> Iterator[str]:
    """Tell where a visitor has come to."""
    say = visitor.say
    title = visitor.host.hall.registry.latest(view.kind).title
    if view.seat is None:
        yield say("You look on at table {code}, {title}.", code=view.code, title=title)
    else:
        sentence = N_("You sit at table {code}, {title}, in seat {seat}.")
        yield say(sentence, code=view.code, title=title, seat=view.seat)
    others = who_sits(view, say)
    if others and len(view.seats) > (view.seat is not None):
        yield say("At the table: {names}.", names=others)
