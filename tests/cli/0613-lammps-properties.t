#!/bin/sh
# 0613-lammps-properties - properties of crystals by a committee: what is refused, what
# LAMMPS gives beside ASE's own numbers and those of the literature, and what fails

potentials=/usr/share/lammps/potentials
if ! command -v lmp >/dev/null || [ ! -r $potentials/Al_zhou.eam.alloy ]; then
    echo '1..0 # SKIP there is no lmp, or not its potentials'
    exit 0
fi
. "$(dirname "$0")/tap.sh"
cd "$tmp" || exit 1

mkdir c
cp $potentials/Al_zhou.eam.alloy $potentials/NiAlH_jea.eam.alloy $potentials/Si.sw c
cat >c/fcc.vasp <<'END'
aluminium, not at rest
4.1
1 0 0
0 1 0
0 0 1
Al
4
Direct
0 0 0
0 0.5 0.5
0.5 0 0.5
0.5 0.5 0
END
cat >c/site.yaml <<'END'
format: 1
profiles: {here: {scheduler: local}}
END

# campaign WITH [ELEMENTS]
campaign() {
    cat >c/campaign.yaml <<END
format: 1
campaign: c
elements: [${2:-Al}]
stop: {when: max(properties.differences) < 0.2, iterations: 2}
stages:
  properties:
    uses: lammps.properties
    with: {$1}
history: {c11: max(properties.c11)}
END
}
eam="pair_style: eam/alloy, pair_coeff: '* * {potential} {elements}'"
two="potentials: [Al_zhou.eam.alloy, NiAlH_jea.eam.alloy], $eam"

# --- what check says ---

refused() {
    campaign "structures: [fcc.vasp], $two, $3"
    has "$1" "$2" "$(fanfold -C c check 2>&1)"
}
refused "a curve of four points" "curve: points: 4; write a number from 5" "curve: {points: 4}"
refused "an atom that is not there" "fcc: vacancy: atom: there is no atom 9, there are 4" \
    "vacancy: {supercell: [2, 2, 2], atom: 9}"
refused "a plane that is none" "surfaces: [0]: surface: miller: [0, 0, 0] is no plane" \
    "surfaces: [{miller: [0, 0, 0], layers: 3, vacuum: 10}]"
refused "a reference of another structure" \
    "reference: 'hcp' is none of the structures; the first is 'fcc'" "reference: {hcp: {volume: 16}}"
refused "a reference of what is not computed" \
    "reference: fcc: c11 is not among what this stage computes" "reference: {fcc: {c11: 114}}"
echo '{"fcc": {"c11": "large"}}' >c/known.json
refused "a reference that is no number" "reference: fcc: c11: expected a number" \
    "elastic: {}, reference_file: known.json"
refused "names for other structures" "names: there are 2, and 1 structures" "names: [a, b]"
campaign "structures: [fcc.vasp, fcc.vasp], $two"
has "two structures of one name" "two structures are called 'fcc'; write names" "$(fanfold -C c check 2>&1)"

# --- a run ---

printf 'fcc:\n  c11: 114\n  vacancy: 0.66\n' >c/known.yaml
campaign "structures: [fcc.vasp], $two, reference_file: known.yaml, curve: {}, elastic: {},
      vacancy: {supercell: [2, 2, 2]}, surfaces: [{miller: [1, 0, 0], layers: 3, vacuum: 10}]"
ok "a campaign of two members" fanfold -C c run
fanfold -C c result properties >values.json
is "... ends when the values are near to the known ones, and tells them" true \
    "$(fanfold -C c status --json | jq --argjson c11 "$(jq .c11[0] values.json)" \
        '.converged and (.history | length) == 1 and .history[0].c11 == $c11')"
