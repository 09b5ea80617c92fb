"""Trains the committee, embedded atoms for LAMMPS: the operator eam.train in campaign.yaml.

The energy of an atom is a pair potential over its neighbours and a function of the density
that they make,

    E_i = sum_j phi(r_ij) / 2 + F(rho_i)      rho_i = sum_j f(r_ij)

with f given, and phi and F linear in their coefficients.  A member is fitted by least
squares to a bootstrap resample of the frames, and written as a table that LAMMPS reads,
pair_style eam/alloy.
"""
from typing import Annotated, NamedTuple

import numpy as np
from ase.data import atomic_masses, atomic_numbers
from ase.neighborlist import neighbor_list
from fanfold import Each, File, Frames, Output

CUTOFF = 6.0  # angstrom
NEAREST = 2.86  # angstrom, of the crystal
DECAYS = np.array([1.2, 2.1, 3.0, 4.2])  # 1/angstrom, of phi
POWERS = np.array([0.5, 0.75, 1.5, 2.0])  # of rho, in F
POINTS = 2000  # of each table
DENSITY_MOST = 40.0


def cut(r):
    """Falls smoothly to 0 at the cutoff, and its slope."""
    x = np.clip(r / CUTOFF, 0, 1)
    return (1 - x**4) ** 2, -8 * x**3 * (1 - x**4) / CUTOFF


def exponentials(r, decays):
    """exp (-decay (r - NEAREST)), cut off, a column for each decay, and its slope."""
    value = np.exp(-np.outer(r - NEAREST, decays))
    smooth, slope = (column[:, None] for column in cut(r))
    return value * smooth, value * (slope - decays * smooth)


def density(r):
    value, slope = exponentials(r, np.array([2.3]))
    return value[:, 0], slope[:, 0]


def design(atoms):
    """Rows of the energy and the forces, columns of the coefficients of phi and F."""
    n = len(atoms)
    i, j, r, vector = neighbor_list("ijdD", atoms, CUTOFF)
    unit = vector / r[:, None]
    g, g_slope = exponentials(r, DECAYS)
    f, f_slope = density(r)
    rho = np.bincount(i, f, n)[:, None]
    energy = np.concatenate([g.sum(axis=0) / 2, (rho**POWERS).sum(axis=0)])
    embed = POWERS * rho ** (POWERS - 1)  # dF/drho of each atom
    # Along a pair: d/dr of all that both atoms have of it, half of it in each direction.
    along = np.hstack([g_slope, (embed[i] + embed[j]) * f_slope[:, None]])
    forces = np.zeros((n, 3, along.shape[1]))
    np.add.at(forces, i, unit[:, :, None] * along[:, None, :])
    return energy, forces.reshape(3 * n, -1)


def fit(frames, ridge=1e-9):
    """Energies per atom count ten times a force."""
    rows, target = [], []
    for atoms in frames:
        energy, forces = design(atoms)
        rows += [10 * energy[None] / len(atoms), forces]
        target += [[10 * atoms.get_potential_energy() / len(atoms)], atoms.get_forces().ravel()]
    rows, target = np.vstack(rows), np.concatenate(target)
    size = np.linalg.norm(rows, axis=0)
    gram = (rows / size).T @ (rows / size) + ridge * np.eye(len(size))
    return np.linalg.solve(gram, (rows / size).T @ target) / size


def write_table(path, element, coefficients):
    """The format setfl of M. Daw and M. Baskes: F over rho, f over r, r phi over r."""
    r = np.arange(POINTS) * CUTOFF / (POINTS - 1)
    rho = np.arange(POINTS) * DENSITY_MOST / (POINTS - 1)
    embed = (rho[:, None] ** POWERS) @ coefficients[len(DECAYS):]
    pair = exponentials(r, DECAYS)[0] @ coefficients[: len(DECAYS)]
    number = atomic_numbers[element]
    with open(path, "w") as table:
        table.write(f"Embedded atoms, fitted by Fanfold's example\n\n\n1 {element}\n")
        table.write(f"{POINTS} {rho[1]:.16g} {POINTS} {r[1]:.16g} {CUTOFF}\n")
        table.write(f"{number} {atomic_masses[number]} 4.05 fcc\n")
        for values in (embed, density(r)[0], r * pair):
            np.savetxt(table, values, "%.16g")


class Trained(NamedTuple):
    frames: Annotated[int, "how many frames it was trained on"]
    force_rmse: Annotated[float, "eV/angstrom on all of them"]


def train(model: Each[int], datasets: list[Frames], elements: list[str], *, seed: int,
          potential: Output[File]) -> Trained:
    """One member of the committee, fitted to a bootstrap resample of the frames."""
    frames = [atoms for dataset in datasets for atoms in dataset.read()]
    drawn = np.random.default_rng(seed).integers(len(frames), size=len(frames))
    coefficients = fit([frames[i] for i in drawn])
    write_table(potential, elements[0], coefficients)
    errors = [design(a)[1] @ coefficients - a.get_forces().ravel() for a in frames]
    return Trained(len(frames), float(np.sqrt(np.mean(np.concatenate(errors) ** 2))))
