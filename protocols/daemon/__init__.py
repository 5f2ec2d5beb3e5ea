"""The daemon: the Host, its journal, its options and the service that twistd runs."""
