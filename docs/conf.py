"""How these pages are built: `make docs`, without any network, every warning an error.

Each code block of a page is run by the suite (tests/docs), by what it is written in:

* ``console``: lines that begin with ``$`` are commands, run beside a daemon of their own; other lines must be
  found in what the command before them prints;
* ``python``: a program, run as it stands;
* ``text`` and all others are only shown.

A block whose ``:class:`` begins with ``needs-`` cannot be run everywhere (it needs systemd, say); one of the class
``typed`` is what is typed to the command before it.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

project = "Parlour"
author = "the authors of Parlour"
project_copyright = author
html_theme = "furo"
html_title = "Parlour"
extensions = ["sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
highlight_language = "none"
nitpicky = True
# The classes that annotations name are shown where they stand; most of them have no page to point to.
nitpick_ignore_regex = [("py:.*", ".*")]
autodoc_typehints = "signature"
