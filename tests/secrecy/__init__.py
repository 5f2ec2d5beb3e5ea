"""Paired deals: what a seat may not know never changes what it is told."""
