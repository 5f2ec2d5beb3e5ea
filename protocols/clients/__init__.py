"""What the clients of all games share."""
