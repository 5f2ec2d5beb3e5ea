"""People who play any game by dice of their own, and know of it only what they were told."""

from __future__ import annotations

from random import Random

from attrs import Factory, define, field

from tests.crash.hall.links import Link, Message, Request
from tests.crash.hall.parties import Party
from tests.daemons.wrong import Wrong

# What may become of one who wants to sit down, or look on, and comes too late or too early.
_TURNED_AWAY = {
    "no-such-table",
    "game-began",
    "table-full",
    "seat-taken",
    "table-closed",
    "closing",
}


@define(eq=False)
class Standing:
    """How a table stands, as far as one was told."""

    stage: str = "gathering"
    number: int = 0
    names: dict[int, str] = Factory(dict)
    bots: set[int] = Factory(set)
    away: set[int] = Factory(set)

    def show(self, view: Message) -> None:
        """Take in a View."""
        self.stage, self.number = view["stage"], view["number"]
        self.names = {each["seat"]: each["name"] for each in view["seats"]}
        self.bots = {each["seat"] for each in view["seats"] if each["level"] is not None}
        self.away = {each["seat"] for each in view["seats"] if each["presence"] == "away"}

    def follow(self, event: Message) -> None:
        """Take in what happened, if it is one of the things that happen at every table."""
        seat = event.get("seat", -1)
        match event["event"]:
            case "Sat" | "Replaced":
                self._seat(seat, event["name"], event["level"] is not None)
            case "Left":
                self.away.discard(seat)
                if self.stage != "playing":
                    self.names.pop(seat, None)
                    self.bots.discard(seat)
            case "GameBegan":
                self._renumber(event["names"])
                self.stage, self.number = "playing", event["number"]
            case "Gathered":
                self._renumber(event["names"])
                self.stage, self.number = "gathering", event["number"]
            case "GameOver":
                self.stage = "over"
            case "Abandoned":
                self.stage = "abandoned"
            case "Dropped" | "Waiting":
                self.away.add(seat)
            case "Returned":
                self.away.discard(seat)

    def _seat(self, seat: int, name: str, bot: bool) -> None:
        self.names[seat] = name
        self.away.discard(seat)
        (self.bots.add if bot else self.bots.discard)(seat)

    def _renumber(self, names: list[str]) -> None:
        """Learn the names by seat: they may have moved, and those who had gone are no more."""
        bots = {self.names[seat] for seat in self.bots}
        away = {self.names[seat] for seat in self.away if seat in self.names}
        self.names = dict(enumerate(names))
        self.bots = {seat for seat, name in self.names.items() if name in bots}
        self.away = {seat for seat, name in self.names.items() if name in away}


