"""What linked daemons say to each other: lines of a letter and what belongs to it, with blanks between.

=================================  ==================================================================
``h run nonce``                    the caller's first line: which run it is
``h run nonce proof``              the answer to it, and the caller's answer to that; both are linked then
``b``                              I am here; each second
``s code``                         mirror this table for me
``t code at state``                its records come from now on: read all that there are; its time is ``at``, and
                                   it is ``awake`` or ``asleep``
``n code``                         it is not awake here
``r code asked line``              a record that is committed, byte for byte; ``asked`` is the command of a linked
                                   run that it is, or ``-``
``u code``                         I mirror it no more
``e code``                         be its heir: who was is gone
``c asked code number most cmd``   do this at the table, in the game of that number; ``most`` is of a move: how many
                                   its player may have made before it in that game, else ``-``
``x code asked key facts``         it is refused; ``moved`` if another game is gathered for or played
``o code asked name``              this player, by their name, is to be held by me alone from now on
``q code asked``                   say when all that was done until now has been told to me
``a code asked``                   so it is; all that was done before has been told
``w code name``                    this player is still held by me
``g code name``                    this player is held by you no more: somebody else does
``y code at``                      the table is yours, as it stands at a table time
``z trouble``                      play is paused here, and why; ``null`` when it goes on: ask for each table anew
=================================  ==================================================================

``p`` and ``m`` are of people (``hall``); other rooms may have letters of their own. A run proves that it can read
the journal: a proof is an HMAC by the keys that both have written there, over who says it and what both have drawn.
A line is at most a mebibyte long.

A command is named ``run.number`` by the run that asks for it, once for all: who asks again does so by that name.
"""

from __future__ import annotations

import hmac

from protocols.journal.house import PeerRow

MAX_LENGTH = 2**20  # bytes of a line
MOVED = "moved"  # why nothing is done that was asked for in a game which is gathered for or played no more
NO_ONE = "-"  # who has asked for a record that no linked run has asked for
ASLEEP, AWAKE = "asleep", "awake"  # whether anything was done at a table since it was read
NO_COUNT = "-"  # of the moves before what is no move
NONCE_BYTES = 16


def name_of(run: int, number: int = 0) -> str:
    """Name a command that a run asks for, each by a number of its own; 0 is what is done for it unasked."""
    return f"{run}.{number}"


def run_of(asked: str) -> int | None:
    """Say which run a command was asked for by, None if by none."""
    return None if asked == NO_ONE else int(asked.partition(".")[0])


def proof(own: PeerRow, other: PeerRow, drawn: str, heard: str) -> str:
    """Prove that ``own`` knows both keys, by what it has drawn itself and what it has heard from the other."""
    key = "".join(each.key for each in sorted((own, other))).encode()
    return hmac.digest(key, f"{own.run} {drawn} {heard}".encode(), "sha256").hex()
