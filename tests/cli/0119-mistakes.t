#!/bin/sh
# 0119-mistakes - slips of chemists in the inputs of their codes, which nothing refuses
# and which make no result, or a wrong one: check says which line it is, and what to do
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/mistakes.sh"

# --- INCAR, KPOINTS, POTCAR ---

base=alloy
sound "the inputs of an alloy, as they should be"
said "two tags on a line without a semicolon" "INCAR:7: SIGMA stands behind ISMEAR on one line" \
    'sed -i "s/ISMEAR = 1 ;/ISMEAR = 1/" INCAR'
said "a tag twice" "INCAR:15: ENCUT is set above, too, and VASP takes that; remove one" \
    'echo "ENCUT = 520" >>INCAR'
said "no cutoff, and several elements" "INCAR: there is no ENCUT, and VASP takes the largest ENMAX" \
    'sed -i /ENCUT/d INCAR'
said "a cutoff below that of a potential" "INCAR:4: ENCUT = 150 eV is below the ENMAX of a potential, 240.3" \
    'sed -i "s/^ENCUT.*/ENCUT = 150/" INCAR INCAR.slow'
said "a letter in a number" "INCAR:4: ENCUT = 45O; write a number" 'sed -i "s/450/45O/" INCAR'
said "a tag without =" "INCAR:6: EDIFF has no '='; write EDIFF = VALUE" 'sed -i "s/^EDIFF.*/EDIFF 1E-6/" INCAR'
said "cores that do not divide the ranks" "INCAR:14: NCORE = 5 does not divide the 16 ranks" \
    'sed -i "s/^NCORE.*/NCORE = 5/" INCAR'
said "one step of the SCF" "NELM = 1 steps are too few" 'sed -i "s/^NELM .*/NELM = 1/" INCAR'
said "electrons of one cell" "INCAR:15: NELECT is that of one cell" 'echo NELECT = 96 >>INCAR'
said "U without values" "LDAU is on, and no U is given" 'echo LDAU = .TRUE. >>INCAR'
said "spin-orbit coupling by vasp_std" "LSORBIT needs vasp_ncl" 'echo LSORBIT = T >>INCAR'
said "a POSCAR for an INCAR" "al.vasp has no line TAG = value; name an INCAR" \
    'sed -i "s#input: INCAR#input: data/al.vasp#" campaign.yaml'
said "a fallback of another cutoff" "INCAR.slow: has ENCUT 300 (in input 450): labels" \
    'sed -i "s/^ENCUT.*/ENCUT = 300/" INCAR.slow'
said "... of another functional" "INCAR.slow: has METAGGA not set (in input SCAN)" 'echo METAGGA = SCAN >>INCAR'
said "a fallback that is the input" "INCAR.slow: says what input says" 'cp INCAR INCAR.slow'
said "k-points along lines" "KPOINTS:3: points along lines are for bands" \
    'sed -i "s/kspacing: 0.2 /kpoints: KPOINTS/" campaign.yaml; printf "b\n20\nLine-mode\nReciprocal\n0 0 0\n" >KPOINTS'
said "a mesh alone" "KPOINTS:1: expected the number of k-points" \
    'sed -i "s/kspacing: 0.2 /kpoints: KPOINTS/" campaign.yaml; echo 4 4 4 >KPOINTS'
said "k-points far apart" "kspacing: 2/angstrom" 'sed -i "s/kspacing: 0.2 /kspacing: 2/" campaign.yaml'
said "potentials of two functionals" "that of Mg is of the functional CA, and that of Al of PE" \
    'sed -i "s/= PE/= CA/" potcars/Mg/POTCAR'

# --- input.json ---

said "one sel of two" "'model.descriptor.sel' is a list of 1 for 2 elements" 'json ".model.descriptor.sel = [90]"'
said "a number in quotes" "'training.numb_steps' is \"400000\"; write a whole number" \
    'json ".training.numb_steps = \"400000\""'
said "no checkpoint before the end" "'training.save_freq' is 1000000 and training.numb_steps 400000" \
    'json ".training.save_freq = 1000000"'
said "no row of the curve" "'training.disp_freq' is 1000000" 'json ".training.disp_freq = 1000000"'
said "cutoffs exchanged" "'model.descriptor.rcut_smth' is 7 and rcut 6" 'json ".model.descriptor.rcut_smth = 7"'
said "a descriptor misspelt" "did you mean 'se_e2_a'" 'json ".model.descriptor.type = \"se_e2a\""'
said "a section misspelt" "'learningrate' is no key of dp; did you mean 'learning_rate'" \
    'sed -i s/learning_rate/learningrate/ input.json'
