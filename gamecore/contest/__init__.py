"""Tournaments: who meets whom, what it counts, how the table stands; pure, as all of the rules are."""

from gamecore.contest.pairing import Format, find_format, formats
from gamecore.contest.rounds import Encounter, Field, PairedRound, Pairing, scores
from gamecore.contest.standing import Standing, standings
from gamecore.contest.tournament import Tournament

__all__ = [
    "Encounter",
    "Field",
    "Format",
    "PairedRound",
    "Pairing",
    "Standing",
    "Tournament",
    "find_format",
    "formats",
    "scores",
    "standings",
]
