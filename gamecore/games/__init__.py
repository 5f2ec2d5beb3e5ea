"""The rules of each game, one module a game."""
