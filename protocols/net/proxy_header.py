"""The PROXY header, by which a proxy before us says for whom it has connected (versions 1 and 2).

Source: https://www.haproxy.org/download/1.8/doc/proxy-protocol.txt, sections 2.1 and 2.2. Twisted's own wrapper has
no deadline, and builds the protocol of a door before the header came: the proxy would be counted, and greeted.
"""

from __future__ import annotations

import socket
import struct
from typing import cast

from twisted.internet.address import IPv4Address, IPv6Address, UNIXAddress
from twisted.internet.interfaces import IAddress, IDelayedCall, ITCPTransport
from twisted.internet.protocol import Protocol, ServerFactory, connectionDone
from twisted.python.failure import Failure

from gamecore.errors import Malformed
from protocols.net.link import host_of
from protocols.net.link_factory import LinkFactory

HEADER_SECONDS = 10.0
_LONGEST_TEXT = 107
_LONGEST = 536  # of version 2, without what may follow the addresses
_TEXT, _BINARY = b"PROXY ", b"\r\n\r\n\x00\r\nQUIT\n"
_HEAD = 16  # bytes of version 2 before the addresses
_NO_ADDRESS = UNIXAddress(None)  # nobody's, and counted for nobody


def read_header(data: bytes) -> tuple[IAddress, int] | None:
    """Read who connected, and how long the header is; None if more of it has to come.

    It is an address without a host where the proxy says that it connected by itself, or knows of none. Raises
    Malformed for what is no header.
    """
    if data.startswith(_BINARY[: len(data)]):
        return _read_binary(data)
    if data.startswith(_TEXT[: len(data)]):
        return _read_text(data)
    raise Malformed("that is no header of a proxy")


def _read_text(data: bytes) -> tuple[IAddress, int] | None:
    line, end, _ = data.partition(b"\r\n")
    if not end:
        if len(data) >= _LONGEST_TEXT:
            raise Malformed("that header has no end")
        return None
    length = len(line) + len(end)
    match line.decode("ascii", "replace").split(" "):
        case ["PROXY", "UNKNOWN", *_]:
            return _NO_ADDRESS, length
        case ["PROXY", "TCP4", source, _, port, _]:
            return _address(socket.AF_INET, source, port), length
        case ["PROXY", "TCP6", source, _, port, _]:
            return _address(socket.AF_INET6, source, port), length
    raise Malformed("that is no header of a proxy")


def _address(family: socket.AddressFamily, host: str, port: str) -> IAddress:
    try:
        packed = socket.inet_pton(family, host)
        number = int(port)
    except (OSError, ValueError):
        raise Malformed("that is no address") from None
    return _of_family(family, packed, number)


def _of_family(family: socket.AddressFamily, packed: bytes, port: int) -> IAddress:
    host = socket.inet_ntop(family, packed)
    return (IPv4Address if family == socket.AF_INET else IPv6Address)("TCP", host, port)


def _read_binary(data: bytes) -> tuple[IAddress, int] | None:
    if len(data) < _HEAD:
        return None
    version_and_command, family, length = struct.unpack("!BBH", data[len(_BINARY) : _HEAD])
    if version_and_command >> 4 != 2 or length > _LONGEST:
        raise Malformed("that is no header of a proxy")
    if len(data) < _HEAD + length:
        return None
    body = data[_HEAD : _HEAD + length]
    size = {0x11: 4, 0x21: 16}.get(family)
    if version_and_command & 15 == 0 or size is None:  # LOCAL, or of no family that has hosts
        return _NO_ADDRESS, _HEAD + length
    if len(body) < 2 * size + 4:
        raise Malformed("that header lacks addresses")
    port = int.from_bytes(body[2 * size : 2 * size + 2], "big")
    known = socket.AF_INET if size == 4 else socket.AF_INET6
    return _of_family(known, body[:size], port), _HEAD + length


class Unnamed(Protocol):
    """A connection of which it is not known yet whose it is."""

    def __init__(self, factory: ProxiedFactory, sender: str | None) -> None:
        self._factory = factory
        self._sender = sender
        self._data = b""
        self._timer: IDelayedCall | None = None

    def connectionMade(self) -> None:
        self._timer = self._factory.door.clock.callLater(HEADER_SECONDS, self._give_up)

    def dataReceived(self, data: bytes) -> None:
        self._data += data
        try:
            found = read_header(self._data)
        except Malformed:
            self._give_up()
            return
        if found is not None:
            address, length = found
            self._hand_over(address, self._data[length:])

    def _hand_over(self, address: IAddress, rest: bytes) -> None:
        """Let the door have the connection, as if whom the proxy has named had come to it."""
        transport = self.transport
        self._end()
        protocol = self._factory.door.buildProtocol(address)
        if protocol is None:
            cast(ITCPTransport, transport).loseConnection()
            return
        # Below TLS the transport is itself a protocol that wraps another.
        name = "wrappedProtocol" if hasattr(transport, "wrappedProtocol") else "protocol"
        setattr(transport, name, protocol)
        protocol.makeConnection(transport)
        if rest:
            protocol.dataReceived(rest)

    def _give_up(self) -> None:
        self._factory.door.admission.refused["no-proxy-header"] += 1
        self._end()
        cast(ITCPTransport, self.transport).abortConnection()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        self._end()

    def _end(self) -> None:
        """Count it no longer for who has sent it."""
        if self._timer is not None:
            if self._timer.active():
                self._timer.cancel()
            self._timer = None
            self._factory.door.admission.leave(self._sender)


class ProxiedFactory(ServerFactory):
    """Lets peers in to a door once a proxy has said who they are."""

    noisy = False

    def __init__(self, door: LinkFactory) -> None:
        self.door = door

    def doStart(self) -> None:
        self.door.doStart()

    def doStop(self) -> None:
        self.door.doStop()

    def buildProtocol(self, addr: IAddress | None) -> Protocol | None:
        sender = host_of(addr)
        return Unnamed(self, sender) if self.door.admission.hold(sender) else None
