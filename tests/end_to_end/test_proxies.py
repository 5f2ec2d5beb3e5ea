"""The samples for nginx and Caddy, as they lie in ``etc/proxy``, before a real daemon, where these programs are."""

from __future__ import annotations

import base64
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

import pytest
from attrs import frozen

from tests.patience import SECONDS
from tests.ports import free_port

SAMPLES = Path(__file__).parents[2] / "etc" / "proxy"
HOST = "games.example"


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if found is None:
        pytest.skip(f"{name} is not here: its sample is not tried")
    return found


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> tuple[Path, Path]:
    """A certificate for the host of the samples, and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "games.example.pem", folder / "games.example.key"
    asked = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}"]
    asked += [
        "-addext",
        f"subjectAltName=DNS:{HOST}",
        "-keyout",
        str(key),
        "-out",
        str(certificate),
    ]
    subprocess.run([program("openssl"), *asked], check=True, capture_output=True)
    return certificate, key


def nginx(folder: Path, port: int, behind: int, certificate: Path, key: Path) -> list[str]:
    """Lay the sample into an ``http`` block, on a port and with a certificate of our own."""
    sample = (SAMPLES / "nginx.conf").read_text()
    for old, new in (
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("127.0.0.1:8080", f"127.0.0.1:{behind}"),
        ("/etc/ssl/games.example.pem", str(certificate)),
        ("/etc/ssl/games.example.key", str(key)),
    ):
        assert old in sample, old
        sample = sample.replace(old, new)
    (folder / "sample.conf").write_text(sample)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    whole = f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
    whole += f"http {{\n{temporary}include {folder}/sample.conf;\n}}\n"
    (folder / "whole.conf").write_text(whole)
    return [program("nginx"), "-e", f"{folder}/error.log", "-c", f"{folder}/whole.conf"]


def caddy(folder: Path, port: int, behind: int, certificate: Path, key: Path) -> list[str]:
    """Lay the sample on a port of our own, with a certificate that it need not fetch."""
    sample = (SAMPLES / "Caddyfile").read_text()
    address = f"https://{HOST}:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate} {key}"
    assert f"\n{HOST} {{" in sample
    sample = sample.replace(f"\n{HOST} {{", f"\n{address}")
    assert "127.0.0.1:8080" in sample
    sample = sample.replace("127.0.0.1:8080", f"127.0.0.1:{behind}")
    ours = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(ours + sample)
    return [program("caddy"), "run", "--config", f"{folder}/Caddyfile", "--adapter", "caddyfile"]


@frozen
class Proxy:
    """A proxy that runs, and how it is spoken to."""

    port: int
    context: ssl.SSLContext

    def connect(self, *protocols: str) -> ssl.SSLSocket:
        self.context.set_alpn_protocols(list(protocols or ("http/1.1",)))
        link = socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS)
        return self.context.wrap_socket(link, server_hostname=HOST)

    def ask(self, path: str, body: str = "", **headers: str) -> HTTPResponse:
        """Ask for a page as a browser does; the answer is read to its end."""
        wanted = {"Host": f"{HOST}:{self.port}", "Connection": "close", **headers}
        if body:
            wanted["Content-Type"] = "application/x-www-form-urlencoded"
            wanted["Content-Length"] = str(len(body))
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in wanted.items())
        with self.connect() as link:
            method = "POST" if body else "GET"
            # Who has read enough to refuse the rest may close before it has come.
            with suppress(ConnectionError, ssl.SSLError):
                link.sendall(f"{method} {path} HTTP/1.1\r\n{lines}\r\n{body}".encode())
            answer = HTTPResponse(link, method=method)
            answer.begin()
            answer.text = answer.read()
            return answer


@pytest.fixture(params=[nginx, caddy], ids=lambda each: each.__name__)
def proxy(request, tmp_path, start_daemon, certificate) -> Iterator[Proxy]:
    """Run a proxy by its sample, before a daemon that is set as the sample says."""
    port, folder = free_port(), tmp_path / "proxy"
    folder.mkdir()
    make: Callable[..., list[str]] = request.param
    program(make.__name__)
    daemon = start_daemon(ini="[web]\nproxy = yes\nlink_file = none\n")
    command = make(folder, port, daemon.ports["web"], *certificate)
    homes = {each: str(folder) for each in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    with open(folder / "said", "wb") as said:
        running = subprocess.Popen(
            command, stdout=said, stderr=said, env={**os.environ, **homes}, cwd=folder
        )
    try:
        _wait_for(running, port, folder / "said")
        yield Proxy(port, ssl.create_default_context(cafile=str(certificate[0])))
    finally:
        running.terminate()
        running.wait(SECONDS)


def _wait_for(running: subprocess.Popen[bytes], port: int, said: Path) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        assert running.poll() is None, said.read_text()
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(said.read_text())


def test_http_2_is_spoken_and_browsers_are_told_to_keep_to_tls(proxy):
    with proxy.connect("h2", "http/1.1") as link:
        assert link.selected_alpn_protocol() == "h2"
    assert proxy.ask("/").headers["Strict-Transport-Security"].startswith("max-age=")


def test_cookies_are_bound_to_tls_and_links_name_the_address_that_was_asked_for(proxy):
    front = proxy.ask("/")
    cookie = next(each for each in front.headers.get_all("Set-Cookie") if "parlour=" in each)
    assert cookie.startswith("__Host-parlour=")
    assert "Secure" in cookie
    csrf = re.search(rb'name="csrf" value="(\w+)"', front.text)[1].decode()
    form = urlencode({"csrf": csrf, "names": "Ann\nBen"})
    jar = cookie.partition(";")[0]
    opened = proxy.ask("/open/rikiki", form, Cookie=jar, Origin=f"https://{HOST}:{proxy.port}")
    assert opened.status == 303, opened.text
    kept = [each.partition(";")[0] for each in opened.headers.get_all("Set-Cookie")]
    page = proxy.ask(opened.headers["Location"], Cookie="; ".join([jar, *kept]))
    links = re.findall(rb'value="(https?://[^"]+/invitation/)', page.text)
    links = re.findall(rb'value="(https?://[^/"]+)/invitation/', page.text)
    assert links == [f"https://{HOST}:{proxy.port}".encode()] * 2


def test_files_come_packed_and_pages_never(proxy):
    front = proxy.ask("/", Accept_Encoding="gzip")
    assert front.headers["Content-Encoding"] is None
    style = re.search(rb'href="(/static/[^"]+\.css)"', front.text)[1].decode()
    assert proxy.ask(style, Accept_Encoding="gzip").headers["Content-Encoding"] == "gzip"


def test_a_page_is_kept_up_to_date_through_it(proxy):
    front = proxy.ask("/")
    jar = front.headers["Set-Cookie"].partition(";")[0]
    asked = {
        "Host": f"{HOST}:{proxy.port}",
        "Origin": f"https://{HOST}:{proxy.port}",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(bytes(16)).decode(),
        "Cookie": jar,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in asked.items())
    with proxy.connect() as link:
        link.sendall(f"GET /live HTTP/1.1\r\n{head}\r\n".encode())
        heard = b""
        while b'"parts"' not in heard:
            piece = link.recv(4096)
            assert piece, heard
            heard += piece
    assert heard.startswith(b"HTTP/1.1 101 ")
    assert b'"beat"' in heard


def test_too_much_is_not_even_passed_on(proxy):
    assert proxy.ask("/say", "words=" + "x" * 70_000).status == 413
