#!/usr/bin/env python3
"""A worker of Fanfold that labels frames with any calculator of ASE.

usage: label.py CALCULATOR [ARGUMENTS]

CALCULATOR is what an import would name, MODULE:NAME; ARGUMENTS, a JSON object, are what
it is called with.  For example

    ase.calculators.emt:EMT
    gpaw:GPAW '{"mode": "lcao", "basis": "dzp", "kpts": [2, 2, 2]}'
    mace.calculators:mace_mp '{"model": "medium", "device": "cuda"}'
    fairchem.core:FAIRChemCalculator.from_model_checkpoint \\
        '{"name_or_path": "uma-s-1p1", "task_name": "omat"}'

The calculator is made once, before the first task.  The protocol: fanfold-worker(7).
"""
import json
import os
import sys
import traceback
from functools import reduce
from importlib import import_module

# Standard output is for messages: what libraries print goes to the task's log.
messages = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def say(**message):
    print(json.dumps(message), file=messages, flush=True)


import ase  # noqa: E402
import ase.io  # noqa: E402
from ase.calculators.calculator import PropertyNotImplementedError  # noqa: E402
from ase.calculators.singlepoint import SinglePointCalculator  # noqa: E402


def label(source, target, calculator):
    """Write the frame of the one file to the other, with its labels."""
    atoms = ase.io.read(source)
    atoms.calc = calculator
    labels = {"energy": atoms.get_potential_energy(), "forces": atoms.get_forces()}
    if atoms.pbc.all():
        try:
            labels["stress"] = atoms.get_stress()
        except PropertyNotImplementedError:
            pass  # there are calculators without
    atoms.calc = SinglePointCalculator(atoms, **labels)
    ase.io.write(target, atoms, format="extxyz")


module, name = sys.argv[1].split(":")
arguments = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
calculator = reduce(getattr, name.split("."), import_module(module))(**arguments)
say(type="hello", protocol=1, program="label.py, ASE " + ase.__version__)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "task":
        continue
    os.chdir(message["dir"])
    task = json.load(open("task.json"))
    try:
        label(task["inputs"]["frames"], task["outputs"]["frame"], calculator)
        say(type="result", task=message["task"])
    except Exception as error:  # the next frame gets a new process, and calculator
        traceback.print_exc()
        say(type="error", task=message["task"], kind="failed", bye=True,
            message=str(error)[:500].encode("utf-8", "replace").decode())
