"""
A house of bots that play without end, until somebody kills it.

    python -m tests.protocols.host.house_of_bots JOURNAL
"""

from __future__ import annotations

import os
import sys
import time

from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from protocols.host.host import Host
from protocols.journal.compaction import compact_game
from protocols.journal.opening import open_journal


class Again:
    """Says when a game is over, and begins another."""

    def __init__(self, reactor, host):
        self.reactor, self.host = reactor, host

    def on_table(self, table, awake):
        pass

    def on_command(self, table, command, events):
        pass

    def on_game_over(self, table, over):
        print("over", flush=True)
        self.reactor.callLater(0, self.begin)

    def begin(self):
        code = self.host.open("nim", "", {"stones": 12}, {}).code
        table = self.host.hall.find(code)
        for seat, level in enumerate(("random", "perfect")):
            self.host.seat_bot(table, seat, level, level)


def main():
    from twisted.internet import reactor

    os.setsid()  # it is killed with all that it has started
    registry = Registry(installed_rules())
    journal = open_journal(sys.argv[1], reactor, compact=compact_game)
    host = Host(Hall(registry), journal, reactor, time.time)
    again = Again(reactor, host)
    host.observers.add(again)
    journal.open()
    host.begin().addCallback(lambda _: [again.begin() for _ in range(3)])
    reactor.run()


if __name__ == "__main__":
    main()
