"""Rikiki in the browser: what the pages know of it."""
