"""A potential for a metal of one element, linear in its coefficients, and its data.

An atom sees its neighbours as densities, one for each radial function g_k, which vanishes
at the cutoff; its energy is a quadratic form of these:

    rho_k = sum over neighbours of g_k(r)
    E = c_0 + sum_k c_k rho_k + sum_{k <= l} c_kl rho_k rho_l
"""
import re

import numpy as np

CUTOFF = 5.0  # angstrom
DECAYS = np.array([0.3, 0.7, 1.3, 2.2, 3.6])  # 1/angstrom
UPPER = np.triu_indices(len(DECAYS))
N = 1 + len(DECAYS) + len(UPPER[0])


class Frame:
    """A frame of extended XYZ: its text, and what it says; labels where it has them."""

    def __init__(self, lines):
        self.text = "\n".join(lines) + "\n"
        self.keys = lines[1]
        rows = np.array([line.split()[1:7] for line in lines[2:]], float)
        self.cell = np.array(self.key("Lattice").split(), float).reshape(3, 3)
        self.positions, self.forces = rows[:, :3], rows[:, 3:]
        self.energy = float(self.key("energy") or "nan")

    def key(self, name):
        """The value of name=...; None where it is not there."""
        found = re.search(rf'(?:^|\s){name}=("[^"]*"|\S+)', self.keys)
        return found and found.group(1).strip('"')


def read_frames(path):
    with open(path) as file:
        lines = file.read().splitlines()
    frames, at = [], 0
    while at < len(lines):
        n = int(lines[at]) + 2
        frames.append(Frame(lines[at:at + n]))
        at += n
    return frames


def neighbours(frame):
    """All i, j, the directions from i to images of j within the cutoff, and distances."""
    counts = [int(np.ceil(CUTOFF * np.linalg.norm(v))) for v in np.linalg.inv(frame.cell).T]
    images = np.array(list(np.ndindex(*[2 * c + 1 for c in counts]))) - counts
    x = frame.positions
    vectors = x[None, :, None] - x[:, None, None] + images @ frame.cell
    r = np.linalg.norm(vectors, axis=3)
    i, j, image = np.nonzero((r < CUTOFF) & (r > 1e-9))
    r = r[i, j, image]
    return i, j, vectors[i, j, image] / r[:, None], r


def design(frame):
    """What energy (a row) and forces (three rows an atom) are linear in."""
    i, j, unit, r = neighbours(frame)
    n, K = len(frame.positions), len(DECAYS)
    decay = np.exp(-np.outer(r - 2.5, DECAYS))
    cut = 0.5 * (1 + np.cos(np.pi * r / CUTOFF))[:, None]
    slope = decay * (-0.5 * np.pi / CUTOFF * np.sin(np.pi * r / CUTOFF)[:, None] - DECAYS * cut)
    rho = np.zeros((n, K))
    np.add.at(rho, i, decay * cut)
    a, b = UPPER
    energy = np.hstack([np.ones((n, 1)), rho, rho[:, a] * rho[:, b]]).sum(axis=0)
    change = np.zeros((n, K, N))  # of these with each density of an atom
    change[:, np.arange(K), 1 + np.arange(K)] = 1
    products = 1 + K + np.arange(len(a))
    change[:, a, products] += rho[:, b]
    change[:, b, products] += rho[:, a]
    along = np.einsum("pk,pkf->pf", slope, change[i])[:, None] * unit[:, :, None]
    forces = np.zeros((n, 3, N))
    np.add.at(forces, i, along)
    np.add.at(forces, j, -along)
    return np.vstack([energy[None], forces.reshape(3 * n, N)])


def fit(frames, times, ridge=1e-8):
    """Coefficients by least squares: energies per atom and forces count alike, each frame
    as often as said."""
    gram, right = np.zeros((N, N)), np.zeros(N)
    for frame, weight in zip(frames, times):
        n = len(frame.positions)
        scale = np.concatenate([[1 / n], np.full(3 * n, n ** -0.5)])
        rows = design(frame) * scale[:, None]
        target = np.concatenate([[frame.energy], frame.forces.ravel()]) * scale
        gram += weight * rows.T @ rows
        right += weight * rows.T @ target
    size = np.sqrt(np.diag(gram)) + 1e-12
    scaled = gram / np.outer(size, size) + ridge * np.eye(N)
    return np.linalg.solve(scaled, right / size) / size


def forces_of(frame, members):
    """Forces (members, atoms, 3) of a committee, whose coefficients are columns."""
    return (design(frame)[1:] @ members).T.reshape(members.shape[1], -1, 3)
