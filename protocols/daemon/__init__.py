"""The daemon: the Host, its journal, its options and the service that twistd runs."""

# What others may lean on, by module.
__all__ = ["options", "service"]
