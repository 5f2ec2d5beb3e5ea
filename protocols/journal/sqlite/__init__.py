"""The journal in one SQLite file."""
