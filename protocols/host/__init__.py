"""Where time, durability and delivery meet: the Host, its tables, and what faces and doors may ask of it."""

# What others may lean on, by module.
__all__ = ["door", "face", "host", "observers", "table_actions"]
