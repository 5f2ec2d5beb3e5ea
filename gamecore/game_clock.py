"""The time of one game: table time, less all that stood still while somebody was waited for."""

from __future__ import annotations


class GameClock:
    """Runs with the table's time, and can stand still; all times in seconds."""

    __slots__ = ("_since", "_stood")

    def __init__(self) -> None:
        self._stood = 0.0
        self._since: float | None = None

    @property
    def stands(self) -> bool:
        """Whether it stands still."""
        return self._since is not None

    @property
    def is_table_time(self) -> bool:
        """Whether it has never stood still, so that its time is the table's."""
        return not self._stood

    def time(self, now: float) -> float:
        """Tell the game's time at table time ``now``."""
        return (now if self._since is None else self._since) - self._stood

    def rings(self, at: float) -> float:
        """Tell the table time at which a time of the game comes, if the clock runs on."""
        return at + self._stood

    def let(self, stand: bool, now: float) -> None:
        """Let it stand still from table time ``now`` on, or run; nothing happens if it does already."""
        if stand and self._since is None:
            self._since = now
        elif not stand and self._since is not None:
            self._stood += now - self._since
            self._since = None
