"""Trains one member of a committee: the operator density.train in campaign.yaml."""
import numpy as np
from fanfold import task

from potential import fit, read_frames

frames = [f for path in task.inputs.datasets for f in read_frames(path)]
random = np.random.default_rng([task.seed, task.inputs.model])
drawn = random.integers(len(frames), size=len(frames))
np.savetxt(task.outputs.potential, fit(frames, np.bincount(drawn, minlength=len(frames))))
task.params(frames=len(frames))
