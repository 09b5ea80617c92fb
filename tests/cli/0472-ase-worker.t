#!/bin/sh
# 0472-ase-worker - the example of that name: a campaign to its end with ASE, and a label
# by GPAW
. "$abs_top_srcdir/tests/cli/tap.sh"

PATH=/usr/bin:$PATH
if ! /usr/bin/python3 -c 'import ase, numpy' 2>/dev/null; then
    not_here "ASE for /usr/bin/python3 (scripts/packages codes)"
    done_testing
fi

if [ ! -x "$abs_top_builddir/fanfold-reduce" ]; then
    not_here "MPI, for the selection of the example"
    done_testing
fi

c=$tmp/alloy
ok "new --template ase-worker" fanfold new --template ase-worker "$c"
ok "... is a campaign" fanfold -C "$c" check
exits "... into a new directory only" 1 fanfold new --template ase-worker "$c"
exits "a template that is not there" 2 fanfold new --template ase-wroker "$tmp/x"
has "... told" "did you mean 'ase-worker'?" "$(fanfold new --template ase-wroker 2>&1)"
ok "... and nothing is made" [ ! -e "$tmp/x" ]
for dir in "$c" "$abs_top_srcdir/examples/ase-worker"; do
    (cd "$dir" && find . -type f | grep -v -e local.mk -e '/\.fanfold/' | sort)
done | sort | uniq -u >"$tmp/not-both"
silent "all files of the example are copied" cat "$tmp/not-both"

ok "it runs" fanfold -C "$c" run
is "... until the committee agrees" true "$(fanfold -C "$c" status --json | jq .converged)"
labelled=$(fanfold -C "$c" result label count --iteration 1)
ok "... having labelled some frames" [ "$labelled" -gt 0 ]
is "... of which each process did several" true "$(cat "$c"/label/ase/iter/000001/job/*/out/result.json |
    jq -s 'map(.run.worker.tasks_before) | max >= (length / 2 - 1)')"
# What it learnt: against the calculator, along the hottest trajectory.
cat >"$tmp/judge.py" <<'END'
import glob, sys
sys.path.insert(0, sys.argv[1])
import ase.io, numpy as np
from ase.calculators.emt import EMT
from potential import Committee
newest = sorted(glob.glob(sys.argv[1] + "/train/density/iter/*"))[-1]
hot = sorted(glob.glob(sys.argv[1] + "/explore/ase/iter/*/job/000005/out/trajectory.extxyz"))[-1]
committee = Committee(sorted(glob.glob(newest + "/job/*/out/potential.txt")))
errors = []
for atoms in ase.io.read(hot, ":"):
    atoms.calc = EMT()
    reference = atoms.get_forces().copy()
    atoms.calc = committee
    errors.append(atoms.get_forces() - reference)
error = np.sqrt((np.array(errors) ** 2).mean())
print("%.3f eV/angstrom" % error)
sys.exit(not error < 0.06)
END
ok "... its forces are those of the calculator" /usr/bin/python3 "$tmp/judge.py" "$c"
is "... and its labels, to the last digit" 0 "$(/usr/bin/python3 - "$c" <<'END'
import glob, sys
import ase.io
from ase.calculators.emt import EMT
wrong = 0
for path in glob.glob(sys.argv[1] + "/dataset/*/iter/000001/**/*.extxyz", recursive=True):
    for atoms in ase.io.read(path, ":"):
        energy, forces = atoms.get_potential_energy(), atoms.get_forces()
        atoms.calc = EMT()
        wrong += abs(atoms.get_potential_energy() - energy) > 1e-6
        wrong += abs(atoms.get_forces() - forces).max() > 1e-6
print(wrong)
END
)"

# One frame by a calculator that is a program of density functional theory.
if ! /usr/bin/python3 -c 'import gpaw' 2>/dev/null; then
    not_here "GPAW"
    done_testing
fi
g=$tmp/gpaw
mkdir "$g" "$g/data"
cp "$c/label.py" "$c/site.yaml" "$g"
cat >"$g/data/molecule.extxyz" <<'END'
2
Lattice="4.5 0 0 0 4.5 0 0 0 5" Properties=species:S:1:pos:R:3 pbc="T T T"
H 0 0 0
H 0 0 0.75
END
{
    printf 'format: 1\ncampaign: gpaw\nelements: [H]\nstop: {iterations: 1}\nstages:\n'
    printf '  label:\n    uses: ase.label\n    with:\n      frames: data/molecule.extxyz\n'
    printf '      calculator: "gpaw:GPAW"\n      arguments: {mode: lcao, basis: sz(dzp), h: 0.35, '
    printf 'convergence: {density: 0.01}, txt: gpaw.txt}\noperators:\n'
    sed -n '/^  ase.label:/,/^$/p' "$c/campaign.yaml"
} >"$g/campaign.yaml"
ok "a label by GPAW" fanfold -C "$g" run
is "... is a bound molecule" true "$(sed -n 's/.* energy=\([-0-9.]*\).*/\1/p' \
    "$g"/label/ase/iter/000000/job/000000/out/*.extxyz | awk '{ print ($1 < -1 && $1 > -7) ? "true" : $1 }')"

done_testing
