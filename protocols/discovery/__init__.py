"""How a LAN finds the daemon."""
