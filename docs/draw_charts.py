"""Draw the life cycles: one chart for each Automat machine, as its source for dot and as a picture.

Left out is what changes no state: questions, and moves after which the same are awaited.  ``make charts`` runs
this and needs graphviz; the pages are built from the pictures that are kept in ``charts``.
"""

from __future__ import annotations

import subprocess
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any

LINE_END = "\\n"  # in a label
CHARTS = Path(__file__).parent / "charts"
MACHINES = {
    "game": "gamecore.game:GameMachine",
    "player": "gamecore.player:PlayerMachine",
    "tournament": "gamecore.contest.life:LifeMachine",
    "nim": "gamecore.games.nim.round:RoundMachine",
    "gops": "gamecore.games.gops.round:RoundMachine",
    "pass123": "gamecore.games.pass123.round:RoundMachine",
    "rikiki": "gamecore.games.rikiki.round:RoundMachine",
    "castle": "gamecore.games.castle.round:RoundMachine",
}


def dot_of(machine: Any) -> str:
    """Write the states of a machine, the first one bold, and the inputs that lead from one to another."""
    automaton = machine.__automat_automaton__
    ways: dict[tuple[str, str], set[str]] = defaultdict(set)
    for before, given, after, _ in automaton.allTransitions():
        if before is not after:
            ways[before.name, after.name].add(given)
    names = sorted(state.name for state in automaton.states())
    first = automaton.initialState.name
    nodes = [f'  "{each}"{" [style=bold]" if each == first else ""};' for each in names]
    edges = [
        f'  "{here}" -> "{there}" [label="{LINE_END.join(sorted(given))}"];'
        for (here, there), given in sorted(ways.items())
    ]
    look = '  rankdir=LR; node [shape=box, fontname="sans-serif"]; edge [fontname="sans-serif"];'
    return "\n".join(["digraph {", look, *nodes, *edges, "}", ""])


def charts() -> dict[str, str]:
    """Give the source of every chart by its name."""
    found = {}
    for name, place in MACHINES.items():
        module, machine = place.split(":")
        found[name] = dot_of(getattr(import_module(module), machine))
    return found


def main() -> None:
    """Write every source, and let dot draw it."""
    for name, source in charts().items():
        (CHARTS / f"{name}.dot").write_text(source)
        picture = CHARTS / f"{name}.svg"
        subprocess.run(["dot", "-Tsvg", "-o", picture], input=source, text=True, check=True)


if __name__ == "__main__":
    main()
