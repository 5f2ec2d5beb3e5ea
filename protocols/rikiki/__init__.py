"""Rikiki on the wire: its own lines, its server, its client, and the game in words."""

# What others may lean on, by module.
__all__ = ["client", "server", "text", "wire"]
