# SPDX-License-Identifier: BSD-3-Clause
"""score.py IMAGES MODEL DIGITS"""
import sys

import net

images, model, digits = sys.argv[1:]
model = net.read_model(model)
best = []
for image in net.read_images(images):
    p = net.forward(model, image)[1]
    best.append(p.index(max(p)))
net.write_npy(digits, "i4", [len(best)], best)
