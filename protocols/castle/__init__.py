"""Castle Wars at its own door: JSON objects for programs, words for people, on one port."""
