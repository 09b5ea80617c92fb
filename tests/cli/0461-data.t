#!/bin/sh
# 0461-data.t - what frames hold, and what looks wrong with them; energies and
# stresses of strained metals are those of ASE's EMT

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
fixtures=${abs_top_srcdir:-$(dirname "$0")/../..}/tests/fixtures
cd "$tmp" || exit 1

# seen FILTER FILE...: what jq says of the answer in JSON.
seen() {
    filter=$1
    shift
    fanfold data --json "$@" 2>err | jq -r "$filter"
}

cat >two.xyz <<'XYZ'
2
Lattice="4 0 0 0 5 0 0 0 6" Properties=species:S:1:pos:R:3:forces:R:3 energy=-3 virial="12 0 0 0 24 0 0 0 36" pbc="T T T"
Si 0 0 0 0.3 0 0.4
O 0 0 1.6 -0.3 0 -0.4
3
Properties=species:S:1:pos:R:3:forces:R:3 energy=-9 pbc="F F F"
H 0 0 0 0 0 0.1
O 0.96 0 0 0 0 -0.3
H 1.9 0 0 0 0 0.2
XYZ
is "frames, atoms, those that are periodic" "2 5 1 1" \
    "$(seen '"\(.frames) \(.atoms) \(.periodic) \(.isolated)"' two.xyz)"
is "labels" "2 2 1" "$(seen '"\(.with_energy) \(.with_forces) \(.with_virial)"' two.xyz)"
is "compositions" "OSi 1 2, H2O 1 3" \
    "$(seen '[.compositions[] | "\(.formula) \(.frames) \(.atoms)"] | join(", ")' two.xyz)"
is "energies of an atom" "-3 -1.5 -2.25" \
    "$(seen '.energy_ev_per_atom | "\(.low) \(.high) \(.mean)"' two.xyz | sed 's/\.0//g')"
is "the largest force, and where" "0.5 two.xyz 0" \
    "$(seen '.force_ev_per_a | "\(.high) \(.highest.file) \(.highest.frame)"' two.xyz)"
is "the pressure" 32.04 "$(seen '.pressure_gpa.high * 100 | round / 100' two.xyz)"
is "the volume of an atom" 60 "$(seen '.volume_a3_per_atom.low | round' two.xyz)"
is "closest pairs" "Si-Si 4, O-Si 1.6, O-O 4, H-H 1.9, H-O 0.94" \
    "$(seen '[.closest[] | "\(.elements | join("-")) \(.distance * 1000 | round / 1000)"] | join(", ")' two.xyz)"
has "labels that some have" "1 of 2 frames have no virial, the first is frame 1" \
    "$(seen '.warnings[]' two.xyz)"
is "some of the frames" 1 "$(seen .frames two.xyz --frames 1:)"
has "for people" "closest O-Si 1.6000 A in frame 0" "$(fanfold data two.xyz)"
has "... with names where there are several files" "closest H-O 0.9400 A in frame 1 of two.xyz" \
    "$(fanfold data two.xyz two.xyz)"

sed '2s/energy=-3/energy=1e300/' two.xyz >huge.xyz
is "a number without end is not written out" 0 "$(fanfold data huge.xyz | grep -c '[0-9]\{30\}')"

# --- what looks wrong ---

cat two.xyz two.xyz >four.xyz
is "frames that are there twice" "2-0 3-1" \
    "$(seen '[.duplicates[] | "\(.frame)-\(.same_as.frame)"] | join(" ")' four.xyz)"
sed '4s/1.6/7.6/' two.xyz >wrapped.xyz
is "... or put back into the cell" 0-0 \
    "$(seen '.duplicates[] | select(.file == "wrapped.xyz") | "\(.frame)-\(.same_as.frame)"' \
        two.xyz wrapped.xyz | head -n 1)"
sed 's/-0.4$/0.4/' two.xyz >net.xyz
has "forces that do not add up" "forces do not add up to 0: 0.4 eV/A an atom in frame 0" \
    "$(fanfold data net.xyz)"
sed '4s/1.6/0.8/' two.xyz >close.xyz
has "atoms that are too close" "O and Si are 0.8 A apart in frame 0, where a bond has 1.77 A" \
    "$(fanfold data close.xyz)"
sed 's/energy=-9/energy=nan/' two.xyz >nan.xyz
has "numbers that are none" "frames with a number that is not finite: 1, the first is frame 1" \
    "$(fanfold data nan.xyz)"
sed 's/4 0 0 0 5 0 0 0 6/4e-10 0 0 0 5e-10 0 0 0 6e-10/' two.xyz >metres.xyz
has "a cell in another unit" "1 of 2 frames have a cell lower than 0.5 A, the first is frame 0" \
    "$(timeout 60 "$(command -v fanfold)" data metres.xyz)"
