#!/usr/bin/env python3
"""A worker of Fanfold that explores by molecular dynamics with a committee.

Each task is a trajectory: Langevin dynamics by the mean of the committee, and beside the
frames how much its members disagree.  The potentials, the same in all tasks of a stage,
are read once.  The protocol: fanfold-worker(7).
"""
import json
import os
import sys

messages = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import ase.io  # noqa: E402
import numpy as np  # noqa: E402
from ase import units  # noqa: E402
from ase.md.langevin import Langevin  # noqa: E402
from ase.md.velocitydistribution import MaxwellBoltzmannDistribution  # noqa: E402

from potential import Committee  # noqa: E402

BROKEN = 10  # eV/angstrom: a committee that disagrees so much is simulated no further


def say(**message):
    print(json.dumps(message), file=messages, flush=True)


def explore(number, task, committee):
    inputs, outputs = task["inputs"], task["outputs"]
    random = np.random.default_rng(task["seed"])
    atoms = ase.io.read(inputs["start"])
    atoms.set_cell(atoms.cell * inputs["scale"], scale_atoms=True)
    atoms.calc = committee
    MaxwellBoltzmannDistribution(atoms, temperature_K=inputs["temperature"], rng=random)
    md = Langevin(atoms, 5 * units.fs, temperature_K=inputs["temperature"],
                  friction=0.02, rng=random)
    frames, rows = [], []

    def note():
        atoms.get_forces()
        deviations = committee.deviations
        frame = atoms.copy()
        frame.info = {"step": md.nsteps}
        frames.append(frame)
        rows.append((md.nsteps, 0, 0, 0, deviations.max(), deviations.min(), deviations.mean()))
        if md.nsteps % 100 == 0 and deviations.max() < BROKEN:  # JSON has no NaN
            say(type="report", task=number,
                report={"step": md.nsteps, "deviation": round(float(deviations.max()), 4)})

    note()
    for step in range(inputs["steps"] // inputs["dump_every"]):
        md.run(inputs["dump_every"])
        note()
        if not rows[-1][4] < BROKEN:
            print("stopped at step %d: the committee disagrees by %g eV/angstrom"
                  % (md.nsteps, rows[-1][4]))
            break
    ase.io.write(outputs["trajectory"], frames, format="extxyz", columns=["symbols", "positions"])
    np.savetxt(outputs["deviations"], rows, fmt="%d" + 6 * " %.9e",
               header="step max_devi_v min_devi_v avg_devi_v max_devi_f min_devi_f avg_devi_f")
    with open("params.json", "w") as f:
        json.dump({"frames_expected": inputs["steps"] // inputs["dump_every"],
                   "system": atoms.get_chemical_formula()}, f)


known = {}
say(type="hello", protocol=1, program="explore.py, ASE " + ase.__version__)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "task":
        continue
    os.chdir(message["dir"])
    task = json.load(open("task.json"))
    paths = tuple(task["inputs"]["potentials"])
    if paths not in known:
        known = {paths: Committee(paths)}
    explore(message["task"], task, known[paths])
    say(type="result", task=message["task"])
