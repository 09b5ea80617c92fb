#!/bin/sh
# 0612-structures-make - frames of structures: what is refused, what the plan tells,
# a campaign that begins with a POSCAR, and ASE's own numbers

. "$(dirname "$0")/tap.sh"
cd "$tmp" || exit 1

mkdir c
cat >c/al.vasp <<'END'
aluminium
4.05
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
printf '2\n\nH 0 0 0\nH 0 0 0.74\n' >c/h2.xyz
cat >c/site.yaml <<'END'
format: 1
profiles: {here: {scheduler: local}}
END

# campaign WITH [STRUCTURES]: made at iteration 0, then labelled.
campaign() {
    cat >c/campaign.yaml <<END
format: 1
campaign: c
elements: [Al, Mg, H]
seed: 3
stop: {iterations: 1}
stages:
  make:
    uses: structures.make
    when: iteration == 0
    with: {structures: [${2:-al.vasp}], $1}
  label:
    uses: toy.label
    with: {frames: [make.frames, previous.label.frame]}
operators:
  toy.label:
    fan_out: [frames]
    inputs: {frames: {type: frames}}
    outputs: {frame: {type: frames}}
    command: [cp, "{frames}", "{outputs.frame}"]
END
}

# --- what check says ---

# refused WHAT WORDS WITH [STRUCTURES]
refused() {
    campaign "$3" "${4-}"
    has "$1" "$2" "$(fanfold -C c check 2>&1)"
}
has "what is wrong is said once" "1 problem" \
    "$(campaign 'strain: [-1, 0, 0, 0, 0, 0]' && fanfold -C c check 2>&1)"
refused "a plane that is none" "miller: [0, 0, 0] is no plane" \
    "surface: {miller: [0, 0, 0], layers: 3, vacuum: 10}"
refused "a strain that is too large" "it would turn the cell inside out" "strain: [-1, 0, 0, 0, 0, 0]"
refused "a share that is no whole number of atoms" \
    "al.vasp: substitute: 0.3 of 4 atoms of Al is 1.2, no whole number of them; write 0.25" \
    "substitute: {Al: {Mg: 0.3}}"
refused "an element that is none of the campaign's" "Cu is none of the campaign's elements" \
    "substitute: {Al: {Cu: 0.25}}"
refused "a molecule has no supercell" "structures[0]: h2.xyz: it has no cell that could be repeated" \
    "supercell: [2, 2, 2]" h2.xyz
refused "atoms that come too close" \
    "frame 1 (al.vasp, scale 0.12): atoms 1 (Al) and " \
    "scale: [1, 0.12]"
refused "a key of a map" "input 'displace' of stage 'make': 'count' (int) is missing" \
    "displace: {sigma: 0.05}"
refused "a file that is not there" "did you mean 'al.vasp'" "scale: [1]" al.vsp
echo nonsense >c/bad.vasp
refused "a file that is no structure" "bad.vasp" "scale: [1]" bad.vasp
has "... is named with its place" "structures[1]" \
    "$(campaign 'scale: [1]' 'al.vasp, bad.vasp' && fanfold -C c check 2>&1)"

# --- what plan tells ---

campaign "supercell: [2, 2, 2], scale: [0.98, 1, 1.00001], displace: {sigma: 0.03, count: 4}"
ok "a campaign may begin with a structure" fanfold -C c check
has "plan tells how many frames are made" "makes   12 frames" "$(fanfold -C c plan)"
campaign "scale: [0.98, 1, 1.00001], strain: {elastic: 0.01}"
has "... equal ones once" "makes   12 frames" "$(fanfold -C c plan)"
is "... and how many tasks label them" "12 0" "$(fanfold -C c plan --json |
    jq -r '.stages[] | select(.name == "label") | "\(.tasks) \(.only_iteration)"')"

# --- a run ---

ok "it runs" fanfold -C c run
is "as many are labelled" 12 "$(fanfold -C c result label frame | jq length)"
is "what was made is told" '12 6 48' "$(fanfold -C c result make | jq -r '"\(.frames_made) \(.equal) \(.atoms)"')"
is "frames say of what they are" 6 \
    "$(fanfold -C c result label frame | jq -r '.[]' | sed 's|^|c/|' |
        xargs cat | grep -c 'structure="al.vasp" number=0 made="scale 0.98, strain ')"

# Structures that another stage made are looked at before a job is submitted.
mkdir d
cp c/site.yaml c/h2.xyz d
cat >d/campaign.yaml <<'END'
format: 1
campaign: d
elements: [H]
stop: {iterations: 1}
stages:
  relax: {uses: toy.relax}
  make: {uses: structures.make, with: {structures: [relax.molecule], supercell: [2, 1, 1]}}
operators:
  toy.relax:
    outputs: {molecule: {type: file, path: h2.xyz}}
    command: [cp, "{campaign}/h2.xyz", "{outputs.molecule}"]
END
ok "what another stage makes is not known before" fanfold -C d check
fanfold -C d run >/dev/null 2>&1
why=$(fanfold -C d explain make)
has "it is bad input then" "bad_input" "$why"
has "... of that file" "h2.xyz: it has no cell that could be repeated" "$why"

# --- ASE ---

python=/usr/bin/python3
if ! $python -c 'import ase, numpy' 2>/dev/null; then
    not_here "structures of ASE: python3-ase is not installed (scripts/packages codes)"
    done_testing
fi
is "200 random structures are those that ASE makes, atom by atom" "200" \
    "$($python "$abs_top_srcdir/tests/cli/structures-make/against_ase.py" 2>&1 | tail -3)"
done_testing
