"""Bugs planted one at a time, each of which the suite has to find: ``make mutants``."""
