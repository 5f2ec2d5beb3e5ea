"""How a LAN finds the daemon."""

# What others may lean on, by module.
__all__ = ["finder", "responder", "wire"]
