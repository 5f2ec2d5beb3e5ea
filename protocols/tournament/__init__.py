"""Tournaments of programs and house bots: who plays, how they are looked after, what comes of it."""

# What others may lean on, by module.
__all__ = ["plan", "run"]
