"""GOPS on its own wire: frames for stock clients, lines for people and programs."""
