"""A potential for a metal or an alloy, linear in its coefficients.

An atom sees its neighbours as densities, one for each of their elements b and each
radial function g_k, which vanishes at the cutoff:

    rho_bk = sum over neighbours of the element b of g_k(r)

and its energy is a quadratic form of these, with coefficients of its own element:

    E = c_0 + sum_m c_m rho_m + sum_{m <= n} c_mn rho_m rho_n        m, n: pairs bk

which holds pair potentials and embedding functions to second order, and no angles: what
effective medium theory and embedded atoms are made of.
"""
import numpy as np
from ase.calculators.calculator import Calculator, all_changes
from ase.neighborlist import neighbor_list

CUTOFF = 5.5  # angstrom
DECAYS = np.array([0.4, 0.9, 1.8, 3.4])  # 1/angstrom


def radial(r):
    """g_k(r) and dg_k/dr of each distance: exponentials, cut off smoothly."""
    decay = np.exp(-np.outer(r - 2.5, DECAYS))
    cut = 0.5 * (1 + np.cos(np.pi * r / CUTOFF))[:, None]
    slope = -0.5 * np.pi / CUTOFF * np.sin(np.pi * r / CUTOFF)[:, None]
    return decay * cut, decay * (slope - DECAYS * cut)


class Pairs:
    """The pairs of atoms within the cutoff, from a list that is made anew only when atoms
    have moved."""

    SKIN = 1.0  # angstrom

    def __init__(self):
        self.made_of = None

    def of(self, atoms):
        """Their numbers i and j, and the vectors from i to j."""
        if not self.is_good(atoms):
            self.made_of = atoms.copy()
            self.i, self.j, self.cells = neighbor_list("ijS", atoms, CUTOFF + self.SKIN)
        vector = (atoms.positions[self.j] - atoms.positions[self.i]
                  + self.cells @ atoms.cell.array)
        near = (vector ** 2).sum(axis=1) < CUTOFF ** 2
        return self.i[near], self.j[near], vector[near]

    def is_good(self, atoms):
        before = self.made_of
        return (before is not None and len(before) == len(atoms)
                and (before.cell == atoms.cell).all() and (before.pbc == atoms.pbc).all()
                and abs(before.positions - atoms.positions).max() < self.SKIN / 4)


class Features:
    """What the energies and forces of a structure are linear in."""

    def __init__(self, atoms, elements, pairs):
        self.n = len(atoms)
        self.kind = np.array([elements.index(s) for s in atoms.get_chemical_symbols()])
        self.i, self.j, vector = pairs
        r = np.sqrt((vector ** 2).sum(axis=1))
        self.unit = vector / r[:, None]
        g, self.slope = radial(r)
        self.m = len(elements) * len(DECAYS)
        # Which densities a pair adds to: those of its neighbour's element.
        self.column = self.kind[self.j][:, None] * len(DECAYS) + np.arange(len(DECAYS))
        self.rho = np.zeros((self.n, self.m))
        np.add.at(self.rho, (self.i[:, None], self.column), g)
        # A row for each atom, which adds up its pairs: a force on one, from the other.
        atom = np.arange(self.n)[:, None]
        self.force = (atom == self.i).astype(float) - (atom == self.j)
        self.upper = np.triu_indices(self.m)

    def energies(self):
        """The features of each atom: 1, densities, products of two."""
        products = self.rho[:, self.upper[0]] * self.rho[:, self.upper[1]]
        return np.hstack([np.ones((self.n, 1)), self.rho, products])

    def design(self, n_elements):
        """Rows of energy and forces, columns of all elements' coefficients."""
        own = self.energies()
        width = own.shape[1]
        energy = np.zeros((n_elements, width))
        np.add.at(energy, self.kind, own)
        # d(features of i)/d(rho of i), a row for each density
        change = np.zeros((self.n, self.m, width))
        for m in range(self.m):
            change[:, m, 1 + m] = 1
        a, b = self.upper
        columns = 1 + self.m + np.arange(len(a))
        change[:, a, columns] += self.rho[:, b]
        change[:, b, columns] += self.rho[:, a]
        along = np.einsum("pk,pkf->pf", self.slope, change[self.i[:, None], self.column])
        forces = np.zeros((n_elements, self.n, 3, width))
        for s in range(n_elements):
            of_s = self.force * (self.kind[self.i] == s)
            for x in range(3):
                forces[s, :, x] = of_s @ (along * self.unit[:, x:x + 1])
        return energy.ravel(), forces.transpose(1, 2, 0, 3).reshape(3 * self.n, -1)

    def predict(self, coefficients):
        """Energies (members) and forces (members, atoms, 3) of a committee, whose
        coefficients are (members, elements, features)."""
        c = coefficients[:, self.kind]
        energy = np.einsum("caf,af->c", c, self.energies())
        square = np.zeros(c.shape[:2] + (self.m, self.m))
        square[:, :, self.upper[0], self.upper[1]] = c[:, :, 1 + self.m:]
        square += square.transpose(0, 1, 3, 2)
        slope = c[:, :, 1:1 + self.m] + np.einsum("camn,an->cam", square, self.rho)
        along = np.einsum("cpk,pk->cp", slope[:, self.i[:, None], self.column], self.slope)
        return energy, self.force @ (along[:, :, None] * self.unit)


def fit(frames, elements, ridge=1e-8):
    """Coefficients (elements, features) by least squares: energies per atom and forces
    count alike, and each feature's ridge goes by its size."""
    gram, right = 0, 0
    for atoms in frames:
        energy, forces = Features(atoms, elements, Pairs().of(atoms)).design(len(elements))
        rows = np.vstack([energy[None] / len(atoms), forces / len(atoms) ** 0.5])
        target = np.concatenate([[atoms.get_potential_energy() / len(atoms)],
                                 atoms.get_forces().ravel() / len(atoms) ** 0.5])
        gram = gram + rows.T @ rows
        right = right + rows.T @ target
    size = np.sqrt(np.diag(gram)) + 1e-12
    scaled = gram / np.outer(size, size) + ridge * np.eye(len(size))
    solution = np.linalg.solve(scaled, right / size) / size
    return solution.reshape(len(elements), -1)


def save(path, elements, coefficients):
    np.savetxt(path, coefficients, header=" ".join(elements))


class Committee(Calculator):
    """The mean of several potentials; `deviations` are their disagreements about the force
    on each atom, the largest being DeePMD-kit's max_devi_f."""

    implemented_properties = ["energy", "forces"]

    def __init__(self, paths):
        super().__init__()
        with open(paths[0]) as first:
            self.elements = first.readline().split()[1:]  # "# Cu Au"
        self.pairs = Pairs()
        self.members = np.array([np.loadtxt(path, ndmin=2) for path in paths])

    def calculate(self, atoms=None, properties=("energy",), system_changes=all_changes):
        super().calculate(atoms, properties, system_changes)
        features = Features(self.atoms, self.elements, self.pairs.of(self.atoms))
        energies, forces = features.predict(self.members)
        self.results = {"energy": energies.mean(), "forces": forces.mean(axis=0)}
        distance = ((forces - self.results["forces"]) ** 2).sum(axis=2)
        self.deviations = np.sqrt(distance.mean(axis=0))
