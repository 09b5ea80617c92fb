"""Explores by molecular dynamics: the operator ase.explore in campaign.yaml.

Each task is a trajectory: Langevin dynamics by the mean of the committee, and beside the
frames how much its members disagree.
"""
from functools import lru_cache
from typing import NamedTuple

import ase.io
import numpy as np
from ase import units
from ase.md.langevin import Langevin
from ase.md.velocitydistribution import MaxwellBoltzmannDistribution
from fanfold import Each, File, Frames, Output, task

from potential import Committee

BROKEN = 10  # eV/angstrom: a committee that disagrees so much is simulated no further


class Explored(NamedTuple):
    frames_expected: int
    system: str


committee_of = lru_cache(maxsize=1)(Committee)  # the same in all tasks of a stage


def explore(start: Each[Frames], temperature: Each[float], scale: Each[float],
            potentials: list[File], steps: int = 100, dump_every: int = 10, *, seed: int,
            trajectory: Output[File], deviations: Output[File]) -> Explored:
    """Langevin dynamics by the mean of a committee, and how much it disagrees."""
    random = np.random.default_rng(seed)
    atoms = start.one()
    atoms.set_cell(atoms.cell * scale, scale_atoms=True)
    atoms.calc = committee = committee_of(tuple(potentials))
    MaxwellBoltzmannDistribution(atoms, temperature_K=temperature, rng=random)
    md = Langevin(atoms, 5 * units.fs, temperature_K=temperature, friction=0.02, rng=random)
    frames, rows = [], []

    def note():
        atoms.get_forces()
        disagree = committee.deviations
        frame = atoms.copy()
        frame.info = {"step": md.nsteps}
        frames.append(frame)
        rows.append((md.nsteps, 0, 0, 0, disagree.max(), disagree.min(), disagree.mean()))
        if md.nsteps % 100 == 0:
            task.progress(step=md.nsteps, deviation=round(float(disagree.max()), 4))

    note()
    for step in range(steps // dump_every):
        md.run(dump_every)
        note()
        if not rows[-1][4] < BROKEN:
            print("stopped at step %d: the committee disagrees by %g eV/angstrom"
                  % (md.nsteps, rows[-1][4]))
            break
    ase.io.write(trajectory, frames, format="extxyz", columns=["symbols", "positions"])
    np.savetxt(deviations, rows, fmt="%d" + 6 * " %.9e",
               header="step max_devi_v min_devi_v avg_devi_v max_devi_f min_devi_f avg_devi_f")
    return Explored(steps // dump_every, atoms.get_chemical_formula())
