"""GOPS on its own wire: frames for stock clients, lines for people and programs."""

# What others may lean on, by module.
__all__ = ["client", "server", "text", "wire"]
