# SPDX-License-Identifier: BSD-3-Clause
"""make_data.py IMAGES LABELS SEED: 16 pictures, each with a bar where its digit says."""
import random
import sys

import net

images, labels, seed = sys.argv[1:]
draw = random.Random(int(seed))
digits = [draw.randrange(net.DIGITS) for _ in range(16)]
pixels = [
    (1.0 if 2 * digit <= x // 28 < 2 * digit + 3 else 0.0) + 0.1 * draw.random()
    for digit in digits
    for x in range(net.PIXELS)
]
net.write_npy(images, "f4", [len(digits), 1, 28, 28], pixels)
net.write_npy(labels, "i4", [len(digits)], digits)
