"""Calling a peer over a real network, and where we are found there."""

from __future__ import annotations

import re
import socket
from typing import Any

from twisted.application.internet import ClientService, backoffPolicy
from twisted.internet.endpoints import clientFromString
from twisted.internet.protocol import Factory
from twisted.logger import Logger

from protocols.house.links import Call
from protocols.journal.house import PeerRow

# Seconds between two calls: the first, and the longest.
_FIRST, _LONGEST = 0.05, 1.0


class _Nobody:
    """A peer that cannot be called."""

    def stop(self) -> None:
        """There is nothing to stop."""


class _Service:
    """A peer that is called until it is linked, and whenever the link is lost."""

    def __init__(self, reactor: Any, peer: PeerRow, factory: Factory) -> None:
        endpoint = clientFromString(reactor, peer.link)
        retry = backoffPolicy(_FIRST, _LONGEST, 1.5)
        self._service = ClientService(endpoint, factory, retryPolicy=retry, clock=reactor)
        self._service.startService()

    def stop(self) -> None:
        """Call it no more, and cut the link."""
        self._service.stopService()


def caller(reactor: Any) -> Call:
    """Give what calls peers over the network of a reactor."""

    def call(peer: PeerRow, factory: Factory, /) -> _Service | _Nobody:
        try:
            return _Service(reactor, peer, factory)
        except Exception as problem:  # whatever another daemon has written there
            Logger(namespace=__name__).error(
                "run {run} of the house cannot be found at {where}: {why}",
                **{"run": peer.run, "where": peer.link, "why": problem},
            )
            return _Nobody()

    return call


def found_at(endpoint: str, port: int | None, name: str | None) -> str | None:
    """Say where others find what listens on an endpoint; None if that has to be said.

    ``port`` is the TCP port it has; ``name`` a host, or all of a client's endpoint.
    """
    if name is not None and ":" in name:
        return name
    kind, _, rest = endpoint.partition(":")
    if kind == "unix" and name is None:
        return f"unix:{rest.partition(':')[0]}"
    if kind not in ("tcp", "tcp4"):
        return None
    bound = re.search(r":interface=([^:]+)", endpoint)
    host = name or (bound[1] if bound else socket.gethostname())
    return f"tcp:{host}:{rest.partition(':')[0] if port is None else port}"
