#!/bin/sh
# 0442-abacus-label.t - abacus.label: what is checked, written and taken.  ABACUS is
# not here: a stand-in reads INPUT and STRU and prints a log as ABACUS would
. "$abs_top_srcdir/tests/cli/tap.sh"

mkdir "$tmp/run" "$tmp/pseudo" "$tmp/bin"
touch "$tmp/pseudo/Na.upf" "$tmp/pseudo/Cl.upf" "$tmp/pseudo/Na.orb"
cd "$tmp/run" || exit 1

# Forces are ten times the positions; scf_nmax 1 does not converge.  Forces and the
# stress are printed where INPUT tells so; a key that is there twice ends the run.
cat >"$tmp/bin/abacus" <<'END'
#!/bin/sh
echo '                              ABACUS v3.5.4'
grep -q '^nonsense' INPUT && {
    printf ' \n !!!!!!!!!!!\n                         NOTICE                           \n'
    printf ' !!!!!!!!!!!\n \n THE PARAMETER NAME nonsense IS NOT USED!\n'
    printf ' CHECK IN FILE : OUT.fanfold/warning.log\n'
    exit 0 # as older releases do
}
twice=$(sed 's/#.*//' INPUT | awk 'n[$1]++ == 1 { print $1; exit }')
[ -z "$twice" ] || { echo "The parameter $twice has been read twice."; exit 1; }
# value KEY: what INPUT says of it
value() {
    awk -v key="$1" '$1 == key { print $2 }' INPUT
}
[ "$(value calculation)" = scf ] || exit 1
suffix=$(value suffix)
ls "$(value pseudo_dir)Na.upf" KPT || exit 1
mkdir -p "OUT.$suffix"
awk -v bad="$(grep -c '^scf_nmax 1$' INPUT)" -v forces="$(value cal_force)" \
    -v stress="$(value cal_stress)" '
    { sub(/#.*/, "") } !NF { next }
    /^[A-Z_]+$/ && /_/ { block = $1; n = 0; next }
    block == "LATTICE_CONSTANT" { a0 = $1; next }
    block == "LATTICE_VECTORS" { v[++nv] = $0; next }
    block != "ATOMIC_POSITIONS" || ++n == 1 { next }
    left > 0 { atom[++na] = label; x[na] = $1; y[na] = $2; z[na] = $3
               number[na] = ++count; left--; next }
    part == 0 { label = $1; part = 1; next }
    part == 1 { part = 2; next }
    { left = $1; part = 0; count = 0 }
    END {
        print " READING UNITCELL\n  lattice constant (Bohr) = " a0
        printf "CARTESIAN COORDINATES ( UNIT = %20.12f Bohr ).\n", a0
        print "    atom     x     y     z"
        for (i = 1; i <= na; i++)
            printf "tauc_%s%-5d%20.10f%20.10f%20.10f  0.0\n", atom[i],
                number[i], x[i], y[i], z[i]
        print "\n Lattice vectors: (Cartesian coordinate: in unit of a_0)"
        for (i = 1; i <= 3; i++) print v[i]
        print bad ? " convergence has NOT been achieved!" \
            : "\n charge density convergence is achieved\n final etot is -7.5 eV"
        if (forces) print " TOTAL-FORCE (eV/Angstrom)\n -----"
        for (i = 1; forces && i <= na; i++)
            printf "%10s%d %15.10f %15.10f %15.10f\n", atom[i], number[i],
                10 * x[i], 10 * y[i], 10 * z[i]
        if (forces) print " -----"
        if (stress) {
            print " TOTAL-STRESS (KBAR)\n -----\n 16.02176634 8.01088317 0"
            print " 8.01088317 16.02176634 0\n 0 0 32.04353268\n -----"
        }
        print " Total  Time  : 0 h 0 mins 7 secs"
    }' STRU >"OUT.$suffix/running_scf.log"
END
chmod +x "$tmp/bin/abacus"

cat >frames.extxyz <<'END'
3
Lattice="0 5 0 5 0 0 1 0 4" Properties=species:S:1:pos:R:3 pbc="T T T" id=7
Na 0.1 0.0 0.0
Cl 2.0 0.5 0.0
Na 0.0 2.5 0.3
END
cat >INPUT <<'END'
INPUT_PARAMETERS
ecutwfc 60 # Ry
scf_nmax 100
END
printf 'K_POINTS\n0\nGamma\n2 2 2 0 0 0\n' >KPT
cat >campaign.yaml <<END
format: 1
campaign: abacus
elements: [Cl, Na]
stages:
  label:
    uses: abacus.label
    with:
      frames: frames.extxyz
      input: INPUT
      kpt: KPT
      abacus: [$tmp/bin/abacus]
      pseudopotentials: {Na: Na.upf, Cl: Cl.upf}
      pseudo_dir: $tmp/pseudo
stop: {iterations: 1}
END
printf 'format: 1\nprofiles:\n  here: {scheduler: local}\n' >site.yaml
cp campaign.yaml INPUT "$tmp"

# --- what is wrong before anything runs ---

ok "a good campaign" fanfold check

# wrong WHAT MESSAGE FILE SED-SCRIPT
wrong() {
    sed -i "$4" "$3"
    has "$1" "$2" "$(fanfold check 2>&1)"
    cp "$tmp/campaign.yaml" "$tmp/INPUT" .
}
wrong "a key that is ours" "INPUT:2: 'cal_force' is filled in by Fanfold for every frame; remove it" \
    INPUT 's/ecutwfc 60/cal_force 1/'
wrong "a key that the stage has" "INPUT:3: 'pseudo_dir' is filled in by Fanfold for every frame; write pseudo_dir of the stage instead" \
    INPUT 's/scf_nmax 100/pseudo_dir .\//'
wrong "values for each kind of atoms" "INPUT:3: 'hubbard_u' is filled in by Fanfold for every frame; remove it" \
    INPUT 's/scf_nmax 100/hubbard_u 5 0/'
wrong "their orbitals" "INPUT:3: 'orbital_corr' is filled in" INPUT 's/scf_nmax 100/orbital_corr 2 -1/'
wrong "no input of ABACUS" "INPUT:1: expected INPUT_PARAMETERS" INPUT 1d
wrong "no k-points" "there are no k-points; write kpt: FILE, or set kspacing" campaign.yaml '/kpt:/d'
cat >>INPUT <<'END'
gamma_only 0
kspacing 0.0
END
wrong "k-points that are switched off" "there are no k-points; write kpt: FILE, or set kspacing" campaign.yaml '/kpt:/d'
wrong "two sources of k-points" "INPUT sets kspacing; remove that, or kpt of the stage" INPUT '$a kspacing 0.2'
echo gamma_only .true. >>INPUT
sed -i '/kpt:/d' campaign.yaml
ok "the gamma point" fanfold check
cp "$tmp/campaign.yaml" "$tmp/INPUT" .
wrong "orbitals that are not there" "basis_type lcao needs orbitals: {ELEMENT: FILE}" \
    INPUT 's/scf_nmax 100/basis_type lcao/'
wrong "an orbital that is missing" "orbitals.Na: there is no 'no.orb' in $tmp/pseudo" \
    campaign.yaml "\$s|^|      orbitals: {Na: no.orb}\n      orbital_dir: $tmp/pseudo\n|"
wrong "orbitals of no directory" "orbitals need a directory; write orbital_dir" \
    campaign.yaml "\$s|^|      orbitals: {Na: Na.orb}\n|"
wrong "an element without pseudopotential" "pseudopotentials: none for 'Cl', and frames that have it fail" \
    campaign.yaml 's/, Cl: Cl.upf//'
wrong "a pseudopotential that is missing" "pseudopotentials.Cl: there is no 'no.upf' in $tmp/pseudo" \
    campaign.yaml 's/Cl.upf/no.upf/'

# --- labels ---

sed 's/scf_nmax 100/scf_nmax 1/' INPUT >short
sed -i 's/input: INPUT/input: short\n      fallback: [INPUT]/' campaign.yaml
ok "labels, after one that did not converge" fanfold run
labels=dataset/extxyz/iter/000000/dataset.extxyz
is "atoms come back in their order" "Na 0.1 0.0 0.0 1.0 0.0 0.0
Cl 2.0 0.5 0.0 20.0 5.0 0.0
Na 0.0 2.5 0.3 0.0 25.0 3.0" "$(tail -n 3 $labels)"
has "with an energy" "energy=-7.5 " "$(cat $labels)"
virial() {
    sed -n 's/.*virial="\([^"]*\)".*/\1/p' $labels |
        awk '{ printf "%.1f %.1f %.1f", $1, $2, $9 }'
}
is "and a virial, the stress times the volume" "1.0 0.5 2.0" "$(virial)"
has "keys of the frame are kept" "id=7" "$(cat $labels)"

cp -r "$tmp/run" "$tmp/stress"
cd "$tmp/stress" || exit 1
# again LINE: labels of an INPUT that has this line, too
again() {
    rm -rf .fanfold dataset label state.json config
    cp "$tmp/campaign.yaml" "$tmp/INPUT" .
    echo "$1" >>INPUT
    fanfold run
}
ok "an INPUT that sets cal_stress" again "cal_stress 1 # kbar"
is "has a virial, too" "1.0 0.5 2.0" "$(virial)"
ok "... and where it is 0" again "cal_stress 0"
has "there are labels" "energy=-7.5 " "$(cat $labels)"
is "... without one" "" "$(virial)"

# --- none ---

cp -r "$tmp/run" "$tmp/none"
cd "$tmp/none" || exit 1
rm -rf .fanfold dataset label state.json config
cp "$tmp/campaign.yaml" "$tmp/INPUT" .
echo nonsense 1 >>INPUT
exits "ABACUS quits, with exit status 0" 1 fanfold run
has "its own message" "ABACUS: NOTICE THE PARAMETER NAME nonsense IS NOT USED" "$(fanfold log label 2>&1)"

rm -rf .fanfold dataset label state.json config
cp "$tmp/INPUT" .
sed -i 's/pbc="T T T"/pbc="T T F"/' frames.extxyz
exits "a frame that does not repeat in all directions" 3 fanfold run
has "... is refused before it runs" "does not repeat along c, and ABACUS computes periodic ones" \
    "$(fanfold run 2>&1)"

done_testing
