# SPDX-License-Identifier: BSD-3-Clause
"""A worker that runs tasks by a function with annotations.

usage: python3 -m fanfold.serve FILE FUNCTION

It is the `worker:` of an operator, in place of `command:` with fanfold.run.
"""
import os
import sys

from . import _messages


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: python3 -m fanfold.serve FILE FUNCTION")
    _messages.guard(always=True)
    from .functions import task_function
    from .workers import worker

    path, function = sys.argv[1:]
    worker(task_function(path, function), f"{os.path.basename(path)}:{function}")


if __name__ == "__main__":
    main()
