"""Plays by the Client class, as bots for the first program of Expanding Nim do: client.py NAME PORT [-f]"""

import sys

from protocols.nim.client import Client

name, port, first = sys.argv[1], int(sys.argv[2]), "-f" in sys.argv
with Client(name, first, ("127.0.0.1", port)) as client:
    while not client.state["finished"]:
        left, most = client.state["stones_left"], client.state["current_max"]
        move = left if left <= most else left % (most + 1) or 1
        client.make_move(move) if client.my_turn else client.receive_move()
