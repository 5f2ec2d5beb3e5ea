"""Everybody who plays at one daemon, in one loop: they come, move, lose their links, come back."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.crash.ears import PATIENCE, Ears, connect
from tests.crash.nim.players import STONES, VOID, Link, Message, Player, newer
from tests.daemons.daemon import Daemon
from tests.daemons.wrong import Wrong

_LAST = 3  # pairs who play when there are no more kills to come
_TAKEN_OVER = "You came back by another connection"
_CLOSING = "The server is closing"


class NimCompany:
    """The players of one trial, and the loop that hears them and the daemon."""

    def __init__(self, house: Daemon, chance: Random) -> None:
        self.players: list[Player] = []
        self.events = 0  # states told and moves made
        self.returns = 0
        self.closing = False
        self._house = house
        self._chance = chance
        self._ears = Ears[Link](house)
        self._pairs = 0
        self._told: dict[str, Message] = {}  # to anybody, by each name at the table: the last state

    @property
    def _present(self) -> list[Player]:
        """Those from whom something is still to be expected."""
        return [player for player in self.players if not player.done]

    @property
    def playing(self) -> bool:
        """Whether somebody is there from whom something is still to be expected."""
        return bool(self._present)

    def __str__(self) -> str:
        waiting = [(player.name, player.my_turn, player.pending) for player in self._present]
        return f"there wait {waiting}"

    # -- the loop ---------------------------------------------------------------------

    def listen(self) -> None:
        """Hear what a new process of the daemon says."""
        self._ears.listen()

    @property
    def listening(self) -> bool:
        """Whether the daemon can still say something."""
        return self._ears.listening

    def turn(self) -> None:
        """Take in what is there, from whoever has something to say."""
        ready = self._ears.wait()
        if ready is None:
            raise Wrong(f"nobody says a word any more: {self}")
        for link in ready:
            if not link.ended:
                self._attend(link)

    def _attend(self, link: Link) -> None:
        player = link.player
        self._hear(link)
        if link.ended:
            self._see_off(player, link)
        elif self._may_come(player) and not player.has_ended and self._chance.random() < 0.01:
            self._disturb(player, link)
        self.events += player.act()

    def _hear(self, link: Link) -> None:
        for state in link.player.hear(link):
            self.events += 1
            for seat in (0, 1):
                name = state[f"player_{seat}"]["name"]
                if newer(state, self._told.get(name)):
                    self._told[name] = state

    # -- coming -----------------------------------------------------------------------

    def invite(self, tables: int) -> None:
        """Let two more come for each table that is missing."""
        for _ in range(tables - len(self._present) // 2):
            kept = self._chance.choices((2, 1, 0), (12, 3, 2))[0]
            self._invite_two(kept)

    def invite_last(self) -> None:
        """Let a few pairs come who cannot come back, and whose tables are put away."""
        for _ in range(_LAST):
            self._invite_two(kept=0)

    def _invite_two(self, kept: int) -> None:
        """Let two come who meet each other; so many of them ask for a token."""
        number, self._pairs = self._pairs, self._pairs + 1
        table = f"table {number}" if self._chance.random() < 0.8 else None
        keeps = self._chance.sample((kept > 0, kept > 1), 2)
        for seat in self._chance.sample((0, 1), 2):
            player = self._make_player(f"p{number}.{seat}", seat, table, keeps[seat])
            if kept == 0 and seat == 0:
                player.faults_at = player.chance.randrange(STONES)  # to be done before a kill
            self.players.append(player)
            self._connect(player)

    def _make_player(self, name: str, seat: int, table: str | None, keeps: bool) -> Player:
        chance = Random(self._chance.random())
        player = Player(name, seat, table, keeps, keeps or chance.random() < 0.5, chance)
        fate = chance.random()
        if fate < 0.03:
            player.faults_at = chance.randrange(STONES)
        elif fate < 0.06:
            player.quits_at = chance.randrange(STONES)
        player.looks_back = keeps and chance.random() < 0.2
        return player

    def come_back(self, most: int | None = None) -> None:
        """Let those come who have a game to come back to, a few of them by two links at once."""
        waiting = [each for each in self.players if self._may_come(each) and not each.open_links]
        for player in self._chance.sample(waiting, len(waiting))[:most]:
            self._connect(player)
            if self._chance.random() < 0.05:
                self._connect(player)

    def _may_come(self, player: Player) -> bool:
        wants = not player.has_ended or player.looks_back
        return wants and player.token is not None and not player.cut and not self.closing

    def _connect(self, player: Player) -> None:
        sock = connect(self._house.address)
        self.returns += player.token is not None
        player.looks_back = player.looks_back and not player.has_ended
        link = player.greet(sock, self._forget, self._told.get(player.name))
        self._ears.follow(sock, link)

    # -- going ------------------------------------------------------------------------

    def _forget(self, link: Link) -> None:
        self._ears.forget(link.sock)

    def _disturb(self, player: Player, link: Link) -> None:
        """Lose a link and come back, once or twice at the same time, or come back without having lost it."""
        if self._chance.random() < 0.7:
            link.close()
        for _ in range(self._chance.choice((1, 1, 2))):
            self._connect(player)

    def _see_off(self, player: Player, link: Link) -> None:
        """Check that a link had a reason to end while the daemon was up."""
        last = not player.open_links
        self._check_word(player, link, last)
        if last and not (player.has_ended or player.cut or self.closing):
            raise Wrong(f"{player.name} was cut off: {link}")
        self._cut_if_unknown(player)
        if last and player.has_ended and self._may_come(player):
            self._connect(player)

    def _check_word(self, player: Player, link: Link, last: bool) -> None:
        if link.word == _TAKEN_OVER:
            fits = len(player.links) > 1 and not (last and player.final is None)
        else:
            void = link.word == VOID and link.returning and not link.started
            # Who has a token is told of a pause, and comes back; who waits for the other has none yet.
            told_to_go = link.word == _CLOSING and self.closing and player.token is None
            fits = link.word is None or told_to_go or void
        if not fits:
            raise Wrong(f"{player.name} was turned away: {link.word}")

    def _cut_if_unknown(self, player: Player) -> None:
        """One who was not told a token can never come back."""
        if player.token is None and not player.open_links:
            player.cut = True

    # -- the end of a process ---------------------------------------------------------

    def lose_links(self) -> None:
        """Read what the daemon had sent before it went: what was read is acknowledged."""
        self._ears.stop_listening()
        for player in self.players:
            for link in player.open_links:
                link.sock.settimeout(PATIENCE)
                while not link.ended:
                    self._hear(link)
                self._check_word(player, link, last=False)
            self._cut_if_unknown(player)

    def note_end(self) -> Callable[[], None]:
        """Take note of who has a token and is in the middle of a game; they must be told that it pauses."""
        here = [player for player in self.players if player.token and player.final is None]
        links = [each for player in here for each in player.open_links if each.started]

        def check() -> None:
            for link in links:
                if not (link.over or link.player.final or link.player.cut):
                    raise Wrong(f"{link.player.name} was told nothing of the end: {link}")

        return check

    def close(self) -> None:
        """Part with everybody."""
        for player in self.players:
            for link in player.open_links:
                link.close()
        self._ears.close()
