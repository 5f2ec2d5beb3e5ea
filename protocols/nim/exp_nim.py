"""The ``exp-nim`` command: play by hand, from a pipe, or as a wrapper around another program."""

from __future__ import annotations

import argparse
import io
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

from protocols.clients.screen import fitted
from protocols.net.address import read_address, show_address
from protocols.nim.client import Client, GameClosed, Refused
from protocols.nim.terminal import TypedLines, print_state, shown, start_text, state_line

_USUAL_PORT = 9000
# Seconds between tries to come back: about a minute in all, for which a seat is usually held.
WAITS = (0.5, 0.5, 1, 2, 3, 5, 8, 10, 10, 10, 10)

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
    once = "leave no way to come back: whoever loses the connection loses the game"
    parser.add_argument("--once", action="store_true", help=once)
    parser.add_argument("--resume", action="store_true", help=argparse.SUPPRESS)  # is usual now
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
    client = _client(options)
    client.classic = options.classic
    with suppress(
        io.UnsupportedOperation
    ):  # somebody else's idea of a standard input is read as it is
        client.typed = TypedLines(sys.stdin.fileno())
    print(_start(client, person), flush=True)
    if client.token is not None:
        print(_way_back(client.token, *options.address), file=sys.stderr)
    while not _play_on(client):
        client = _come_back(options, client)


def _start(client: Client, person: bool) -> str:
    if not person:
        return state_line("start", client, client.my_turn)
    return start_text(client) if client.classic else fitted(start_text(client))


def _play_on(client: Client) -> bool:
    """Play to the end of the game; False where the link ended first, and there is a way back."""
    with client:
        try:
            while not client.state["finished"]:
                (client.send_move if client.my_turn else client.get_move)()
        except Refused:
            raise
        except GameClosed:
            if client.token is None:
                raise
            return False
    return True


def _come_back(options: argparse.Namespace, lost: Client) -> Client:
    """Go on by another link where the game stands, with a move sent again that did not arrive.

    Raises Refused where the game is gone, GameClosed with the way to come back if nobody answers for a minute.
    """
    print("The connection is lost. Trying to come back ...", file=sys.stderr)
    token = lost.token or ""
    for wait in WAITS:
        time.sleep(wait)
        try:
            client = Client(lost.name, lost.order == 0, options.address, token=token)
        except Refused:
            raise
        except OSError:
            continue
        client.classic, client.typed = lost.classic, lost.typed
        if client.state["stones_left"] != lost.state["stones_left"] or client.state["finished"]:
            print_state(client, mine=not client.my_turn)
        elif client.my_turn and lost.unanswered is not None:
            client.make_move(*lost.unanswered)
            print_state(client, mine=True)
        return client
    raise GameClosed(f"the server cannot be reached. {_way_back(token, *options.address)}")


def _client(options: argparse.Namespace) -> Client:
    return Client(
        options.name or "",
        options.first,
        options.address,
        table=options.table,
        resume=not options.once,
        token=options.token,
    )


def _way_back(token: str, host: str, port: int) -> str:
    where = show_address(host, port)
    return f"If the connection breaks, come back with: exp-nim --token {shown(token)} {where}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``exp-nim`` and give its exit status."""
    options = _options().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
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
