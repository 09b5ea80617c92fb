# SPDX-License-Identifier: BSD-3-Clause
"""Options of commands; what no recording has is not made up."""
import getopt

from openpbs.state import Reply


def options(args, letters):
    try:
        flags, operands = getopt.gnu_getopt(args, letters)
    except getopt.GetoptError:
        refuse_to_emulate("", args)
    return dict(flags), operands


def refuse_to_emulate(name, args):
    raise Reply(99, "fake pbs: no recording has %s %s\n" % (name, " ".join(args)))
