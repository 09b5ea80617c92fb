"""error_levels.py - a committee, its labels, and levels by error from their definition

make TASKS FRAMES MODELS SEED   trajectories, forces, entries; the truth in truth.json
label EVERY                     of what the probe drew: labels.extxyz; every so many fails
                                (0: none)
table                           score of every frame, and error of what was drawn
count SCORE                     frames of the table up to it
grid TARGET COVERAGE CONFIDENCE the level with a confidence, by ranges of scores
"""

import glob
import json
import math
import random
import re
import sys

ATOMS = 4


def write_dump(file, step, columns, rows):
    file.write(f"ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{ATOMS}\n")
    file.write("ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n")
    file.write(f"ITEM: ATOMS {columns}\n")
    for i, row in enumerate(rows):
        file.write(f"{i + 1} {'1 ' if 'type' in columns else ''}{row[0]!r} {row[1]!r} {row[2]!r}\n")


def vectors(width):
    return [[random.gauss(0, width) for _ in range(3)] for _ in range(ATOMS)]


def make(tasks, frames, models, seed):
    random.seed(seed)
    truth = {}
    entries = open("entries", "w")
    for task in range(tasks):
        names = [f"f{task}.{k}" for k in range(models)]
        files = [open(name, "w") for name in names]
        trajectory = open(f"t{task}", "w")
        for step in range(10, 10 * frames + 1, 10):
            hard = random.random() ** 2
            places = [[9 * random.random() for _ in range(3)] for _ in range(ATOMS)]
            write_dump(trajectory, step, "id type x y z", places)
            force, bias = vectors(1), vectors(hard)
            truth[f"{task}:{step}"] = force
            for file in files:
                noise = vectors(0.6 * hard)
                rows = [[sum(v) for v in zip(*row)] for row in zip(force, bias, noise)]
                write_dump(file, step, "id fx fy fz", rows)
        entry = {"task": task, "system": f"s{task % 2}", "trajectory": f"t{task}",
                 "forces": names, "expected_frames": frames}
        entries.write(json.dumps(entry) + "\n")
    json.dump(truth, open("truth.json", "w"))


def drawn():
    """Key, header and atoms of each frame that the probe drew."""
    for path in sorted(glob.glob("probe/frames/*.extxyz")):
        lines = open(path).read().splitlines()
        for i in range(0, len(lines), 2 + ATOMS):
            task, step = re.search(r"task=(\d+) step=(\d+)", lines[i + 1]).groups()
            yield f"{task}:{step}", lines[i + 1], lines[i + 2:i + 2 + ATOMS]


def label(every):
    truth = json.load(open("truth.json"))
    with open("labels.extxyz", "w") as out:
        for n, (key, head, atoms) in enumerate(drawn(), 1):
            if every and n % every == 0:
                continue
            lattice = re.search(r'Lattice="[^"]*"', head)[0]
            out.write(f'{ATOMS}\n{lattice} Properties=species:S:1:pos:R:3:forces:R:3 energy=-1 pbc="T T T"\n')
            for atom, force in zip(atoms, truth[key]):
                out.write(f"{atom} {force[0]!r} {force[1]!r} {force[2]!r}\n")


def read_dump(path):
    lines = open(path).read().splitlines()
    for i in range(0, len(lines), 9 + ATOMS):
        rows = lines[i + 9:i + 9 + ATOMS]
        yield int(lines[i + 1]), [[float(x) for x in row.split()[1:4]] for row in rows]


def score_and_error(forces, truth):
    score = error = 0
    for atom in range(ATOMS):
        variance = squared = 0
        for c in range(3):
            values = [force[atom][c] for force in forces]
            mean = sum(values[1:], values[0]) / len(values)
            variance += sum((v - mean) ** 2 for v in values) / len(values)
            squared += (mean - truth[atom][c]) ** 2
        score = max(score, math.sqrt(variance))
        error = max(error, math.sqrt(squared))
    return score, error


def table():
    truth = json.load(open("truth.json"))
    labels = open("labels.extxyz").read()
    labelled = {key: atoms[0] in labels for key, _, atoms in drawn()}
    with open("table", "w") as out:
        for line in open("entries"):
            entry = json.loads(line)
            for frames in zip(*(read_dump(path) for path in entry["forces"])):
                key = f"{entry['task']}:{frames[0][0]}"
                score, error = score_and_error([f for _, f in frames], truth[key])
                of_label = repr(error) if labelled.get(key) else "nan"
                out.write(f"{score!r} {of_label}\n" if key in labelled else f"{score!r}\n")


def read_table():
    for line in open("table"):
        words = [float(word) for word in line.split()]
        yield words[0], None if len(words) == 1 else math.inf if math.isnan(words[1]) else words[1]


def grid(target, coverage, confidence):
    """101 quantiles, each the largest score of the range of 1/64 octave it is in."""
    q = 1 - coverage
    frames = sorted(read_table(), key=lambda frame: frame[0])

    def range_of(score):
        return math.floor(64 * math.log2(score) + 1e-12)

    def unlikely(m, wrong):
        tail = sum(math.comb(m, i) * q**i * (1 - q) ** (m - i) for i in range(wrong + 1))
        return tail <= 1 - confidence + 1e-12

    low = None
    for k in range(101):
        rank = max(1, -(-k * len(frames) // 100))
        at = range_of(frames[rank - 1][0])
        up_to = [f for f in frames if range_of(f[0]) <= at]
        errors = [e for _, e in up_to if e is not None]
        if not errors or not unlikely(len(errors), 0):
            continue
        if not unlikely(len(errors), sum(e > target for e in errors)):
            break
        low = up_to[-1][0]
    print(json.dumps(low))


if __name__ == "__main__":
    command, *numbers = sys.argv[1:]
    if command == "make":
        make(*map(int, numbers))
    elif command == "label":
        label(int(numbers[0]))
    elif command == "table":
        table()
    elif command == "count":
        print(sum(score <= float(numbers[0]) for score, _ in read_table()))
    elif command == "grid":
        grid(*map(float, numbers))
