#!/bin/sh
# 0614-aluminium - the example of that name: from a POSCAR to a table of properties
. "$abs_top_srcdir/tests/cli/tap.sh"

PATH=/usr/bin:$PATH
if ! /usr/bin/python3 -c 'import ase, scipy' 2>/dev/null || ! command -v lmp >/dev/null; then
    not_here "LAMMPS, or ASE for /usr/bin/python3 (scripts/packages codes)"
    done_testing
fi
if [ ! -x "$abs_top_builddir/fanfold-reduce" ]; then
    not_here "MPI, for the selection of the example"
    done_testing
fi

c=$tmp/al
ok "new --template aluminium" fanfold new --template aluminium "$c"
for dir in "$c" "$abs_top_srcdir/examples/aluminium"; do
    (cd "$dir" && find . -type f | grep -v -e local.mk -e '/\.fanfold/' -e pycache | sort)
done | sort | uniq -u >"$tmp/not-both"
silent "all files of the example are copied" cat "$tmp/not-both"
ok "... is a campaign" fanfold -C "$c" check
ok "it runs" fanfold -C "$c" run
is "... until the committee agrees, and has the properties" true \
    "$(fanfold -C "$c" status --json | jq '.converged and .history[-1].worst < 0.1')"

# What it learnt: values that no frame told of, which ASE's EMT has.
fanfold -C "$c" result properties >"$tmp/values.json"
is "its properties are those of the calculator" true "$(jq '.values.fcc |
    def near(x; known; part): (x.mean / known - 1 | fabs) < part;
    near(.v0; 15.93; 0.03) and near(.c11; 53.3; 0.12) and near(.c44; 36.2; 0.12)
    and near(.vacancy; 0.958; 0.12) and near(.surface_1_0_0; 0.731; 0.12)' "$tmp/values.json")"
is "... stable, of three members that differ" true "$(jq '.unstable == [] and .missing == 0
    and (.values.fcc.c11.members | unique | length) == 3' "$tmp/values.json")"
is "the table has them all" 7 "$(awk '$6 != "-" && NR > 1' "$c/$(jq -r .table "$tmp/values.json")" | grep -c '^fcc')"

# The reference is the calculator's: the same numbers by ASE.
cat >"$tmp/judge.py" <<'END'
import sys
sys.argv, known = sys.argv[:2], sys.argv[2]
with open(sys.argv[1]) as script:
    exec(script.read().replace("\nmain()\n", "\n"))
from ase.calculators.emt import EMT
values = properties(EMT())
for item in open(known).read().split("{")[1].rstrip("}\n").split(", "):
    name, value = item.split(": ")
    if abs(values[name] / float(value) - 1) > 0.01:
        print(name, value, values[name])
END
silent "what is known is what ASE has" /usr/bin/python3 "$tmp/judge.py" \
    "$abs_top_srcdir/tests/cli/lammps-properties/against_ase.py" "$c/emt.yaml"

done_testing
