"""What this host is connected to, and where a question to everybody there goes."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import Any

import attrs
import ifaddr

from protocols.discovery.wire import GROUP


@attrs.frozen(slots=True)
class Link:
    """One address of this host on one of its interfaces."""

    index: int
    address: ipaddress.IPv4Interface | ipaddress.IPv6Interface


@attrs.frozen(slots=True)
class Target:
    """Where one question goes, and the address it leaves from ("" for whichever fits)."""

    family: int
    to: tuple[Any, ...]
    leaves_from: str = ""


def host_links() -> list[Link]:
    """What this host is connected to at the moment."""
    links = []
    for adapter in ifaddr.get_adapters():
        if adapter.index is None:
            continue
        for ip in adapter.ips:
            host = ip.ip[0] if isinstance(ip.ip, tuple) else ip.ip
            address = ipaddress.ip_interface(f"{host}/{ip.network_prefix}")
            links.append(Link(adapter.index, address))
    return links


def targets_on(links: Iterable[Link], port: int) -> list[Target]:
    """Each network's own broadcast address, and the IPv6 group on each interface."""
    targets = []
    for link in links:
        if link.address.version == 6:
            target = Target(socket.AF_INET6, (GROUP, port, 0, link.index))
        elif link.address.network.prefixlen > 30:
            continue  # no broadcast address in so small a network
        else:
            broadcast = str(link.address.network.broadcast_address)
            target = Target(socket.AF_INET, (broadcast, port), str(link.address.ip))
        targets.append(target)
    return list(dict.fromkeys(targets))
