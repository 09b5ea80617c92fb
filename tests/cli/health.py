"""health.py make SEED | judge PARAMS [CLOSEST] - trajectories some of which are not
sound, and what ASE's neighbour list finds of them

make writes t<TASK>.dump or .extxyz, d<TASK>.out, labelled.<K>.extxyz, entries and
health.json; judge prints how the numbers of a selection differ from that."""

import json
import random
import sys

import ase
import ase.io
import numpy as np
from ase.neighborlist import neighbor_list

ELEMENTS = ["Si", "O", "H"]
KINDS = ["ended_early", "broken", "too_close"]
SYSTEMS = ["cubic", "tilted", "single", "cluster"]
FRAMES, TASKS, EVERY = 25, 24, 10


def crystal(system, rng, squeeze):
    """Atoms that are about 'squeeze' times as far apart as they should be."""
    shape = {"cubic": (4, 3, 3), "tilted": (3, 3, 2), "single": (1, 1, 1), "cluster": (3, 2, 2)}[system]
    cell = np.diag(np.array(shape) * 2.3 * squeeze)
    if system == "tilted":
        cell[1, 0], cell[2, 0], cell[2, 1] = 0.7 * cell[0, 0], -0.4 * cell[0, 0], 0.3 * cell[1, 1]
    points = np.array([(x, y, z) for x in range(shape[0]) for y in range(shape[1]) for z in range(shape[2])])
    scaled = points / np.array(shape)
    positions = scaled @ cell + rng.normal(0, 0.12 * squeeze, (len(points), 3))
    # anywhere else: outside the cell, and of the cluster far from its origin
    positions += rng.integers(-2, 3, (len(points) if system != "cluster" else 1, 3)) @ cell
    symbols = [ELEMENTS[i % len(ELEMENTS)] for i in range(len(points))]
    if system == "cluster":
        return ase.Atoms(symbols, positions, cell=np.zeros((3, 3)), pbc=False)
    return ase.Atoms(symbols, positions, cell=cell, pbc=[True, True, system != "tilted"])


def dump(atoms, step):
    (lx, _, _), (xy, ly, _), (xz, yz, lz) = atoms.cell
    pbc = " ".join("pp" if p else "ff" for p in atoms.pbc)
    low, high = min(0, xy, xz, xy + xz), max(0, xy, xz, xy + xz)
    text = f"ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{len(atoms)}\n"
    if xy or xz or yz:
        text += f"ITEM: BOX BOUNDS xy xz yz {pbc}\n{low!r} {lx + high!r} {xy!r}\n"
        text += f"{min(0, yz)!r} {ly + max(0, yz)!r} {xz!r}\n0 {lz!r} {yz!r}\n"
    else:
        text += f"ITEM: BOX BOUNDS {pbc}\n0 {lx!r}\n0 {ly!r}\n0 {lz!r}\n"
    text += "ITEM: ATOMS id type x y z\n"
    for i, (symbol, p) in enumerate(zip(atoms.symbols, atoms.positions)):
        text += f"{i + 1} {ELEMENTS.index(symbol) + 1} {p[0]!r} {p[1]!r} {p[2]!r}\n"
    return text


def extxyz(atoms, step):
    lattice = ""
    if atoms.pbc.any():
        lattice = 'Lattice="' + " ".join(repr(v) for v in atoms.cell.flatten()) + '" '
        lattice += 'pbc="' + " ".join("T" if p else "F" for p in atoms.pbc) + '" '
    text = f"{len(atoms)}\n{lattice}Properties=species:S:1:pos:R:3 step={step}\n"
    for symbol, p in zip(atoms.symbols, atoms.positions):
        text += f"{symbol} {p[0]!r} {p[1]!r} {p[2]!r}\n"
    return text


def closest(atoms, cutoff):
    """{(A, B): distance} of each two elements that come closer than 'cutoff'."""
    found = {}
    for i, j, d in zip(*neighbor_list("ijd", atoms, cutoff)):
        pair = tuple(sorted((atoms.symbols[i], atoms.symbols[j]), key=ELEMENTS.index))
        found[pair] = min(found.get(pair, cutoff), d)
    return found


