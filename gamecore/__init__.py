"""The card room: rules, events and life cycles; no reactor, socket, clock or global chance."""

# What others may lean on, by module.
__all__ = [
    "bots",
    "cards",
    "commands",
    "errors",
    "events",
    "fairness",
    "games",
    "hall",
    "record",
    "replay",
    "rules",
    "settings",
    "table",
    "table_events",
    "table_view",
]
