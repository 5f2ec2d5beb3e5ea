"""The options of ``parlour start nim``, which are those of the seed's script."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from gamecore.errors import Refused
from gamecore.games.nim import RULES, NimOptions
from gamecore.settings import settings_of
from protocols.host.door import OneGame
from protocols.net.address import read_address
from protocols.nim.server import DOOR
from protocols.nim.text import TEXT

_SETTINGS = {each.name: each for each in settings_of(NimOptions)}


def add_parser(
    games: argparse._SubParsersAction[argparse.ArgumentParser], serve: Callable[[OneGame], int]
) -> None:
    """Add ``nim`` to the games that ``parlour start`` knows."""
    parser = games.add_parser(
        RULES.kind,
        help=f"one game of {RULES.title}",
        description=f"Serve one game of {RULES.title}, log it in game-log.txt, and exit.",
    )
    parser.add_argument("stones", metavar="N", type=_within("stones"), help=_help("stones"))
    parser.add_argument("resets", metavar="R", type=_within("resets"), help=_help("resets"))
    parser.add_argument("-m", dest="maximum", metavar="MAX", **_option("maximum"))
    where = "the address to listen on (all)"
    parser.add_argument("-a", dest="address", default="", type=_address, help=where)
    parser.add_argument("-p", dest="port", type=_port, default=9000, help="the TCP port (9000)")
    parser.add_argument("-t", dest="seconds", metavar="SECS", **_option("seconds"))
    parser.set_defaults(run=lambda args: serve(_game(args)))


def _game(args: argparse.Namespace) -> OneGame:
    given = {name: getattr(args, name) for name in ("stones", "resets", "maximum", "seconds")}
    return OneGame(DOOR, given, TEXT, args.address, args.port)


def _option(name: str) -> dict[str, Any]:
    default = _SETTINGS[name].default
    return {"type": _within(name), "default": default, "help": f"{_help(name)} ({default})"}


def _help(name: str) -> str:
    return _SETTINGS[name].bounds.help


def _within(name: str) -> Callable[[str], int]:
    bounds = _SETTINGS[name].bounds

    def within(text: str) -> int:
        try:
            number = int(text)
            bounds.check(name, number)
        except (ValueError, Refused):
            wanted = f"a whole number from {bounds.low} to {bounds.high}"
            raise argparse.ArgumentTypeError(wanted) from None
        return number

    return within


def _address(text: str) -> str:
    try:
        host, port = read_address(text) if text else ("", None)
    except ValueError:
        raise argparse.ArgumentTypeError("an address, as 127.0.0.1 or ::1") from None
    if port is not None:
        raise argparse.ArgumentTypeError("an address alone: -p is for the port")
    return host


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError("a port from 0 to 65535")
    return int(text)
