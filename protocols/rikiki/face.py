"""One client of the Rikiki wire, from its greeting to its goodbye: what becomes of each of its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files

from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.table import Table
from protocols.host import table_actions
from protocols.i18n.names import read_name
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import N_, translator_of
from protocols.net.limits import TokenBucket
from protocols.rikiki import standing, wire
from protocols.rikiki.listener import Listener
from protocols.rikiki.wire import Request

LONGEST_REMARK = 300
_MANY = N_("With more than 8 players there are few cards in each hand.")
_MOST_AT_EASE = 8


class RikikiFace(Listener):
    """One client that speaks as well."""

    def __init__(self) -> None:
        super().__init__()
        self._remarks = TokenBucket(1.0, 8.0)
        self._openings = TokenBucket(1 / 20, 5.0)

    # -- lines in ---------------------------------------------------------------------

    def line_received(self, line: str) -> None:
        """Act on one command."""
        if self._quitting or not line.strip():
            return
        try:
            request = wire.parse(line)
        except Malformed as problem:
            request = Request("")
            self._answers.ask(request)
            self._fail(request, str(problem))
            return
        self._answers.ask(request)
        try:
            _ACTIONS[request.verb](self, request)
        except Malformed as problem:
            self._fail(request, str(problem))
        except Refused as refusal:
            self._turn_down(request, refusal)

    # -- what needs no table ----------------------------------------------------------

    def _help(self, request: Request) -> None:
        page = _page(request.words[0], self._say.language) if request.words else None
        if page is None:
            verbs = [f"{verb} {usage}".rstrip() for verb, (usage, _, _) in wire.VERBS.items()]
            page = [self._say("What can be said:"), *verbs]
        self._done(request, *(f"# {line}".rstrip() for line in page))

    def _choose_mode(self, request: Request) -> None:
        mode = request.words[0].upper()
        if mode not in ("HUMAN", "BOT"):
            raise Malformed("usage MODE HUMAN|BOT")
        self._for_people = mode == "HUMAN"
        self._done(request)

    def _choose_language(self, request: Request) -> None:
        self._say = translator_of(request.words[0])
        self._done(request)

    def _take_name(self, request: Request) -> None:
        if self._player_seat() is not None:
            raise Refused("wrong-state")
        wanted = read_name(" ".join(request.words))
        self.factory.names.take(self, wanted)
        self.name = wanted
        request.words = [wire.shown(wanted)]
        self.settled()
        self._done(request)

    def _list_tables(self, request: Request) -> None:
        tables = self.factory.host.hall.joinable(self.factory.door.kind)
        self._done(request, *map(standing.table_line, tables))

    # -- coming and going -------------------------------------------------------------

    def _open(self, request: Request) -> None:
        self._check_free()
        options, house = wire.read_options(request.words)
        if not self._openings.take(self.factory.clock.seconds()):
            raise Refused("too-fast")
        table, token = self.factory.open(options, house)
        self.opened.add(table.code)
        request.words = [table.code, token]
        self._came_by = request.verb
        self.settled()
        self.factory.host.watch(self, table, request)
        if table.most_players > _MOST_AT_EASE:
            self.send_lines(self._to_people(self._say(_MANY)))

    def _join(self, request: Request) -> None:
        self._check_free()
        self._sit(request, self.factory.find(request.words[0]))

    def _take_invitation(self, request: Request) -> None:
        self._check_free()
        token, request.words = request.words[0], [request.words[0].partition(".")[0].upper()]
        self._came_by = request.verb
        self.factory.host.accept(self, token, self.name, request)
        request.seat = self._player_seat()  # known at once, unless the table has to be woken

    def _sit(self, request: Request, table: Table) -> None:
        if not self.name:
            raise Malformed(f"name-bad {self._say('Say NAME and your name first.')}")
        if table.stage is not Stage.GATHERING:
            raise Refused("game-began")
        free = table.free_seats()
        if not free:
            raise Refused("table-full")
        request.words, request.seat = [table.code], free[0]
        self._came_by = request.verb
        self.factory.host.sit(self, table, free[0], self.name, request, keep=True)

    def _come_back(self, request: Request) -> None:
        self._check_free()
        self.settled()
        token = request.words[0]
        request.words = [clean(token.partition(".")[0].upper(), 16)]
        self._came_by = request.verb
        self.factory.host.come_back(self, token, request)

    def _watch(self, request: Request) -> None:
        self._check_free()
        table = self.factory.find(request.words[0])
        self.settled()
        request.words = [table.code]
        self._came_by = request.verb
        self.factory.host.watch(self, table, request)

    def _leave(self, request: Request) -> None:
        self._step_out()
        self._done(request)

    def _quit(self, request: Request) -> None:
        self._step_out()
        self._quitting = True
        self._done(request)

    def _step_out(self) -> None:
        """Go from the table: the seat is held, unless there is nothing to come back to."""
        self._came_by = ""
        if self.place is not None:
            over = self._stage in (Stage.OVER, Stage.ABANDONED)
            (self.factory.host.leave if over else self.factory.host.drop)(self)

    def _check_free(self) -> None:
        """Refuse what is not for one who sits at a table, unless the game there is over."""
        if self._player_seat() is not None:
            if self._stage is not Stage.OVER:
                raise Refused("wrong-state")
            self.factory.host.leave(self)

    # -- at the table -----------------------------------------------------------------

    def _start(self, request: Request) -> None:
        token = request.words[0] if request.words else ""
        request.words = []
        self.factory.start(self, token, request)

    def _add_bot(self, request: Request) -> None:
        level = request.words[0].lower() if request.words else "counting"
        self.factory.host.request(self, table_actions.add_bot(level), request)

    def _gather_again(self, request: Request) -> None:
        self.factory.host.request(self, table_actions.rematch, request)

    def _move(self, request: Request) -> None:
        self.factory.host.submit(self, wire.read_move(request), request)

    def _look(self, request: Request) -> None:
        if request.verb == "HAND" and self._player_seat() is None:
            raise Refused("not-seated")
        self.factory.host.look(self, request)

    def _remark(self, request: Request) -> None:
        if self.place is None:
            raise Refused("not-seated")
        words = clean(" ".join(request.words), LONGEST_REMARK)
        if not words:
            raise Refused("nothing-said")
        if not self._remarks.take(self.factory.clock.seconds()):
            raise Refused("too-fast")
        player = self.place.player
        name = wire.shown("" if player is None else player.name)
        self._answers.settle(request, ["OK SAY"])
        self.factory.spread(self.place.code, f"SAID {name} {words}")


def _page(verb: str, language: str) -> Sequence[str] | None:
    """Read the page on a verb in a language, or else in English; None if there is none."""
    if not verb.isalpha():
        return None
    for each in (language, "en"):
        page = files("protocols.rikiki").joinpath("help", each, f"{verb.lower()}.txt")
        if page.is_file():
            return page.read_text("utf-8").splitlines()
    return None


_ACTIONS: Mapping[str, Callable[[RikikiFace, Request], None]] = {
    "HELP": RikikiFace._help,
    "MODE": RikikiFace._choose_mode,
    "LANG": RikikiFace._choose_language,
    "NAME": RikikiFace._take_name,
    "TABLES": RikikiFace._list_tables,
    "NEW": RikikiFace._open,
    "JOIN": RikikiFace._join,
    "INVITE": RikikiFace._take_invitation,
    "REJOIN": RikikiFace._come_back,
    "WATCH": RikikiFace._watch,
    "START": RikikiFace._start,
    "ADDBOT": RikikiFace._add_bot,
    "BID": RikikiFace._move,
    "PLAY": RikikiFace._move,
    "NEXT": RikikiFace._move,
    "SAY": RikikiFace._remark,
    "AGAIN": RikikiFace._gather_again,
    "LEAVE": RikikiFace._leave,
    "QUIT": RikikiFace._quit,
    **dict.fromkeys(standing.LOOKS, RikikiFace._look),
}
