"""Castle Wars at its own door: JSON objects for programs, words for people, on one port."""

# What others may lean on, by module.
__all__ = ["client", "server", "text", "wire"]
