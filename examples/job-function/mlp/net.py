# SPDX-License-Identifier: BSD-3-Clause
"""A network with one hidden layer, and NumPy's files, in plain Python."""
import ast
import math
import os
import random
import struct

PIXELS, HIDDEN, DIGITS = 28 * 28, 8, 10
LETTERS = {"f4": "f", "f8": "d", "i4": "i"}


def read_npy(path):
    """Shape and values."""
    with open(path, "rb") as file:
        file.read(8)
        header = ast.literal_eval(file.read(struct.unpack("<H", file.read(2))[0]).decode())
        n = math.prod(header["shape"])
        letter = LETTERS[header["descr"][1:]]
        return header["shape"], struct.unpack(f"<{n}{letter}", file.read())


def write_npy(path, dtype, shape, values):
    header = f"{{'descr': '<{dtype}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{LETTERS[dtype]}", *values))


def read_images(path):
    shape, values = read_npy(path)
    return [values[i * PIXELS : (i + 1) * PIXELS] for i in range(shape[0])]


def read_model(directory, seed=0):
    """Weights of both layers; random ones where nothing was trained."""
    with open(os.path.join(directory, "weights")) as file:
        rows = [[float(word) for word in line.split()] for line in file]
    if rows:
        return [rows[:HIDDEN], rows[HIDDEN:]]
    draw = random.Random(seed)
    return [
        [[draw.gauss(0, 0.05) for _ in range(PIXELS)] for _ in range(HIDDEN)],
        [[draw.gauss(0, 0.3) for _ in range(HIDDEN)] for _ in range(DIGITS)],
    ]


def write_model(directory, model):
    os.makedirs(directory)
    with open(os.path.join(directory, "weights"), "w") as file:
        file.writelines(" ".join(map(repr, row)) + "\n" for layer in model for row in layer)


def forward(model, image):
    """The hidden layer, and the probability of each digit."""
    hidden = [math.tanh(sum(map(float.__mul__, row, image))) for row in model[0]]
    out = [sum(map(float.__mul__, row, hidden)) for row in model[1]]
    most = max(out)
    powers = [math.exp(x - most) for x in out]
    total = sum(powers)
    return hidden, [p / total for p in powers]
