"""The real daemon, killed again and again under people who play, come back and play on."""
