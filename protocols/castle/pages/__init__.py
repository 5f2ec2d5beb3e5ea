"""Castle Wars in the browser: its looks, and what they are drawn from."""
