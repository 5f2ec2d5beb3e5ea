"""The whole judgement of a house: every checker, over every table that anybody played at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import asdict, define

from gamecore.rules import Registry
from tests.daemons.wrong import Wrong
from tests.house.checker import check_player
from tests.house.loss_checker import check_charges, check_nobody_lost
from tests.house.owner_checker import check_kept, check_owners
from tests.house.players import Party
from tests.house.records import Kept, read_tables
from tests.house.secret_checker import check_secrets, check_views
from tests.house.witness import hear


@define
class Verdict:
    """What was checked, and held."""

    tables: int = 0
    finished: int = 0
    records: int = 0
    acknowledged: int = 0
    hands: int = 0
    views: int = 0

    def add(self, other: Verdict) -> None:
        """Add what was checked in another trial."""
        for name, count in asdict(other).items():
            setattr(self, name, getattr(self, name) + count)

    def __str__(self) -> str:
        return (
            f"{self.tables} tables ({self.finished} games finished), {self.records} records by"
            f" {self.hands} changes of hands, {self.acknowledged} moves acknowledged, {self.views} views:"
            " lost, doubled, leaked, charged = 0"
        )


def judge(parties: Sequence[Party], journal: str, registry: Registry, linked: bool) -> Verdict:
    """Check all that there is, of daemons that were ``linked`` or not; raises Wrong for what cannot be."""
    seen = hear(journal)
    verdict = Verdict(hands=check_owners(seen))
    codes = {code: party for party in parties for code in _codes(party)}
    tables = read_tables(journal, sorted(codes), registry)
    missing = codes.keys() - tables.keys()
    if missing:
        raise Wrong(f"tables are lost: {missing}")
    for code, kept in tables.items():
        check_kept(kept, seen)
        check_charges(kept, seen)
        try:
            _judge_table(codes[code], kept, registry, verdict, linked)
        except Wrong as problem:
            problem.add_note(f"{codes[code]}, {kept.has_ended=}, at the end of its record:")
            for each in kept.records[-8:]:
                problem.add_note(f"  {each.at:.2f} {each.command} {len(each.events)} events")
            for player in codes[code].players:
                problem.add_note(f"{player.diary.name}, at the end:")
                for line in player.diary.lines[-30:]:
                    problem.add_note(
                        f"  {line.link} {'>' if line.sent else '<'} {line.data[:300]!r}"
                    )
            raise
    return verdict


def _codes(party: Party) -> Iterator[str]:
    """Give the tables where somebody of a party was given a token."""
    return (each.token.partition(".")[0] for each in party.players if each.token is not None)


def _judge_table(
    party: Party, kept: Kept, registry: Registry, verdict: Verdict, linked: bool
) -> None:
    diaries = [each.diary for each in party.players if each.token is not None]
    if not party.spoiled:
        check_nobody_lost(kept)
    for diary in diaries:
        verdict.acknowledged += check_player(diary, kept, linked)
    check_secrets(kept, diaries)
    verdict.views += check_views(kept, diaries, registry)
    verdict.tables += 1
    verdict.records += len(kept.records)
    verdict.finished += kept.has_ended
