"""1-2-3 Pass on its own wire, and in words."""