said "no force is trained on" "so no force is trained on" 'json ".loss.start_pref_f = 0 | .loss.limit_pref_f = 0"'
said "a rate that rises" "the rate rises" 'json ".learning_rate.stop_lr = 0.1"'
said "a rate that never falls" "the rate never falls" 'json ".learning_rate.decay_steps = 4000000"'
said "a cutoff in nm" "'model.descriptor.rcut' is 0.6 angstrom" \
    'json ".model.descriptor.rcut = 0.6 | .model.descriptor.rcut_smth = 0.05"'
said "a batch of nothing" "'training.training_data.batch_size' is 0" 'json ".training.training_data.batch_size = 0"'
said "neighbours that are not seen" "lets an atom see 8 neighbours" 'json ".model.descriptor.sel = [4, 4]"'
said "no fitting net" "'model' has no 'fitting_net'" 'json "del(.model.fitting_net)"'
said "neurons as text" "'model.descriptor.neuron' is no list of whole numbers" \
    'json ".model.descriptor.neuron = \"25 50 100\""'
said "a comma too many" "JSON has no comments, and no comma before }" 'sed -i "s/5000/5000,/" input.json'

# --- md.in, and what it starts from ---

said "a time step in fs" "md.in:8: timestep 2 is in ps" 'sed -i "s/0.002/2/" md.in'
said "a thermostat in fs" "md.in:6: the damping 100 is in ps" 'sed -i "s/ 0.1 &/ 100 \&/" md.in'
said "a barostat in fs" "the damping 1000 is in ps" 'sed -i "s/ 0.5$/ 1000/" md.in'
said "one seed for all" "md.in:5: the seed 4711 is that of every task" 'sed -i "s/.{seed}/4711/" md.in'
said "atoms that nothing moves" "md.in: no fix moves the atoms" \
    'sed -i "/^fix/d; s/^ *aniso.*/print \"\${pressure}\"/" md.in'
said "atoms at rest" "md.in: nothing gives the atoms velocities" 'sed -i /^velocity/d md.in'
said "atoms that are moved twice" "the fixes 'motion' and 'more' both move the atoms of group all" \
    'sed -i "s/^timestep/fix more all nve\n&/" md.in'
said "a scale in per cent" "scale: all lengths are multiplied by 98, the volume by 9.41e+05" \
    'sed -i "s/pressure: .*]}/scale: [98, 100]}/" campaign.yaml; sed -i "s/aniso.*/aniso 0 0 0.5/" md.in'
said "quotes of a word processor" "has a quote or a blank of a word processor, which is part of the text" \
    'sed -i "s/input: md.in/input: md.in\n      pair_style: “{deepmd}”/" campaign.yaml'
said "a temperature below 0" "for_each gives temperature -300" 'sed -i "s/\[300,/[-300,/" campaign.yaml'
said "masses of one's own" "md.in:1: Fanfold writes masses" 'sed -i "1i mass 1 12" md.in'
quiet "... and of the elements" 'sed -i "1i mass 1 26.98\nmass 2 24.305" md.in'
said "... in another order" "md.in:1: Fanfold writes masses" \
    'sed -i "1i mass 1 24.305\nmass 2 26.98" md.in'
said "a minimisation first" "md.in:5: this runs beside the \${steps} steps" \
    'sed -i "s/^velocity/minimize 1e-6 1e-6 100 100\n&/" md.in'
said "an equilibration first" "md.in:10: this runs beside the" 'sed -i "s/^run/run 1000\n&/" md.in'
said "a file beside the input" "md.in:8: 'common.in' is looked for in the task's directory" \
    'sed -i "s/^timestep.*/include common.in/" md.in'
said "a command misspelt" "md.in:8: LAMMPS has no command 'timestp'; did you mean 'timestep'?" \
    'sed -i s/^timestep/timestp/ md.in'
said "a fix misspelt" "md.in:6: LAMMPS has no fix 'ntp'; did you mean 'npt'?" 'sed -i "s/all npt/all ntp/" md.in'
said "an atom that is there twice" "al.vasp: Al and Al are 0 A apart" \
    'sed -i "10s/.*/ 0 0 0/" data/al.vasp'
