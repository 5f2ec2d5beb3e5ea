"""A bare line echo: what one reactor and one socket a line can do at best."""

from __future__ import annotations

import sys

from twisted.internet.protocol import ServerFactory
from twisted.protocols.basic import LineReceiver


class Echo(LineReceiver):
    """Send every line back."""

    delimiter = b"\n"

    def connectionMade(self) -> None:
        self.transport.setTcpNoDelay(True)

    def lineReceived(self, line: bytes) -> None:
        self.transport.write(line + b"\n")


def main() -> None:
    """Echo lines on the port given, until told to stop."""
    from twisted.internet import reactor

    factory = ServerFactory()
    factory.protocol = Echo
    factory.noisy = False
    reactor.listenTCP(int(sys.argv[1]), factory, 512, "127.0.0.1")
    reactor.run()


if __name__ == "__main__":
    main()
