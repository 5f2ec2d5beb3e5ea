"""Connect Four for Parlour: its rules, its words and its bots."""
