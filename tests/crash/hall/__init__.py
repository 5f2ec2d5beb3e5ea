"""People at the door of JSON lines, who play every game there is, and what the record must say of them."""
