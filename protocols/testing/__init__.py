"""What tests of Parlour and of games for it are made of; the public face of this room.

It needs no pytest: whatever fails is an AssertionError. ``GameChecks`` is all that is asked of a game.
"""

from protocols.testing.checks import GameChecks
from protocols.testing.clock import ManualClock
from protocols.testing.ear import Ear
from protocols.testing.guest import Guest, Way
from protocols.testing.house import House
from protocols.testing.journals import HandJournal, KeptJournal
from protocols.testing.peer import Peer
from protocols.testing.playing import Playing
from protocols.testing.ponder import Ponder
from protocols.testing.program import Program
from protocols.testing.secrecy.pairs import Leak
from protocols.testing.wires import Wire

__all__ = [
    "Ear",
    "GameChecks",
    "Guest",
    "HandJournal",
    "House",
    "KeptJournal",
    "Leak",
    "ManualClock",
    "Peer",
    "Playing",
    "Ponder",
    "Program",
    "Way",
    "Wire",
]
