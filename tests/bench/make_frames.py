"""make_frames.py FILE KIND MB - frames as programs write them, for bench-formats

KIND is `extxyz` (as ASE 3.22 prints them), `extxyz17` (all digits), `dump`
(LAMMPS, dump custom id type x y z fx fy fz) or `outcar` (an MD of VASP 6: ten SCF
steps and 512 bands for each frame).  The same frames come again and
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


OUTCAR_HEAD = """ vasp.6.3.0 20Jan22 (build) complex
 executed on             LinuxIFC date 2024.01.01  00:00:00
 POTCAR:    PAW_PBE Si 05Jan2001
   VRHFIN =Si: s2p2
   TITEL  = PAW_PBE Si 05Jan2001
   number of dos      NEDOS =    301   number of ions     NIONS =    %d
   ions per type =             %d
   ISPIN  =      1    spin polarized calculation?
   NELM   =     60;   NELMIN=  2; NELMDL= -5     # of ELM steps
   IBRION =      0    ionic relax: 0-MD 1-quasi-New 2-CG
""" % (ATOMS, ATOMS)

SCF_STEP = """
--------------------------------------- Iteration %6d(%4d)  ---------------
    POTLOK:  cpu time      0.1464: real time      0.1465
     EDDAV:  cpu time      2.1464: real time      2.1465
 eigenvalue-minimisations  :  2048
 total energy-change (2. order) :-0.3837288E-05  (-0.1016701E-04)
  Ewald energy   TEWEN  =    -12345.89694581
  free energy    TOTEN  =     -1000.12345678 eV

  energy without entropy =    -1000.12345678  energy(sigma->0) =    -1000.12345678
"""


def outcar(rng, number):
    x, f = rng.uniform(0, 16.29, (ATOMS, 3)), rng.normal(0, 1, (ATOMS, 3))
    stress = "".join("%12.5f" % v for v in rng.normal(0, 10, 6))
    vectors = "".join(
        "     " + "".join("%13.9f" % (s * (i == k)) for s in (16.29, 1 / 16.29)
                         for k in range(3)) + "\n" for i in range(3))
    energy = -1000 - rng.normal()
    return ("".join(SCF_STEP % (number + 1, k + 1) for k in range(10))
            + " E-fermi :   2.1341     XC(G=0): -10.4124     alpha+bet : -9.2977\n"
            + " k-point     1 :       0.0000    0.0000    0.0000\n"
            + "  band No.  band energies     occupation \n"
            + "".join("%7d %11.4f %12.5f\n" % (b + 1, b / 20 - 9, 2 * (b < 432))
                      for b in range(512))
            + "\n------------------------ aborting loop because EDIFF is reached"
            + " -----------------\n\n"
            + "  FORCE on cell =-STRESS in cart. coord.  units (eV):\n"
            + "  in kB   " + stress + "\n\n"
            + " VOLUME and BASIS-vectors are now :\n  volume of cell :     4322.75\n"
            + "      direct lattice vectors                 reciprocal lattice "
            + "vectors\n" + vectors
            + "\n POSITION                             TOTAL-FORCE (eV/Angst)\n"
            + " ----------------------------------------------------\n"
            + "".join("%13.5f%13.5f%13.5f    %14.6f%14.6f%14.6f\n"
                      % (*x[i], *f[i]) for i in range(ATOMS))
            + " ----------------------------------------------------\n\n"
            + "  FREE ENERGIE OF THE ION-ELECTRON SYSTEM (eV)\n"
            + "  ---------------------------------------------------\n"
            + "  free  energy   TOTEN  =   %16.8f eV\n\n" % energy
            + "  energy  without entropy=%17.8f  energy(sigma->0) =%17.8f\n"
            % (energy, energy))


def main():
    path, kind, megabytes = sys.argv[1], sys.argv[2], float(sys.argv[3])
    rng = np.random.default_rng(1)
    frame = {
        "extxyz": lambda n: extxyz(rng, n, "%16.8f "),
        "extxyz17": lambda n: extxyz(rng, n, " %.17g"),
        "dump": lambda n: dump(rng, n),
        "outcar": lambda n: outcar(rng, n),
    }[kind]
    piece = "".join(frame(n) for n in range(PIECE)).encode()
    with open(path, "wb") as out:
        if kind == "outcar":
            out.write(OUTCAR_HEAD.encode())
        for _ in range(max(1, round(megabytes * 1e6 / len(piece)))):
            out.write(piece)


main()
