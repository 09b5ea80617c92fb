"""Trains the committee: the operator density.train in campaign.yaml."""
from typing import Annotated, NamedTuple

import numpy as np
from fanfold import Each, File, Frames, Output

from potential import Committee, fit, save


class Trained(NamedTuple):
    frames: Annotated[int, "how many frames it was trained on"]
    force_rmse: Annotated[float, "eV/angstrom on these"]


def train(model: Each[int], datasets: list[Frames], elements: list[str], *, seed: int,
          potential: Output[File]) -> Trained:
    """One member of the committee, trained on a bootstrap resample of the frames."""
    frames = [atoms for dataset in datasets for atoms in dataset.read()]
    drawn = np.random.default_rng(seed).integers(len(frames), size=len(frames))
    save(potential, elements, fit([frames[i] for i in drawn], elements))

    reference = np.concatenate([atoms.get_forces() for atoms in frames])
    committee = Committee([potential])
    error = np.concatenate([committee.get_forces(atoms) for atoms in frames]) - reference
    return Trained(len(frames), np.sqrt((error ** 2).mean()))
