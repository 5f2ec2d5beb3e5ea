"""1-2-3 Pass in the browser: its looks, and what they are drawn from."""
