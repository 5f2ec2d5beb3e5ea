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
class InterfaceAddress:
    """One address of this host on one of its interfaces."""

    index: int
    address: ipaddress.IPv4Interface | ipaddress.IPv6Interface


@attrs.frozen(slots=True)
class Target:
    """Where one question goes, and the address it leaves from ("" for whichever fits)."""

    family: int
    to: tuple[Any, ...]
    leaves_from: str = ""


def interface_addresses() -> list[InterfaceAddress]:
    """What this host is connected to at the moment."""
    interfaces = []
    for adapter in ifaddr.get_adapters():
        if adapter.index is None:
            continue
        for ip in adapter.ips:
            host = ip.ip[0] if isinstance(ip.ip, tuple) else ip.ip
            address = ipaddress.ip_interface(f"{host}/{ip.network_prefix}")
            interfaces.append(InterfaceAddress(adapter.index, address))
    return interfaces


def broadcast_targets(interfaces: Iterable[InterfaceAddress], port: int) -> list[Target]:
    """Each network's own broadcast address, and the IPv6 group on each interface."""
    targets = []
    for interface in interfaces:
        if interface.address.version == 6:
            target = Target(socket.AF_INET6, (GROUP, port, 0, interface.index))
        elif interface.address.network.prefixlen > 30:
            continue  # no broadcast address in so small a network
        else:
            broadcast = str(interface.address.network.broadcast_address)
            target = Target(socket.AF_INET, (broadcast, port), str(interface.address.ip))
        targets.append(target)
    return list(dict.fromkeys(targets))
