"""How the process that writes the journal is started, and how it is seen out."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence

# What a terminal or a service manager may send to all of us; the daemon tells its writer when to end.
_NOT_FOR_IT = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)

SeeOut = Callable[[], str]
Start = Callable[[socket.socket, Sequence[int]], SeeOut]


def start_child(sock: socket.socket, lock: Sequence[int]) -> SeeOut:
    """Start the writer with its end of the socket and a share in the lock; raises OSError.

    What is given waits until the process is gone, and says how it ended.  The lock is free when both of us
    have let go of it, so whoever takes the journal next never meets a writer that is still finishing.
    """
    command = [sys.executable, "-P", "-m", "protocols.journal.worker_process", str(sock.fileno())]
    old = signal.pthread_sigmask(signal.SIG_BLOCK, _NOT_FOR_IT)
    try:
        # The child inherits what is blocked here, and so is deaf to it from its first moment.
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": _path()},
            pass_fds=(sock.fileno(), *lock),
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)
    return lambda: _see_out(child)


def _path() -> str:
    """Let the child find the modules that we have found, however we are installed and wherever we are."""
    return os.pathsep.join(os.path.abspath(each) for each in sys.path)


def _see_out(child: subprocess.Popen[bytes]) -> str:
    status = child.wait()
    how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
    return f"process {child.pid} {how}"
