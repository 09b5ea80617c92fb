#!/bin/sh
# 0450-vasp - the example that VASP labels, as `new` writes it and as it lies there; and
# frames that a stand-in for VASP labels
. "$abs_top_srcdir/tests/cli/tap.sh"

vasp=$abs_top_srcdir/tests/fakes/vasp

# --- the example ---

ok "new writes the template" fanfold new --template deepmd-vasp "$tmp/new"
example=$abs_top_builddir/examples/deepmd-vasp
(cd "$example" && find . -type f ! -name local.mk ! -name campaign.yaml | sort) >"$tmp/files"
same=yes
while read -r file; do
    cmp -s "$example/$file" "$tmp/new/$file" || same="$file differs"
done <"$tmp/files"
is "... which is the example" yes "$same"
is "... but for the campaign's name" "campaign: new" "$(diff "$example/campaign.yaml" \
    "$tmp/new/campaign.yaml" | sed -n 's/^> //p')"
ok "... and programs can be run" test -x "$tmp/new/data/make-start"
exits "nothing is overwritten" 1 fanfold new --template deepmd-vasp "$tmp/new"
rm "$tmp/new/INCAR"
exits "... and nothing of it written where a file is" 1 fanfold new --template deepmd-vasp "$tmp/new"
is "... " no "$([ -e "$tmp/new/INCAR" ] && echo yes || echo no)"
has "templates are named" "there is no template 'vasp'; there is " \
    "$(fanfold new --template vasp "$tmp/other" 2>&1)"
for name in ase-worker water-cp2k; do
    fanfold new --template $name "$tmp/$name" >/dev/null
    ok "... $name is one, and checks" fanfold -C "$tmp/$name" check
done
cp "$example/INCAR" "$tmp/new"

cd "$tmp/new" || exit 1
text=$(fanfold check 2>&1)
is "it checks" 0 $?
is "... with one warning: where are the POTCARs?" \
    "campaign.yaml:21:16: warning: stage 'label': potcars: there is no 'potcars' on this host; if the nodes do not have it either: correct potcar_dir" \
    "$(echo "$text" | grep warning:)"

# potential ELEMENT TITLE: a made-up file.
potential() {
    mkdir -p "potcars/$1"
    printf '  %s\n   TITEL  = %s\n  End of Dataset\n' "$2" "$2" >"potcars/$1/POTCAR"
}
potential Al "PAW_PBE Al 04Jan2001"
potential Mg "PAW_PBE Mg_pv 13Apr2007"
has "with potentials there is nothing to say" ": no problems" "$(fanfold check 2>&1)"
lacks "... not a warning" warning fanfold check
potential Mg "PAW_PBE Al 04Jan2001"
has "another element's is refused" \
    "potcars/Mg/POTCAR: the potential is one of Al, not of Mg" "$(fanfold check 2>&1)"
exits "... by check" 3 fanfold check
rm "potcars/Mg/POTCAR"
has "so is one that is missing" "stage 'label': potcars: cannot " "$(fanfold check 2>&1)"
potential Mg "PAW_PBE Mg_pv 13Apr2007"
echo 'NSW = 5 ; IBRION = 2' >>INCAR.slow
has "so is an INCAR that moves atoms" "fallback: INCAR.slow:15: NSW = 5: write 0" \
    "$(fanfold check 2>&1)"
sed -i '$d' INCAR.slow
sed -i 's/kspacing: 0.2 .*/kpoints: no-such-file/' campaign.yaml
has "and k-points that are missing" "no such file 'no-such-file'" "$(fanfold check 2>&1)"

# --- frames ---

mkdir "$tmp/run" && cd "$tmp/run" || exit 1
cp -R ../new/potcars .
# Al Mg, Mg Al, Mg Al Al: elements in another order in each
cat >frames.extxyz <<'EOF'
2
Lattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3 pbc="T T T" n=0
Al 0 0 0
Mg 2.1 1.8 1.6
2
Lattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3 pbc="T T T" n=1
Mg 2.1 1.8 1.6
Al 0 0 0
3
Lattice="4 0 0 0 4 0 0.1 0 6" Properties=species:S:1:pos:R:3 pbc="T T T" n=2
Mg 0 0 0
Al 2.2 2 0.1
Mg 0.1 2 3
EOF
cat >campaign.yaml <<EOF
format: 1
campaign: vasp
elements: [Al, Mg]
stages:
  label:
    uses: vasp.label
    success: 0.6
    task: {cores: 1, walltime: 5m}
    with:
      frames: frames.extxyz
      input: INCAR
      fallback: [INCAR.slow]
      vasp: [python3, $vasp]
      potcar_dir: potcars
      potcars: {Al: Al, Mg: Mg}
      kspacing: 0.5
      by_element: {MAGMOM: {Al: 0, Mg: 1.5}}
stop: {iterations: 1}
EOF
# a hybrid functional, with which VASP makes no stress unless it is asked for
printf 'SYSTEM = scf:30\nLHFCALC = .TRUE.\n' >INCAR
echo 'NELM = 40' | cat INCAR - >INCAR.slow
sed -i 's/^SYSTEM.*/&\nNELM = 20/' INCAR
ok "frames are labelled, by the fallback" fanfold run
is "... all of them" "3 0" "$(fanfold result label | jq -r '"\(.labelled) \(.failed)"')"
data=$(ls dataset/*/iter/*/*.extxyz 2>/dev/null || find dataset -name '*.extxyz' | head -1)
is "... each with its virial" 3 "$(grep -c ' virial="' "$data")"
is "... in their order" "Al Mg Mg Al Mg Al Mg" "$(awk 'NF >= 7 && !/=/ {printf "%s%s", s, $1; s = " "}' "$data")"
# the stand-in knows no elements: frames 0 and 1 are the same, turned around
is "... forces of the atoms that they are of" yes "$(awk '
    NF >= 7 && !/=/ { f[++n] = $5 " " $6 " " $7 }
    END { print f[1] == f[4] && f[2] == f[3] && f[1] != f[2] ? "yes" : "no" }' "$data")"
is "... and what frames said besides" "n=0 n=1 n=2" \
    "$(grep -o ' n=[0-9]' "$data" | tr -d '\n' | sed 's/^ //')"

sed 's/INCAR.slow/INCAR/' campaign.yaml >"$tmp/c.yaml"
mkdir "$tmp/failed" && cp -R INCAR frames.extxyz potcars "$tmp/failed" && cd "$tmp/failed" || exit 1
cp "$tmp/c.yaml" campaign.yaml
exits "what does not converge is no label" 1 fanfold run
has "... and says so" "SCF not converged, with input and 1 fallback" \
    "$(fanfold log label 0 2>&1; fanfold explain label 2>&1)"
done_testing
