#!/bin/sh
# 0460-convert.t - frames of any files in the form that a program reads, against
# ASE where it is the other side

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
fixtures=${abs_top_srcdir:-$(dirname "$0")/../..}/tests/fixtures
cd "$tmp" || exit 1

# says WHAT STATUS WORDS ARGUMENTS...: convert ends so and says that, and leaves
# nothing that was not there.
says() {
    what=$1 want=$2 words=$3
    shift 3
    before=$(ls -A)
    out=$(fanfold convert "$@" 2>&1)
    is "$what" "$want" $?
    has "... and says so" "$words" "$out"
    is "... and nothing is left" "$before" "$(ls -A)"
}

cat >two.xyz <<'XYZ'
2
Lattice="4 0 0 0 5 0 0 0 6" Properties=species:S:1:pos:R:3:forces:R:3 energy=-1.5 virial="12 0 0 0 24 0 0 0 36" pbc="T T T" step=10
Si 0 0 0 0.1 0.2 0.3
O 1 1 1 -0.1 -0.2 -0.3
2
Lattice="4 0 0 0 5 0 0 0 6" Properties=species:S:1:pos:R:3:forces:R:3 energy=-2.5 pbc="T T T" step=20
Si 0.25 0 0 0.4 0.5 0.6
O 1 1 1 -0.4 -0.5 -0.6
XYZ

# --- consumers: keys and signs ---

is "to MACE" "mace.xyz: 2 frames" "$(fanfold convert two.xyz mace.xyz --for mace)"
has "its energy" " REF_energy=-1.5 " "$(sed -n 2p mace.xyz)"
has "its forces" ":REF_forces:R:3 " "$(sed -n 2p mace.xyz)"
has "its stress, negative under compression" 'REF_stress="-0.1 -0.0 -0.0 -0.0 -0.2 -0.0 -0.0 -0.0 -0.3"' \
    "$(sed -n 2p mace.xyz)"
sed 's/4 0 0 0 5 0 0 0 6/0 5 0 4 0 0 0 0 6/' two.xyz >left.xyz
fanfold convert left.xyz left-mace.xyz --for mace
has "... of a left-handed cell, too" 'REF_stress="-0.1 -0.0 -0.0 -0.0 -0.2 -0.0 -0.0 -0.0 -0.3"' \
    "$(sed -n 2p left-mace.xyz)"
fanfold convert two.xyz nep.xyz --for nep
has "to NEP: a virial, positive under compression" \
    'force:R:3 energy=-1.5 virial="12.0 0.0 0.0 0.0 24.0 0.0 0.0 0.0 36.0"' "$(sed -n 2p nep.xyz)"
fanfold convert two.xyz gap.xyz --for gap
has "to GAP" 'dft_force:R:3 dft_energy=-1.5 dft_virial="12.0' "$(sed -n 2p gap.xyz)"
fanfold convert mace.xyz back.xyz
fanfold convert two.xyz same.xyz
is "... and back" "$(sed 's/-0\.0/0.0/g' same.xyz)" "$(sed 's/-0\.0/0.0/g' back.xyz)"
is "to DeePMD" "dp: 2 frames" "$(fanfold convert two.xyz dp --for deepmd --elements O,Si)"
is "types in the order that was said" "1 0 " "$(tr '\n' ' ' <dp/O1Si1/type.raw)"
is "... and called so" "O Si " "$(tr '\n' ' ' <dp/O1Si1/type_map.raw)"
ok "frames without a virial are a system of their own" test ! -e dp/O1Si1-1/set.000/virial.npy

# --- which frames ---

is "some frames" "a.xyz: 1 frame" "$(fanfold convert two.xyz a.xyz --frames 1:)"
has "... these" "energy=-2.5" "$(cat a.xyz)"
is "of all files together, each second" "b.xyz: 2 frames" \
    "$(fanfold convert two.xyz two.xyz b.xyz --every 2)"
is "one" "c.data: 1 frame" "$(fanfold convert two.xyz c.data --elements Si,O --frames 1)"
is "LAMMPS data and back" "Si 0.25 0.0 0.0" \
    "$(fanfold convert c.data d.xyz --elements Si,O >/dev/null; sed -n 3p d.xyz)"
