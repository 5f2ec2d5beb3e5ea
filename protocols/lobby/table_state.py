"""What a person has been shown and told of the table where it is: enough to say how things stand there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple, cast

from gamecore.errors import Malformed
from gamecore.events import Event, RoundBegan
from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.rules import Move, View
from gamecore.table_events import (
    Abandoned,
    Agreed,
    GameBegan,
    GameOver,
    Gathered,
    Left,
    Replaced,
    Sat,
    SeedRevealed,
)
from gamecore.table_view import TableView, Turn
from protocols.host.face import News
from protocols.i18n.describe import called, seat_number, tell
from protocols.i18n.game_text import TIE, GameText, OnceTold, warning_text
from protocols.i18n.result_text import tell_rated, tell_rated_in
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_, Translator
from protocols.lobby.line_style import LineStyle, ended
from protocols.lobby.people_lines import PresenceLines

GAME_OVER = N_("The game is over: REMATCH plays again, LEAVE goes to the hall.")
"""How things stand for who sits where a game is over."""
_GAME_OVER_WATCHED = N_("The game is over: LEAVE goes to the hall.")
_BOT_SECONDS = 5.0
_BESIDE_SECONDS = 0.3  # for bots that are awaited together with the person, who may move meanwhile
_NOBODY = Turn(0.0, frozenset(), {}, ())


@lru_cache(maxsize=256)
def writer_of(
    text: Hashable, say: Translator, style: LineStyle, drawn: bool
) -> Callable[[Sequence[Event], tuple[str, ...]], bytes]:
    """Give what writes events in one language and style, for all who see the board ``drawn`` next or not."""
    game = text if isinstance(text, OnceTold) else None

    def write(events: Sequence[Event], names: tuple[str, ...]) -> bytes:
        told = _without_echoes(events)
        if game is not None:
            told = game.once(told, drawn)
        texts = (_line(event, names, cast("GameText | None", text), say) for event in told)
        return ended(line for each in texts if each for line in style.lines(each))

    return write


def _without_echoes(events: Sequence[Event]) -> Sequence[Event]:
    """Tell once that somebody who leaves ends the game: in the game's own words, else by the result."""
    over = next((event for event in events if isinstance(event, GameOver)), None)
    if over is None:
        return events
    rest = [event for event in events if not isinstance(event, Left)]
    left = len(rest) < len(events)
    if any(_tells_why(event, over.outcome.reason, left) for event in rest):
        rest.remove(over)
    return rest


def _tells_why(event: Event, reason: str, left: bool) -> bool:
    """Say whether an event of the game says who won and why: who left, or broke a rule that loses it."""
    return reason == getattr(event, "fault", None) or (
        left and reason == getattr(event, "why", None)
    )


def _line(event: Event, names: Sequence[str], text: GameText | None, say: Translator) -> str | None:
    if isinstance(event, SeedRevealed):  # 64 digits are nothing to read out: SEED tells them
        return None
    if isinstance(event, Gathered):
        return say("Another game gathers here, as game {number}.", number=event.number)
    if isinstance(event, GameBegan) and event.number == 1:  # who sits where was told as they came
        return say("Game {number} begins.", number=event.number)
    if isinstance(event, RoundBegan) and text is None:
        return None
    return tell(event, names, text, say)


class Fairness(NamedTuple):
    """What the game is dealt from: promised at first, told in the end."""

    number: int
    commitment: str
    seed: str = ""
    words: tuple[str, ...] = ()


