"""Bytes and bounds: links, lines, limits; nothing of games."""

# What others may lean on, by module.
__all__ = ["json_objects", "limits", "line", "link", "pacing", "telnet"]
