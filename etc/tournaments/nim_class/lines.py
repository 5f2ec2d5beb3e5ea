"""Plays any game by JSON lines: reads what happens, and answers with one of the moves that it is offered."""

import json
import random
import sys

for line in sys.stdin:
    moves = json.loads(line).get("moves")
    if moves:
        print(json.dumps({"do": "play", "id": 1, "move": random.choice(moves)}), flush=True)