said "a lattice of the wrong length" "al.vasp: Al and Al are 0.286 A apart" 'sed -i "s/^1.0$/0.1/" data/al.vasp'
said "types that nothing tells" "no Masses tell what its types are, so type 1 is Al and type 2 Mg" \
    'printf "x\n\n1 atoms\n2 atom types\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n\nAtoms\n\n1 2 0 0 0\n" >data/al.data;
     sed -i s/al.vasp/al.data/ campaign.yaml'

# --- the loop, and what it waits for ---

said "selected frames that nobody labels" "no stage takes select.frames, so what is selected is never labelled" \
    'sed -i "s/{from: previous.select.frames, default: data.start.extxyz}/data\/start.extxyz/" campaign.yaml'
said "labels that nothing is trained on" "no stage takes label.dataset, so nothing is trained on what is labelled" \
    'sed -i "s/input: input.json,/& datasets: [data\/start.extxyz],/" campaign.yaml'
said "a convergence that nothing defines" "select.converged is false as long as the stage does not say what it is" \
    'sed -i "s/when: .* and select.failed == 0/when: select.converged/" campaign.yaml'
said "what is never true" "select.accurate is from 0 to 1, so > 1 is never true" \
    'sed -i "s/accurate >= 0.95/accurate > 1/" campaign.yaml'
said "... with the sides exchanged" "select.accurate is from 0 to 1, so > 1 is never true" \
    'sed -i "s/select.accurate >= 0.95/1 < select.accurate/" campaign.yaml'
said "levels that nothing is written for" "levels for the virial and the energy need what lammps.explore writes with committee: deepmd" \
    'sed -i "/committee: deepmd/d; s/0.30\]/&, virial: [0.01, 0.05]/" campaign.yaml'
said "a stage that is never run" "stage 'label' is run in iteration 0 alone, and previous.select is not there then" \
    'sed -i "s/uses: vasp.label/&\n    when: iteration == 0/; s/, default: data.start.extxyz//" campaign.yaml'
said "a minimum above the quota" "pick: minimum: 99 is above quota, 30" \
    'sed -i "s/quota: 30/quota: 30, minimum: 99/" campaign.yaml'
said "a distance in pm" "filters.closest: 120 is in angstrom" \
    'sed -i "s/pick: {quota: 30}/&\n      filters: {closest: 120}/" campaign.yaml'
said "a tolerance of bonds" "duplicates.tolerance: 2 is in angstrom" \
    'sed -i "s/pick: {quota: 30}/&\n      duplicates: {tolerance: 2, labelled: all.label.dataset}/" campaign.yaml'
said "a pair style misspelt" "pair_style: LAMMPS has no pair style 'tersof'; did you mean 'tersoff'?" \
    'sed -i "s/committee: deepmd/pair_style: tersof {potential}/" campaign.yaml'
said "a pair style with its command" "pair_style: it begins with the command itself" \
    'sed -i "s/committee: deepmd/pair_style: pair_style sw {potential}/" campaign.yaml'

# --- pw.x ---

base=silicon
sound "an input of pw.x, as it should be"
said "a relaxation" "pw.in:7: calculation = 'relax'; write 'scf'" "sed -i \"s/'scf'/'relax'/\" pw.in"
said "a text without quotes" "pw.in:7: calculation = scf; write it in quotes" "sed -i \"s/'scf'/scf/\" pw.in"
said "no forces" "pw.in:8: tprnfor = .false.; remove it: labels have forces" 'sed -i "s/.true./.false./" pw.in'
said "a cell" "pw.in:12: ibrav = 2; remove it: the cell is that of a frame" 'sed -i "s/ibrav = 0/ibrav = 2/" pw.in'
said "a key misspelt" "pw.in:17: pw.x has no key 'degaus'; did you mean 'degauss'?" 'sed -i s/degauss/degaus/ pw.in'
said "a namelist misspelt" "pw.x has no namelist &electron; did you mean &electrons" \
    'sed -i "s/&ELECTRONS/\&ELECTRON/" pw.in'
