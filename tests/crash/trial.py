"""One trial: many tables on one journal, a daemon that is killed again and again, and what must hold."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from attrs import Factory, asdict, define

from gamecore.rules import Registry, installed_rules
from tests.crash.company import Company
from tests.crash.house import House
from tests.crash.players import MAXIMUM, RESETS, STONES, Player, Wrong
from tests.crash.stored import Story, check_chain, check_finished, check_told, read_copy, retell

GRACE = 3
TABLES = 12
_EARLY = 20  # people who come before the daemon is open; the system lets no more than 50 wait
_LAST = 3  # pairs who play when there are no more kills to come


@define
class Figures:
    """What was counted in one trial, or in several."""

    kills: int = 0
    terminations: int = 0
    returns: int = 0
    tables: int = 0
    finished: int = 0
    put_away: int = 0
    acknowledged: int = 0
    untold: int = 0
    reasons: dict[str, int] = Factory(dict)

    def add(self, other: Figures) -> None:
        """Add the figures of another trial."""
        for name, count in asdict(other, filter=lambda _, value: isinstance(value, int)).items():
            setattr(self, name, getattr(self, name) + count)
        for reason, count in other.reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + count

    def __str__(self) -> str:
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(self.reasons.items()))
        return (
            f"{self.kills} kills, {self.terminations} terminations, {self.returns} returns,"
            f" {self.tables} tables, {self.finished} games finished ({reasons}),"
            f" {self.put_away} of them put away,"
            f" {self.acknowledged} moves acknowledged, moves lost = 0"
            f" ({self.untold} kept at a kill that nobody had been told of)"
        )


def run_trial(seed: int, kills: int, tables: int = TABLES) -> Figures:
    """Run a trial; raises Wrong, with the seed, for whatever does not hold."""
    with TemporaryDirectory(prefix="parlour-crash-") as folder:
        trial = Trial(Path(folder), seed, kills, tables)
        try:
            return trial.run()
        except BaseException as problem:
            problem.add_note(trial.house.log[-8000:])
            problem.add_note(f"seed {seed}, after {trial.figures.kills} kills")
            raise


class Trial:
    """Plays, kills, restarts and checks, as a seed has it."""

    def __init__(self, folder: Path, seed: int, kills: int, tables: int) -> None:
        self.figures = Figures()
        self._chance = Random(seed)
        self._kills = kills
        self._tables = tables
        self._registry = Registry(installed_rules())
        self._proven: set[str] = set()  # players and tables that need no second look before the end
        gap = self._chance.choice((0, 0.02))
        options: dict[str, float] = {"stones": STONES, "resets": RESETS, "maximum": MAXIMUM}
        options |= {"grace": GRACE, "gap": gap}
        ini = "".join(f"{name} = {value}\n" for name, value in options.items())
        self.house = House(folder, f"[nim]\n{ini}")
        self._company = Company(self.house, self._chance)

    def run(self) -> Figures:
        """Kill the daemon as often as asked for, play all games to their ends, check everything."""
        try:
            self._start()
            while self.figures.kills < self._kills:
                self._play_for_a_while()
                self._end_somehow()
                self._start()
            self._play_to_the_end()
            self._terminate()
            self._check_the_end()
        finally:
            self._company.close()
            self.house.close()
        return self.figures

    # -- the daemon -------------------------------------------------------------------

    def _start(self) -> None:
        """Start the daemon, perhaps not at the first try, and let everybody come back."""
        self._launch()
        early = self._chance.random() < 0.3
        dies_at = self._chance.randint(1, 6) if self._chance.random() < 0.1 else None
        while not self.house.open:
            self._company.turn()
            if early and self.house.bound:
                early = False
                self._company.come_back(_EARLY)
            if dies_at is not None and dies_at <= self.house.lines and not self.house.open:
                dies_at = None
                self._kill()
                self._launch()
        self._company.come_back()

    def _launch(self) -> None:
        self.house.start()
        self._company.listen()

    def _play_for_a_while(self) -> None:
        """Play until a number of things have happened that nobody knows beforehand."""
        mean = self._chance.choice((1, 10, 100, 600))
        last = self._company.events + int(self._chance.expovariate(1 / mean))
        while self._company.events < last:
            self._company.invite(self._tables)
            self._company.turn()

    def _play_to_the_end(self) -> None:
        """Play until all have done, with a few more who cannot come back and whose tables are put away."""
        for _ in range(_LAST):
            self._company.invite_two(kept=0)
        while self._company.present:
            self._company.turn()

    def _end_somehow(self) -> None:
        if self._chance.random() < 0.15:
            self._terminate(may_kill=self._chance.random() < 0.3)
        else:
            self._kill()

    def _kill(self) -> None:
        self.house.kill()
        self.figures.kills += 1
        self._company.lose_links()
        self._check_journal()

    def _terminate(self, may_kill: bool = False) -> None:
        """Ask the daemon to end, hear what it says to everybody, and perhaps do not let it."""
        self.figures.terminations += 1
        company, playing = self._company, self._company.playing()
        last = company.events + self._chance.randint(0, 50) if may_kill else None
        company.closing = True
        self.house.terminate()
        while company.listening:
            if last is not None and company.events >= last:
                self._kill()
                return
            company.turn()
        status = self.house.see_out()
        company.lose_links()
        if status != 0:
            raise Wrong(f"the daemon ended with status {status}")
        for link in playing:
            if not (link.over or link.player.final or link.player.cut):
                raise Wrong(f"{link.player.name} was told nothing of the end: {link}")
        self._check_journal()

    # -- what must hold ---------------------------------------------------------------

    def _check_journal(self) -> dict[str, Story]:
        """Hold what the file has now against what was told; gives the stories by the names in them."""
        if "Traceback" in self.house.log:
            raise Wrong("there is a traceback in the log")
        stories: dict[str, Story] = {}
        for kept in read_copy(self.house.journal, self._registry):
            if kept.code not in self._proven:
                check_chain(kept)
                story = retell(kept, self._registry, self.house.deaths)
                stories |= dict.fromkeys(filter(None, story.names), story)
                if story.stage in ("over", "abandoned"):
                    check_finished(kept, self._registry)
        for player in self._company.players:
            if player.name not in self._proven:
                self._check_player(player, stories.get(player.name))
        for story in {id(story): story for story in stories.values()}.values():
            self.figures.untold += len(story.states) - story.told
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
            if story.stage == "over" and done.issuperset(story.names):
                self._proven |= {story.code, *story.names}

    def _check_the_end(self) -> None:
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
        self.figures.returns = self._company.returns

    def _count(self, story: Story) -> None:
        self.figures.tables += 1
        self.figures.finished += story.stage == "over"
        self.figures.put_away += story.put_away
        self.figures.acknowledged += min(story.told, story.moves)

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
        reason = final["reason"].replace(winner.name, "W").replace(loser.name, "L")
        self.figures.reasons[reason] = self.figures.reasons.get(reason, 0) + 1
