#!/usr/bin/env python3
"""Train one member of the committee on a bootstrap resample of the frames.

usage: train.py SEED TARGET PARAMS ELEMENT... -- DATASET...
"""
import json
import sys

import ase.io
import numpy as np

from potential import Committee, fit, save

seed, target, params = int(sys.argv[1]), sys.argv[2], sys.argv[3]
end = sys.argv.index("--")
elements, datasets = sys.argv[4:end], sys.argv[end + 1:]
frames = [atoms for path in datasets for atoms in ase.io.read(path, ":")]
drawn = np.random.default_rng(seed).integers(len(frames), size=len(frames))
save(target, elements, fit([frames[i] for i in drawn], elements))

reference = [atoms.get_forces() for atoms in frames]
predicted = []
for atoms in frames:
    atoms.calc = Committee([target])
    predicted.append(atoms.get_forces())
error = np.concatenate(reference) - np.concatenate(predicted)
with open(params, "w") as f:
    json.dump({"frames": len(frames), "force_rmse": float(np.sqrt((error ** 2).mean()))}, f)
