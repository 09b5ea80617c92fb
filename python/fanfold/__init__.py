# SPDX-License-Identifier: BSD-3-Clause
"""Fanfold in Python: operators, workers and campaigns.  See fanfold-python(7).

    from fanfold import task        # what the task at hand is given
    task.inputs.frames.read()
    task.params(force_rmse=0.1)

Of a worker this must be imported before whatever prints to standard output: from then on
what is printed goes to the log of the task.
"""
from ._messages import guard as _guard

_guard()

from .artifact import Array, Artifact, Dir, Each, File, Frames, Output  # noqa: E402
from .campaign import Campaign, FanfoldError  # noqa: E402
from .tasks import Task, TaskError, task  # noqa: E402
from .workers import worker  # noqa: E402

__version__ = "0.1.0"
__all__ = [
    "Array",
    "Artifact",
    "Campaign",
    "Dir",
    "Each",
    "FanfoldError",
    "File",
    "Frames",
    "Output",
    "Task",
    "TaskError",
    "task",
    "worker",
]
