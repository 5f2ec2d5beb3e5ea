"""What one player has sent and heard, byte for byte: all that the checker is told of them."""

from __future__ import annotations

from attrs import define, field, frozen

JSON, NIM = "json", "nim"


@frozen
class Line:
    """One message on one of a player's links, in the order in which it was sent or heard."""

    link: int
    sent: bool
    data: bytes


@define(eq=False)
class Diary:
    """A player's name, by which door they come, and what went over their links, the oldest first.

    ``lost`` is set where they cannot be expected to finish: a link was lost before they were given their token.
    """

    name: str
    wire: str
    lines: list[Line] = field(factory=list, repr=False)
    lost: bool = False

    def sent(self, link: int, data: bytes) -> None:
        """Note what was sent."""
        self.lines.append(Line(link, True, data))

    def heard(self, link: int, data: bytes) -> None:
        """Note what was heard."""
        self.lines.append(Line(link, False, data))