# One atom of a thousand, by 0.01 A.
awk 'BEGIN {
    for (frame = 0; frame < 2; frame++) {
        print 1000
        print "Lattice=\"27.15 0 0 0 27.15 0 0 0 27.15\" Properties=species:S:1:pos:R:3 pbc=\"T T T\""
        for (i = 0; i < 1000; i++)
            print "Si", i % 10 * 2.715 + (frame == 1 && i == 500) * 0.01, \
                int (i / 10) % 10 * 2.715, int (i / 100) * 2.715
    }
}' >large.xyz
is "one atom of a thousand that has moved is another frame" 0 "$(seen '.duplicates | length' large.xyz)"
exits "a broken file" 1 fanfold data "$fixtures/deepmd/README"
head -n 3 two.xyz >cut.xyz
exits "a file that was cut" 1 fanfold data cut.xyz
exits "no file" 2 fanfold data
exits "a key that no frame has" 1 fanfold data two.xyz --energy-key REF_enrgy
has "... is told" "no frame has the key 'REF_enrgy'; correct --energy-key" \
    "$(fanfold data two.xyz --energy-key REF_enrgy 2>&1)"
has "... as a column that none has" "no frame has the column 'force'; correct --force-key" \
    "$(fanfold data two.xyz --energy-key energy --force-key force 2>&1)"
exits "... and nothing is written" 1 fanfold convert two.xyz out.xyz --energy-key REF_enrgy
is "... at all" none "$([ -e out.xyz ] && echo some || echo none)"
sed '2s/virial=/REF_stress="0 0 -0.1 0 0 0" &/' two.xyz >stress.xyz
is "a stress that is a reference wins" 16.02 \
    "$(seen '.pressure_gpa.high * 300 | round / 100' stress.xyz)"
has "a pipe" "is a pipe or a device" "$(fanfold data /dev/null 2>&1)"
is "copper of DeePMD's people" "20 Cu4 20 0" \
    "$(seen '"\(.frames) \(.compositions[0].formula) \(.with_virial) \(.warnings | length)"' "$fixtures/deepmd/cu4")"

# --- virials against energies ---

python=/usr/bin/python3
if $python -c 'import ase, numpy' 2>/dev/null; then
    $python - <<'PY'
import numpy as np
from ase.build import bulk
from ase.calculators.emt import EMT
from ase.io import write
rng = np.random.default_rng(5)
frames = []
for metal in "Cu", "Al":
    start = bulk(metal, cubic=True).repeat((2, 1, 1))
    start.rattle(0.05, seed=3)
    for i in range(4):
        strain = rng.uniform(-0.01, 0.01, (3, 3))
        atoms = start.copy()
        atoms.set_cell(start.cell[:] @ (np.eye(3) + (strain + strain.T) / 2), scale_atoms=True)
        atoms.calc = EMT()
        atoms.get_potential_energy(), atoms.get_forces(), atoms.get_stress()
        frames.append(atoms)
write("emt.xyz", frames)
for name, sign, unit in ("ours", -1, 1), ("turned", 1, 1), ("atom", -1, "n"), ("gpa", -1, 160.2176634):
    with open(name + ".xyz", "w") as out:
        for a in frames:
            v = a.get_volume()
            factor = sign * v if unit == 1 else sign * v / len(a) if unit == "n" else sign * unit
            b = a.copy()
            b.info = {"energy": a.get_potential_energy(), "virial": a.get_stress(voigt=False) * factor}
            b.arrays["forces"] = a.get_forces()
            write(out, b, format="extxyz")
PY
    verdict() {
        seen '.virials | "\(.verdict) \(.read_as) \(.other_sign)"' "$@"
    }
    is "ASE's stress of EMT agrees with its energies" "agrees null null" "$(verdict emt.xyz)"
    is "... so does its virial" "agrees null null" "$(verdict ours.xyz)"
    is "... which another sign does not" "contradicts a virial in eV true" "$(verdict turned.xyz)"
    is "... nor one of each atom" "contradicts a virial of each atom, in eV false" "$(verdict atom.xyz)"
    is "... nor GPa" "contradicts a pressure tensor in GPa false" "$(verdict gpa.xyz)"
    has "which is told" "virials contradict the energies of" "$(fanfold data turned.xyz)"
    has "... with what would agree" "read as a virial in eV of the other sign they would agree" \
        "$(fanfold data turned.xyz)"
    fanfold convert emt.xyz emt-dp --for deepmd --elements Al,Cu >out
    is "as DeePMD's data they still agree" "agrees null null" "$(verdict emt-dp)"
    fanfold convert emt.xyz emt-mace.xyz --for mace >out
    is "... and as MACE's" "agrees null null" "$(verdict emt-mace.xyz)"
else
    not_here "virials of EMT: python3-ase is not installed (scripts/packages codes)"
fi

done_testing
