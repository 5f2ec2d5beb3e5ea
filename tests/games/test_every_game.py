"""Every installed game is what Parlour asks of a game, by every wire that there is."""

from __future__ import annotations

from gamecore.rules import installed_rules
from protocols.testing import GameChecks
from tests.secrecy.wires import WIRES

for rules in installed_rules():
    name = f"Test{rules.kind.capitalize()}"
    globals()[name] = type(name, (GameChecks,), {"kind": rules.kind, "wires": WIRES})
