"""Whole games in process, as many as one has time for."""
