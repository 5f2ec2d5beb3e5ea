"""What one person reads on: lines drawn in the style that was chosen, and long texts a screen at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from typing import cast

from attrs import evolve

from gamecore.table_view import TableView
from protocols.i18n.game_text import NEVER, GameText, NarrowBoard, board_shown
from protocols.i18n.translate import N_, Translator
from protocols.lobby.line_style import PLAIN, LineStyle, ended
from protocols.lobby.session_states import Line

MORE = N_("-- more --")
"""What stands below a page that is not whole."""
_LEAST_COLUMNS, _LEAST_ROWS = 20, 5
_WIDE = 79  # columns, for which every board is drawn


class Screen:
    """One person's terminal, over a line."""

    __slots__ = ("_line", "_rest", "board_wish", "rows", "style")

    def __init__(self, line: Line) -> None:
        self.style: LineStyle = PLAIN
        self.rows = 0  # of lines that fit at once; 0 where that is not known
        self.board_wish: str | None = (
            None  # when the board is shown, of ``SHOWN``; None leaves it to the game
        )
        self._line = line
        self._rest: deque[str] | None = None  # of a page that is being read

    @property
    def narrow(self) -> bool:
        """Whether there is less room than what is drawn takes."""
        return 0 < self.style.columns < _WIDE

    def board_shown(self, text: GameText | None, seat: int | None) -> str:
        """Say when the board is shown by itself: as was chosen, or as the game says to who plays it."""
        return self.board_wish or (NEVER if seat is None else board_shown(cast(Hashable, text)))

    def board(self, text: GameText, view: TableView, say: Translator) -> Iterable[str]:
        """Draw the board of a game as wide as the screen is."""
        if self.narrow and isinstance(text, NarrowBoard):
            return text.narrow_board(view, say, self.style.columns)
        return text.board(view, say)

    def drawn(self, text: str) -> bytes:
        """Draw a text, each line with its end."""
        return ended(self.style.lines(text))

    def write(self, texts: Iterable[str]) -> None:
        """Show several texts as one write."""
        self._line.send(b"".join(map(self.drawn, texts)))

    def write_ready(self, lines: bytes) -> None:
        """Show lines that are drawn already, in this style."""
        self._line.send(lines)

    def resize(self, columns: int, rows: int) -> None:
        """Fit what is shown from now on to columns, 0 for lines as long as they are, and rows, 0 if not known."""
        self.rows = rows and max(rows, _LEAST_ROWS)
        self.style = evolve(self.style, columns=columns and max(columns, _LEAST_COLUMNS))

    def fit_window(self, columns: int, rows: int) -> None:
        """Fit what is shown from now on to a window as its terminal tells it: with 0 for what it does not know."""
        self.resize(columns or PLAIN.columns, rows)

    # -- what is longer than the screen ------------------------------------------------

    @property
    def paging(self) -> bool:
        """Whether a page waits for a line to go on."""
        return self._rest is not None

    def open_page(self, texts: Iterable[str], more: str) -> None:
        """Show what was asked for to be read; ``more`` says that it goes on where it fills the screen."""
        self.open_lines([line for text in texts for line in self.style.lines(text)], more)

    def open_lines(self, lines: Sequence[str], more: str) -> None:
        """Show what is drawn as lines already."""
        if 0 < self.rows <= len(lines) and not self._line.half_closed:
            self._rest = deque(lines)
            self.turn_page(more)
        else:
            self._line.send(ended(lines))

    def turn_page(self, more: str) -> None:
        """Show the next lines that fit."""
        if self._rest is None:
            return
        fitting = self.rows - 2  # one says that there is more, and the cursor stands in the last
        lines = [self._rest.popleft() for _ in range(min(max(fitting, 1), len(self._rest)))]
        if self._rest:
            lines += self.style.lines(more)
        else:
            self._rest = None
        self._line.send(ended(lines))

    def answer_page(self, line: str, more: str) -> None:
        """Turn the page for any line but one that begins with Q, which leaves it."""
        if line[:1].lower() == "q":
            self.close_page()
        else:
            self.turn_page(more)

    def close_page(self) -> None:
        """Leave what is not read yet."""
        self._rest = None
