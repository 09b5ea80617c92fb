"""Judges a committee: the operator committee.judge in campaign.yaml.

The set is written as a trajectory whose steps are the numbers of its frames, with the
deviations of each as DeePMD-kit has them; the errors are those of the committee's mean.
"""
import numpy as np
from fanfold import task

from potential import forces_of, read_frames


def committee(paths):
    return np.array([np.loadtxt(path) for path in paths]).T


def rmse(members, frames):
    errors = [forces_of(f, members).mean(axis=0) - f.forces for f in frames]
    return float(np.sqrt(np.mean(np.square(errors))))


members = committee(task.inputs.potentials)
whole = read_frames(task.inputs.whole)
rows = []
with open(task.outputs.trajectory, "w") as trajectory:
    for number, frame in enumerate(whole):
        forces = forces_of(frame, members)
        distance = ((forces - forces.mean(axis=0)) ** 2).sum(axis=2)
        deviation = np.sqrt(distance.mean(axis=0))
        rows.append((number, 0, 0, 0, deviation.max(), deviation.min(), deviation.mean()))
        lines = frame.text.splitlines()
        trajectory.write("\n".join([lines[0], f"{lines[1]} step={number}"] + lines[2:]) + "\n")
np.savetxt(task.outputs.deviations, rows, fmt="%d" + 6 * " %.9e",
           header="step max_devi_v min_devi_v avg_devi_v max_devi_f min_devi_f avg_devi_f")
held_out = read_frames(task.inputs.held_out)
task.params(frames_expected=len(whole) - 1, system="whole", force_rmse=rmse(members, held_out),
            whole_rmse=rmse(committee(task.inputs.reference), held_out))
