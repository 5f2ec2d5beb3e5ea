"""Where time, durability and delivery meet: the Host, its tables, and what faces and doors may ask of it."""
