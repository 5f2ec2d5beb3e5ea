"""What is kept: the durable, ordered record of commands."""
