# SPDX-License-Identifier: BSD-3-Clause
"""Some steps of gradient descent: the operator mlp.fit in campaign.yaml."""
import math

import net
from fanfold import task


def step(model, images, labels, rate):
    """One step of gradient descent; the mean loss before it."""
    inner = [[0.0] * net.PIXELS for _ in model[0]]
    outer = [[0.0] * net.HIDDEN for _ in model[1]]
    loss = 0.0
    for image, label in zip(images, labels):
        hidden, p = net.forward(model, image)
        loss -= math.log(p[label]) / len(images)
        error = [(p[k] - (k == label)) / len(images) for k in range(net.DIGITS)]
        for k in range(net.DIGITS):
            for h in range(net.HIDDEN):
                outer[k][h] += error[k] * hidden[h]
        for h in range(net.HIDDEN):
            back = sum(error[k] * model[1][k][h] for k in range(net.DIGITS))
            back *= 1 - hidden[h] ** 2
            inner[h] = [g + back * x for g, x in zip(inner[h], image)]
    for layer, gradient in zip(model, (inner, outer)):
        for row, slope in zip(layer, gradient):
            row[:] = [w - rate * g for w, g in zip(row, slope)]
    return loss


images, labels = net.read_images(task.inputs.images), net.read_npy(task.inputs.labels)[1]
model = net.read_model(task.inputs.model, task.seed)
losses = [step(model, images, labels, task.inputs.rate) for _ in range(task.inputs.steps)]
net.write_npy(task.outputs.loss, "f8", [len(losses)], losses)
net.write_model(task.outputs.model, model)
