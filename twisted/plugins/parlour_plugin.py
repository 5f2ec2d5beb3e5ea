"""Tells twistd of Parlour."""

from twisted.application.service import ServiceMaker

parlour = ServiceMaker(
    "Parlour",
    "protocols.daemon.twistd",
    "Games for people and programs, found on the LAN.",
    "parlour",
)
