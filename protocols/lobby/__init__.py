"""The text face of the whole hall: people with telnet or netcat, every game."""
