"""What is kept: the durable, ordered record of commands."""

# What others may lean on, by module.
__all__ = ["engines", "errors", "interface", "memory", "opening"]
