"""The card room: rules, events and life cycles; no reactor, socket, clock or global chance."""
