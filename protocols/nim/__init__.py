"""Expanding Nim on its own wire."""

# What others may lean on, by module.
__all__ = ["client", "server", "text", "wire"]
