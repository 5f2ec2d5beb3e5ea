"""The text face of the whole hall: people with telnet or netcat, every game."""

# What others may lean on, by module.
__all__ = ["commands", "one_game", "server", "session"]