said "a namelist without end" "let each namelist end in a line with a slash" 'sed -i "0,/^\\/\$/{/^\\/\$/d}" pw.in'
said "no cutoff" "there is no ecutwfc, which pw.x needs" 'sed -i /ecutwfc/d pw.in'
said "a cutoff in eV" "pw.in:13: ecutwfc = 450 is in Ry" 'sed -i "s/= 12.0/= 450/" pw.in'
said "smearing in eV" "degauss = 1 is in Ry" 'sed -i "s/degauss = 0.02/degauss = 1/" pw.in'
said "bands of one cell" "nbnd is that of one number of atoms" 'sed -i "s/ibrav = 0/nbnd = 16/" pw.in'
said "spins without magnetization" "nspin = 2 begins without magnetization" 'sed -i "s/ibrav = 0/nspin = 2/" pw.in'
said "a mesh of three numbers" "K_POINTS automatic is followed by 3 whole numbers" \
    'sed -i "/^K_POINTS/,\$d" pw.in; printf "K_POINTS automatic\n4 4 4\n" >>pw.in'
said "pseudopotentials of two functionals" "that of O is of the functional PBE, and that of Si of LDA" \
    'sed -i "s/: .Si.\$/: [Si, O]/; s/Si: Si.UPF/&, O: O.UPF/" campaign.yaml'
said "an ultrasoft one without ecutrho" "there is no ecutrho, and O.UPF is ultrasoft or PAW" \
    'sed -i "s/: .Si.\$/: [O]/; s/Si: Si.UPF/O: O.UPF/" campaign.yaml; sed -i "s/^Si/O/" initial.extxyz'
said "a fallback of another cutoff" "slow.in: has ecutwfc 30.0 (in input 12.0)" \
    'sed "s/12.0/30.0/" pw.in >slow.in; sed -i "s/input: pw.in/&, fallback: [slow.in]/" campaign.yaml'

# --- CP2K ---

base=water
sound "an input of CP2K, as it should be"
said "a keyword misspelt" "CP2K has no MAXSCF in &FORCE_EVAL/DFT/SCF; did you mean 'MAX_SCF'?" \
    'sed -i s/MAX_SCF/MAXSCF/ water.inp'
said "a potential of another functional" "POTENTIAL GTH-BLYP-q1 is of another functional than &XC_FUNCTIONAL PBE" \
    'sed -i s/GTH-PBE/GTH-BLYP/ water.inp'
said "charges of a cluster" "PERIODIC NONE: charges do not see those beyond the cell" \
    'sed -i "s/&MGRID/\&POISSON\nPERIODIC NONE\n\&END POISSON\n&/" water.inp'
said "a coarse grid" "CUTOFF 40 is in Ry" 'sed -i "s/CUTOFF 400/CUTOFF 40/" water.inp'
said "a fallback of another grid" "water-slow.inp: has FORCE_EVAL/DFT/MGRID/CUTOFF 200 (in input 400)" \
    'sed -i "s/CUTOFF 400/CUTOFF 200/" water-slow.inp'

# --- ABACUS ---

base=abacus
sound "an input of ABACUS, as it should be"
said "a key misspelt" "INPUT:2: ABACUS has no key 'ecut_wfc'; did you mean 'ecutwfc'?" 'sed -i s/ecutwfc/ecut_wfc/ INPUT'
said "an equals sign" "INPUT:2: ABACUS reads no '='" 'sed -i "s/ecutwfc 60/ecutwfc = 60/" INPUT'
said "a cutoff in eV" "INPUT: ecutwfc 800 is in Ry" 'sed -i "s/ecutwfc 60/ecutwfc 800/" INPUT'
said "a mesh without shifts" "KPT:4: expected six numbers" 'printf "K_POINTS\n0\nGamma\n2 2 2\n" >KPT'
said "points along lines" "KPT:3: points along lines are for bands" 'printf "K_POINTS\n2\nLine\n0 0 0 9\n1 0 0 1\n" >KPT'

# --- GPUMD ---

for program in gpumd nep; do
    cp "$tmp/bin/lmp" "$tmp/bin/$program"
done
base=nep
sound "the inputs of GPUMD, as they should be"
said "a time step in ps" "run.in:3: time_step 0.001 is in fs" 'sed -i "s/time_step 1/time_step 0.001/" run.in'
said "no ensemble" "run.in: there is no ensemble, so atoms do not move" 'sed -i /ensemble/d run.in'
said "no velocities" "run.in: nothing gives the atoms velocities" 'sed -i /velocity/d run.in'
said "one seed for all" "run.in:1: the seed is that of every task" 'sed -i "s/.{seed}/4711/" run.in'
said "a keyword of run.in misspelt" "run.in:2: GPUMD has no keyword 'ensembel'; did you mean 'ensemble'?" \
    'sed -i s/ensemble/ensembel/ run.in'
