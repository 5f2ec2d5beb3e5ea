"""By which address others reach this host, for a link that is written before anybody has come."""

from __future__ import annotations

import socket

_ANY = ("", "0.0.0.0", "::")
# No packet goes there: addresses for documentation (RFC 5737, RFC 3849), to ask which way out is taken.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
_LOOPBACK = "127.0.0.1"


def reachable_address(bound: str) -> str:
    """Say by which address a port is reached: the one that it is ``bound`` to, else this host's own on its way out.

    It is never a name, for one's own name need not be known to anybody else. A host that is connected to nothing
    is reached by its loopback.
    """
    if bound not in _ANY:
        return bound
    for family, elsewhere in _ELSEWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asking:
                asking.connect((elsewhere, 9))
                return str(asking.getsockname()[0])
        except OSError:
            continue
    return _LOOPBACK
