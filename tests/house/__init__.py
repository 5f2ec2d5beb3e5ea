"""Three real daemons of one house, faults of every kind, and a checker that knows no code of theirs."""
