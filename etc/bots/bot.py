"""Plays one game of any kind, badly: python3 bot.py HOST PORT GAME [TABLE]"""

import json
import random
import socket
import sys

host, port, game, *table = sys.argv[1:]
link = socket.create_connection((host, int(port)))


def ask(do, **fields):
    link.sendall(json.dumps({"do": do, "id": do, **fields}).encode() + b"\n")


ask("join", table=table[0]) if table else ask("open", game=game, house={"start": "asked"})
table or (ask("join"), ask("bot"), ask("start"))
for said in map(json.loads, link.makefile()):
    said.get("moves") and ask("play", move=random.choice(said["moves"]))
    if said.get("event") == "GameOver" or ("error" in said and said["reply"] != "play"):
        sys.exit(said.get("says") or print("places:", *said["outcome"]["places"]))
