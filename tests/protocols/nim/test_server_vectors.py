"""Games of the original programs, replayed through our door and compared byte for byte."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.recorded import files, read

VECTORS = files("nim")
TIME = re.compile(r'"time_taken": ([0-9.e-]+)')


def masked(text: str) -> str:
    return TIME.sub('"time_taken": *', text)


def times(text: str) -> list[float]:
    return [float(each) for each in TIME.findall(text)]


@pytest.mark.parametrize("gap", [0.0, 0.05])
@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_a_recorded_game_is_played_to_the_byte(path, gap, nim_door):
    meta, messages = read(path)
    wanted = meta["settings"]
    late = path.stem.startswith("timeout")
    options = {
        "stones": wanted["init_stones"],
        "resets": wanted["init_resets"],
        "maximum": wanted["init_max"],
        "seconds": wanted["game_time"],
        "lazy_clock": late,
        "gap": gap,
    }
    last_mover = [each["from"] for each in messages if "num_stones" in each["data"]][-1]
    with nim_door(**options) as door:
        clients = {name: door.connect() for name in ("client0", "client1")}
        expected = {name: [] for name in clients}
        for message in messages:
            if message["to"] != "server":
                expected[message["to"]].append(message["data"])
                continue
            is_move = "num_stones" in message["data"]
            door.pass_time(1.5 if late and is_move and message["from"] == last_mover else 0.1)
            clients[message["from"]].say(message["data"].encode())
        door.pass_time(0.2)
        for name, client in clients.items():
            heard = client.value().decode().splitlines()
            assert [masked(each) for each in heard] == [masked(each) for each in expected[name]]
            assert [data.decode() for _, data in client.writes] == [f"{each}\n" for each in heard]
            used = [times(each) for each in heard[1:]]
            for earlier, later in pairwise(used):
                assert all(a <= b for a, b in zip(earlier, later, strict=True))
        assert clients["client0"].value() == clients["client1"].value()


def test_there_are_games_to_replay():
    assert len(VECTORS) == 13
