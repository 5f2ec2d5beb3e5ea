"""What is said to people, in their language."""

# What others may lean on, by module.
__all__ = ["describe", "game_text", "names", "refusals", "sanitize", "translate"]
