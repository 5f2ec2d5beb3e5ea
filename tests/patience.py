"""How long a test waits for what surely comes, on the slowest of machines."""

SECONDS = 90  # only a test that fails waits so long