known=$(jq -r '.values.fcc.c11 | "\(.unit) \(.reference) \(.members | length)"' values.json)
is "units, known values and members are told" "GPa 114 2" "$known"
is "the mean, the spread and the difference are theirs" true "$(jq '.values.fcc.c11 |
    (.members | add / 2) as $mean | (.members[0] - .members[1] | fabs / 2) as $spread |
    (.mean - $mean | fabs) < 1e-9 and (.spread - $spread | fabs) < 1e-9
    and (.difference - (.mean - 114) | fabs) < 1e-9' values.json)"
is "differences and spreads are fractions of the known values" true "$(jq '.values.fcc as $v |
    (.differences[0] - ($v.c11.difference | fabs) / 114 | fabs) < 1e-9
    and (.spreads[1] - $v.vacancy.spread / 0.66 | fabs) < 1e-9
    and (.differences | length) == 2 and .c11 == [$v.c11.mean]' values.json)"
is "nothing is unstable, nothing missing" "0 0" "$(jq -r '"\(.unstable | length) \(.missing)"' values.json)"
table=c/$(jq -r .table values.json)
is "the table has a line for each property" 32 "$(grep -c '^fcc ' "$table")"
is "... with what is not known left out" "- -" "$(awk '$2 == "c12" { print $6, $7 }' "$table")"
is "the curves have a line for each point and member" "7 7" \
    "$(awk '{ n[$2]++ } END { print n[0], n[1] }' "c/$(jq -r .curves values.json)")"

# --- ASE ---

python=/usr/bin/python3
if $python -c 'import ase, scipy' 2>/dev/null; then
    jq .values values.json >values
    is "16 values are those of ASE's own EAM, to 1 %" 16 "$($python \
        "$abs_top_srcdir/tests/cli/lammps-properties/against_ase.py" values \
        c/Al_zhou.eam.alloy c/NiAlH_jea.eam.alloy 2>&1 | tail -5)"
else
    not_here "ASE's EAM: python3-ase is not installed (scripts/packages codes)"
fi

# --- silicon, whose atoms move under strain, upright and turned ---

# diamond TURN: the cubic cell, turned about z and then about x.
diamond() {
    awk -v turn="$1" 'function say (x, y, z,    c, s, X, Y, Z) {
            c = cos(turn); s = sin(turn); X = c * x - s * y; Y = s * x + c * y
            Z = s * Y + c * z; Y = c * Y - s * z
            return sprintf("%.12g %.12g %.12g", X, Y, Z) }
        BEGIN { a = 5.5; print 8
            printf("Lattice=\"%s %s %s\" Properties=species:S:1:pos:R:3 pbc=\"T T T\"\n",
                   say(a, 0, 0), say(0, a, 0), say(0, 0, a))
            n = split("0 0 0 1 1 1 0 2 2 1 3 3 2 0 2 3 1 3 2 2 0 3 3 1", q)
            for (i = 1; i < n; i += 3)
                print "Si", say(q[i] * a / 4, q[i + 1] * a / 4, q[i + 2] * a / 4) }'
}
diamond 0 >c/upright.xyz
diamond 0.6 >c/turned.xyz
campaign "structures: [upright.xyz, turned.xyz], potentials: [Si.sw], elastic: {},
    pair_style: sw, pair_coeff: '* * {potential} {elements}'" Si
