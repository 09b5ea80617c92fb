"""Compare what lammps.properties says of aluminium with ASE's own EAM.

usage: against_ase.py VALUES POTENTIAL ...

VALUES is the output `values` as JSON, of the crystal fcc; potentials are those of the
members.  Constants are second differences of energies here, stresses there; vacancy and
surface are relaxed by BFGS.  Prints what differs by more than 1 %, or how many are equal.
"""

import json
import sys

import numpy as np
from ase.build import bulk, surface
from ase.calculators.eam import EAM
from ase.eos import EquationOfState
from ase.optimize import BFGS
from ase.units import GPa, J, m

SIZE = 0.005


def energy(atoms, calculator, relax=False):
    atoms.calc = calculator
    if relax:
        BFGS(atoms, logfile=None).run(fmax=1e-3, steps=300)
    return atoms.get_potential_energy()


def strained(crystal, tensor):
    atoms = crystal.copy()
    atoms.set_cell(crystal.cell[:] @ (np.eye(3) + tensor), scale_atoms=True)
    return atoms


def density(crystal, calculator, tensor):
    return energy(strained(crystal, tensor), calculator) / crystal.get_volume()


def constants(crystal, calculator):
    """c11, c12 and c44 of a cubic crystal at rest, by (E(+) - 2 E(0) + E(-)) / h^2."""

    def second(tensor):
        plus, minus = (density(crystal, calculator, s * SIZE * tensor) for s in (1, -1))
        return (plus - 2 * density(crystal, calculator, 0 * tensor) + minus) / SIZE**2

    uniaxial = np.diag([1.0, 0, 0])
    pair = np.diag([1.0, 1.0, 0])
    shear = np.zeros((3, 3))
    shear[1, 2] = shear[2, 1] = 0.5
    c11 = second(uniaxial)
    return {"c11": c11 / GPa, "c12": (second(pair) / 2 - c11) / GPa, "c44": second(shear) / GPa}


def properties(calculator):
    def cell(volume):
        return bulk("Al", "fcc", a=(4 * volume) ** (1 / 3), cubic=True)

    volumes = [16.6 * x for x in np.linspace(0.94, 1.06, 13)]
    curve = [energy(cell(v), calculator) / 4 for v in volumes]
    v0 = EquationOfState(volumes, curve, eos="birchmurnaghan").fit()[0]
    volumes = [v0 * x for x in np.linspace(0.94, 1.06, 7)]
    curve = [energy(cell(v), calculator) / 4 for v in volumes]
    v0, e0, b0 = EquationOfState(volumes, curve, eos="birchmurnaghan").fit()
    crystal = cell(v0)
    each = energy(crystal, calculator) / 4
    hole = crystal.repeat(2)
    del hole[0]
    slab = surface(crystal, (1, 0, 0), 3, periodic=True)
    slab.cell[2, 2] += 10
    area = np.linalg.norm(np.cross(slab.cell[0], slab.cell[1]))
    excess = energy(slab, calculator, True) - len(slab) * each
    return {
        "e0": e0,
        "v0": v0,
        "b0": b0 / GPa,
        **constants(crystal, calculator),
        "vacancy": energy(hole, calculator, True) - len(hole) * each,
        "surface_1_0_0": excess / (2 * area) / (J / m**2),
    }


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        values = json.load(f)["fcc"]
    equal = 0
    for k, potential in enumerate(sys.argv[2:]):
        for name, expected in properties(EAM(potential=potential)).items():
            value = values[name]["members"][k]
            if abs(value - expected) > 0.01 * abs(expected):
                print(f"member {k}: {name} is {value}, ASE says {expected}")
            else:
                equal += 1
    print(equal)


main()
