"""By which address others reach this host."""

from __future__ import annotations

import socket

import pytest

from protocols.net.own_address import reachable_address


def test_a_port_that_is_bound_to_one_address_is_reached_by_it():
    assert reachable_address("198.51.100.7") == "198.51.100.7"


@pytest.mark.parametrize("bound", ["", "0.0.0.0", "::"])
def test_any_other_is_reached_by_an_address_and_never_by_a_name(bound):
    family = socket.AF_INET6 if ":" in (found := reachable_address(bound)) else socket.AF_INET
    assert socket.inet_pton(family, found)


class _Unconnected:
    """A socket of a host that is connected to nothing."""

    def __init__(self, *kind: object) -> None:
        pass

    def __enter__(self) -> _Unconnected:
        return self

    def __exit__(self, *why: object) -> None:
        pass

    def connect(self, address: object) -> None:
        raise OSError("Network is unreachable")


def test_a_host_that_is_connected_to_nothing_is_reached_by_its_loopback(monkeypatch):
    monkeypatch.setattr("protocols.net.own_address.socket.socket", _Unconnected)
    assert reachable_address("0.0.0.0") == "127.0.0.1"
