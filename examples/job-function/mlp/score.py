# SPDX-License-Identifier: BSD-3-Clause
"""The digit that a model sees in each image: the operator mlp.score in campaign.yaml."""
import net
from fanfold import Array, Dir, Output


def score(images: Array, model: Dir, digits: Output[Array]):
    layers = net.read_model(model)
    best = []
    for image in net.read_images(images):
        p = net.forward(layers, image)[1]
        best.append(p.index(max(p)))
    net.write_npy(digits, "i4", [len(best)], best)