@define(eq=False)
class Person:
    """One who belongs to a party: plays there, or looks on."""

    base: str
    party: Party = field(repr=False)
    chance: Random = field(repr=False)
    opens: bool = False
    watches: bool = False
    leaves_after: int | None = None  # moves, and then leaves for good
    cut_after: int | None = None  # moves, and then never comes back
    name: str = ""
    token: str | None = field(default=None, repr=False)
    seen: int | None = None  # the last number that was told
    standing: Standing = Factory(Standing)
    links: list[Link] = field(factory=list, repr=False)
    requests: list[Request] = field(factory=list, repr=False)
    gone: str | None = None  # why nothing more is to be expected
    saw_the_end: bool = False
    mixed: int | None = None  # the game that words were added to
    made: int = 0

    @property
    def open_links(self) -> list[Link]:
        """The links that have not ended."""
        return [link for link in self.links if not link.ended]

    @property
    def done(self) -> bool:
        """Whether nothing more is to be expected."""
        return self.gone is not None and not self.open_links

    @property
    def seated(self) -> bool:
        """Whether this one has a seat, as far as it knows."""
        return self.token is not None and self.gone is None

    # -- what is said -----------------------------------------------------------------

    def greet(self, link: Link) -> None:
        """Say hello on a new link, or come back."""
        self.links.append(link)
        if self.token is None:
            self.name = (
                f"{self.base}-{len(self.links)}"  # an older link may still have the last name
            )
        if self.token is not None:
            # One in five does not say what it has seen, and must be shown everything.
            last = self.seen if self.chance.random() < 0.8 else None
            self._ask(link, "return", token=self.token, **({} if last is None else {"last": last}))
        else:
            self._ask(link, "hello", name=self.name)

    def _ask(self, link: Link, do: str, **fields: object) -> None:
        self.requests.append(link.ask(do, **fields))

    def act(self) -> bool:
        """Do what is to be done, if but one link is there and nothing is under way; says whether it was a move."""
        links = self.open_links
        if len(links) != 1 or self.gone is not None:
            return False
        (link,) = links
        if link.asked or link.word or link.quits or link.parted:
            return False
        if not link.arrived:
            self._come_in(link)
            return False
        if self.watches:
            if self.party.is_over(self.standing.stage, self.standing.number):
                self._go(link, "has seen it")
            return False
        return self._take_part(link)

    def _come_in(self, link: Link) -> None:
        party = self.party
        if self.token is not None:
            return  # the daemon closes, and we come back when it is there again
        if party.is_hopeless:
            self._go(link, "turned away")
        elif self.opens and party.code is None:
            fields = {"options": party.options, "house": party.house}
            self._ask(link, "open", game=party.kind, name=self.base, **fields)
        elif party.code is not None and (party.awake or self.opens):
            self._ask(link, "watch" if self.watches else "join", table=party.code)

    def _take_part(self, link: Link) -> bool:
        """Do what there is to do for one who sits at a table."""
        standing, party = self.standing, self.party
        if party.is_over(standing.stage, standing.number):
            self.saw_the_end = True
            self._ask(link, "leave")
        elif standing.stage in ("gathering", "over"):
            self._gather(link)
        elif link.moves:
            return self._move(link, link.moves)
        else:
            self._replace_the_gone(link)
        return False

    def _gather(self, link: Link) -> None:
        """Add words, and let the first of those who are there do the rest."""
        standing = self.standing
        if standing.stage == "gathering" and self.mixed != standing.number:
            self.mixed = standing.number
            if self.chance.random() < 0.3:
                self._ask(link, "mix", words=f"{self.name} {standing.number}")
                return
        if self.party.leader is self:
            do = self.party.next_step(standing)
            if do is not None:
                self._ask(link, do, **({"level": self.party.level} if do == "bot" else {}))

    def _replace_the_gone(self, link: Link) -> None:
        """Where a table waits without end, let a bot play for one who cannot come back."""
        for seat in sorted(self.standing.away) if self.party.waits else ():
            if self.party.knows_gone(self.standing.names.get(seat, "")):
                self._ask(link, "replace", seat=seat)
                return

    def _move(self, link: Link, moves: list[Message]) -> bool:
        if self.leaves_after is not None and self.made >= self.leaves_after:
            self._ask(link, "leave")
            return False
        if self.cut_after is not None and self.made >= self.cut_after:
            self._go(link, "cut")
            return False
        self.made += 1
        self._ask(link, "play", move=self.chance.choice(moves))
        return True

    def _go(self, link: Link, why: str) -> None:
        self.gone = why
        link.close()

    def lose_link(self) -> None:
        """Give up where a link is lost at a moment after which nobody can come back."""
        sat = any(each.do == "join" and each.outcome in (None, "ok") for each in self.requests[-1:])
        if self.gone is None and self.token is None and sat:
            self.gone = "lost"

    # -- what is heard ----------------------------------------------------------------

    def hear(self, link: Link) -> int:
        """Take in what was told on a link; says how much."""
        under_way = dict(link.asked)
        messages = link.hear()
        for message in messages:
            if "reply" in message:
                self._take_reply(link, under_way[message["reply"]])
            elif "token" in message:
                self._take_token(message["token"])
            elif "view" in message:
                self._take_view(message)
            elif "event" in message:
                self._take_event(message)
        return len(messages)

    def _take_token(self, token: str) -> None:
        if self.token is not None:
            raise Wrong(f"{self.name} was given a second token")
        self.token = token

    def _take_view(self, message: Message) -> None:
        """Take in a View, unless more was told on another link already."""
        self.party.awake = True
        if (self.seen or 0) <= message["n"]:
            self.seen = message["n"]
            self.standing.show(message["view"])

    def _take_event(self, message: Message) -> None:
        if (self.seen or 0) < message["n"]:
            self.seen = message["n"]
            self.standing.follow(message)

    def _take_reply(self, link: Link, request: Request) -> None:
        if request.outcome == "closing":
            return  # it is asked again when the daemon is there again
        match request.do:
            case "open":
                self._check(request.done, request)
                self.party.code = request.reply["table"]
            case "join" | "watch" if not request.done:
                self._check(request.outcome in _TURNED_AWAY, request)
                self._go(link, "turned away")
            case "return" if request.done:
                self.party.awake = True
            case "return":
                self._check(request.outcome == "unknown-token", request)
                self._go(link, "not known any more")
            case "leave":
                self._check(request.done, request)
                self._go(link, "left")
            case "rematch" if not request.done:
                self.party.games = self.standing.number
            case "start" | "bot" | "replace" if not request.done:
                self._check(link.at != request.at, request)  # else it would be asked for ever
            case "hello":
                self._check(request.done, request)
            case "mix":
                self._check(request.outcome in ("ok", "game-began"), request)

    def _check(self, holds: bool, request: Request) -> None:
        if not holds:
            raise Wrong(f"{self.name} was answered: {request}")
