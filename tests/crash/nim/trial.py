"""A trial of Expanding Nim on its own wire: the scene, and the books that are kept of it."""

from __future__ import annotations

from random import Random

from gamecore.rules import Registry, installed_rules
from protocols.host.dormant import VOID
from tests.crash.journal import check_chain, check_finished, read_copy
from tests.crash.nim.company import NimCompany
from tests.crash.nim.players import MAXIMUM, RESETS, STONES, Player
from tests.crash.nim.record import Story, check_told, retell
from tests.crash.trial import Figures, Scene
from tests.daemons.daemon import Daemon
from tests.daemons.wrong import Wrong

GRACE = 3


def _write_ini(chance: Random) -> str:
    gap = chance.choice((0, 0.02))
    options: dict[str, float] = {"stones": STONES, "resets": RESETS, "maximum": MAXIMUM}
    options |= {"grace": GRACE, "gap": gap}
    return "[nim]\n" + "".join(f"{name} = {value}\n" for name, value in options.items())


def _bring(house: Daemon, chance: Random, figures: Figures) -> tuple[NimCompany, NimBooks]:
    company = NimCompany(house, chance)
    return company, NimBooks(house, company, figures)


NIM_WIRE = Scene("nim", _write_ini, _bring)


class NimBooks:
    """Holds every state that anybody was told against the record of their table."""

    def __init__(self, house: Daemon, company: NimCompany, figures: Figures) -> None:
        self._house = house
        self._company = company
        self._figures = figures
        self._registry = Registry(installed_rules())
        self._proven: set[str] = set()  # players and tables that need no second look before the end

    def check(self) -> None:
        """Hold what the file has now against what was told."""
        self._check_journal()

    def _check_journal(self) -> dict[str, Story]:
        """Check everything; gives the stories by the names in them."""
        self._house.check_log()
        stories: dict[str, Story] = {}
        for kept in read_copy(self._house.journal, self._registry, self._proven):
            check_chain(kept)
            story = retell(kept, self._registry, self._house.deaths)
            stories |= dict.fromkeys(filter(None, story.names), story)
            if story.stage in ("over", "abandoned", VOID):
                check_finished(kept, self._registry)
        for player in self._company.players:
            if player.name not in self._proven:
                self._check_player(player, stories.get(player.name))
        for story in {id(story): story for story in stories.values()}.values():
            self._figures.untold += len(story.states) - story.told
        self._note_proven(stories)
        return stories

    def _check_player(self, player: Player, story: Story | None) -> None:
        if story is None:
            if player.token is not None or player.state is not None:
                raise Wrong(f"the table of {player.name} is lost")
            return
        if player.code not in (None, story.code):
            raise Wrong(f"{player.name} sat at {player.code}, is recorded at {story.code}")
        story.told = max(story.told, check_told(player, story))
        if player.final is not None and player.final != story.states[-1]:
            raise Wrong(f"{player.name} was told {player.final}, the end is {story.states[-1]}")

    def _note_proven(self, stories: dict[str, Story]) -> None:
        """Leave out from now on whom nothing more can happen to."""
        done = {player.name for player in self._company.players if player.done}
        for story in stories.values():
            if story.stage in ("over", VOID) and done.issuperset(story.names):
                self._proven |= {story.code, *story.names}

    # -- the end ----------------------------------------------------------------------

    def check_the_end(self) -> None:
        """Check every table once more, and that each game had the end its players gave it."""
        self._proven.clear()
        stories = self._check_journal()
        tables = {story.code: story for story in stories.values()}
        players = {player.name: player for player in self._company.players}
        if not any(story.put_away for story in tables.values()):
            raise Wrong("no table that had ended was put away")
        for story in tables.values():
            self._count(story)
            if story.stage == "over":
                self._judge(story, players)
            elif story.stage == VOID:
                self._judge_void(story, players)

    def _count(self, story: Story) -> None:
        self._figures.tables += 1
        self._figures.finished += story.stage == "over"
        self._figures.put_away += story.put_away
        self._figures.acknowledged += min(story.told, story.moves)

    def _judge(self, story: Story, players: dict[str, Player]) -> None:
        """Check that a game had the end that its players gave it."""
        final = story.states[-1]
        names = list(story.names)
        winner = players[final["winner"]]
        names.remove(winner.name)
        loser = players[names[0]]
        ends = {
            f"Player {winner.name} won the game! Congrats!": final["stones_left"] == 0,
            f"Player {loser.name} made an illegal move": loser.faulted,
            f"Player {loser.name} disconnected": not loser.keeps and loser.cut,
            f"Player {loser.name} did not come back": loser.keeps and loser.cut,
        }
        if not ends.get(final["reason"]):
            raise Wrong(f"{story.code}: {loser} lost to {winner}: {final}")
        self._figures.count_end(final["reason"].replace(winner.name, "W").replace(loser.name, "L"))

    def _judge_void(self, story: Story, players: dict[str, Player]) -> None:
        """Check that who could come back to a game that is void was told so, or did not come."""
        keeping = [players[name] for name in story.names if players[name].keeps]
        if len(keeping) != 1 or not all(each.void or each.cut for each in keeping):
            raise Wrong(f"{story.code} is void, and {keeping} play on")
        self._figures.count_end("void since the house went down")
