"""People at the door of Expanding Nim, on its own wire, and what the record must say of them."""
