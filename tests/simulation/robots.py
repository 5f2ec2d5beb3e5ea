"""What all robots have in common: a cable, bytes in, bytes out, and a token to come back with."""

from __future__ import annotations

GARBAGE = (
    b"\x00\xff\xfe\r\n",
    b"{]\n",
    b"}{" * 40 + b"\n",
    b"\xe2\x82\n",
    b"~~~~$$$\n",
    b"-1\n",
    b"\r\r\n\n",
    b"999999999999999999999 x\n",
    b"\x1b[2J\x07\n",
    b"A" * 1500 + b"\n",
)


class Robot:
    """One client at one door; ``act`` does something sensible there, or something wild."""

    kind = ""
    allowed = b""  # control codes that it may be sent

    def __init__(self, house, book, name):
        self.house = house
        self.book = book
        self.name = name
        self.token = None
        self.reads = True
        self.cable = None
        self.moves = 0
        self.heard = 0  # bytes

    def __repr__(self):
        return f"{self.name} ({self.kind})"

    @property
    def connected(self):
        return self.cable is not None and not self.cable.over

    def connect(self, **how):
        """Come to the door, with nothing known but one's token."""
        self.cable = self.house.connect(self.kind, **how)
        self.reads = True
        self.came()

    def listen(self):
        """Read what has come, if it reads at all; hang up behind the daemon's last word."""
        if self.cable is None:
            return
        if self.reads:
            data = self.cable.read()
            if data:
                self.heard += len(data)
                self.check_bytes(data)
                self.hear(data)
        if self.cable.over and self.reads:
            self.cable.hang_up()
            self.cable = None
            self.went()

    def check_bytes(self, data):
        """See that no control code comes but those of the wire."""
        odd = {code for code in data if (code < 32 or code == 127) and code not in self.allowed}
        assert not odd, f"{self} was sent the control codes {odd}: {data[-300:]!r}"

    def say(self, text, end=b"\n"):
        """Send a line."""
        self.cable.send(text.encode() + end)

    def act(self, chance):
        """Do something, if there is a cable to do it by."""
        if not self.connected:
            return
        if chance.random() < 0.01:
            self.garble(chance)
        else:
            self.do_something(chance)

    def garble(self, chance):
        """Send what makes no sense."""
        self.cable.send(chance.choice(GARBAGE))

    # What each kind of robot does

    def came(self):
        """Be connected anew."""

    def went(self):
        """Be without a cable."""

    def hear(self, data):
        """Take in bytes."""

    def do_something(self, chance):
        """Say something."""
