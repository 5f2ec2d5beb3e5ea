"""Expanding Nim on its own wire."""
