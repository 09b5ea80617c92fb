#!/bin/sh
# 0440-cp2k-label.t - cp2k.label with the real CP2K
PATH=/usr/bin:$PATH
data=/usr/share/cp2k
. "$(dirname "$0")/tap.sh"
if ! command -v cp2k >/dev/null || [ ! -r $data/BASIS_MOLOPT ]; then
    not_here "labels of CP2K: there is no cp2k, or not its data"
    done_testing
fi
unset CP2K_DATA_DIR

campaign() {
    mkdir "$1"
    cp "$abs_top_srcdir"/tests/cli/cp2k-label/* "$1"
    chmod -R u+w "$1"
    cd "$1" || exit 1
}

# Silicon with four atoms off their places, the cell's length times each of these.
silicon() {
    for scale; do
        awk -v a=5.431 -v s="$scale" 'BEGIN {
            a *= s
            n = split("0.01 0 0;0 .5 .5;.5 0 .52;.5 .5 0;" \
                ".25 .25 .25;.25 .74 .75;.75 .25 .75;.75 .75 .25", r, ";")
            printf "8\nLattice=\"%.9f 0 0 0 %.9f 0 0 0 %.9f\" ", a, a, a
            print "Properties=species:S:1:pos:R:3 pbc=\"T T T\" scale=" s
            for (i = 1; i <= n; i++) {
                split(r[i], x, " ")
                printf "Si %.9f %.9f %.9f\n", a * x[1], a * x[2], a * x[3]
            }
        }'
    done >frames.extxyz
}

labels=dataset/extxyz/iter/000000/dataset.extxyz

# near FILE FRAME ENERGY FX FY FZ: in eV and eV/angstrom, of the first atom
near() {
    awk -v want="$2" -v e="$3" -v fx="$4" -v fy="$5" -v fz="$6" '
        function off(a, b, most) { return a - b > most || b - a > most }
        /energy=/ { match($0, /energy=[-0-9.e+]+/)
                    energy = substr($0, RSTART + 7, RLENGTH - 7)
                    if (n++ == want) atom = NR + 1 }
        NR == atom { seen = 1
                     if (off($5, fx, 1e-4) || off($6, fy, 1e-4) ||
                         off($7, fz, 1e-4) || off(energy, e, 1e-4)) exit 1 }
        END { if (!seen) exit 1 }' "$1" || { cat "$1"; return 1; }
}

# The trace of frame 0's virial is -dE/dln(a) of frames 1 and 2.
virial_is_derivative() {
    awk '/energy=/ { match($0, /energy=[-0-9.e+]+/)
                     e[n] = substr($0, RSTART + 7, RLENGTH - 7)
                     match($0, /Lattice="[0-9.]+/)
                     a[n] = substr($0, RSTART + 9, RLENGTH - 9)
                     match($0, /virial="[^"]*/)
                     split(substr($0, RSTART + 8, RLENGTH - 8), v, " ")
                     trace[n++] = v[1] + v[5] + v[9] }
         END { slope = -(e[2] - e[1]) / log(a[2] / a[1])
               print "trace", trace[0], "difference of energies", slope
               exit !(n == 3 && trace[0] > 0.98 * slope &&
                      trace[0] < 1.02 * slope) }' "$1"
}

# --- what is wrong before anything runs ---

campaign "$tmp/wrong"
silicon 1

# wrong WHAT MESSAGE SED-SCRIPT FILE...
wrong() {
    what=$1 message=$2 script=$3
    shift 3
    for file; do
        cp "$file" saved
        sed -i "$script" "$file"
    done
    has "$what" "$message" "$(fanfold check 2>&1)"
    for file; do
        cp saved "$file"
    done
}
ok "a good template" fanfold check
wrong "a key that is ours" \
    "xtb.inp:4: 'GLOBAL/PROJECT' is filled in by Fanfold for every frame; remove it" \
    's/PRINT_LEVEL LOW/project si/' xtb.inp
