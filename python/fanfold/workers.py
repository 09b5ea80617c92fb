# SPDX-License-Identifier: BSD-3-Clause
"""A worker: one process for many tasks, fanfold-worker(7)."""
import json
import os
import sys
import traceback
from typing import Any, Callable, Optional, TextIO

from . import _messages
from .tasks import Task, TaskError, task

_MESSAGE_CHARACTERS = 500


def _text(error: BaseException) -> str:
    text = str(error) or type(error).__name__
    if not isinstance(error, TaskError) and str(error):
        text = f"{type(error).__name__}: {text}"
    return text[:_MESSAGE_CHARACTERS].encode("utf-8", "replace").decode()


def _work(serve: Callable[[Task], Any], number: int) -> None:
    """Run one task and say how it ended.

    After an error that is no TaskError nobody knows what the process is good for, so the
    next task gets a new one ("bye").
    """
    try:
        serve(task)
    except TaskError as error:
        _messages.say(type="error", task=number, kind=error.kind, message=_text(error))
    except Exception as error:
        traceback.print_exc()
        kind = "out_of_memory" if isinstance(error, MemoryError) else "failed"
        _messages.say(type="error", task=number, kind=kind, message=_text(error), bye=True)
    else:
        sys.stdout.flush()
        _messages.say(type="result", task=number)


def _inbox() -> TextIO:
    """The messages of the agent; SERVE and what it starts find an empty standard input."""
    inbox = os.fdopen(os.dup(0), encoding="utf-8")
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return inbox


def worker(serve: Callable[[Task], Any], program: Optional[str] = None) -> None:
    """Call SERVE with each task that comes, in the task's directory; return when no more
    come.

    What SERVE raises is the task's failure: a TaskError by its kind, anything else as
    "failed" and the end of this process.  PROGRAM is kept in results: name and version.
    """
    _messages.guard(always=True)
    inbox = _inbox()
    hello = {"type": "hello", "protocol": 1}
    if program is not None:
        hello["program"] = program
    _messages.say(**hello)
    for line in inbox:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        if message["type"] == "task":
            os.chdir(message["dir"])
            task._begin(message["dir"], message["task"])
            _work(serve, message["task"])
