"""1-2-3 Pass on its own wire, and in words."""

# What others may lean on, by module.
__all__ = ["client", "server", "text", "wire"]