class TableState:
    """One table, as far as a person has heard of it."""

    __slots__ = (
        *(
            "_agreed",
            "_bots",
            "_least",
            "_most",
            "_warned",
            "asked",
            "code",
            "fairness",
            "kind",
            "names",
            "password",
            "presence",
            "stage",
            "text",
        ),
        "turn",
    )

    def __init__(
        self,
        view: TableView,
        text: GameText | None,
        least: int,
        presence: PresenceLines,
        password: str = "",
    ) -> None:
        """``least`` is how many must play."""
        self.text = text
        self.presence = presence
        self._least = least
        self.password = password
        self._warned: Move | str | None = None  # what was said once, and loses the game
        self.turn = _NOBODY
        self.asked = False  # whether how it stands was said since there was something new to do
        self._agreed: set[int] = set()  # who is known to agree to the game that is gathered for
        self.fairness = Fairness(view.number, view.commitment)
        self.see(view)

    def see(self, view: TableView) -> None:
        """Take in a View."""
        self.code, self.kind, self.stage = view.code, view.kind, view.stage
        self.names = view.names
        self._most = view.most_players
        self._bots = {each.name for each in view.seats if each.level is not None}

    def told(self, news: News) -> None:
        """Take in what happened."""
        self.names = news.names
        for event in news.events:
            self._follow(event)

    def lines(self, news: News, board: bool, say: Translator, style: LineStyle) -> bytes:
        """Draw what happened, once for all who see the board next or not; nothing if it is told with more later.

        Behind the beginning or the end of a game stands whether it is rated.
        """
        if self.presence.fold(news.events):
            return b""
        lines = news.drawn(writer_of(cast(Hashable, self.text), say, style, board))
        if news.turning:
            told = tell_rated(self.fairness.number, news.unrated, say)
            lines += ended(style.lines(told))
        return lines

    def turned(self, turn: Turn) -> bool:
        """Take in whose turn it is; True if there is something new that the person may do."""
        before, self.turn = self.turn.moves, turn
        new = bool(turn.moves) and turn.moves != before
        self.asked = self.asked and not new
        return new

    def _follow(self, event: Event) -> None:
        match event:
            case Sat(name=name, level=str()) | Replaced(name=name):
                self._bots.add(name)
            case GameBegan():
                self.stage = Stage.PLAYING
            case GameOver():
                self.stage = Stage.OVER
                self.turn = _NOBODY
            case Gathered(number, _, commitment):
                self.stage = Stage.GATHERING
                self._agreed.clear()
                self.fairness = Fairness(number, commitment)
            case Agreed(seat):
                self._agreed.add(seat)
            case Abandoned():
                self.stage = Stage.ABANDONED
                self.turn = _NOBODY
            case SeedRevealed(_, seed, words):
                self.fairness = self.fairness._replace(seed=seed, words=words)

    # -- how things stand -------------------------------------------------------------

    @property
    def live(self) -> bool:
        """Whether a game is being played."""
        return self.stage in (Stage.PLAYING, Stage.BETWEEN_ROUNDS)

    @property
    def taken(self) -> int:
        """How many seats are taken."""
        return sum(1 for name in self.names if name)

    @property
    def full(self) -> bool:
        """Whether all seats are taken."""
        return self.taken >= self._most

    def is_turn_of(self, seat: int | None) -> bool:
        """Say whether a seat's decision is awaited."""
        return seat is not None and seat in self.turn.to_move

    def concerns(self, kinds: Set[type], seat: int | None) -> bool:
        """Say whether what happened is news for who may do something: is to move, or begins with who has come."""
        if self.is_turn_of(seat):
            return True
        if seat is None or self.stage is not Stage.GATHERING or Sat not in kinds:
            return False
        return self._least <= self.taken < self._most

    def bot_seconds(self, typed: bool) -> float:
        """Say for how long bots go before what is due: all, if they alone are awaited; else the first prompt."""
        if not self._bots:
            return 0.0
        bots = [self._is_bot(seat) for seat in self.turn.to_move]
        if bots and all(bots):
            return _BOT_SECONDS
        return _BESIDE_SECONDS if any(bots) and not typed and not self.asked else 0.0

    def _is_bot(self, seat: int) -> bool:
        return 0 <= seat < len(self.names) and self.names[seat] in self._bots

    def moves(self) -> tuple[Sequence[Move], View | None]:
        """Give what the person may do now, and what it sees."""
        return self.turn.moves, self.turn.board

    def heed(self, move: Move, say: Translator) -> None:
        """Let a person say a move twice that they can hardly mean; raises Malformed the first time."""
        warned, self._warned = self._warned, None
        text = warning_text(cast(Hashable, self.text))
        if text is None or move == warned:
            return
        warning = text.warn(move, self.turn.board, say)
        if warning is not None:
            self._warn(move, warning)

    def heed_word(self, word: str, warning: str) -> None:
        """Let a person say a word twice that gives up a game; raises Malformed the first time, with the warning."""
        warned, self._warned = self._warned, None
        if word != warned:
            self._warn(word, warning)

    def _warn(self, said: Move | str, warning: str) -> None:
        self._warned = said
        raise Malformed(warning)

    def awaited(self, say: Translator) -> str:
        """Name those whose decision is awaited."""
        return say(" and ").join(called(self.names, seat) for seat in sorted(self.turn.to_move))

    def status(self, seat: int | None, say: Translator) -> str:
        """Say how things stand for who sits in ``seat``: in one line, behind those of a choice that has several."""
        head = f"[{self.kind} {self.code}]"
        if self.live and self.is_turn_of(seat):
            *choices, last = self.choices(say).split("\n")
            return "\n".join([*choices, f"{head} {say('Your turn.')} {last}".rstrip()])
        return f"{head} {self._status_while_waiting(seat, say)}"

    def choices(self, say: Translator) -> str:
        """Say what the person may do, and what to type for it."""
        moves, board = self.moves()
        if self.text is None or board is None or not moves:
            return ""
        asked = self.text.ask(moves, board, say).splitlines()
        return "\n".join(TIE.join(map(clean, line.split(TIE))) for line in asked)

    def _status_while_waiting(self, seat: int | None, say: Translator) -> str:
        if self.stage is Stage.GATHERING:
            if self.fairness.number > 1 and seat is not None and self._asked():
                return self._status_of_rematch(seat, say)
            if self.full:
                return say("All seats are taken: START begins.")
            return self._status_of_waiting(seat, say)
        if self.stage is Stage.OVER:
            return say(GAME_OVER if seat is not None else _GAME_OVER_WATCHED)
        if self.turn.to_move:
            return say("Waiting for {names}.", names=self.awaited(say))
        return say("Nobody is waited for.")

    def _status_of_waiting(self, seat: int | None, say: Translator) -> str:
        if seat is None:
            sentence = N_("{taken} of {most} seats are taken. SIT takes one.")
            return say(sentence, taken=self.taken, most=self._most)
        sentence = N_("{taken} of {most} seats are taken. BOT adds an opponent.")
        how = N_("Others come in by JOIN {code}.")
        if self.password:
            how = N_("Others come in by JOIN {code} and the password.")
        parts = [say(how, code=self.code)]
        if self.taken >= self._least:
            parts.append(say("START begins without more."))
        return " ".join([*parts, say(sentence, taken=self.taken, most=self._most)])

    def _asked(self) -> set[int]:
        """Give the seats of those who are still asked whether they agree to another game."""
        taken = {seat for seat, name in enumerate(self.names) if name}
        return {seat for seat in taken - self._agreed if not self._is_bot(seat)}

    def _status_of_rematch(self, seat: int, say: Translator) -> str:
        asked = self._asked()
        if seat in asked:
            return say("REMATCH agrees to another game, which begins once all agree; LEAVE goes.")
        names = say(" and ").join(called(self.names, each) for each in sorted(asked))
        return say("Waiting for {names} to agree to another game.", names=names)

    def why(self, view: TableView, seat: int | None, say: Translator) -> Iterator[str]:
        """Say whose decision is awaited, and for how long."""
        if not view.to_move:
            yield self._status_while_waiting(seat, say)
            return
        presences = {each.seat: each.presence for each in view.seats}
        for awaited in sorted(view.to_move):
            yield _why_one(view, awaited, presences.get(awaited), awaited == seat, say)


