"""The hall: everything that touches the reactor, a socket or a terminal."""
