"""A host and a port as people write them: ``host``, ``host:80``, ``::1``, ``[::1]``, ``[::1]:80``.

An IPv6 address without brackets, which is what people copy from somewhere, has no port behind it.
"""

from __future__ import annotations

import re
from ipaddress import IPv6Address

_PLAIN = re.compile(r"([^:\[\]]+)(?::([0-9]{1,5}))?")
_BRACKETED = re.compile(r"\[([^\[\]]+)\](?::([0-9]{1,5}))?")


def read_address(text: str) -> tuple[str, int | None]:
    """Read a host and the port behind it, None if there is none; raises ValueError for what is no address."""
    if _is_ipv6(text):
        return text, None
    found = _PLAIN.fullmatch(text) or _BRACKETED.fullmatch(text)
    port = int(found[2]) if found and found[2] else None
    if found is None or (port is not None and not 0 < port < 65536):
        raise ValueError(f"{text!r} is no address")
    return found[1], port


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


def show_address(host: str, port: int) -> str:
    """Write a host and a port, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
