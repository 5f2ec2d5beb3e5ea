"""What is said to people, in their language."""
