"""The hall: everything that touches the reactor, a socket or a terminal."""

# What others may lean on, by module.
__all__ = [
    "castle",
    "cli",
    "clients",
    "daemon",
    "discovery",
    "gops",
    "host",
    "i18n",
    "journal",
    "jsonlines",
    "lobby",
    "net",
    "nim",
    "pass123",
    "rikiki",
    "web",
]