sed -i 's/^stop.*/stop: {iterations: 1}/; s/campaign: c/campaign: si/' c/campaign.yaml
mkdir si
cp c/*.xyz c/Si.sw c/site.yaml c/campaign.yaml si
ok "silicon of Stillinger and Weber" fanfold -C si run
fanfold -C si result properties >silicon.json
# M. D. Kluge et al., J. Appl. Phys. 60, 2369 (1986), and others; at a = 5.431 A.
is "... has the constants of the literature, to 1 %" true "$(jq '.values.upright |
    [[.c11.mean, 151.4], [.c12.mean, 76.4], [.c44.mean, 56.4], [.c55.mean, 56.4],
     [.volume.mean, 20.023], [-.energy.mean, 4.3363]] |
    all(.[0] > 0.99 * .[1] and .[0] < 1.01 * .[1])' silicon.json)"
is "constants are in the axes of the structure: turned they are others" true "$(jq '.values |
    (.turned.c11.mean - .upright.c11.mean) > 5' silicon.json)"
is "... of the same crystal: averages are as before" true "$(jq '.values |
    (.turned.hill_shear_modulus.mean / .upright.hill_shear_modulus.mean - 1 | fabs) < 1e-3
    and (.turned.hill_bulk_modulus.mean / .upright.hill_bulk_modulus.mean - 1 | fabs) < 1e-3' silicon.json)"
is "one member has no spread" "null" "$(jq .values.upright.c11.spread silicon.json)"

# --- Born's criteria ---

mkdir lj
cp c/site.yaml lj
sed 's/^aluminium.*/bcc/; s/^4$/2/; s/^0 0.5 0.5/0.5 0.5 0.5/; /^0.5 0 0.5/d; /^0.5 0.5 0$/d; s/^4.1/3/' \
    c/fcc.vasp >lj/bcc.vasp
awk 'BEGIN { print "LJ\nN 2000 R 2.3 6\n"
    for (i = 0; i < 2000; i++) {
        r = 2.3 + 3.7 * i / 1999; s = (2.6 / r) ^ 6
        printf("%d %.12g %.12g %.12g\n", i + 1, r, 0.4 * (s * s - s), 2.4 * (2 * s * s - s) / r) } }' \
    >lj/pair.table
campaign "structures: [bcc.vasp], potentials: [pair.table], elastic: {},
    pair_style: table linear 2000, pair_coeff: '* * {potential} LJ 6'"
sed 's/^stop.*/stop: {iterations: 1}/' c/campaign.yaml >lj/campaign.yaml
ok "bcc by Lennard and Jones" fanfold -C lj run
is "... is unstable, and has no average" '["bcc, member 0"] 1 null' "$(fanfold -C lj result properties |
    jq -c '.unstable, ([.least_eigenvalue[] | select(. < -1)] | length), .hill_bulk_modulus' | xargs -0 echo |
    tr '\n' ' ' | sed 's/ *$//')"

# --- what fails ---

# fails WHAT WORDS WITH
fails() {
    rm -rf f
    mkdir f
    cp c/*.vasp c/*.alloy c/site.yaml f
    campaign "structures: [fcc.vasp], $3"
    cp c/campaign.yaml f
    fanfold -C f run >/dev/null 2>&1
    has "$1" "$2" "$(fanfold -C f explain properties)"
}
fails "a potential that is flat" "fcc, member 0: curve: the curve has no minimum" \
    "potentials: [Al_zhou.eam.alloy], pair_style: zero 6, pair_coeff: '* *', curve: {}"
cp lj/pair.table c/pair.alloy
fails "a cell that LAMMPS cannot compute" "fcc, member 0: curve, volume x 0.5000: LAMMPS exited" \
    "potentials: [pair.alloy], pair_style: table linear 2000, pair_coeff: '* * {potential} LJ 6',
     curve: {range: 0.5}"
echo nonsense >c/bad.alloy
fails "a potential that LAMMPS cannot read" "fcc, member 1: at rest: LAMMPS exited" \
    "potentials: [Al_zhou.eam.alloy, bad.alloy], $eam, curve: {}"
mkdir g
cp f/*.vasp f/*.alloy f/site.yaml g
sed 's/with: /success: 0.5\n    with: /' f/campaign.yaml >g/campaign.yaml
fanfold -C g run >/dev/null 2>&1
is "... may be left out, and is told" "1
-" "$(fanfold -C g result properties missing
    awk '$2 == "b0" { print $5 }' g/properties/lammps/iter/000000/out/properties.txt)"
fails "a member that is there twice" "potentials[0] and [1] are the same" \
    "potentials: [Al_zhou.eam.alloy, Al_zhou.eam.alloy], $eam, curve: {}"

done_testing
