"""The port for whoever watches over a daemon: ``/metrics`` for Prometheus, ``/live`` and ``/ready``.

It is no door: it is off unless asked for, and meant for the host itself or a net that is trusted.
"""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from twisted.internet.interfaces import IReactorTime
from twisted.web.http import Request
from twisted.web.pages import notFound
from twisted.web.resource import IResource, Resource
from twisted.web.server import Site

from protocols.daemon.figures import Figures


class _Page(Resource):
    """A page of text that is drawn in the reactor's thread: the figures are nobody else's to look at."""

    isLeaf = True

    def __init__(self, draw: Callable[[Request], bytes]) -> None:
        super().__init__()
        self._draw = draw

    def render(self, request: Request) -> bytes:
        """Draw it; there is nothing to change here."""
        if request.method not in (b"GET", b"HEAD"):
            request.setResponseCode(405)
            request.setHeader(b"allow", b"GET, HEAD")
            return b""
        request.setHeader(b"content-type", b"text/plain; charset=utf-8")
        return self._draw(request)


class _Root(Resource):
    def getChild(self, path: bytes, request: Request) -> IResource:
        """There is nothing else here."""
        return notFound()


class _QuietSite(Site):
    noisy = False
    displayTracebacks = False

    def log(self, request: Request) -> None:
        """Log nothing: figures are fetched every few seconds."""


def _live(request: Request) -> bytes:
    return b"live\n"


def metrics_site(
    figures: Figures, why_not_ready: Callable[[], str | None], reactor: IReactorTime
) -> Site:
    """Build what serves the pages; ``why_not_ready`` says in a word why nobody can play now, if that is so."""
    registry = CollectorRegistry()
    registry.register(figures)

    def draw(request: Request) -> bytes:
        encode, kind = choose_encoder(request.getHeader("accept") or "")
        request.setHeader(b"content-type", kind.encode())
        written: bytes = encode(registry)
        return written

    def ready(request: Request) -> bytes:
        why = why_not_ready()
        if why is not None:
            request.setResponseCode(503)
        return f"{why or 'ready'}\n".encode()

    root = _Root()
    for name, page in ((b"metrics", draw), (b"live", _live), (b"ready", ready)):
        root.putChild(name, _Page(page))
    return _QuietSite(root, reactor=reactor)
