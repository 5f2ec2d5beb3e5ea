"""What all pages share: the Host, the sessions, the games, and the one way in which a request is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

from attrs import evolve, frozen
from klein import Klein
from twisted.internet.defer import TimeoutError as NoAnswer
from twisted.logger import Logger
from twisted.python.failure import Failure
from twisted.web.iweb import IRequest
from twisted.web.server import Request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from gamecore.errors import Refused
from protocols.host.face import Host
from protocols.i18n.game_text import find_text
from protocols.i18n.refusals import explain
from protocols.i18n.translate import N_, Translator
from protocols.net.admission import GUESS, OWN_KEYS, PAGE, REMEMBERED
from protocols.net.limits import AddressBuckets, counted_as
from protocols.net.link_factory import LinkFactory
from protocols.web.browser_socket import is_handshake
from protocols.web.face import WebFace
from protocols.web.guests import Guests
from protocols.web.hall import HallView
from protocols.web.live import LiveStream
from protocols.web.organizer_link import OrganizerLink
from protocols.web.organizers import Organizers
from protocols.web.passes import Devices, Passes
from protocols.web.render import render
from protocols.web.replies import HEADERS, PageRefused, Reply
from protocols.web.sessions import Sessions
from protocols.web.settings import WebDoorSettings
from protocols.web.typeset import set_line
from protocols.web.visit import Visit

MOST_STREAMS = 12  # of one player
MOST_WATCHERS = 500  # of one table
MOST_IN_HALL = 500

_WHY = {
    "bad-form": N_(
        "This form is too old, or not one of ours. Load the page again and try once more."
    ),
    "bad-link": N_("This link opens nothing: it was used already, or it was not copied whole."),
    "no-such-page": N_("There is no such page here."),
    "wrong-way": N_("That address only takes forms."),
    "sealed": N_("That table has a password: what happens there is seen by those who sit there."),
    "not-invited": N_(
        "This place is not yours, or not any more: the game may be over, or the seat was given to a bot."
    ),
    "taken-along": N_("This place was taken along to another device, and is played from there."),
    "not-organizer": N_("Only an organizer may do that: open the organizer's link first."),
    "no-socket": N_(
        "This address is for programs: open it as a WebSocket, and write one JSON object a message."
    ),
    "other-origin": N_("Pages of other sites may not play here: see json_origins in the options."),
    "no-answer": N_("The house is busy and did not answer in time. Load the page again."),
    "bug": N_("Something went wrong on our side. Load the page again."),
}
_MOVED = N_("That address was on another server's pages. What it led to is found here.")
_WHAT_TO_DO = {
    "bad-link": N_(
        "If you have used it in this browser, go to the page it led to. If not, ask whoever sent it for another."
    ),
    "not-invited": N_("Ask the organizer for an invitation to the next game, or look on."),
    "not-organizer": N_(
        "The link stands where the daemon was started, and in the file it names there."
    ),
}
_STATUS = {
    "no-such-table": 404,
    "no-such-record": 404,
    "closing": 503,
    "draining": 503,
    "no-answer": 503,
    **dict.fromkeys(["too-fast", *OWN_KEYS], 429),
}

Streamed = WebFace | HallView
Handler = Callable[..., Awaitable[Reply]]
"""Takes the application, the visit and the named parts of the address; raises PageRefused or Refused."""


@frozen
class Route:
    """One address, how it is asked for, and what answers; requests for what is ``cheap`` are not counted."""

    method: str
    path: str
    handler: Handler
    cheap: bool = False


class WebApplication:
    """The pages of one daemon."""

    _log = Logger()

    def __init__(self, host: Host, settings: WebDoorSettings) -> None:
        self.host = host
        self.settings = settings
        self.sessions = Sessions(host)
        self.guests = Guests(host)
        self.hall = HallView(host)
        self.link = OrganizerLink()
        self.passes = Passes()
        self.devices = Devices()
        self.on_link_used: Callable[[], None] = lambda: None
        self.doors: Callable[[], list[tuple[str, str, int]]] = list
        self.door: Callable[[str], LinkFactory | None] = lambda kind: None
        self.organizers = Organizers()
        self._remarks = AddressBuckets(rate=2.0, burst=30.0, remembered=REMEMBERED)

    @classmethod
    def of(cls, routes: list[Route]) -> Klein:
        """Make what finds the way of a request, to be an attribute of a class whose instances answer."""
        app = Klein()
        for route in routes:
            endpoint = f"{route.method} {route.path}"
            app.route(route.path, methods=[route.method], endpoint=endpoint)(cls._serve(route))
        app.handle_errors(HTTPException)(cls._astray)
        app.handle_errors(Exception)(cls._failed)
        return app

    # -- the one way of a request -----------------------------------------------------

    @staticmethod
    def _serve(route: Route) -> Any:
        async def serve(self: WebApplication, request: Request, **parts: str) -> bytes:
            visit = self.visit(request)
            try:
                if not route.cheap:
                    self.host.admission.spend(visit.address, PAGE)
                if route.method == "POST" and not visit.posts_as_ours():
                    raise PageRefused(403, "bad-form")
                reply = await route.handler(self, visit, **parts)
            except PageRefused as problem:
                reply = self.notice(visit, problem)
            except Refused as refusal:
                reply = self.refusal(visit, refusal)
            except NoAnswer:
                reply = self.notice(visit, PageRefused(503, "no-answer"))
            return await self._answer(request, reply)

        return serve

    async def _answer(self, request: IRequest, reply: Reply) -> bytes:
        request.setResponseCode(reply.status)
        for name, value in {**HEADERS, **reply.headers}.items():
            request.setHeader(name.encode(), value.encode())
        if reply.stream is None:
            return self._packed(request, reply)
        failed = reply.stream.upgrade()
        if failed is not None:
            return failed
        await reply.stream.done
        return b""

    @staticmethod
    def _packed(request: IRequest, reply: Reply) -> bytes:
        """Give a file compressed to a browser that reads it so.

        Pages are not: they hold what a stranger chose beside a secret, and their length would tell of it.
        """
        accepted = request.getHeader(b"accept-encoding") or b""
        if reply.gzipped and b"gzip" in accepted:
            request.setHeader(b"Content-Encoding", b"gzip")
            request.setHeader(b"Vary", b"Accept-Encoding")
            return reply.gzipped
        return reply.body

    def visit(self, request: Request) -> Visit:
        """See who asks."""
        return Visit(request, self.settings.url, self.settings.proxy)

    def _astray(self, request: IRequest, failure: Failure) -> Any:
        problem = failure.value
        assert isinstance(problem, HTTPException)
        visit = self.visit(cast(Request, request))
        if isinstance(problem, RequestRedirect):
            path = request.path.decode("ascii", "replace") + "/"
            reply = Reply(status=308, headers={"Location": path})
        elif problem.code == 405:
            allowed = ", ".join(sorted(getattr(problem, "valid_methods", None) or ()))
            reply = self.notice(visit, PageRefused(405, "wrong-way"))
            reply = evolve(reply, headers={**reply.headers, "Allow": allowed})
        else:
            reply = self.notice(visit, PageRefused(problem.code or 404, "no-such-page"))
        return self._answer(request, reply)

    def _failed(self, request: IRequest, failure: Failure) -> Any:
        self._log.failure("a page could not be drawn", failure)
        visit = self.visit(cast(Request, request))
        return self._answer(request, self.notice(visit, PageRefused(500, "bug")))

    # -- pages ------------------------------------------------------------------------

    def page(
        self, visit: Visit, template: str, status: int = 200, here: str = "", **facts: object
    ) -> Reply:
        """Draw a page; ``here`` is where it is found by GET, if not where it was asked for."""
        if visit.asked("moved"):
            facts.setdefault("said", visit.say(_MOVED))
        drawn = render(
            template,
            visit.say,
            csrf=visit.csrf,
            here=here or visit.request.path.decode("ascii", "replace"),
            **facts,
        )
        return Reply(drawn.encode(), status)

    def notice(self, visit: Visit, problem: PageRefused) -> Reply:
        """Say on a page of its own why there is no other, and what to do."""
        say = visit.say
        todo = _WHAT_TO_DO.get(problem.key)
        return self.page(
            visit,
            "notice.html",
            problem.status,
            here="/",
            why=say(_WHY[problem.key]),
            todo=say(todo) if todo else "",
        )

    def refusal(self, visit: Visit, refusal: Refused) -> Reply:
        """Say on a page of its own what the house refused."""
        if refusal.key in _WHY:
            return self.notice(visit, PageRefused(_STATUS.get(refusal.key, 403), refusal.key))
        why = self.explain(refusal, visit.say)
        status = _STATUS.get(refusal.key, 409)
        reply = self.page(visit, "notice.html", status, here="/", why=why, todo="")
        wait = refusal.facts.get("wait")
        return reply if wait is None else evolve(reply, headers={"Retry-After": str(wait)})

    @staticmethod
    def explain(refusal: Refused, say: Translator, kind: str = "") -> str:
        """Say in one sentence why something was refused, at a table of a game in the game's own words."""
        said = explain(refusal, find_text(kind) if kind else None, say)
        return set_line(said, say)

    async def stream(
        self, visit: Visit, shown: Streamed, most: int = MOST_STREAMS, guest: bool = False
    ) -> Reply:
        """Keep a page up to date; ``guest`` if its browser is one of those who are here without a seat.

        Raises Refused ``too-fast``, PageRefused ``bad-form``.
        """
        if not is_handshake(visit.request) or not visit.comes_from_us(named=True):
            raise PageRefused(400, "bad-form")
        if len(shown.streams) >= most or shown.parted_why is not None:
            raise Refused("too-fast")
        # A proxy's own connections are not counted.
        address = visit.address if self.settings.proxy else None
        if not self.host.admission.enter(address):
            raise Refused("too-fast")
        secret = visit.visitor if guest else None
        opened = partial(self._stream_opened, shown, secret)
        closed = partial(self._stream_closed, shown, secret, address)
        if isinstance(shown, WebFace):
            self.sessions.stream_opened(shown)
        after = visit.asked("after")
        return Reply(stream=LiveStream(visit.request, shown, visit.say, after, opened, closed))

    def _stream_opened(self, shown: Streamed, secret: str | None, stream: LiveStream) -> None:
        if secret is not None:
            self.guests.opened(secret, shown, stream)
        if isinstance(shown, HallView):
            shown.follow()

    def _stream_closed(
        self, shown: Streamed, secret: str | None, address: str | None, stream: LiveStream
    ) -> None:
        self.host.admission.leave(address)
        if secret is not None:
            self.guests.closed(secret, stream)
        if isinstance(shown, WebFace):
            self.sessions.stream_closed(shown)

    # -- games and tables -------------------------------------------------------------

    def title_of(self, kind: str) -> str:
        """Say what a game is called."""
        return self.host.hall.registry.latest(kind).title

    # -- secrets ----------------------------------------------------------------------

    def now(self) -> float:
        """The reactor's time."""
        return self.host.clock.seconds()

    def check_guess(self, visit: Visit) -> None:
        """Look at nothing that may be a guess where too many were wrong; raises Refused ``too-fast``."""
        self.host.admission.check(visit.address, GUESS)

    def count_wrong(self, visit: Visit) -> None:
        """Count a guess that was wrong; whoever shows what is right is no stranger, and counts for nothing.

        Raises Refused ``too-fast``.
        """
        self.host.admission.spend(visit.address, GUESS)

    def count_remark(self, visit: Visit) -> None:
        """Count something that is said; raises Refused ``too-fast`` where one address says too much."""
        address = visit.address
        if address is not None and not self._remarks.take(counted_as(address), self.now()):
            raise Refused("too-fast")

    def close(self) -> None:
        """End every stream, and let everybody go."""
        self.sessions.close()
        self.hall.close()
        self.guests.close()

    def make_organizer(self, visit: Visit) -> None:
        """Let a browser open tables from now on, under a secret that is made for it now."""
        visit.be_anew()
        self.organizers.add(visit.visitor)

    def may_organize(self, visit: Visit) -> bool:
        """Say whether a browser may open tables."""
        anyone = self.settings.organizers == "anyone"
        return anyone or visit.visitor in self.organizers