def make(seed):
    rng, choose = np.random.default_rng(seed), random.Random(seed)
    least = {}
    for k in range(3):
        with open(f"labelled.{k}.extxyz", "w") as f:
            for n in range(8):
                atoms = crystal(SYSTEMS[n % 4], rng, 1)
                f.write(extxyz(atoms, n))
                for pair, d in closest(atoms, 6.0).items():
                    least[pair] = min(least.get(pair, d), d)
    entries, tasks, conditions, blown = open("entries", "w"), [], [], []
    for t in range(TASKS):
        system, temperature = SYSTEMS[t % 4], choose.choice([300, 600, 900])
        ends = choose.choice([FRAMES] * 3 + [choose.randrange(2, FRAMES)])
        broken = choose.choice([None] * 5 + [choose.randrange(1, FRAMES)])
        squeezed = choose.choice([None] * 2 + [choose.randrange(0, FRAMES)])
        seen = {"task": t, "system": system, "conditions": {"temperature": temperature}, "frames": ends - 1}
        seen.update({"broken": None, "pairs": []})
        is_dump = system != "cluster" and t % 3 > 0
        path = f"t{t}." + ("dump" if is_dump else "extxyz")
        with open(path, "w") as f, open(f"d{t}.out", "w") as rows:
            for n in range(ends):
                step = n * EVERY
                atoms = crystal(system, rng, 0.72 if n == squeezed else choose.uniform(0.97, 1.05))
                rows.write(f"{step:12d}" + f"{0.1 + 0.01 * n:19.6e}" * 6 + "\n")
                text = (dump if is_dump else extxyz)(atoms, step)
                if n == broken:
                    text = text.rsplit(" ", 1)[0] + " nan\n"
                    seen["broken"] = step if seen["broken"] is None else seen["broken"]
                elif n > 0:
                    near = closest(atoms, max(least.values()))
                    seen["pairs"] += [(d / least[p], step, list(p), d, least[p]) for p, d in near.items() if p in least]
                f.write(text)
        tasks.append(seen)
        conditions.append(seen["conditions"])
        seen["blown_up"] = t == 5
        blown.append(t == 5)
        entry = {"task": t, "system": system, "trajectory": path, "deviations": f"d{t}.out"}
        entries.write(json.dumps({**entry, "expected_frames": FRAMES - 1}) + "\n")
    json.dump({"conditions": conditions, "blown_up": blown,
               "labelled": [f"labelled.{k}.extxyz" for k in range(3)]}, open("health.json", "w"))
    json.dump({"tasks": tasks, "least": [[list(p), d] for p, d in least.items()]}, open("seen.json", "w"))


def judge(tasks, part):
    """What params.json is to have."""
    groups, worst, healthy = {}, [], 0
    for t in tasks:
        found, where = [], {"task": t["task"], "system": t["system"], "conditions": t["conditions"]}
        broken = t["broken"] is not None and 0 < t["broken"] <= t["frames"] * EVERY
        if t["frames"] < FRAMES - 1 or t["blown_up"]:
            found.append((1 - t["frames"] / (FRAMES - 1), 0, {"frames": t["frames"], "expected": FRAMES - 1}))
        if broken:
            found.append((1.0, 1, {"step": t["broken"]}))
        near = [p for p in t["pairs"] if p[0] < part]
        if near:
            ratio, step, pair, d, least = min(near, key=lambda p: p[0])
            found.append((1 - ratio, 2, {"step": step, "pair": pair, "distance": d, "labelled": least}))
        key = (t["system"], t["conditions"]["temperature"])
        group = groups.setdefault(key, {"system": t["system"], "conditions": t["conditions"], "trajectories": 0,
                                        "healthy": 0, "ended_early": 0, "broken": 0, "too_close": 0})
        group["trajectories"] += 1
        group["healthy"] += not found
        healthy += not found
        for severity, kind, more in found:
            group[KINDS[kind]] += 1
            worst.append((-severity, t["task"], kind, {**where, "finding": KINDS[kind], **more}))
    return {"closest": part, "trajectories": len(tasks), "healthy": healthy, "missing_tasks": 0,
            **{k: sum(g[k] for g in groups.values()) for k in KINDS},
            "groups": list(groups.values()), "more_groups": 0,
            "worst": [w[3] for w in sorted(worst, key=lambda w: w[:3])[:10]]}


def differ(found, expected, where):
    if isinstance(expected, float) and isinstance(found, (int, float)):
        return abs(found - expected) > 1e-9 and print(f"{where}: {found}, expected {expected}")
    if isinstance(expected, dict) and isinstance(found, dict) and found.keys() == expected.keys():
        return [differ(found[k], expected[k], f"{where}.{k}") for k in expected]
    if isinstance(expected, list) and isinstance(found, list) and len(found) == len(expected):
        return [differ(found[k], expected[k], f"{where}[{k}]") for k in range(len(expected))]
    return found != expected and print(f"{where}: {found}, expected {expected}")


if sys.argv[1] == "make":
    make(int(sys.argv[2]))
else:
    seen, params = json.load(open("seen.json")), json.load(open(sys.argv[2]))
    wanted = judge(seen["tasks"], float(sys.argv[3]) if len(sys.argv) > 3 else 0.8)
    order = sorted(seen["least"], key=lambda l: [ELEMENTS.index(e) for e in l[0]])
    wanted["labelled"] = [{"pair": pair, "distance": d} for pair, d in order]
    differ(params["health"], wanted, "health")
    differ(params["healthy"], wanted["healthy"] / TASKS, "healthy")
    if not wanted["too_close"] or not wanted["broken"] or wanted["healthy"] < 2:
        print("this seed shows nothing")
