"""Picks frames out of the set: the operator subset.pick in campaign.yaml."""
import numpy as np
from fanfold import task

from potential import read_frames

whole = [read_frames(path) for path in task.inputs.whole]
if task.inputs.iteration_now == 0:
    places = [(f, n) for f, frames in enumerate(whole) for n in range(len(frames))]
    drawn = np.random.default_rng(task.seed).permutation(len(places))[:task.inputs.first]
    chosen = [places[i] for i in drawn]
else:
    chosen = [(int(f.key("task")), int(f.key("step")))
              for path in task.inputs.selected for f in read_frames(path)]
with open(task.outputs.dataset, "w") as dataset:
    dataset.write("".join(whole[f][n].text for f, n in sorted(chosen)))
