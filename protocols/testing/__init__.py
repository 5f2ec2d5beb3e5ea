"""What tests of Parlour and of games for it are made of; the public face of this room."""

from protocols.testing.clock import ManualClock
from protocols.testing.ear import Ear
from protocols.testing.house import House
from protocols.testing.journals import HandJournal, KeptJournal
from protocols.testing.peer import Peer

__all__ = ["Ear", "HandJournal", "House", "KeptJournal", "ManualClock", "Peer"]
