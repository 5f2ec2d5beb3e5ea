"""What every table can choose, whatever its game."""

from __future__ import annotations

from attrs import frozen

from gamecore.settings import setting


@frozen
class TableOptions:
    """The house rules of one table; times in seconds of table time."""

    start: str = setting(
        "full",
        "begin when all seats are taken, or when somebody asks",
        choices={"full": "when all seats are taken", "asked": "when somebody asks"},
    )
    private: bool = setting(False, "keep the table out of every list")
    password: str = setting("", "what a word that everybody who comes must know was sealed to")
    watchers: bool = setting(True, "let people look on")
    hints: str = setting(
        "alone",
        "who may ask what to play: who plays against bots alone, all or nobody",
        choices={"alone": "who plays against bots alone", "all": "all", "nobody": "nobody"},
    )
    absent: str = setting(
        "forfeit",
        "what happens to a player who does not come back in time",
        choices={"forfeit": "gives up", "bot": "a bot plays on", "wait": "the others wait"},
    )
    idle: int = setting(
        0,
        "decisions in a row made by the clock after which a player counts as absent, 0 for never",
        low=0,
        high=1000,
        usual=3,
    )
    rematch: str = setting(
        "rotate",
        "how players sit in another game: one seat on, or in an order by chance",
        choices={"rotate": "one seat on", "shuffle": "in an order by chance"},
    )
    grace: float = setting(60.0, "seconds a seat is held for a lost player", low=1, high=86_400)
    expiry: float = setting(
        3600.0, "seconds after which a table where nothing happens is closed", low=10, high=604_800
    )
