"""What a daemon and the writer of its journal say to each other over a socket: who says what, and how it is framed.

Every message is a tuple, and its first item says what it is.  What the daemon says:

=============================  ================================================================
``open`` where compact         the first of all: open the journal (answered by the run and the age of the house,
                               perhaps behind a trouble)
``append`` rows notes released commit a batch, however long it takes (answered); behind them the results of the
                               games that it ends
``beat`` lived matters         take a sign of life (answered by the age of the house)
``ask`` question values        one of the questions of the Store, by its name (answered)
``give_back`` table             let go of it, since nothing was done there
``retire`` table before        make one compact row of it when there is time
``forget`` age                 forget what was finished before, when there is time
``link`` where key             let linked runs know where ours is found, and what it proves itself by
``unmirror`` table             be the heir of a table no more
``become`` uids gids groups    the daemon has given up privileges; do the same
``close``                      finish what came before, and end
=============================  ================================================================

And the writer, who works in the order in which it is told, so that no answer needs a number:

=============================  ================================================================
``done`` value                 the next answer
``failed`` text                the same, if the question failed with an error of the engine
``refused`` text               the journal cannot be opened, and the writer ends
``trouble`` text               commits fail, or the journal cannot be opened yet; or, with None, all is well again
``changed`` rows               what other runs of the house have changed in the index
``peers`` rows                 the other runs that can be linked to, where they are others
``forgot`` count               so many finished tables were deleted for their age
``advise`` text                what whoever runs the house can do about a trouble
``odd`` what problem           something failed that no command waits for
``ended`` kind text trace      the last of all; kind is ``closed``, ``lost`` or ``failed``
=============================  ================================================================

The messages are marshalled, which costs a sixth of a microsecond a record and is safe here: both ends are the
same interpreter on the same machine, and nobody else has the socket.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from struct import Struct
from typing import Any

Message = tuple[Any, ...]

_LENGTH = Struct("=I")
READ = 1 << 16  # bytes at a time


def frame(message: Message) -> bytes:
    """Make the bytes of a message."""
    data = marshal.dumps(message)
    return _LENGTH.pack(len(data)) + data


class Frames:
    """Bytes as they come; gives the messages that are whole."""

    def __init__(self) -> None:
        self._data = bytearray()

    def take(self, data: bytes) -> Iterator[Message]:
        """Take what has come and give what it completes."""
        self._data += data
        while (end := self._end()) is not None:
            message: Message = marshal.loads(self._data[_LENGTH.size : end])
            del self._data[:end]
            yield message

    def _end(self) -> int | None:
        """Tell where the first message ends, if all of it is there."""
        if len(self._data) < _LENGTH.size:
            return None
        end = _LENGTH.size + int(_LENGTH.unpack_from(self._data)[0])
        return end if end <= len(self._data) else None
