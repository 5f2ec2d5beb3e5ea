"""The bugs: of rules, secrecy, order, durability and bounds, and which tests are to find each."""

from __future__ import annotations

from attrs import frozen


@frozen
class Mutant:
    """A bug that is planted by writing ``after`` where the file has ``before``, which stands there once.

    ``tests`` are those that have to fail of it: files or folders, as pytest takes them.
    """

    name: str
    path: str
    before: str
    after: str
    tests: tuple[str, ...]


PLANTED = (
    # -- rules --
    Mutant(
        "Nim: the maximum does not grow beyond what was taken",
        "gamecore/games/nim/round.py",
        "self.limit = max(self.limit, move.stones + 1)",
        "self.limit = max(self.limit, move.stones)",
        ("tests/gamecore/games/nim",),
    ),
    Mutant(
        "Nim: a think is charged without what is credited for slow sending",
        "gamecore/games/nim/round.py",
        "return max(0.0, now - self.since - self.options.lag)",
        "return max(0.0, now - self.since)",
        ("tests/gamecore/games/nim",),
    ),
    Mutant(
        "GOPS: what lay there before is not won with the prize",
        "gamecore/games/gops/round.py",
        "won = sum(pot)",
        "won = pot[-1]",
        ("tests/gamecore/games/gops",),
    ),
    Mutant(
        "1-2-3 Pass: cards go the other way round",
        "gamecore/games/pass123/round.py",
        "seat = taker(giver, players, self.options.direction)",
        "seat = (2 * giver - taker(giver, players, self.options.direction)) % players",
        ("tests/gamecore/games/pass123",),
    ),
    Mutant(
        "Rikiki: the last to bid may bid what makes all bids come out",
        "gamecore/games/rikiki/position.py",
        "if tricks == barred_bid(core.cards, core.bids_made(), game.players, game.options):",
        "if False:",
        ("tests/gamecore/games/rikiki",),
    ),
    Mutant(
        "Rikiki: a suit that was led need not be followed",
        "gamecore/games/rikiki/position.py",
        "fitting = playable(held, core.led)",
        "fitting = playable(held, None)",
        ("tests/gamecore/games/rikiki",),
    ),
    Mutant(
        "Castle Wars: a stunned card attacks",
        "gamecore/games/castle/continuous_effects.py",
        '    if piece.stunned:\n        return "card-stunned"\n    if piece.attacks',
        "    if piece.attacks",
        ("tests/gamecore/games/castle",),
    ),
    # -- secrecy --
    Mutant(
        "Rikiki: everybody is told everybody's hand",
        "gamecore/games/rikiki/events.py",
        '"""Only the seat that holds them."""\n        return Only(self.seat)',
        '"""Only the seat that holds them."""\n        return AllBut(-1)',
        ("tests/games", "tests/gamecore/games/rikiki"),
    ),
    Mutant(
        "GOPS: the View shows a laid card to whoever looks",
        "gamecore/games/gops/view.py",
        "own=None if seat is None else core.laid.get(seat),",
        "own=next(iter(core.laid.values()), None),",
        ("tests/games",),
    ),
    Mutant(
        "1-2-3 Pass: all are told what each was dealt",
        "gamecore/games/pass123/events.py",
        '"""Only who holds it."""\n        return Only(self.seat)',
        '"""Only who holds it."""\n        return AllBut(-1)',
        ("tests/games", "tests/gamecore/games/pass123"),
    ),
    Mutant(
        "Castle Wars: the hand of the other player is shown",
        "gamecore/games/castle/view.py",
        "return viewer == holder or viewer in piece.known or piece.shown",
        "return viewer is not None",
        ("tests/games",),
    ),
    # -- order --
    Mutant(
        "Host: what is posted later is told first",
        "protocols/host/commit_queue.py",
        "        for deliver in deliveries:\n",
        "        for deliver in reversed(deliveries):\n",
        ("tests/protocols/host",),
    ),
    Mutant(
        "Host: people are told before the journal has committed",
        "protocols/host/commit_queue.py",
        "        self._under_way, self._doubts = deliveries, False\n",
        "        self._doubts = False\n        self._deliver(deliveries)\n        deliveries = []\n",
        ("tests/protocols/host",),
    ),
    Mutant(
        "Host: a face's bug keeps the news from the others",
        "protocols/host/outbox.py",
        "            self.on_failed(face)",
        "            raise",
        ("tests/protocols/host",),
    ),
    # -- durability --
    Mutant(
        "Journal: one goes on telling when the journal has failed",
        "protocols/host/commit_queue.py",
        "commit.addErrback(self._fail)",
        "commit.addErrback(lambda _: self._deliver(deliveries))",
        ("tests/protocols/host",),
    ),
    Mutant(
        "Journal: a commit does not wait for the disk",
        "protocols/journal/sqlite/file.py",
        'db.execute("PRAGMA synchronous = FULL")',
        'db.execute("PRAGMA synchronous = OFF")',
        ("tests/protocols/journal",),
    ),
    Mutant(
        "Journal: two runs have the same number",
        "protocols/journal/sqlite/runs.py",
        "self.run = last + 1",
        "self.run = last or 1",
        ("tests/protocols/journal",),
    ),
    # -- bounds --
    Mutant(
        "Link: what nobody reads is kept for ever",
        "protocols/net/link.py",
        "        if self.waiting > self.backlog:\n",
        "        if False:\n",
        ("tests/protocols/net",),
    ),
    Mutant(
        "Limits: a bucket fills above its brim",
        "protocols/net/limits.py",
        "self._tokens = tokens if tokens < self.burst else self.burst",
        "self._tokens = tokens",
        ("tests/protocols/net",),
    ),
    Mutant(
        "Limits: each address of one IPv6 customer is somebody else",
        "protocols/net/limits.py",
        'network = f"{IPv6Address(int(address) >> 64 << 64)}/64"',
        "network = host",
        ("tests/protocols/net",),
    ),
)