said "a keyword of nep.in misspelt" "nep.in:2: nep has no keyword 'cutof'; did you mean 'cutoff'?" \
    'sed -i s/cutoff/cutof/ nep.in'
said "an equals sign" "nep.in:2: nep reads no '='" 'sed -i "s/cutoff 8/cutoff = 8/" nep.in'
said "cutoffs exchanged" "cutoff: the radial one, 4, is below the angular one, 8" 'sed -i "s/8 4/4 8/" nep.in'

# --- data ---

base=data
sound "labelled frames, as they should be"
said "positions that are fractions" "O and O are 0.436 A apart in frame 6" \
    "awk 'NF == 7 { print \$1, \$2 / 6.21, \$3 / 6.21, \$4 / 6.21, \$5, \$6, \$7; next } { print }' initial.extxyz >x; mv x initial.extxyz"
said "lengths in bohr" "look at the unit of its positions and cells: 1 bohr is 0.529 A" 'scaled 1.8897 0.01'
said "lengths in nm" "look at the unit of its positions" 'scaled 0.1 1'
# oscillating SIGN: water's oxygen and hydrogen swing, and forces have this factor.
oscillating() {
    awk -v f="$1" 'BEGIN {
        for (i = 0; i < 8; i++) {
            u = 0.02 + 0.02 * i
            energy = 15 * u * u - 400
            print "2\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3:forces:R:3 energy=" energy " pbc=\"T T T\""
            print "O 0 0 0", f * 30 * u, "0 0\nH", 0.97 + u, "0 0", -f * 30 * u, "0 0"
        }
    }' >initial.extxyz
}
said "forces of the other sign" "change by -1 eV from frame to frame for each eV that the forces say, as if energies or forces have the other sign" \
    'oscillating -1'
said "forces in hartree/bohr" "as if forces are in hartree/bohr" 'oscillating 0.019447'
said "energies in hartree" "as if energies are in hartree" 'oscillating 27.2114'
data
(cd "$c" && oscillating 1)
is "... and nothing of forces that agree" "no problems" "$(fanfold -C "$c" check 2>&1 | sed 's/.*: //')"
said "a single frame" "data.initial: there is one frame" \
    'sed -i "s/uses: cp2k.label/uses: vasp.label/" campaign.yaml; head -26 initial.extxyz >x; mv x initial.extxyz'
said "frames without a cell" "12 frames of 'initial.extxyz' repeat in no direction, and vasp.label labels cells that do" \
    'sed -i "s/uses: cp2k.label/uses: vasp.label/" campaign.yaml; sed -i "s/Lattice=[^P]*//; s/virial=.*//" initial.extxyz'
said "forces that are 0" "all forces of 'initial.extxyz' are 0" 'scaled 1 0'
said "the energies of two codes" "give all of them the total energy in eV, by one code and one setting" \
    'sed "s/energy=-1/energy=-3/" initial.extxyz >two.extxyz; sed -i "s/initial.extxyz\]/initial.extxyz, two.extxyz]/" campaign.yaml'
said "a virial as a stress of that size" "are a pressure of up to" \
    'sed -i "s/virial=\"[^\"]*\"/stress=\"-90 0 0 0 -90 0 0 0 -90\"/" initial.extxyz'
said "virials of frames that do not repeat" "12 frames of 'initial.extxyz' have a virial, and repeat in no direction" \
    'sed -i "s/T T T/F F F/" initial.extxyz'
said "an energy of another state" "frame 2 of 'initial.extxyz' has an energy of" \
    'awk "/energy=/ && n++ == 2 { sub(/energy=-12/, \"energy=-13\") } { print }" initial.extxyz >x; mv x initial.extxyz'
# stress SCALE: water that is compressed by steps, with a modulus of 2 GPa, times SCALE
stress() {
    for v in 6.0 6.1 6.2 6.3 6.4 6.5; do
        w=$(awk "BEGIN { print $1 * 2 / 160.2 * 3 * (6.2 - $v) / 6.2 * $v ^ 3 }")
        awk -v v=$v -v w="$w" 'NR <= 26 { gsub(/6\.21/, v); sub(/virial="[^"]*"/, "virial=\"" w " 0 0 0 " w " 0 0 0 " w "\""); print }' \
            initial.extxyz
    done >x
    mv x initial.extxyz
}
said "virials of the other sign" "the bulk modulus of H16O8 is -" 'stress -1'
said "a stress in GPa" "a stress is in eV/A^3 there, and a virial in eV: convert it" 'stress 16000'
said "a file that is there twice" "12 frames of 'initial.extxyz' are in 'initial.extxyz', too; name each frame once" \
    'sed -i "s/\[initial.extxyz\]/[initial.extxyz, ini*.extxyz]/" campaign.yaml'
