"""What is kept of a request until its reply."""

from __future__ import annotations

from attrs import field, frozen

from gamecore.errors import Refused
from protocols.jsonlines.requests import Id, Unfit, Written


@frozen
class PendingReply:
    """The reply to one request on its way: what it is marked with, and says.

    ``known`` is set where it is known beforehand what becomes of it: it is done, or refused by ``refusal``.
    ``comes`` is set where a table is then shown, ``sits`` where the reply tells the seat that was taken;
    ``last`` is the number of the last event that one who comes back has seen; ``moves`` is set where it was a
    move, ``quits`` where the link is closed behind the reply. ``played`` is how many moves the seat had made before
    one that counts them, ``returns`` where the reply says how many it has made.
    """

    id: Id
    facts: Written = field(factory=dict)
    refusal: Refused | Unfit | None = None
    known: bool = False
    comes: bool = False
    last: int | None = None
    sits: bool = False
    moves: bool = False
    quits: bool = False
    played: int | None = None
    returns: bool = False
