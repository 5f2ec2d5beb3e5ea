"""Games in the browser, as far as they bring what is drawn of them, and a first page of what is offered."""

# What others may lean on, by module.
__all__ = ["game_pages", "server"]
