"""Castle Wars at its own door: objects a line for programs, words for people, on one port."""