def tell_arrival(view: TableView, title: str, say: Translator) -> Iterator[str]:
    """Tell where somebody has come to."""
    if view.seat is None:
        yield say("You look on at table {code}, {title}.", code=view.code, title=title)
    else:
        sentence = N_("You sit at table {code}, {title}, in seat {seat}.")
        said = say(sentence, code=view.code, title=title, seat=seat_number(view.seat))
        yield f"{said} {say('RULES explains it.')}"
    others = _who_sits(view, say)
    if others and len(view.seats) > (view.seat is not None):
        yield say("At the table: {names}.", names=others)
    if view.hints and view.seat is not None:
        yield say("HINT tells you what you might play, when it is your turn.")
    rated = tell_rated_in(view, say)
    if rated:
        yield rated


def _who_sits(view: TableView, say: Translator) -> str:
    """Say in one line who sits where."""
    return ", ".join(
        say("{name} in seat {seat}", name=clean(each.name), seat=seat_number(each.seat))
        + (say(" (a bot)") if each.level is not None else "")
        + (say(" (away)") if each.presence is Presence.AWAY else "")
        for each in view.seats
    )


def _why_one(
    view: TableView, seat: int, presence: Presence | None, own: bool, say: Translator
) -> str:
    name = say("you") if own else called(view.names, seat)
    away = say(" (away)") if presence is Presence.AWAY else ""
    due = view.due.get(seat)
    if due is None:
        return say("Waiting for {name}{away}, without a time limit.", name=name, away=away)
    left = max(0, round(due - view.at))
    return say.several(
        "Waiting for {name}{away}, for {n} second more at most.",
        "Waiting for {name}{away}, for {n} seconds more at most.",
        left,
        name=name,
        away=away,
    )
