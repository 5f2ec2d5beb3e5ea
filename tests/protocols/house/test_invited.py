"""Who is invited to a table of one daemon may come by another, as whoever is led there by a proxy does."""

from __future__ import annotations

import pytest

from gamecore import commands
from protocols.host.secrets import hash_token
from protocols.web.tokens import invitation


@pytest.mark.parametrize("heard", [True, False], ids=["listed", "opened just now"])
def test_an_invitation_is_known_at_another_daemon_and_what_is_none_is_not(linked, heard):
    two = linked(2)
    host = two.houses[0].host
    code = host.open("rikiki", "", {}, {"start": "asked"}, owner="secret").code
    two.houses[0].settle()
    token = invitation(code, "secret", "Ann")
    invited = commands.Invite(0, "Ann", hash_token(token))
    host.command(None, two.houses[0].hall.find(code), invited)
    two.pass_time(2 if heard else 0)
    two.clock.settle()
    for link, status in ((token, b"200 OK"), (invitation(code, "secret", "Eve"), b"403 Forbidden")):
        page = f"GET /invitation/{link}/ HTTP/1.1\r\nHost: parlour.test\r\n\r\n"
        answer = two.say(1, "web", page.encode()).got()
        assert answer.startswith(b"HTTP/1.1 " + status), answer[:200]
    two.pass_time(1)
    assert two.live(1, code) is None
