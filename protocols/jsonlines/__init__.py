"""The program's face of the whole hall: every game as lines of JSON."""
