# SPDX-License-Identifier: BSD-3-Clause
"""Lines of a worker to the agent: fanfold-worker(7)."""
import os
import sys
from typing import Any, Optional, TextIO

from ._json import dumps

# Set by the agent for a worker, and for nothing that the worker starts.
_MARK = "FANFOLD_WORKER"

_messages: Optional[TextIO] = None


def guard(always: bool = False) -> None:
    """Of a worker: keep standard output for messages, and send what is printed, by C and
    Fortran too, to the task's log.  ALWAYS: it is a worker, whether the mark is there or
    not.  Done once."""
    global _messages
    marked = os.environ.pop(_MARK, None) is not None
    if _messages is None and (marked or always):
        sys.stdout.flush()
        _messages = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)


def say(**message: Any) -> None:
    """Write one message."""
    assert _messages is not None, "guard() comes first"
    print(dumps(message), file=_messages, flush=True)


def is_worker() -> bool:
    return _messages is not None
