# SPDX-License-Identifier: BSD-3-Clause
"""peer_numpy.py - what fanfold-reduce is compared with, in numpy

usage: peer_numpy.py deviations FILE...      as DP-GEN selects
       peer_numpy.py forces ATOMS TRAJECTORY DUMP...   one dump for each model

Prints how many frames are accurate, candidates and failed.  Written from the
definitions: every row of numpy.loadtxt is looked at by itself.  Of dumps what
fanfold-reduce reads is read: steps, which have to be the same, atoms by their
ids, and positions, which have to be numbers.
"""
import sys

import numpy as np

F_LOW, F_HIGH, V_LOW, V_HIGH = 0.2, 0.4, 1e10, 1e10


def classify(f, v, counts):
    if V_LOW <= v < V_HIGH or F_LOW <= f < F_HIGH:
        counts["candidate"].append((f, v))
    elif v >= V_HIGH or f >= F_HIGH:
        counts["failed"].append((f, v))
    elif v < V_LOW and f < F_LOW:
        counts["accurate"].append((f, v))
    else:
        raise RuntimeError("it should not happen")


def deviations(paths, counts):
    for path in paths:
        table = np.loadtxt(path, usecols=range(7), ndmin=2)
        for row in table:
            classify(row[4], row[1], counts)


def frames(path, atoms):
    with open(path) as dump:
        while dump.readline():
            step = int(dump.readline())
            for _ in range(7):
                dump.readline()
            table = np.loadtxt(dump, usecols=(0, 2, 3, 4), max_rows=atoms)
            yield step, table[np.argsort(table[:, 0])]


def forces(atoms, paths, counts):
    for files in zip(*(frames(path, atoms) for path in paths)):
        steps, tables = zip(*files)
        tables = np.array(tables)
        if len(set(steps)) != 1 or not np.isfinite(tables[0]).all():
            raise RuntimeError("other frames, or no numbers")
        if (tables[1:, :, 0] != tables[0, :, 0]).any():
            raise RuntimeError("other atoms")
        deviation = np.linalg.norm(np.std(tables[1:, :, 1:], axis=0), axis=-1)
        classify(np.max(deviation), 0.0, counts)


def main():
    counts = {"accurate": [], "candidate": [], "failed": []}
    if sys.argv[1] == "deviations":
        deviations(sys.argv[2:], counts)
    else:
        forces(int(sys.argv[2]), sys.argv[3:], counts)
    print(*(len(counts[c]) for c in ("accurate", "candidate", "failed")))


main()
