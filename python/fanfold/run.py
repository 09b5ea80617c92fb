# SPDX-License-Identifier: BSD-3-Clause
"""Runs a task by a function with annotations.

usage: python3 -m fanfold.run FILE FUNCTION

It is the `command:` of an operator, which `fanfold new --operator FILE:FUNCTION` writes.
"""
import sys


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: python3 -m fanfold.run FILE FUNCTION")
    from .functions import task_function
    from .tasks import task

    task_function(sys.argv[1], sys.argv[2])(task)


if __name__ == "__main__":
    main()
