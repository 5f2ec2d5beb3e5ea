"""The `parlour` command."""

# What others may lean on, by module.
__all__ = ["main"]
