"""Make frames of random structures, by structures.make and by ASE: 40 ways of five.

Prints how many structures gave the same frames; stops at the first that did not.
"""
import json
import os
import subprocess

import numpy as np
from ase import Atoms
from ase.build import add_vacuum, make_supercell, surface
from ase.io import read, write

rng = np.random.default_rng(11)


def structure():
    """A right-handed cell that is not too flat, with atoms that keep apart."""
    while True:
        cell = np.diag(rng.uniform(3, 6, 3)) + rng.uniform(-1.5, 1.5, (3, 3))
        if rng.random() < 0.3:
            cell = np.diag(rng.uniform(3, 6, 3))
        n = int(rng.integers(1, 5))
        atoms = Atoms(rng.choice(["Al", "Mg", "O"], n), cell=cell, pbc=True,
                      scaled_positions=rng.uniform(-1, 2, (n, 3)))
        apart = make_supercell(atoms, np.diag([2, 2, 2])).get_all_distances(mic=True)
        if atoms.cell.volume > 25 and (n == 1 or apart[apart > 0].min() > 0.8):
            return atoms


def matrix():
    while True:
        rows = rng.integers(-2, 4, (3, 3))
        if 0 < np.linalg.det(rows) < 9:
            return rows


def miller():
    while True:
        indices = rng.integers(-3, 4, 3)
        if np.gcd.reduce(indices) == 1:
            return indices


def way():
    """The inputs, and what ASE makes by them of one structure."""
    inputs, steps = {}, []
    kind = rng.integers(4)
    if kind == 0:
        n = rng.integers(1, 4, 3)
        inputs["supercell"] = n.tolist()
        steps.append(lambda a: make_supercell(a, np.diag(n)))
    elif kind == 1:
        rows = matrix()
        inputs["supercell"] = rows.tolist()
        steps.append(lambda a: make_supercell(a, rows))
    elif kind == 2:
        hkl, layers, vacuum = miller(), int(rng.integers(1, 4)), float(rng.uniform(5, 15))
        inputs["surface"] = {"miller": hkl.tolist(), "layers": layers, "vacuum": vacuum}

        def cut(a):
            slab = surface(a, hkl, layers, periodic=True)
            add_vacuum(slab, vacuum)
            return slab
        steps.append(cut)
    scales, strains = [1.0], [None]
    if rng.random() < 0.7:
        inputs["scale"] = scales = rng.uniform(0.9, 1.1, 3).round(3).tolist()
    if rng.random() < 0.7:
        inputs["strain"] = strains = rng.uniform(-0.05, 0.05, (2, 6)).round(4).tolist()

    def make(atoms):
        for step in steps:
            atoms = step(atoms)
        made = []
        for scale in scales:
            for strain in strains:
                one = atoms.copy()
                one.set_cell(one.cell * scale, scale_atoms=True)
                if strain:
                    xx, yy, zz, yz, xz, xy = strain
                    tensor = np.array([[xx, xy / 2, xz / 2], [xy / 2, yy, yz / 2],
                                       [xz / 2, yz / 2, zz]])
                    one.set_cell(one.cell @ (np.eye(3) + tensor), scale_atoms=True)
                made.append(one)
        return made
    return inputs, make, "surface" in inputs


def same(ours, theirs, slab):
    """Atoms of a slab may be put into the cell along the surface."""
    if not np.allclose(ours.cell, theirs.cell, atol=1e-7) or not ours.pbc.all():
        return False
    apart = np.linalg.solve(theirs.cell[:].T, (ours.positions - theirs.positions).T).T
    if slab:
        apart[:, :2] -= np.round(apart[:, :2])
    return list(ours.symbols) == list(theirs.symbols) and np.abs(apart).max() < 1e-7


good = 0
for number in range(40):
    names, sources = [], []
    for k in range(5):
        name = os.path.abspath(f"s{k}.{'vasp' if k % 2 else 'xyz'}")
        write(name, structure())
        names.append(name)
        sources.append(read(name))
    inputs, make, slab = way()
    task = {"format": 1, "campaign_dir": os.getcwd(), "outputs": {"frames": "out/frames.xyz"},
            "inputs": {"structures": names, "elements": ["Al", "Mg", "O"], "seed": 1,
                       "draws": 1, "least_distance": 0.01, **inputs}}
    with open("task.json", "w") as file:
        json.dump(task, file)
    subprocess.run(["fanfold", "operator", "structures.make", "make"], check=True)
    made = read("out/frames.xyz", ":")
    expected = [make(atoms) for atoms in sources]
    assert len(made) == sum(map(len, expected)), (inputs, len(made))
    for atoms, frames in zip(sources, expected):
        for frame in frames:
            assert same(made.pop(0), frame, slab), (inputs, atoms.cell[:], atoms.positions)
        good += 1
print(good)
