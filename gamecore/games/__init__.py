"""The rules of each game, one module a game."""

# What others may lean on, by module.
__all__ = ["castle", "gops", "nim", "pass123", "rikiki"]
