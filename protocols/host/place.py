"""Where one face is."""

from __future__ import annotations

from attrs import define

from gamecore.player import PlayerCore


@define(eq=False)
class Place:
    """At which table a face is, and in which player's seat; None is a watcher's, or an organizer's."""

    code: str  # empty for one who is on the way, and so at no table yet
    player: PlayerCore | None
    organizer: bool = False

    @classmethod
    def on_the_way(cls) -> Place:
        """Give the place of a face that is held up on its way, by a password or a table that is woken.

        It may turn out to have no business there: until it comes, nothing of a table is told to it.
        """
        return cls("", None)

    @property
    def may_return(self) -> bool:
        """Whether a token brings its face back here when the link is lost."""
        return self.organizer or (self.player is not None and self.player.token is not None)

    @property
    def seat(self) -> int | None:
        """The number of the player's seat; None for one who does not sit."""
        return None if self.player is None else self.player.seat


def is_seated(speaker: object) -> bool:
    """Say whether somebody is at a table to play there; False for what is no face."""
    place: Place | None = getattr(speaker, "place", None)
    return place is not None and place.player is not None