says "none" 1 "no frame was chosen" two.xyz e.xyz --frames 7:9
fanfold convert two.xyz traj.lammpstrj --elements Si,O
printf '%s\n' "$(sed 's/ energy=[^ ]*//; s/ virial="[^"]*"//' same.xyz)" >expected
fanfold convert traj.lammpstrj f.xyz
is "a dump and back, with its steps" "$(cat expected)" "$(cat f.xyz)"
gzip -k traj.lammpstrj
fanfold convert traj.lammpstrj.gz g.xyz
is "... compressed" "$(cat f.xyz)" "$(cat g.xyz)"

# --- DeePMD's forms ---

for form in deepmd deepmd-mixed deepmd-raw; do
    fanfold convert two.xyz "$form" --to "$form" --elements O,Si
    fanfold convert "$form" "$form.xyz"
    is "$form and back, frame by frame" "$(sed 's/ step=.*//' same.xyz)" "$(cat "$form.xyz")"
done
fanfold convert "$fixtures/deepmd/cu4" cu.xyz
fanfold convert cu.xyz cu --for deepmd --elements Cu
for array in coord box energy force virial; do
    ok "$array.npy through extended XYZ, to the bit" \
        cmp "$fixtures/deepmd/cu4/set.000/$array.npy" cu/Cu4/set.000/$array.npy
done
ok "sets of eight" fanfold convert "$fixtures/deepmd/cu4" cu8 --to deepmd --elements Cu --set-size 8 --float32
is "... are three" "set.000 set.001 set.002" "$(cd cu8/Cu4 && echo set.*)"
fanfold convert cu8 cu8.xyz
is "... of all frames, of half the digits" "$(sed -n 3p cu.xyz | cut -c1-9) $(wc -l <cu.xyz)" \
    "$(sed -n 3p cu8.xyz | cut -c1-9) $(wc -l <cu8.xyz)"

# --- what is there, what is missing ---

says "OUT is there" 2 "'a.xyz' is there already; name another, or say --force" two.xyz a.xyz
ok "... and is replaced" fanfold convert two.xyz a.xyz --force
says "there is no directory for it" 2 "there is no directory 'no/such'; make it, or name another place" two.xyz no/such/a.xyz
mkdir -p mine/Si1
touch mine/Si1/type.raw mine/thesis.tex
says "a directory with other things stays" 2 "with more than DeePMD systems" two.xyz mine --force \
    --for deepmd --elements Si,O
rm mine/thesis.tex
ok "... systems are replaced" fanfold convert two.xyz mine --force --for deepmd --elements Si,O
ok "... all of them" test ! -e mine/Si1
says "an input that is not there" 1 "cannot open 'none.xyz'" none.xyz x.xyz
says "a name that says nothing" 1 "the name 'x' says no format; say it with --to" two.xyz x
says "an unknown format" 1 "there is no format 'vtk' to write" two.xyz x --to vtk
says "... to read" 1 "there is no format 'vtk'; there is" two.xyz x.xyz --from vtk
says "an unknown program" 2 "there is no program 'nepp'; did you mean 'nep'?" two.xyz x --for nepp
says "no order of elements" 1 "deepmd numbers the elements" two.xyz x --for deepmd
says "an element that was not said" 1 "frame 0 of two.xyz: 'O' is not among the elements" \
    two.xyz x --for deepmd --elements Si
says "one twice" 2 "write each element once" two.xyz x --for deepmd --elements Si,Si
says "types without names" 1 "say what types 1, 2 ... are" c.data x.xyz
says "a range that goes backwards" 2 "write A:B with A below B" two.xyz x.xyz --frames 3:1
says "no step" 2 "--every 0: write 1 or more" two.xyz x.xyz --every 0
says "two frames where one fits" 1 "frame 1 of two.xyz: lammps-data holds one frame" \
    two.xyz x.data --elements Si,O
head -n 7 two.xyz >cut.xyz
says "a file that was cut" 1 "frame 1: cut.xyz:7: the file ends within a frame" cut.xyz x.xyz
sed '8s/-0.5/half/' two.xyz >bad.xyz
says "a word that is no number" 1 "frame 1: bad.xyz:8: expected three components of a force from column 5 on" \
    bad.xyz x.xyz
sed 's/energy=-2.5 //' two.xyz >some.xyz
says "a frame without energy, for training" 1 "frame 1 of some.xyz: no energy; nep is trained on both" \
    some.xyz x.xyz --for nep
is "... is left out on demand" "some-nep.xyz: 1 frame" \
    "$(fanfold convert some.xyz some-nep.xyz --for nep --labelled 2>err)"
has "... which is told" "1 frame without labels left out" "$(cat err)"

# --- what must not be replaced ---

force="--force --elements Si,O"
printf 'a thesis' >data
mkfifo pipe
ln -s data link
mkdir empty
# shellcheck disable=SC2086
while IFS='|' read -r what words arguments; do
    says "$what" 2 "$words" two.xyz $arguments
done <<TABLE
a file, as a directory|'data' is there already|data/ --to deepmd --elements Si,O
... with --force|'data' is a file, and deepmd is a directory|data/ --to deepmd $force
a directory, as a file|'empty' is a directory, and extxyz is a file|empty/ --to extxyz $force
a pipe|'pipe' is neither a file nor a directory|pipe --to extxyz $force
a device|'/dev/null' is neither a file nor a directory|/dev/null --to extxyz $force
a link|'link' is neither a file nor a directory|link --to extxyz $force
TABLE
says "a place below a file" 1 "cannot look at 'data/x.xyz': Not a directory" two.xyz data/x.xyz
is "all is there" "a thesis" "$(cat link)"
ok "... the pipe, too" test -p pipe

# --- options that contradict each other ---

says "a format that the program does not read" 2 "--to poscar: mace reads extxyz" \
    two.xyz x --for mace --to poscar
ok "another form of the format that it reads" fanfold convert two.xyz dpm --for deepmd --to deepmd-mixed \
    --elements O,Si
ok "... is written" test -e dpm/2/set.000/real_atom_types.npy
says "single precision of a text" 2 "--float32 is for deepmd and deepmd-mixed, and extxyz is written" \
    two.xyz x.xyz --float32
says "sets of lines" 2 "--set-size is for deepmd and deepmd-mixed, and deepmd-raw is written" \
    two.xyz x --to deepmd-raw --set-size 2 --elements O,Si

# --- what a format or a program cannot take ---

has "labels without a place" "lammps-dump has no place for energy and virial: those of 2 frames are left out" \
    "$(fanfold convert two.xyz lost.dump --elements Si,O 2>&1)"
sed 's/"T T T"/"T T F"/' two.xyz >slab.xyz
has "a slab for NEP" "nep takes all frames to be periodic in all directions; 2 are not" \
    "$(fanfold convert slab.xyz slab-nep.xyz --for nep 2>&1)"
sed 's/4 0 0 0 5 0 0 0 6/0 4 0 5 0 0 0 0 6/' two.xyz >left.xyz
says "a left-handed cell for VASP" 1 "frame 1 of left.xyz: the vectors of the cell are left-handed" \
    left.xyz left.vasp --frames 1
sed 's/energy=-2.5/energy=nan/' two.xyz >energy.xyz
sed '8s/-0.5/inf/' two.xyz >forces.xyz
sed '7s/0.25/nan/' two.xyz >positions.xyz
sed '2s/24/inf/' two.xyz >virial.xyz
for label in energy forces positions virial; do
    frame=1
    test $label = virial && frame=0
    for program in mace nep gap deepmd; do
        says "$label that are no numbers, for $program" 1 \
            "frame $frame of $label.xyz: $label: a number is not finite" \
            $label.xyz x --for $program --elements Si,O
    done
    says "... for VASP" 1 "$label: a number is not finite" $label.xyz x.vasp --frames $frame
    says "... for LAMMPS" 1 "$label: a number is not finite" $label.xyz x.data --frames $frame --elements Si,O
done
sed 's/step=20/fparam="300 hot"/' two.xyz >fparam.xyz
says "a parameter that is no number" 1 "frame 1 of fparam.xyz: fparam: expected numbers" \
    fparam.xyz x --to deepmd --elements Si,O

# --- ASE ---

python=/usr/bin/python3
if $python -c 'import ase, numpy' 2>/dev/null; then
    $python - <<'PY'
import numpy as np
from ase import Atoms
from ase.calculators.singlepoint import SinglePointCalculator
from ase.constraints import FixAtoms
from ase.io import write
frames = []
for i in range(3):
    atoms = Atoms("SiO", positions=[[0, 0, 0.1 * i], [1, 1, 1]], pbc=True,
                  cell=[[5, 0, 0], [1, 6, 0], [.5, .25, 7]])
    atoms.info.update(REF_energy=-3.5 - i, name="it's [a] name", table={"a": [1, 2]},
                      flag=True, list=np.arange(3), matrix=np.eye(3), quote='a "b"')
    atoms.set_tags([1, 2])
    atoms.set_initial_magnetic_moments([1., 2.])
    atoms.arrays["REF_forces"] = np.array([[1, 2, 3], [4, 5, 6.]]) + i
    atoms.set_constraint(FixAtoms([0]))
    atoms.calc = SinglePointCalculator(
        atoms, energy=-1.25 - i, free_energy=-1.5 - i, forces=np.full((2, 3), .5),
        stress=[-.01, -.02, -.03, -.001, -.002, -.003], magmoms=[0, 1.], charges=[1, 2])
    frames.append(atoms)
write("ase.xyz", frames)
write("fixed.xyz", frames, columns=["symbols", "positions", "move_mask"])
PY
    fanfold convert ase.xyz ours.xyz 2>notes
    has "of ASE's two energies the reference is taken" "REF_energy' is taken, 'energy' is left out" "$(cat notes)"
    has "... columns without a place are named" "the column 'initial_magmoms' is left out" "$(cat notes)"
    has "... the energy" " energy=-3.5 " "$(sed -n 2p ours.xyz)"
    is "... the forces" "Si 0.0 0.0 0.0 1.0 2.0 3.0" "$(sed -n 3p ours.xyz)"
    fanfold convert ase.xyz theirs.xyz --energy-key energy --force-key forces 2>notes
    has "... or those that are said" " energy=-1.25 " "$(sed -n 2p theirs.xyz)"
    has "a column of constraints" "the column 'move_mask' is left out" \
        "$(fanfold convert fixed.xyz fixed-too.xyz 2>&1)"
    fanfold convert theirs.xyz theirs-dp --for deepmd --elements Si,O
    fanfold convert theirs.xyz theirs.lammpstrj --to lammps-dump --elements Si,O
    fanfold convert theirs.xyz theirs-mace.xyz --for mace
    is "ASE and NumPy read what was written" "ok" "$($python - <<'PY'
import numpy as np
from ase.io import read
was = read("ase.xyz", ":")
ours = read("theirs.xyz", ":")
mace = read("theirs-mace.xyz", ":")
dump = read("theirs.lammpstrj", ":", format="lammps-dump-text")
assert len(was) == len(ours) == len(mace) == len(dump) == 3
for a, b, c, d in zip(was, ours, mace, dump):
    volume = a.get_volume()
    assert a.get_potential_energy() == b.get_potential_energy() == c.info["REF_energy"]
    assert np.array_equal(a.get_forces(), b.get_forces())
    assert np.array_equal(a.get_forces(), c.arrays["REF_forces"])
    assert np.array_equal(a.positions, b.positions) and np.array_equal(a.cell, b.cell)
    assert np.allclose(a.positions, d.positions) and np.allclose(a.cell, d.cell)
    assert np.allclose(a.get_stress(voigt=False) * -volume, b.info["virial"], 1e-14)
    stress = np.reshape(c.info["REF_stress"], (3, 3))
    assert np.allclose(a.get_stress(voigt=False), stress, 1e-14)
    for key in "name", "table", "flag", "quote":
        assert a.info[key] == b.info[key], key
    assert np.array_equal(a.info["list"], b.info["list"])
    assert np.array_equal(a.info["matrix"], b.info["matrix"])
    assert list(b.symbols) == ["Si", "O"] and b.pbc.all()
s = "theirs-dp/Si1O1/"
load = lambda name: np.load(s + "set.000/" + name + ".npy")
assert np.array_equal(load("coord"), [a.positions.ravel() for a in was])
assert np.array_equal(load("box"), [a.cell[:].ravel() for a in was])
assert np.array_equal(load("energy"), [a.get_potential_energy() for a in was])
assert open(s + "type.raw").read().split() == ["0", "1"]
print("ok")
PY
    )"
else
    not_here "files of ASE: python3-ase is not installed (scripts/packages codes)"
fi

done_testing
