"""What the clients of all games share."""

# What others may lean on, by module.
__all__ = ["connection", "player", "terminal"]
