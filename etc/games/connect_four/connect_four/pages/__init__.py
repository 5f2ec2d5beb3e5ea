"""Connect Four in the browser: its looks, and what they are drawn from."""
