"""What an original client is asked with yes and no, and told in the same boxes: it has no other way to show a text.

Each box is answered by a ``DIAG_RESP``.  So that no answer is taken for another's, a question waits until the
notice before it is closed, and a notice that comes while a question is open is shown with the question.
"""

from __future__ import annotations

from protocols.castle.wire import Message, Request

_NOTICE = "notice"


class Dialogue:
    """The boxes of one client."""

    def __init__(self) -> None:
        self._open = ""  # what the open box is: a notice, or the command that offered the choice
        self._asked: tuple[str, str] | None = None  # the choice there is: its command and its text
        self._held: list[str] = []  # notices to be shown when the open one is closed

    def ask(self, command: str, text: str) -> list[Message]:
        """Ask what ``command`` offers."""
        self._asked = command, text
        return [] if self._open == _NOTICE else self._show()

    def tell(self, text: str) -> list[Message]:
        """Tell something."""
        self._held.append(text)
        return [] if self._open == _NOTICE else self._show()

    def forget(self) -> None:
        """Take note that what was asked is settled."""
        self._asked = None
        if self._open != _NOTICE:
            self._open = ""

    def start_anew(self) -> None:
        """Take every box for closed."""
        self._open, self._asked = "", None

    def answer_to(self, request: Request) -> Request | None:
        """Say what a client means; None for what closes a notice, or answers nothing; raises Fault."""
        if request.command != "DIAG_RESP":
            if self._open == _NOTICE:  # whoever goes on has closed it
                self._open = ""
            return request
        if self._open in ("", _NOTICE):
            self._open = ""
            return None
        request.flag("BOOL")  # what is no answer leaves the box open
        was, self._open, self._asked = self._open, "", None
        if was == "DRAW_CARD_OFFER":
            return Request("DRAW_CARD" if request.flag("BOOL") else "DRAW_CARD_OFFER_IGNORE", {})
        return request

    def go_on(self) -> list[Message]:
        """Open the next box, if none is open."""
        waits = self._asked is not None or bool(self._held)
        return self._show() if waits and not self._open else []

    def _show(self) -> list[Message]:
        command, text = self._asked or (_NOTICE, "")
        texts, self._held, self._open = [*self._held, text], [], command
        return [{"COMMAND": "DIAG_OFFER", "MSG": "\n".join(filter(None, texts))}]
