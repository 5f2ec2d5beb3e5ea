"""
The daemon, as twistd starts it, that says how long the longest turn of its reactor has taken so far.

    python -m tests.bench.turns [options of twistd] parlour [options]

It prints a line ``turn PROCESSOR CLOCK``, both in milliseconds, whenever a turn has taken more of the processor
or of the clock than any before; a busy machine makes the second larger and not the first.
"""

from __future__ import annotations

import sys
from time import perf_counter, thread_time
from typing import Any


class TimedPoll:
    """What the reactor waits by, and takes note of how long it does not wait."""

    def __init__(self, poll: Any) -> None:
        self._poll = poll
        self._began: tuple[float, float] | None = None
        self._longest = 0.0, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._poll, name)

    def poll(self, *how_long: Any) -> Any:
        """Wait for what the reactor waits for: a turn ends, and another begins."""
        if self._began is not None:
            self._note(thread_time() - self._began[0], perf_counter() - self._began[1])
        ready = self._poll.poll(*how_long)
        self._began = thread_time(), perf_counter()
        return ready

    def _note(self, spent: float, lasted: float) -> None:
        longest = max(self._longest[0], spent), max(self._longest[1], lasted)
        if longest != self._longest:
            self._longest = longest
            print("turn", *(f"{1000 * seconds:.2f}" for seconds in longest), flush=True)


def main() -> None:
    """Serve until told to stop."""
    from twisted.internet import reactor
    from twisted.scripts.twistd import run

    vars(reactor)["_poller"] = TimedPoll(vars(reactor)["_poller"])
    sys.argv[0] = "twistd"
    run()


if __name__ == "__main__":
    main()