said "frames that are trained on and judged by" "2 frames of 'held.extxyz' are in 'initial.extxyz', too, which is trained on" \
    'head -n 52 initial.extxyz >held.extxyz; sed -i "s/\[initial.extxyz\]/&, held_out: [held.extxyz]/" campaign.yaml'
said "a cell without volume" "repeats in all directions, and its cell has no volume" \
    'sed -i "s/Lattice=\"[^\"]*\"/Lattice=\"0 0 0 0 0 0 0 0 0\"/" initial.extxyz'
base=silicon
said "a frame without a cell" "frames: frame 0 of $c/initial.extxyz: the frame has no cell, and pw.x needs one" \
    'sed -i "s/Lattice=\"[^\"]*\" pbc=\"T T T\"//" initial.extxyz'

# --- who does not call check ---

silicon
sed -i 's/uses: qe.label/uses: lammps.label/; s/input: pw.in.*/input: sw.in, lammps: ["false"]}/' "$c/campaign.yaml"
sed -i 's/^Si [^ ]* [^ ]* [^ ]*/Si 0 0 0/' "$c/initial.extxyz"
sed -i 's#^stages#data: {initial: [initial.extxyz]}\n&#' "$c/campaign.yaml"
printf 'pair_style sw\npair_coeff * * Si.sw Si\n' >"$c/sw.in"
printf 'format: 1\nprofiles:\n  here: {scheduler: local, node: {cores: 1}, limits: {poll: 0.1s}}\n' >"$c/site.yaml"
warning="warning: data.initial: Si and Si are 0 A apart"
has "plan tells what looks wrong" "$warning" "$(fanfold -C "$c" plan 2>&1)"
has "... and run, when the campaign begins" "$warning" "$(fanfold -C "$c" run 2>&1)"
is "... once" 0 "$(fanfold -C "$c" run 2>&1 | grep -c "$warning")"
sed -i 's/iterations: 1/iterations: 2/' "$c/campaign.yaml"
has "... and when an edit is taken on" "$warning" "$(fanfold -C "$c" run 2>&1)"

# --- a reference that is edited in mid-campaign ---

c=$tmp/edited
mkdir "$c"
cp "$examples/silicon/data/initial.extxyz" "$c/frames.extxyz"
echo "ENCUT = 300" >"$c/INCAR"
cat >"$c/campaign.yaml" <<-'EOF'
	format: 1
	campaign: edited
	elements: [Si]
	stages:
	  label: {uses: my.label, with: {input: INCAR, frames: frames.extxyz}}
	stop: {iterations: 2}
	operators:
	  my.label:
	    inputs: {input: {type: file}, frames: {type: frames}}
	    outputs: {dataset: {type: frames, publish: true}}
	    command: [sh, -c, 'test -s "$1"; cat "$2" >"$3"', sh, "{input}", "{frames}", "{outputs.dataset}"]
EOF
printf 'format: 1\nprofiles:\n  here: {scheduler: local, node: {cores: 1}, limits: {poll: 0.1s}}\n' >"$c/site.yaml"
out=$(fanfold -C "$c" run 2>&1)
is "two iterations by one setting say nothing" 0 "$(echo "$out" | grep -c 'training data')"
echo "ENCUT = 500" >"$c/INCAR"
sed -i 's/iterations: 2/iterations: 3/' "$c/campaign.yaml"
said="stage 'label': input is not in iteration 2 what it was in iteration 1, and labels of both are training data"
has "labels of two settings are told" "$said" "$(fanfold -C "$c" run 2>&1)"
out=$(fanfold -C "$c" status)
has "... by status, too, with what to do" "label anew: \`fanfold redo label --iteration 0\`" "$out"
ok "... which helps" fanfold -C "$c" redo label --iteration 0 --yes
out=$(fanfold -C "$c" run 2>&1)
is "... all of them" 0 "$(echo "$out" | grep -c 'training data')"

done_testing
