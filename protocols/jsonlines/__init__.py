"""The program's face of the whole hall: every game as lines of JSON."""

# What others may lean on, by module.
__all__ = ["messages", "requests", "schema", "server"]
