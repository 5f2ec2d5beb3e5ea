"""Floods: what people at one table feel of a crowd at all others; ``python -m tests.flood`` measures it."""
