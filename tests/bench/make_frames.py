"""make_frames.py FILE KIND MB - frames as programs write them, for bench-formats

KIND is `extxyz` (as ASE 3.22 prints them), `extxyz17` (all digits) or `dump`
(LAMMPS, dump custom id type x y z fx fy fz).  The same frames come again and
again: what is measured is reading.
"""
import sys

import numpy as np

ATOMS = 216
PIECE = 40  # frames that differ


def extxyz(rng, number, width):
    x, f = rng.uniform(0, 16.29, (ATOMS, 3)), rng.normal(0, 1, (ATOMS, 3))
    stress = " ".join(repr(v) for v in rng.normal(0, 0.01, 9))
    rows = "".join(
        "Si  " + "".join(width % v for v in (*x[i], *f[i])) + "\n"
        for i in range(ATOMS))
    return (f'{ATOMS}\nLattice="16.29 0.0 0.0 0.0 16.29 0.0 0.0 0.0 16.29" '
            f"Properties=species:S:1:pos:R:3:forces:R:3 "
            f"energy={-1000 - rng.normal()!r} "
            f'stress="{stress}" pbc="T T T"\n{rows}')


def dump(rng, number):
    x, f = rng.uniform(0, 16.29, (ATOMS, 3)), rng.normal(0, 1, (ATOMS, 3))
    rows = "".join("%d 1 %g %g %g %g %g %g \n" % (i + 1, *x[i], *f[i])
                   for i in range(ATOMS))
    return (f"ITEM: TIMESTEP\n{number}\nITEM: NUMBER OF ATOMS\n{ATOMS}\n"
            f"ITEM: BOX BOUNDS pp pp pp\n" + 3 * "0 16.29\n"
            + f"ITEM: ATOMS id type x y z fx fy fz\n{rows}")


def main():
    path, kind, megabytes = sys.argv[1], sys.argv[2], float(sys.argv[3])
    rng = np.random.default_rng(1)
    frame = {
        "extxyz": lambda n: extxyz(rng, n, "%16.8f "),
        "extxyz17": lambda n: extxyz(rng, n, " %.17g"),
        "dump": lambda n: dump(rng, n),
    }[kind]
    piece = "".join(frame(n) for n in range(PIECE)).encode()
    with open(path, "wb") as out:
        for _ in range(max(1, round(megabytes * 1e6 / len(piece)))):
            out.write(piece)


main()