wrong "a section that is ours" \
    "xtb.inp:8: 'FORCE_EVAL/PRINT/&FORCES' is filled in by Fanfold" \
    's/^  METHOD Quick.*/\&print\n\&forces\n\&end\n\&end/' xtb.inp
wrong "a section that does not end" \
    "input: xtb.inp:26: '&END FORCE_EVAL' where &DFT of line 8 ends" \
    's/^  &END DFT//' xtb.inp
sed -i 's/xtb.inp/lda.inp/' campaign.yaml
wrong "a basis set file that is not there" \
    "lda.inp:3: there is no 'my_basis' in $data; name the file in files" \
    '' lda.inp
sed -i 's/my_basis/BASIS_MOLOPT/' lda.inp
ok "files of CP2K's own" fanfold check
wrong "a basis set that is in no file" \
    "input: lda.inp:28: $data/BASIS_MOLOPT has no basis set 'NOSUCH' for Si" \
    's/BASIS_SET SZV.*/BASIS_SET NOSUCH/' lda.inp
wrong "a potential that is in no file" \
    "input: lda.inp:29: $data/GTH_POTENTIALS has no potential 'GTH-PBE-q5' for Si" \
    's/GTH-PADE-q4/GTH-PBE-q5/' lda.inp
wrong "an element without a &KIND" \
    "lda.inp: there is no &KIND O; add it with its BASIS_SET and POTENTIAL" \
    's/\[Si\]/[Si, O]/' campaign.yaml
wrong "a data directory that is elsewhere" "there is no directory '/nowhere'" \
    's/input: lda.inp/&, data_dir: \/nowhere/' campaign.yaml

# --- labels; the first template does not converge ---

campaign "$tmp/fallback"
silicon 1 0.999 1.001
sed 's/@SET STEPS 60/@SET STEPS 3/' xtb.inp >short.inp
sed -i 's/input: xtb.inp/input: short.inp, fallback: [xtb.inp]/' campaign.yaml
ok "a campaign of labels" fanfold run
ok "energy and forces are those that CP2K printed" \
    near $labels 0 -394.784411 -0.644366 -0.263189 -0.185862
ok "the virial is the derivative of the energy" virial_is_derivative $labels
has "keys of the frame are kept" "scale=0.999" "$(cat $labels)"
said=$(fanfold log label 1)
has "the log tells why the next template was taken" \
    "--- CP2K: SCF not converged; the next template is" "$said"
is "which it was" 2 "$(echo "$said" | grep -c 'PROGRAM ENDED AT')"

# --- no labels ---

campaign "$tmp/unconverged"
silicon 1
sed -i 's/@SET STEPS 60/@SET STEPS 3/' xtb.inp
exits "SCF that does not converge is no label" 1 fanfold run
has "and is not tried again" "CP2K: SCF not converged" \
    "$(fanfold status 2>&1; fanfold log label)"
ok "nothing was published" test ! -e $labels

campaign "$tmp/aborted"
silicon 1
sed -i 's/METHOD xTB/METHOD yTB/' xtb.inp
exits "CP2K does not know a word" 1 fanfold run
has "its own message" "invalid value for enumeration:yTB" \
    "$(fanfold log label | tail -n 1)"

# --- DFT, with a basis set file and potentials of the campaign's ---

campaign "$tmp/lda"
silicon 1
cp $data/BASIS_MOLOPT my_basis
mkdir data
cp $data/GTH_POTENTIALS data/my_potentials
sed -i 's/GTH_POTENTIALS/my_potentials/' lda.inp
sed -i 's/xtb.inp/lda.inp, files: [my_basis], data_dir: data/' campaign.yaml
ok "LDA with a basis set and a data directory of one's own" fanfold run
ok "its energy and forces" \
    near $labels 0 -846.693704 -0.745099 -0.331903 -0.301222

done_testing
