"""Thinking ahead in any game, from what a seat may know: by a tree, or by comparing the moves one has now.

Either begins from a *guess*: a position that shows the seat what it knows, with the rest drawn anew (see
``Position.guess``), so that nothing the seat may not know can be in it; each try draws the hidden things once more.
"""

from gamecore.search.budget import Budget, Thought
from gamecore.search.halving import Halving
from gamecore.search.playout import shares_of
from gamecore.search.think import search_of, think_as
from gamecore.search.tree import Search

__all__ = ["Budget", "Halving", "Search", "Thought", "search_of", "shares_of", "think_as"]
