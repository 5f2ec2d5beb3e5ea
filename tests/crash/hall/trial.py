"""A trial of every game at the door of JSON lines: the scene, and the books that are kept of it."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import partial
from random import Random

from gamecore.codec import Plain
from gamecore.rules import AnyRules, Registry, installed_rules
from protocols.cli.main import main
from protocols.host.dormant import UNREACHABLE, resting_stage
from tests.crash.hall.company import HallCompany
from tests.crash.hall.links import Request
from tests.crash.hall.parties import Party
from tests.crash.hall.people import Person
from tests.crash.hall.record import (
    WATCHERS,
    Place,
    Story,
    Stream,
    check_link,
    open_story,
    places_of,
)
from tests.crash.journal import Kept, check_finished, read_copy
from tests.crash.trial import Figures, Scene
from tests.daemons.daemon import Daemon
from tests.daemons.wrong import Wrong

_DOOR = {"requests_a_second": 100_000, "requests_at_once": 100_000}
_ADMISSION = dict.fromkeys(
    [
        *("links_a_second", "links_at_once", "tables_a_minute", "tables_at_once"),
        *("tables_waiting", "seats_a_minute", "seats_at_once"),
    ],
    100_000,
)
_COUNTED = ("join", "bot", "start", "rematch", "replace")
_ENDED = ("over", "abandoned")
_SHOWN = 8  # tables that are shown at the end


def hall_scene(kinds: Sequence[str] | None = None, short: bool = False) -> Scene:
    """Set the scene for some of the games that are installed, by default all; they may be ``short``."""
    registry = Registry(installed_rules())
    games = [registry.latest(kind) for kind in kinds or registry.kinds]
    return Scene("json", _write_ini, partial(_bring, games, short))


def _write_ini(chance: Random) -> str:
    sections = {"json": _DOOR, "admission": _ADMISSION}
    lines = [
        line
        for name, given in sections.items()
        for line in (f"[{name}]", *(f"{key} = {value}" for key, value in given.items()))
    ]
    return "\n".join(lines) + "\n"


def _bring(
    games: Sequence[AnyRules], short: bool, house: Daemon, chance: Random, figures: Figures
) -> tuple[HallCompany, HallBooks]:
    company = HallCompany(house, chance, games, short)
    return company, HallBooks(house, company, figures)


class HallBooks:
    """Holds everything that anybody was told, or was told is done, against the record of their table."""

    def __init__(self, house: Daemon, company: HallCompany, figures: Figures) -> None:
        self._house = house
        self._company = company
        self._figures = figures
        self._registry = Registry(installed_rules())
        self._stories: dict[str, Story] = {}
        self._proven: set[str] = set()  # tables where nothing more can happen
        self._verified: set[str] = set()

    def check(self) -> None:
        """Hold what the file has now against what was told since the last time."""
        self._house.check_log()
        parties = {party.code: party for party in self._company.parties if party.code}
        kept = read_copy(self._house.journal, self._registry, self._proven)
        lost = parties.keys() - {each.code for each in kept} - self._proven
        if lost:
            raise Wrong(f"tables are lost: {lost}")
        for each in kept:
            self._check_table(each, parties.get(each.code))

    def _check_table(self, kept: Kept, party: Party | None) -> None:
        story = self._stories.get(kept.code)
        if story is None:
            story = self._stories[kept.code] = open_story(kept, self._registry)
        members = [] if party is None else party.members
        places = [each for person in members for each in _places(person)]
        sights = story.go_on(kept, self._house.deaths, dict.fromkeys(places))
        self._check_stage(story, kept)
        for person in members:
            for link in person.links:
                check_link(_stream(person), link, story, sights)
            person.links = person.open_links  # what was checked need not be checked again
        if party is not None:
            check_requests(party, story)
        done = all(each.done for each in members)
        if story.put_away or done:
            self._verify(kept)
        if story.put_away and done:
            self._proven.add(kept.code)

    def _check_stage(self, story: Story, kept: Kept) -> None:
        table = story.table
        stage = resting_stage(table) if table.reachable else UNREACHABLE
        if kept.stage != stage if kept.stage else stage not in (*_ENDED, UNREACHABLE):
            raise Wrong(f"{kept.code}: the index says {kept.stage}, the record {stage}")

    def _verify(self, kept: Kept) -> None:
        if kept.code not in self._verified and self._stories[kept.code].has_ended:
            check_finished(kept, self._registry)
            self._verified.add(kept.code)

    # -- the end ----------------------------------------------------------------------

    def check_the_end(self) -> None:
        """Check that every table whose people stayed has ended, and show some of those that were put away."""
        for party in self._company.parties:
            story = self._stories.get(party.code or "")
            if story is not None:
                self._check_party(party, story)
        for story in self._stories.values():
            self._count(story)
        away = [code for code, story in self._stories.items() if story.put_away]
        if not away:
            raise Wrong("no table that had ended was put away")
        for code in away[-_SHOWN:]:
            self._show(code)

    def _check_party(self, party: Party, story: Story) -> None:
        ended = story.finished or story.table.stage.value == "abandoned"
        if not ended and any(each.saw_the_end for each in party.players):
            raise Wrong(f"{party} saw an end that is not in the record: {story}")
        for person in party.players:
            if person.gone == "not known any more" and still_sits(story, person.name):
                raise Wrong(f"{person} was not known, and sits there")
            made = sum(each.do == "play" and each.done for each in person.requests)
            self._figures.acknowledged += made
            self._figures.untold += len(story.moves.get(person.name, ())) - made

    def _count(self, story: Story) -> None:
        self._figures.tables += 1
        self._figures.finished += story.finished
        self._figures.put_away += story.put_away
        if story.finished:
            self._figures.count_end(story.table.rules.kind, story.finished)

    def _show(self, code: str) -> None:
        """Let ``parlour replay`` show a table."""
        said = io.StringIO()
        with redirect_stdout(said):
            status = main(["replay", code, "--journal", self._house.journal])
        if status != 0 or f"Table {code}" not in said.getvalue():
            raise Wrong(f"replay of {code} ended with {status}: {said.getvalue()[:2000]}")


def _places(person: Person) -> list[Place]:
    return [each for link in person.links for each in places_of(_stream(person), link)]


def _stream(person: Person) -> Stream:
    return WATCHERS if person.watches else person.name


def still_sits(story: Story, name: str) -> bool:
    """Say whether somebody of that name could still come back."""
    table = story.table
    here = [seat for seat, core in table.seated().items() if core.name == name]
    return (
        any(table.presence(seat).value != "gone" for seat in here)
        and table.stage.value != "abandoned"
    )


# -- what was acknowledged ------------------------------------------------------------


def check_requests(party: Party, story: Story) -> None:
    """Check that whatever was said to be done is in the record, and no move that was refused."""
    done: Counter[str] = Counter()
    for person in party.players:
        for request in person.requests:
            done[request.do] += request.done
            _check_request(person, request, story)
        moves = [each for each in person.requests if each.do == "play"]
        if not explains(moves, story.moves.get(person.name, [])):
            raise Wrong(f"{person} made {moves}, in the record are {story.moves.get(person.name)}")
    for do in _COUNTED:
        if done[do] > story.counts[do]:
            raise Wrong(f"{story.table.code}: {done} were done, in the record are {story.counts}")


def _check_request(person: Person, request: Request, story: Story) -> None:
    if request.do == "join" and request.done and person.name not in story.sat:
        raise Wrong(f"{person} sat down, and is not in the record")
    if request.do == "mix" and request.done and request.fields["words"] not in story.words:
        raise Wrong(f"{request} is not in the record")
    if request.do == "leave" and request.done and still_sits(story, person.name):
        raise Wrong(f"{person} has left, and sits there")


def explains(sent: Sequence[Request], recorded: Sequence[Plain]) -> bool:
    """Say whether moves that were sent can have left just these in the record, in this order.

    Those that were done must be there, those that were refused must not, and of the others nobody knows.
    """
    possible = {0}  # how many of those sent may lie behind us
    for move in recorded:
        behind: set[int] = set()
        for begins in possible:
            for at in range(begins, len(sent)):
                request = sent[at]
                if request.fields["move"] == move and request.outcome in (None, "ok"):
                    behind.add(at + 1)
                if request.done:
                    break
        possible = behind
    return any(not any(each.done for each in sent[begins:]) for begins in possible)
