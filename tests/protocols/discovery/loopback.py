"""Whether this machine speaks to itself by IPv6."""

from __future__ import annotations

import socket

import pytest


def ipv6_loopback() -> bool:
    """Say whether there is a ``::1`` here."""
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sock:
            sock.bind(("::1", 0))
    except OSError:
        return False
    return True


needs_ipv6 = pytest.mark.skipif(not ipv6_loopback(), reason="no IPv6 here")
