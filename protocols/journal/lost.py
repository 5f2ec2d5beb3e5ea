"""The one error of a journal after which a daemon must end; known without Twisted, for the writer's process."""

from __future__ import annotations


class JournalLost(Exception):
    """The journal is no longer ours, or holds what we never wrote, or nobody can write it any more."""
