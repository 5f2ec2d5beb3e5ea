"""Rikiki on the wire: its own lines, its server, its client, and the game in words."""
