"""Bytes and bounds: links, lines, limits; nothing of games."""
