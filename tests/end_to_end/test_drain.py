"""A daemon that is asked to end by `parlour drain` ends well, once nobody plays there without a token."""

from __future__ import annotations

import socket
import subprocess

from tests.end_to_end.players import Program
from tests.patience import SECONDS


def test_a_drained_daemon_lets_a_game_of_stock_clients_end_and_nothing_else(
    start_daemon, clients, bin_dir, tmp_path
):
    """A daemon is started for it, which hears of it within two seconds."""
    journal = str(tmp_path / "parlour.db")
    daemon = start_daemon(journal=journal)
    stock = [
        clients(socket.create_connection(("127.0.0.1", daemon.nim), SECONDS)) for _ in range(2)
    ]
    for order, link in enumerate(stock):
        link.sendall(b'{"name": "p%d", "order": %d}' % (order, order))
    stock[0].recv(4096)
    idler = clients(socket.create_connection(("127.0.0.1", daemon.ports["lobby"]), SECONDS))
    program = clients(Program(daemon.ports["json"]))
    told = subprocess.run(
        [bin_dir / "parlour", "drain", "--journal", journal], capture_output=True, text=True
    )
    assert (told.returncode, told.stderr) == (0, "")
    assert "waits for players without a token for 15 minutes at most" in told.stdout
    for line in daemon.process.stdout:
        daemon.said.append(line)
        if "asked to end: no game begins any more" in line:
            break
    program.socket.sendall(b'{"do": "open", "id": 99, "game": "gops"}\n')
    assert program.until(lambda said: said.get("reply") == 99)["error"] == "draining"
    assert daemon.process.poll() is None
    stock[0].close()  # which ends their game
    rest, _ = daemon.process.communicate(timeout=SECONDS)
    daemon.said.append(rest)
    assert daemon.process.returncode == 0
    assert "nobody plays who could not come back" in daemon.log
    assert idler.recv(4096)
