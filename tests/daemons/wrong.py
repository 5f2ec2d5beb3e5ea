"""The one thing that ends a trial: what cannot be, has been."""

from __future__ import annotations


class Wrong(AssertionError):
    """Somebody was told what cannot be, or the record does not hold what it must."""
