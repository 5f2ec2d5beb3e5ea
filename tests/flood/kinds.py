"""The kinds of floods there are: who comes, to which door, and what they say how often."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, count, cycle, repeat
from random import Random

from attrs import frozen

from tests.bench.links import MANNERS
from tests.bench.seating import connect, read_until

from .attackers import Attacker

# What an attack calls ports that are no door of their own kind.
PROXIED = "proxied"
TLS = "tls"
UDP = "udp"

_CLASS = 25  # links from one address, where a crowd comes from many
_MANNER = MANNERS["json"]
HALL = 2000  # rooms that stand when rooms are listed
FULL_HALL = 10_000  # tables that stand when long answers are asked for
LONG = 1200  # moves of a game that is told again


@frozen
class Field:
    """What an attack goes against: the ports of the doors, the canary's table, and the number of its fuzz."""

    ports: Mapping[str, int]
    code: str
    seed: int = 0

    def crowd(
        self, door: str, links: int, period: float, *pieces: bytes, **more: object
    ) -> list[Attacker]:
        """Let so many come to a door, from one address for each class of them, and say these over and over."""
        port = self.ports[door]
        return [
            Attacker(port, 500 + link // _CLASS, cycle(pieces), period, **more)  # type: ignore[arg-type]
            for link in range(links)
        ]

    def open_table(self, game: bytes) -> str:
        """Open a table that gathers, and leave it there."""
        with connect(self.ports["json"], 499) as sock:
            sock.sendall(b'{"do":"open","id":1,"game":"%b"}\n' % game)
            return _MANNER.code_in(read_until(sock, _MANNER.code_in)).decode()


def one_address(field: Field) -> list[Attacker]:
    """300 links of one address ask for the list of tables, 20 times a second each."""
    who = field.crowd("json", 300, 0.05, b'{"do":"tables","id":1}\n')
    for attacker in who:
        attacker.number = 700
    return who


def lobby_lines(field: Field) -> list[Attacker]:
    """300 links of 200 addresses say a line 16 times a second each."""
    who = field.crowd("lobby", 300, 1 / 16, b"TABLES\r\n", b"WHO\r\n", b"HELP\r\n", b"what\r\n")
    for order, attacker in enumerate(who):
        attacker.number = 500 + order % 200
    return who


def sit_and_leave(field: Field) -> list[Attacker]:
    """Tables are opened, sat down at and left, 430 times a second in all."""
    opens = b'{"do":"open","id":1,"game":"nim"}\n'
    sits = b'{"do":"join","id":2}\n{"do":"leave","id":3}\n'
    return field.crowd("json", 43, 0.1, sits, greeting=opens, life=30)


def _fill_hall(field: Field, game: bytes, tables: int) -> None:
    """Open so many tables, a hundred from each address."""
    for number in range(tables // 100):
        with connect(field.ports["json"], 900 + number) as sock:
            sock.sendall(b'{"do":"open","id":1,"game":"%b"}\n' % game * 100)
            read_until(sock, lambda said: said.count(b"\n") >= 100)


def castle_rooms(field: Field) -> list[Attacker]:
    """Rooms of Castle Wars are listed 200 times a second, in a hall of many."""
    _fill_hall(field, b"castle", HALL)
    return field.crowd("castle", 50, 0.25, b'{"COMMAND":"ROOM_LIST"}\n')


def seals(field: Field) -> list[Attacker]:
    """Passwords are sealed and guessed, over JSON lines and at Castle Wars' door."""
    locked = b'{"do":"open","id":1,"game":"nim","house":{"password":"%d"}}\n'
    opens = [
        Attacker(field.ports["json"], 500 + n, (locked % i for i in range(10**9)), 0.2, life=5)
        for n in range(20)
    ]
    room = b'{"COMMAND":"ROOM_CREATE","GAME_NAME":"x","PASSWORD":"y"}\n'
    return [*opens, *field.crowd("castle", 50, 0.5, room, life=4)]


def talk(field: Field) -> list[Attacker]:
    """50 talk in the hall and at a table, and 200 listen."""
    code = field.open_table(b"rikiki").encode()
    looks = b'{"do":"watch","id":1,"table":"%b"}\n' % code
    says = b'{"do":"say","id":2,"words":"what do you say to this, then?"}\n'
    listens = field.crowd("json", 200, 5.0, b'{"do":"who","id":1}\n', greeting=looks)
    return [*listens, *field.crowd("json", 50, 0.25, says, greeting=looks)]


def presence(field: Field) -> list[Attacker]:
    """People sit down at a table that gathers and leave it as fast as they can, while 100 listen."""
    code = field.open_table(b"rikiki").encode()
    looks = b'{"do":"watch","id":1,"table":"%b"}\n' % code
    sits = b'{"do":"join","id":1,"table":"%b"}\n{"do":"leave","id":2}\n' % code
    mixes = (
        b'{"do":"join","id":1,"table":"%b"}\n' % code + b'{"do":"mix","id":2,"words":"a"}\n' * 20
    )
    listens = field.crowd("json", 100, 5.0, b'{"do":"who","id":1}\n', greeting=looks)
    return [*listens, *field.crowd("json", 3, 0.005, sits), *field.crowd("json", 1, 0.02, mixes)]


def watchers(field: Field) -> list[Attacker]:
    """200 look on at the canary's own table, and ask to see it afresh."""
    looks = b'{"do":"watch","id":1,"table":"%b"}\n' % field.code.encode()
    return field.crowd("json", 200, 0.5, b'{"do":"look","id":2}\n', greeting=looks)


def seated(field: Field) -> list[Attacker]:
    """200 sit at tables of their own with a bot, and move and ask as fast as they may."""
    opens = b'{"do":"open","id":1,"game":"nim","options":{"stones":100000}}\n'
    sits = opens + b'{"do":"join","id":2}\n{"do":"bot","id":3}\n'
    moves = b'{"do":"play","id":4,"move":{"is":"Take","stones":1}}\n{"do":"look","id":5}\n'
    return field.crowd("json", 200, 0.05, moves, greeting=sits)


def thinking(field: Field) -> list[Attacker]:
    """Ten sit at tables of their own with a bot that thinks ahead, and move and ask for hints without a rest."""
    opens = b'{"do":"open","id":1,"game":"nim","options":{"stones":10000}}\n'
    sits = opens + b'{"do":"join","id":2}\n{"do":"bot","id":3,"level":"thinker"}\n'
    moves = b'{"do":"play","id":4,"move":{"is":"Take","stones":1}}\n{"do":"hint","id":5}\n'
    return field.crowd("json", 10, 0.05, moves, greeting=sits)


def web_pages(field: Field) -> list[Attacker]:
    """Pages are fetched 400 times a second, and streams of the canary's table are opened and dropped."""
    ask = b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n"
    page = field.crowd("web", 80, 0.2, ask % b"/")
    table = b"/t/%b/" % field.code.encode()
    stream = b"GET %blive HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n" % table
    stream += b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    stream += b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    return [*page, *field.crowd("web", 40, 0.5, ask % table, stream, life=2)]


def _play_long_game(field: Field) -> bytes:
    """Let two play a long game of Nim to its end, and give its table's code."""
    with connect(field.ports["json"], 497) as opener, connect(field.ports["json"], 498) as joiner:
        opener.sendall(b'{"do":"open","id":1,"game":"nim","options":{"stones":%d},' % LONG)
        opener.sendall(b'"house":{"start":"full"}}\n{"do":"join","id":2}\n')
        code = _MANNER.code_in(read_until(opener, _MANNER.code_in))
        joiner.sendall(b'{"do":"join","id":2,"table":"%b"}\n' % code)
        for move in range(LONG):
            mover = (opener, joiner)[move % 2]
            read_until(mover, lambda said, mark=_MANNER.turns[move % 2]: mark in said)  # type: ignore[misc]
            mover.sendall(_MANNER.move)
        read_until(opener, lambda said: b'"GameOver"' in said)
        return code


def long_answers(field: Field) -> list[Attacker]:
    """In a hall of 10,000 tables lists, pages and a long record are asked for, by those who read and who do not."""
    code = _play_long_game(field)
    _fill_hall(field, b"nim", FULL_HALL)
    asks = b'{"do":"tables","id":1}\n', b'{"do":"record","id":2,"table":"%b"}\n' % code
    get = b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n"
    pages = get % b"/", get % (b"/replay/%b?at=600" % code)
    return [
        *field.crowd("json", 20, 0.5, *asks),
        *field.crowd("json", 20, 0.5, *asks, reads=False, life=20),
        *field.crowd("lobby", 20, 0.5, b"TABLES\r\n", b"REPLAY %b\r\n" % code),
        *field.crowd("web", 20, 0.5, *pages),
    ]


def tls(field: Field) -> list[Attacker]:
    """Links over TLS are made and cut, 100 handshakes a second, and lines are said over others."""
    made = field.crowd(TLS, 50, 0.25, b"WHO\r\n", tls=True, life=2)
    return [*made, *field.crowd(TLS, 50, 0.1, b"TABLES\r\n", tls=True)]


def udp(field: Field) -> list[Attacker]:
    """Discovery is asked for every room, 2,000 times a second from 20 addresses."""
    asks = b'{"COMMAND":"FIND_SERVER","GAME":"*"}'
    return [Attacker(field.ports[UDP], 500 + n, repeat(asks), 0.01, udp=True) for n in range(20)]


def reconnects(field: Field) -> list[Attacker]:
    """Links are made, say a word and are cut, 1,000 a second at three doors."""
    doors = {
        "lobby": b"WHO\r\n",
        "json": b'{"do":"hello","id":1}\n',
        "nim": b'{"name":"x","order":0}\n',
    }
    return [
        attacker
        for door, says in doors.items()
        for attacker in field.crowd(door, 100, 0.3, says, life=1)
    ]


def sources(field: Field) -> list[Attacker]:
    """Behind a proxy 1,000 links a second come, each from an address of its own, and each guesses a password once.

    One more guesses again and again, and nobody is to forget that for their sake.
    """
    with connect(field.ports["json"], 499) as sock:
        sock.sendall(b'{"do":"open","id":1,"game":"nim","house":{"password":"secret"}}\n')
        code = _MANNER.code_in(read_until(sock, _MANNER.code_in))
    guess = b'{"do":"join","id":1,"table":"%b","password":"x"}\n' % code
    numbers = count(1)

    def come() -> Iterator[bytes]:
        for number in numbers:
            host = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
            yield f"PROXY TCP4 {host} 198.51.100.1 4000 80\r\n".encode() + guess

    port = field.ports[PROXIED]
    each = [Attacker(port, 500 + n // _CLASS, come(), 0.2, life=1) for n in range(200)]
    return [*each, *field.crowd("json", 1, 0.05, guess)]


def half_closed(field: Field) -> list[Attacker]:
    """Links end their input and never read: 400 of them, cut and made again after two seconds."""
    asks = {"lobby": b"HELP\r\nTABLES\r\n" * 10, "json": b'{"do":"games","id":1}\n' * 10}
    return [
        attacker
        for door, says in asks.items()
        for attacker in field.crowd(door, 200, 2.0, says, half=True, reads=False, life=1)
    ]


_CORPUS: Mapping[str, bytes] = {
    "lobby": b"OPEN nim\r\nTABLES\r\nJOIN\r\nSAY hello\r\nNAME ann\r\nLEAVE\r\nWATCH\r\nBOT\r\ntake 1\r\n",
    "json": b'{"do":"open","id":1,"game":"gops"}\n{"do":"join","id":2}\n{"do":"look","id":4}\n',
    "nim": b'{"name":"ann","order":0}\n{"num_stones":1,"reset":false}\n',
    "gops": b"HELO ann\nBID 3\n\x00\x05hello",
    "pass123": b"ann\n1\n2\n3\n",
    "rikiki": b"NAME Ann\nNEW players=3\nJOIN\nBID 2\nPLAY 10H\nLEAVE\nSTART\nADDBOT\n",
    "castle": b'{"COMMAND":"ROOM_LIST"}\n{"COMMAND":"JOIN_GAME","USERNAME":"red","SOLO":true}\n',
}


def _mutations(chance: Random, said: bytes) -> Iterator[bytes]:
    """Give lines of a wire, whole, cut, mixed and spoilt."""
    lines = said.splitlines(keepends=True)
    while True:
        piece = bytearray(b"".join(chance.choices(lines, k=chance.randint(1, 8))))
        for _ in range(chance.choice((0, 0, 1, 5, 40))):
            piece[chance.randrange(len(piece))] = chance.randrange(256)
        yield bytes(piece[: chance.choice((len(piece), len(piece), chance.randint(1, len(piece))))])


def _fuzzers(field: Field, doors: Iterable[str]) -> list[Attacker]:
    chance = Random(field.seed)
    return [
        Attacker(
            field.ports[door],
            500 + order,
            _mutations(Random(chance.random()), _CORPUS[door]),
            0.002,
            life=20,
        )
        for order, door in enumerate(doors)
    ]


def fuzz(field: Field) -> list[Attacker]:
    """Seven fuzzers, one a door, send valid and spoilt lines as fast as they are taken, and come again."""
    return _fuzzers(field, _CORPUS)


def programs(field: Field) -> list[Attacker]:
    """At the door of JSON lines alone: lists are asked for, tables opened, sat at and left, and junk is said."""
    return [*one_address(field)[::8], *sit_and_leave(field)[::2], *_fuzzers(field, ["json"])]


def everything(field: Field) -> list[Attacker]:
    """A little of the floods that cost most, at once."""
    some = [
        one_address(field)[::4],
        lobby_lines(field)[::4],
        sit_and_leave(field),
        reconnects(field)[::4],
    ]
    return list(chain.from_iterable(some))


_ALL = (
    *(one_address, lobby_lines, sit_and_leave, castle_rooms, seals, talk, presence, watchers),
    *(seated, thinking, web_pages, long_answers, tls, udp, reconnects, half_closed),
    *(sources, fuzz, programs, everything),
)
KINDS: Mapping[str, Callable[[Field], list[Attacker]]] = {each.__name__: each for each in _ALL}
