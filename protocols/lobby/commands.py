"""The commands of a session, and how a line finds its own.

They are few and forgiving: any case, their unique beginnings, and a guess where there is no such command.  While
somebody plays, the game's own words come first, and whatever the game takes for a move is one.

At a door with one game alone that game need not be named: ``PLAY hard``, ``OPEN private``, ``TABLES``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches

from attrs import evolve, frozen

from gamecore.errors import Malformed, Refused
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_
from protocols.lobby import (
    hall_commands,
    preferences_commands,
    record_commands,
    result_commands,
    seating_commands,
    table_commands,
    talk_commands,
)
from protocols.lobby.extra_commands import extra_commands, obey_extra
from protocols.lobby.help_commands import explain_game, explain_topic, list_commands, rules
from protocols.lobby.session import Session
from protocols.lobby.table_commands import plays, verbs_of


@frozen
class TypedCommand:
    """One command: how it is typed, what it does in a few words, and the function that does it.

    ``alone`` is how it is typed where there is one game alone, if that is another way; "" if it says nothing there.
    One that ``yields`` leaves to other words what could be the beginning of either.
    """

    form: str
    does: str
    obey: Callable[[Session, str], None]
    alone: str | None = None
    yields: bool = False

    @property
    def name(self) -> str:
        """The word itself, in lower case."""
        return self.form.split(" ")[0].lower()

    @property
    def is_bare(self) -> bool:
        """Whether nothing goes behind the word."""
        return " " not in self.form


_ALL = (
    TypedCommand(
        N_("PLAY game [bot]"),
        N_("play against a bot, at once"),
        seating_commands.play,
        N_("PLAY [bot]"),
    ),
    TypedCommand("GAMES", N_("the games there are"), hall_commands.games, ""),
    TypedCommand(N_("RULES game"), N_("how a game is played"), rules, "RULES"),
    TypedCommand(N_("TABLES [game]"), N_("the tables there are"), hall_commands.tables, "TABLES"),
    TypedCommand(
        N_("JOIN [table or game] [password]"),
        N_("sit down with others"),
        seating_commands.join,
        N_("JOIN [table] [password]"),
    ),
    TypedCommand(
        N_("OPEN game [name=value] [private] [password ...]"),
        N_("open a table for others to join"),
        seating_commands.open_table,
        N_("OPEN [name=value] [private] [password ...]"),
    ),
    TypedCommand(N_("BOT [level]"), N_("let a bot sit down at your table"), table_commands.bot),
    TypedCommand("START", N_("begin with those who sit here"), table_commands.start),
    TypedCommand("BOARD", N_("how the game stands"), table_commands.board),
    TypedCommand("WHY", N_("who is waited for, and for how long"), table_commands.tell_why),
    TypedCommand("HINT", N_("what you might play, where hints are given"), table_commands.hint),
    TypedCommand("REMATCH", N_("play again with the same people"), table_commands.rematch),
    TypedCommand(
        "LEAVE", N_("go back to the hall; a game that is not over is lost"), table_commands.leave
    ),
    TypedCommand("RESIGN", N_("lose the game you play, and go back"), table_commands.resign),
    TypedCommand(
        N_("WATCH [table or game] [password]"),
        N_("look on at a table"),
        seating_commands.watch,
        N_("WATCH table [password]"),
    ),
    TypedCommand(N_("SIT [seat]"), N_("take a seat where you look on"), seating_commands.sit),
    TypedCommand(
        N_("RETURN word"),
        N_("come back to a game after your link broke"),
        seating_commands.come_back,
    ),
    TypedCommand(
        N_("REPLAY [table] [GAME n] [SEAT n/ALL]"),
        N_("a game that is over, told again"),
        record_commands.replay,
    ),
    TypedCommand(
        N_("HISTORY [name] [n]"), N_("how games ended"), result_commands.history, yields=True
    ),
    TypedCommand(
        N_("RATING [name] [game]"),
        N_("how strong somebody is"),
        result_commands.rating,
        N_("RATING [name]"),
        yields=True,
    ),
    TypedCommand(
        N_("TOP game [people/bots/all] [n]"),
        N_("who is the strongest"),
        result_commands.top,
        N_("TOP [people/bots/all] [n]"),
        yields=True,
    ),
    TypedCommand(N_("NAME [name]"), N_("choose what you are called"), hall_commands.name),
    TypedCommand("WHO", N_("who is here"), talk_commands.who),
    TypedCommand(
        N_("SAY words"), N_("talk to all at your table, or in the hall"), talk_commands.say_aloud
    ),
    TypedCommand(N_("TELL name words"), N_("talk to one person"), talk_commands.tell_one),
    TypedCommand(N_("MIX words"), N_("add words of yours to the shuffle"), table_commands.mix),
    TypedCommand("SEED", N_("what the cards are dealt from, to check it"), table_commands.seed),
    TypedCommand(
        N_("SUITS signs/letters"), N_("how suits are written"), preferences_commands.suits
    ),
    TypedCommand(N_("COLOUR on/off"), N_("colours, or none"), preferences_commands.colour),
    TypedCommand(
        N_("SET board always/round/never"),
        N_("when the board is shown by itself"),
        preferences_commands.board_shown,
    ),
    TypedCommand(
        N_("WIDTH [columns] [rows]"),
        N_("how wide lines are, and how many fit on your screen"),
        preferences_commands.width,
    ),
    TypedCommand(
        N_("CHARSET utf-8/ascii"),
        N_("plain letters, where others look odd"),
        preferences_commands.charset,
    ),
    TypedCommand(N_("LANG [language]"), N_("your language"), preferences_commands.language),
    TypedCommand(
        N_("HELP [word]"),
        N_("this list, or more about one word"),
        lambda session, rest: None,  # each Commands puts its own here
    ),
    TypedCommand("QUIT", N_("leave the house"), hall_commands.quit),
)
ALIASES = {
    "?": "help",
    "h": "help",
    "color": "colour",
    "language": "lang",
    "exit": "quit",
    "bye": "quit",
    "logout": "quit",
    "ls": "tables",
    "rooms": "tables",
    "solo": "play",
    "look": "board",
    "chat": "say",
    "msg": "tell",
    "resume": "return",
    "concede": "resign",
    "surrender": "resign",
    "observe": "watch",
}


class Commands:
    """What may be typed at one door."""

    def __init__(
        self, game: str | None = None, without: Collection[str] = (), password: str = ""
    ) -> None:
        """All games, or ``game`` alone; the commands ``without`` (in lower case) say nothing there."""
        self._game = game
        self.password = password
        self.known: Mapping[str, TypedCommand] = {
            each.name: each
            for each in map(self._at_this_door, _ALL)
            if each.form and each.name not in without
        }

    @property
    def game(self) -> str | None:
        """The kind of the one game there is here; None where there are all."""
        return self._game

    def _at_this_door(self, command: TypedCommand) -> TypedCommand:
        if command.name == "help":
            return evolve(command, obey=self.help)
        if self._game is None or command.alone is None:
            return command
        return evolve(command, form=command.alone)

    def help(self, session: Session, rest: str) -> None:
        """List the commands, or explain one; raises Refused ``no-page``."""
        if not rest or rest.lower() == "all":
            session.show_page(list_commands(session, self.known, everything=bool(rest)))
            return
        typed = rest.lower()
        known = [*self.known, *verbs_of(session), *extra_commands(session), *session.kinds]
        begun = self._begun(typed, known)
        topic = ALIASES.get(typed, begun[0] if typed not in known and len(begun) == 1 else typed)
        command = self.known.get(topic)
        if command is not None and self._game is not None and command.alone is not None:
            self._explain_alone(session, command)
        else:
            explain_topic(session, topic, self.known)

    def _explain_alone(self, session: Session, command: TypedCommand) -> None:
        """Explain a command that is typed otherwise than its page says."""
        say = session.say
        said = say("{form}: {does}", form=say(command.form), does=say(command.does))
        opens = command.name in ("play", "open") and self._game is not None
        session.show_page([said, *(explain_game(session, str(self._game)) if opens else ())])

    def obey(self, session: Session, line: str) -> None:
        """Do what a line says; raises Refused or Malformed if it cannot be done."""
        line = clean(line).removeprefix("/")
        if line[:1] in ("'", '"') and len(line) > 1:
            line = f"say {line[1:]}"
        typed, _, rest = line.partition(" ")
        word = ALIASES.get(typed.lower(), typed.lower())
        verbs = verbs_of(session)
        words = [typed, *rest.split()]
        if word in verbs and (plays(session) or word not in self.known):
            table_commands.move(session, words)
        elif word in self.known:
            self._carry_out(session, word, rest)
        elif word in extra_commands(session):
            obey_extra(session, words)
        elif plays(session) and _reads(session, words):
            table_commands.move(session, words)
        elif word:
            self._guess(session, word, rest, verbs)

    def _carry_out(self, session: Session, name: str, rest: str) -> None:
        """Do what a command says; one that is said alone is refused with words behind it (``said-alone``)."""
        command = self.known[name]
        if rest and command.is_bare and rest.lower() != self._game:
            raise Refused("said-alone", word=name.upper())
        command.obey(session, rest)

    def _guess(self, session: Session, word: str, rest: str, verbs: Mapping[str, str]) -> None:
        """Take the beginning of a word for the word, if there is but one; else say what may be meant."""
        begun = self._begun(word, (*self.known, *verbs))
        playing = plays(session)
        moves = [each for each in begun if each in verbs and (playing or each not in self.known)]
        if len(moves) == 1 and (playing or len(begun) == 1):
            table_commands.move(session, [moves[0], *rest.split()])
        elif begun == ["quit"] and len(word) == 1:  # as one types it to leave a long text
            raise Refused("word-meant", typed=clean(word, 24), words="QUIT")
        elif len(begun) == 1:
            self._carry_out(session, begun[0], rest)
        elif begun:
            raise Refused("which-word", typed=clean(word, 24).upper(), words=_listed(begun))
        else:
            self._turn_down(session, word, rest, verbs)

    def _begun(self, typed: str, words: Iterable[str]) -> list[str]:
        """List the words that begin so: those that yield where there are no others."""
        begun = [each for each in dict.fromkeys(words) if each.startswith(typed)]
        first = [each for each in begun if each not in self.known or not self.known[each].yields]
        return first or begun

    def _turn_down(self, session: Session, word: str, rest: str, verbs: Mapping[str, str]) -> None:
        close = get_close_matches(word[:24], [*self.known, *verbs], 2, 0.6)
        if close:
            raise Refused("word-meant", typed=clean(word, 24), words=_listed(close))
        state, words = session.table, [word, *rest.split()]
        own_turn = state is not None and state.live and state.is_turn_of(session.seat)
        if state is not None and (own_turn or _reads(session, words)):
            table_commands.move(session, words)  # which says how moves are typed, or why not now
        raise Refused("no-such-word", typed=clean(word, 24))


def _listed(words: Sequence[str]) -> str:
    return ", ".join(word.upper() for word in words)


def _reads(session: Session, words: Sequence[str]) -> bool:
    """Say whether the game takes for a move what is typed without any of its words."""
    try:
        table_commands.read_move(session, words)
    except Malformed:
        return False
    return True


ALL_GAMES = Commands()
