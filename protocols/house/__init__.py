"""Several daemons that are one house: the links between them, and the tables of one that are shown at another."""

# What others may lean on, by module.
__all__ = ["linked", "links"]
