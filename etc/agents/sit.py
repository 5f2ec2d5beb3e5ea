"""Plays GOPS by what gops.py has learned, at a table of a daemon or as an entrant of a tournament.

python etc/agents/sit.py gops.npz HOST PORT [TABLE]     against a bot of the house, or at that table
run = python {here}/sit.py gops.npz                     in a tournament's file, with speaks = json
"""

import json
import socket
import sys

import numpy as np

from protocols.zoo import Features, MoveNumbers

path, *where = sys.argv[1:]
weights, bias = map(np.load(path).get, ("weights", "bias"))
features, numbers = Features(weights.shape[1]), MoveNumbers(["Bid"], len(weights))
link = socket.create_connection(where[:2]).makefile("rw") if where else None
moves = []


def ask(do, **fields):
    """Send a request."""
    print(json.dumps({"do": do, "id": do, **fields}), file=link or sys.stdout, flush=True)


if where[2:]:
    ask("join", table=where[2])
elif where:
    options = {"cards": len(weights) - 1, "ties": "discard"}
    ask("open", game="gops", options=options, house={"start": "asked"})
    [ask(do) for do in ("join", "bot", "start")]
for said in map(json.loads, link or sys.stdin):
    if said.get("moves"):
        moves = said["moves"]
        ask("look")
    elif moves and "view" in said:
        worth = weights @ features.draw(said["view"]["board"]) + bias
        legal = numbers.assign(moves, moves)
        ask("play", move=legal[max(legal, key=worth.__getitem__)])
        moves = []
    elif said.get("event") == "GameOver" and where:
        sys.exit(print("places:", *said["outcome"]["places"]))
    elif "error" in said and said["reply"] != "play":
        sys.exit(said["says"])
