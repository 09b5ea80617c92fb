# mistakes.sh - campaigns with one slip each, and what check says of them; sourced
# behind tap.sh
#
# A base is a function that makes a sound campaign in $c; `base` names the one at hand.
# shellcheck shell=sh disable=SC2034,SC2154 # what tests set, and what they use

c=$tmp/c
examples=$abs_top_srcdir/examples

# Programs need not be there to be named.
mkdir "$tmp/bin"
for program in lmp dp vasp_std pw.x cp2k abacus; do
    printf '#!/bin/sh\n' >"$tmp/bin/$program"
    chmod +x "$tmp/bin/$program"
done
PATH=$tmp/bin:$PATH

# alloy: examples/deepmd-vasp with potentials.
alloy() {
    rm -rf "$c"
    cp -r "$examples/deepmd-vasp" "$c"
    chmod -R u+w "$c"
    for element in Al Mg; do
        mkdir -p "$c/potcars/$element"
        printf '  PAW_PBE %s\n   LEXCH  = PE\n   TITEL  = PAW_PBE %s 04Jan2001\n   ENMAX  =  240.300; ENMIN  =  180.225 eV\n' \
            $element $element >"$c/potcars/$element/POTCAR"
    done
}

# said WHAT WORDS [EDIT...]: check says so of the base at hand after the edits, a shell
# command in its directory.
said() {
    what=$1 words=$2
    shift 2
    "$base"
    (cd "$c" && eval "$*") || fail "$what" "the edit failed"
    text=$(timeout 20 fanfold -C "$c" check 2>&1)
    case $text in
    *"$words"*) pass "$what" ;;
    *) fail "$what" "wanted: $words" "$text" ;;
    esac
}

# quiet WHAT [EDIT...]: check says nothing of the base at hand after the edits.
quiet() {
    what=$1
    shift
    "$base"
    (cd "$c" && eval "$*") || fail "$what" "the edit failed"
    is "$what" "no problems" "$(timeout 20 fanfold -C "$c" check 2>&1 | sed 's/.*: //')"
}

# sound WHAT: check says nothing of the base as it is.
sound() {
    "$base"
    is "$1" "no problems" "$(fanfold -C "$c" check | sed 's/.*: //')"
}

# silicon: examples/silicon, with labels alone, and pseudopotentials of its own.
silicon() {
    rm -rf "$c"
    mkdir -p "$c/pseudo"
    cp "$examples/silicon/pw.in" "$examples/silicon/data/initial.extxyz" "$c"
    printf '<PP_HEADER element="Si" functional=" SLA  PZ   NOGX NOGC"/>\n<PP_MESH/>\n' >"$c/pseudo/Si.UPF"
    printf '<PP_HEADER element="O" pseudo_type="US" functional="PBE"/>\n<PP_MESH/>\n' >"$c/pseudo/O.UPF"
    cat >"$c/campaign.yaml" <<-'EOF'
	format: 1
	campaign: silicon
	elements: [Si]
	stages:
	  label:
	    uses: qe.label
	    with: {frames: initial.extxyz, input: pw.in, pseudo_dir: pseudo, pseudopotentials: {Si: Si.UPF}}
	stop: {iterations: 1}
	EOF
    chmod u+w "$c"/*
}

# water: examples/water-cp2k with DFT.
water() {
    rm -rf "$c"
    cp -r "$examples/water-cp2k" "$c"
    chmod -R u+w "$c"
    cp "$c/pbe.inp" "$c/water.inp"
    sed 's/MINIMIZER DIIS/MINIMIZER CG/' "$c/pbe.inp" >"$c/water-slow.inp"
}

# abacus: silicon, by ABACUS.
abacus() {
    silicon
    printf 'INPUT_PARAMETERS\necutwfc 60\nscf_thr 1e-7\nsmearing_sigma 0.01\n' >"$c/INPUT"
    printf 'K_POINTS\n0\nGamma\n2 2 2 0 0 0\n' >"$c/KPT"
    sed -i 's/qe.label/abacus.label/; s/pw.in/INPUT, kpt: KPT/' "$c/campaign.yaml"
}

# nep: the alloy, by GPUMD.
nep() {
    alloy
    sed -i '/committee: deepmd/d; s/lammps.explore/gpumd.explore/; s/md.in/run.in/; s/deepmd.train/gpumd.train/
        s/input: input.json, backend: pt/input: nep.in/; s/, pressure: .*]}/}/' "$c/campaign.yaml"
    printf '%s\n' 'velocity ${temperature} seed ${seed}' 'ensemble nvt_lan ${temperature} ${temperature} 100' \
        'time_step 1' 'run ${steps}' >"$c/run.in"
    printf 'version 4\ncutoff 8 4\nn_max 4 4\ngeneration 100000\nbatch 1000\n' >"$c/nep.in"
}

# data: examples/water-cp2k, whose data are labelled frames of water.
data() {
    water
    cp "$c/data/initial.extxyz" "$c/initial.extxyz"
    sed -i 's#data/initial#initial#' "$c/campaign.yaml"
}

# json FILTER: of input.json
json() {
    jq "$1" input.json >x && mv x input.json
}

# scaled LENGTH FORCE: of all lengths and forces of initial.extxyz
scaled() {
    awk -v l="$1" -v f="$2" '
        /Lattice/ { gsub(/6\.21/, 6.21 * l) }
        NF == 7 { print $1, l * $2, l * $3, l * $4, f * $5, f * $6, f * $7; next }
        { print }' initial.extxyz >x && mv x initial.extxyz
}
