"""A host and a port as people write them."""

from __future__ import annotations

import pytest

from protocols.net.address import read_address, show_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("host", ("host", None)),
        ("host:80", ("host", 80)),
        ("[::1]", ("::1", None)),
        ("[::1]:80", ("::1", 80)),
        ("192.168.1.5:65535", ("192.168.1.5", 65535)),
    ],
)
def test_an_address_is_a_host_and_perhaps_a_port(text, address):
    assert read_address(text) == address
    host, port = address
    assert port is None or show_address(host, port) == text


@pytest.mark.parametrize("text", ["::1", "::", "fe80::1%lo", "2001:db8::7", "::ffff:192.0.2.1"])
def test_an_address_of_ipv6_needs_no_brackets_where_no_port_follows(text):
    assert read_address(text) == (text, None)


@pytest.mark.parametrize("text", ["", ":80", "host:", "host:0", "host:65536", "a:b:c", "host:x"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(ValueError, match="no address"):
        read_address(text)
