"""The ``exp-nim`` command: play by hand, from a pipe, or as a wrapper around another program."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from protocols.net.address import read_address, show_address
from protocols.nim.client import Client, GameClosed
from protocols.nim.terminal import shown, start_text, state_line

_USUAL_PORT = 9000

_HELP = """\
Play one game of Expanding Nim, by hand or from another program. Take at least one stone and at
most the maximum; who takes the last stone wins. After N stones the maximum is at least N + 1."""

_MORE_HELP = """\
A move is a line "%d %d": how many stones to take, and whether to reset the maximum for the move
of the other player. The second word may be missing. 0, false, no, n and off mean no reset;
1, true, yes, y, on and any other whole number mean a reset. A line that is no move is skipped,
with a word on standard error. A move against the rules loses the game.

In a terminal you are asked for each move and told what happened in plain words. If standard
output is no terminal there is one line "start", and one line "state" for each move of either
player. Both hold the same words, one blank apart, in this order (here broken to fit):

  start your_turn=1 stones_left=40 current_max=3 your_resets=2 their_resets=2
    your_seconds=120.0 their_seconds=120.0 stones_removed=0 reset_used=0 finished=0 result=-
    reason=-

Write a move, and flush it, after each line with your_turn=1. In the last line finished is 1, result
is won, lost, or over if the names do not tell who won, and reason is all the rest of the line.

  printf '3 0\\n4 1\\n' | exp-nim -f -n me 192.168.1.5:9000
  mkfifo pipe; ./my-player < pipe | exp-nim -n me 192.168.1.5:9000 > pipe

A script for the first program of this name, with expect say, waits for "Please enter your move: "
and "Game over". With --classic these words are there, and all else is told in plain words:

  expect etc/sample-script.exp < pipe | exp-nim --classic -f -n me 192.168.1.5:9000 > pipe

The game begins when two are there of whom one goes first (-f) and the other does not: the two
above can play each other. Against a bot: parlour play nim 192.168.1.5 --alone

Exit status: 0 game played to its end, 1 not so (no more moves, refused), 2 usage, 130 interrupted."""


def _address(text: str) -> tuple[str, int]:
    """Read HOST, HOST:PORT or [HOST]:PORT."""
    try:
        host, port = read_address(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{shown(text)!r} is no IP:port") from None
    return host, port or _USUAL_PORT


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("exp-nim", description=_HELP, epilog=_MORE_HELP)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("-f", "--first", action="store_true", help="you are the first player")
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("-n", "--name", help="a name of your choice")
    who.add_argument("--token", help="come back to the game that this token was given for")
    parser.add_argument("--resume", action="store_true", help="be given a token to come back with")
    classic = "ask 'Please enter your move: ' and say 'Game over', as the first exp-nim did"
    parser.add_argument("--classic", action="store_true", help=classic)
    parser.add_argument("--table", metavar="NAME", help="meet who names the same table")
    where = "the server, as 192.168.1.5:9000 or [::1]:9000; without a port it is 9000"
    parser.add_argument("address", metavar="IP:port", type=_address, help=where)
    return parser


def _play(options: argparse.Namespace) -> None:
    person = options.classic or sys.stdout.isatty()
    if person:
        print("Waiting for the server and the other player.", flush=True)
    with _client(options) as client:
        client.classic = options.classic
        start = start_text(client) if person else state_line("start", client, client.my_turn)
        print(start, flush=True)
        if client.token is not None:
            print(_way_back(client.token, *options.address), file=sys.stderr)
        while not client.state["finished"]:
            (client.send_move if client.my_turn else client.get_move)()


def _client(options: argparse.Namespace) -> Client:
    return Client(
        options.name or "",
        options.first,
        options.address,
        table=options.table,
        resume=options.resume,
        token=options.token,
    )


def _way_back(token: str, host: str, port: int) -> str:
    where = show_address(host, port)
    return f"If the connection breaks, come back with: exp-nim --token {shown(token)} {where}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``exp-nim`` and give its exit status."""
    options = _options().parse_args(argv)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # no odd byte or letter shall end a game
    try:
        _play(options)
    except KeyboardInterrupt:
        print(file=sys.stderr)  # behind a prompt
        return 130
    except BrokenPipeError:
        # Nobody reads what we print. The interpreter must not try once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, EOFError, UnicodeError) as problem:
        text = f"exp-nim: {getattr(problem, 'strerror', None) or problem}"
        if not isinstance(problem, GameClosed | EOFError):
            text += " ({} port {})".format(*options.address)
        print(shown(text), file=sys.stderr)
        return 1
    return 0


def play(host: str, port: int, args: argparse.Namespace) -> int:
    """Play Nim at a server, as ``parlour play nim`` does; gives the exit status."""
    if args.watch:
        print(
            "parlour play: nobody looks on at the door of Nim; the lobby shows it", file=sys.stderr
        )
        return 2
    who = ["--token", args.token] if args.token else ["--name", args.name or "player", "--resume"]
    table = ["--table", args.table] if args.table else []
    first = ["--first"] if args.first else []
    return main([*who, *table, *first, show_address(host, port)])


if __name__ == "__main__":
    sys.exit(main())
