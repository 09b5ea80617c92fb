#!/bin/sh
# 0121-unusual - what runs to its end and is seldom meant: check warns, and says what is usual
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/mistakes.sh"

# both EDIT: of INCAR and the fallback, which must agree
both() {
    sed -i "$1" INCAR INCAR.slow
}

# aluminium: silicon, of a metal.
aluminium() {
    silicon
    sed -i 's/^Si /Al /' "$c/initial.extxyz"
    printf '<PP_HEADER element="Al" functional="PBE" wfc_cutoff="3.5E+01"/>\n<PP_MESH/>\n' >"$c/pseudo/Al.UPF"
    sed -i 's/Si: Si.UPF/Al: Al.UPF/; s/\[Si\]/[Al]/' "$c/campaign.yaml"
    sed -i 's/ecutwfc = .*/ecutwfc = 40.0/; /^K_POINTS/,$d' "$c/pw.in"
    printf 'K_POINTS automatic\n4 4 4 0 0 0\n' >>"$c/pw.in"
}

# iron: of a magnetic one.
iron() {
    aluminium
    sed -i 's/^Al /Fe /' "$c/initial.extxyz"
    sed 's/"Al"/"Fe"/' "$c/pseudo/Al.UPF" >"$c/pseudo/Fe.UPF"
    sed -i 's/Al: Al.UPF/Fe: Fe.UPF/; s/\[Al\]/[Fe]/' "$c/campaign.yaml"
}

# --- INCAR ---

base=alloy
said "a cutoff a zero too long" "INCAR:4: ENCUT = 4500 is in eV, where 300 to 700 are usual" 'both "s/= 450/= 4500/"'
said "an SCF that ends early" "INCAR:6: EDIFF = 0.01 is in eV, and forces are rough then" 'both "s/1E-6/1E-2/"'
said "hot electrons" "INCAR:7: SIGMA = 2 is in eV, where 0.05 to 0.2 are usual" 'both "s/SIGMA = 0.2/SIGMA = 2/"'
said "low precision" "INCAR:5: PREC = Low has rough forces" 'both "s/Accurate/Low/"'
said "tetrahedra in a metal" "INCAR:7: ISMEAR = -5 has forces and stress that are wrong" 'both "s/ISMEAR = 1/ISMEAR = -5/"'
said "a meta-GGA that is spherical" "INCAR:14: METAGGA needs what is not spherical" \
    'both "/LASPH/d"; echo METAGGA = SCAN | tee -a INCAR >>INCAR.slow'
said "a GGA on potentials of LDA" "GGA = RP, and the potentials are of LDA" \
    'sed -i "s/= PE/= CA/" potcars/*/POTCAR; echo GGA = RP | tee -a INCAR >>INCAR.slow'
said "a hybrid functional that is none" "INCAR:15: HFSCREEN is of a hybrid functional, and VASP passes over it" \
    'echo HFSCREEN = 0.2 | tee -a INCAR >>INCAR.slow'
quiet "... and one that is" 'printf "HFSCREEN = 0.2\nLHFCALC = T\n" | tee -a INCAR >>INCAR.slow'
said "a correlation that counts twice" "INCAR:15: LUSE_VDW adds a correlation" 'echo LUSE_VDW = T | tee -a INCAR >>INCAR.slow'
quiet "... and once" 'printf "LUSE_VDW = T\nAGGAC = 0.0\n" | tee -a INCAR >>INCAR.slow'
said "no ground state" "INCAR:8: ALGO = None finds no ground state" 'both "s/^ALGO.*/ALGO = None/"'
quiet "... and one" 'both "s/^ALGO.*/ALGO = N/"'
said "k-points for vasp_gam" "vasp_gam has the gamma point alone, and by kspacing: 0.2 a cell below 31.4 A" \
    'sed -i "s/kspacing: 0.2/vasp: [vasp_gam]\n      &/" campaign.yaml'
said "threads for VASP" "stage 'label': a task has one rank with 16 cores, and VASP shares its work among ranks" \
    'sed -i "s/task: {ranks: 16/task: {cores: 16/" campaign.yaml'
said "iron without spin" "Fe is magnetic, and there is no ISPIN" \
    'mv potcars/Mg potcars/Fe; sed -i s/Mg/Fe/ potcars/Fe/POTCAR data/* input.json
     sed -i "s/\[Al, Mg\]/[Al, Fe]/; s/Mg: Mg/Fe: Fe/" campaign.yaml'
said "smearing of metals for what is none" "ISMEAR = 1 is for metals, and no element is one" \
    'mv potcars/Al potcars/Si; mv potcars/Mg potcars/O; sed -i s/Al/Si/ potcars/Si/POTCAR; sed -i s/Mg/O/ potcars/O/POTCAR
     sed -i "s/Al3Mg/x/; s/Mg/O/g; s/Al/Si/g" campaign.yaml data/* input.json'

# --- pw.in, INPUT ---

base=aluminium
sound "a metal, as it should be"
said "a dispersion that pw.x does not know" "vdw_corr = 'grime-d3' is none that pw.x knows" \
    "sed -i \"s/ibrav = 0/&, vdw_corr = 'grime-d3'/\" pw.in"
said "smearing of 0.15 Ry" "degauss = 0.15 is in Ry" 'sed -i "s/degauss = .*/degauss = 0.15/" pw.in'
said "a density that is cut" "ecutrho = 80 is less than 4 times ecutwfc, 40" \
    'sed -i "s/ecutwfc = .*/&\n  ecutrho = 80/" pw.in'
said "a cutoff below what is suggested" "ecutwfc = 20 Ry is below what a pseudopotential suggests, 35" \
    'sed -i "s/ecutwfc = 40/ecutwfc = 20/" pw.in'
said "a metal with fixed occupations" "all elements are metals, and occupations are fixed" \
    'sed -i "/smearing/d; /degauss/d" pw.in'
said "mixing of 700 per cent" "mixing_beta = 7 is a share" 'sed -i "s/mixing_beta = .*/mixing_beta = 7/" pw.in'
said "one point for a metal" "K_POINTS is one point, which is rough for metals" \
    'sed -i "/^K_POINTS/,\$d" pw.in; echo K_POINTS gamma >>pw.in'
said "... as a mesh" "K_POINTS is one point" 'sed -i "s/^4 4 4/1 1 1/" pw.in'
said "another functional than that of the potential" "input_dft = 'pz', and the pseudopotentials are of PBE" \
    "sed -i \"s/ibrav = 0/&, input_dft = 'pz'/\" pw.in"
said "a cell with a charge" "tot_charge = 1 is that of every frame" 'sed -i "s/ibrav = 0/&, tot_charge = 1/" pw.in'
said "a density that does not converge" "scf_must_converge = .false.; remove it: forces of a density" \
    'sed -i "s/mixing_beta/scf_must_converge = .false.\n&/" pw.in'
said "the grid of one cell" "nr1 is the grid of one cell" 'sed -i "s/ibrav = 0/&, nr1 = 24/" pw.in'
said "molecules that are a crystal" "assume_isolated = 'mt' is for molecules" \
    "sed -i \"s/ibrav = 0/&, assume_isolated = 'mt'/\" pw.in"
said "spin that begins with none" "nspin = 2 begins without magnetization" \
    'sed -i "s/ibrav = 0/&, nspin = 2/" pw.in; sed -i "s/input: pw.in/&, by_element: {starting_magnetization: {Al: 0}}/" campaign.yaml'
base=iron
said "iron without nspin" "Fe is magnetic, and there is no nspin" true

base=abacus
said "a loose SCF of ABACUS" "scf_thr 1e-2 is of the density" 'sed -i s/1e-7/1e-2/ INPUT'
said "gamma alone for a metal" "gamma_only is one k-point, which is rough for metals" \
    'sed -i "s/Si/Al/g; s/, kpt: KPT//" campaign.yaml; sed -i "s/^Si/Al/" initial.extxyz
     sed s/Si/Al/ pseudo/Si.UPF >pseudo/Al.UPF; echo gamma_only 1 >>INPUT'
said "... and no smearing" "all elements are metals, and there is no smearing" \
    'sed -i "s/Si/Al/g" campaign.yaml; sed -i "s/^Si/Al/" initial.extxyz; sed s/Si/Al/ pseudo/Si.UPF >pseudo/Al.UPF'
said "... and no spin" "Ni is magnetic, and there is no nspin" \
    'sed -i "s/Si/Ni/g" campaign.yaml; sed -i "s/^Si/Ni/" initial.extxyz; sed s/Si/Ni/ pseudo/Si.UPF >pseudo/Ni.UPF'

base=silicon
said "an optimisation by xtb" "xtb: '--opt': labels are of GFN2-xTB, of the atoms where they are" \
    'echo "\$chrg 0" >x.inp; sed -i "s/T T T/F F F/" initial.extxyz
     sed -i "s/qe.label/xtb.label/; s/input: pw.in.*/input: x.inp, xtb: [xtb, --opt]}/" campaign.yaml'
said "types of a label in another order" "sw.in:2: pair_coeff: type 1 is O here, and atoms of type 1 are Si" \
    'printf "pair_style sw\npair_coeff * * x.sw O Si\n" >sw.in
     sed -i "s/\[Si\]/[Si, O]/; s/qe.label/lammps.label/; s/input: pw.in.*/input: sw.in}/" campaign.yaml'

# --- water.inp ---

# alloyed A ELECTRONS B ELECTRONS: the water becomes metals
alloyed() {
    sed -i "s/elements: .*/elements: [$1, $3]/" campaign.yaml
    sed -i "s/^H /$1 /; s/^O /$3 /" data/*.extxyz
    sed -i "s/KIND H/KIND $1/; s/KIND O/KIND $3/; s/PBE-q1/PBE-q$2/; s/PBE-q6/PBE-q$4/" water*.inp
}

base=water
said "a loose SCF of CP2K" "EPS_SCF 1.0E-2: forces are rough then" 'sed -i "s/EPS_SCF.*/EPS_SCF 1.0E-2/" water*.inp'
said "a charge of every frame" "CHARGE 1 is that of every frame" 'sed -i "s/&MGRID/CHARGE 1\n&/" water*.inp'
said "a multiplicity of every frame" "MULTIPLICITY 3 is that of every frame" \
    'sed -i "s/&MGRID/UKS T\n MULTIPLICITY 3\n&/" water*.inp'
said "few planes for a Gaussian" "REL_CUTOFF 10 is in Ry" 'sed -i "s/REL_CUTOFF 50/REL_CUTOFF 10/" water*.inp'
said "the dispersion of another functional" "REFERENCE_FUNCTIONAL BLYP: the dispersion is of another functional than" \
    'sed -i "s/REFERENCE_FUNCTIONAL PBE/REFERENCE_FUNCTIONAL BLYP/" water*.inp'
said "types in another order" "pair_coeff: type 1 is O here, and atoms of type 1 are H, as elements says; write {elements}" \
    'sed -i "s/{potential} {elements}/{potential} O H/" campaign.yaml'
quiet "... and in theirs" 'sed -i "s/{potential} {elements}/{potential} H O/" campaign.yaml'
said "no functional" "there is no &XC_FUNCTIONAL" 'sed -i "/&XC$/,/&END XC$/d" water*.inp'
said "a metal by orbital transformation" "all elements are metals, and &OT needs a gap" \
    'alloyed Al 3 Mg 2'
said "... and a magnet without spin" "Fe is magnetic, and there is no UKS" \
    'alloyed Al 3 Fe 16'

# --- md.in, and what the stage says of it ---

base=alloy
said "temperatures in eV" "for_each gives temperature 0.025, which is a temperature here, in K; write 300 for" \
    'sed -i "s/\[300, 600, 900, 1200\]/[0.025, 300]/" campaign.yaml'
said "a temperature of a star" "for_each gives temperature 60000, which is a temperature here, in K; write less" \
    'sed -i "s/\[300, 600, 900, 1200\]/[300, 60000]/" campaign.yaml'
said "a pressure of a star" "for_each gives pressure 5e+09, which is a pressure here, in bar" \
    'sed -i "s/\[0, 20000, 50000\]/[0, 5e9]/" campaign.yaml'
said "pressures in GPa" "for_each gives pressure up to 5, which is a pressure here, in bar, and hardly one; write 50000" \
    'sed -i "s/\[0, 20000, 50000\]/[0, 2, 5]/" campaign.yaml'
said "an MD that cools" "the thermostat cools from \${temperature} to 0 K" \
    'sed -i "s/npt temp .{temperature} .{temperature}/npt temp \${temperature} 0/" md.in'
said "pairs that feel nothing" "exclude leaves out pairs of atoms" 'sed -i "s/^velocity/neigh_modify exclude type 1 2\n&/" md.in'
said "atoms that may leave" "lost ignore lets an MD go on that lost atoms" 'sed -i "s/^timestep/thermo_modify lost ignore\n&/" md.in'
said "one atom" "al.vasp: there is one atom, whose images pull it" \
    'printf "Al\n1\n0 2 2\n2 0 2\n2 2 0\nAl\n1\nDirect\n0 0 0\n" >data/al.vasp'
said "a million frames of each MD" "dump_every: each MD has 1000000 frames, all of which are written" \
    'sed -i "s/steps: 10000/steps: 50000000/" campaign.yaml'
said "one frame of each MD" "dump_every: 10000 of 10000 steps is one frame" 'sed -i "s/dump_every: 50/dump_every: 10000/" campaign.yaml'
said "every step a frame" "dump_every: each MD has 10000 frames" 'sed -i "s/dump_every: 50/dump_every: 1/" campaign.yaml'
said "two thermostats" "md.in:8: the fix 'heat' is a second thermostat" \
    'sed -i "s/^timestep/fix heat all langevin \${temperature} \${temperature} 0.1 \${seed}\n&/" md.in'
said "one thermostat for all temperatures" "md.in:6: the thermostat holds a number, and velocities are created of a variable" \
    'sed -i "s/npt temp .{temperature} .{temperature}/npt temp 300 300/" md.in'
said "a damping of a step" "md.in:6: the damping 0.001 ps is as short as some steps" 'sed -i "s/ 0.1 &/ 0.001 \&/" md.in'
said "neighbours of long ago" "md.in:5: neighbours are looked for every 100 steps" \
    'sed -i "s/^velocity/neigh_modify every 100 delay 100 check no\n&/" md.in'
said "a long time step" "md.in:8: timestep 0.02 is 20 fs, in which atoms move too far" 'sed -i "s/0.002/0.02/" md.in'
said "a short one" "md.in:8: timestep 2e-06 is 0.002 fs, in which atoms move too little" 'sed -i "s/0.002/0.000002/" md.in'

# --- the selection ---

said "frames of an explosion" "levels: force: up to high, 30 eV/angstrom" 'sed -i "s/0.10, 0.30/0.1, 30/" campaign.yaml'
said "levels that no committee meets" "levels: force: high is 0.0003 eV/angstrom" 'sed -i "s/0.10, 0.30/1e-4, 3e-4/" campaign.yaml'
said "a batch away from nothing" "pick: how: fps: frames like labelled ones may be picked" \
    'sed -i "s/quota: 30/quota: 30, how: fps/" campaign.yaml'
said "all frames to be labelled" "pick: quota: up to 100000 frames" 'sed -i "s/quota: 30/quota: 100000/" campaign.yaml'

said "what another MD made" "forces are of other trajectories than those of 'explore' that are judged; write explore.forces" \
    'sed -i "/committee: deepmd/d; s/\[data.al.vasp.*/data\/al.vasp/" campaign.yaml
     sed -i "s/      levels: .*/&\n      trajectories: explore.trajectory\n      forces: other.forces/" campaign.yaml
     awk "/^  select:/ { print other } { if (/^  explore:/) on = 1; if (/^  select:/) on = 0
          if (on) other = other \$0 RS; print }" campaign.yaml | awk "/^  explore:/ && n++ { sub(/explore/, \"other\") } { print }" >x
     mv x campaign.yaml'
said "a convergence that nothing asks for" "stage 'select' says when it has converged, and stop: does not ask for it" \
    'sed -i "s/pick: {quota: 30}/&\n      convergence: {accurate: 0.95}/" campaign.yaml'
said "labels that are none" "stage 'train' is trained on what 'select' selects, which has no labels" \
    'sed -i "s/backend: pt/&, datasets: [all.label.dataset, previous.select.frames]/" campaign.yaml'
said "a committee of one" "by success: 0.25 one of 4 is enough" 'sed -i "s/uses: deepmd.train/&\n    success: 0.25/" campaign.yaml'
said "four GPUs for one" "stage 'train': a task has 4 GPUs, and its program uses one; write task: {gpus: 1}" \
    'sed -i "s/gpus: 1, cores: 8, memory: 32GiB, walltime: 12h/gpus: 4, cores: 8, walltime: 12h/" campaign.yaml'

# --- limits ---

said "a stop for the worst" "stop: this holds where the error is large, and not where it is small" \
    'sed -i "s/when: .*failed == 0,/when: max(train.rmse_f_val) > 0.1,/" campaign.yaml'
quiet "... and for the best" 'sed -i "s/when: .*failed == 0,/when: max(train.rmse_f_val) < 0.1,/" campaign.yaml'
said "a stop by what is trained on" "stop: this is the error on what is trained on" \
    'sed -i "s/when: .*failed == 0,/when: max(train.rmse_f) < 0.1,/" campaign.yaml'
said "a stop in the first phase" "stop: this holds when the phase 'a' is over, so the campaign ends there and never reaches 'b'" \
    'sed -i "s/^stop:.*/stop: {when: select.accurate > 0.9}/" campaign.yaml
     printf "phases:\n  - {name: a, iterations: 5, until: select.accurate > 0.9}\n  - {name: b, iterations: 5}\n" >>campaign.yaml'
quiet "... and one behind it" \
    'sed -i "s/^stop:.*/stop: {when: select.accurate > 0.99}/" campaign.yaml
     printf "phases:\n  - {name: a, iterations: 5, until: select.accurate > 0.9}\n  - {name: b, iterations: 5}\n" >>campaign.yaml'

said "a stop after the first iteration" "stop: this holds also where one frame of a hundred is accurate" \
    'sed -i "s/when: .*failed == 0,/when: select.accurate >= 0,/" campaign.yaml'
said "... as nearly nothing fails so" "stop: this holds also where one frame of a hundred is accurate" \
    'sed -i "s/when: .*failed == 0,/when: select.failed < 1,/" campaign.yaml'
said "... of one or the other" "is accurate (candidate 0.99, failed 0)" \
    'sed -i "s/0.95 and/0.95 or/" campaign.yaml'
said "phases that are never reached" "the phase 'b' is never reached: those before it take 5 iterations, and stop: has 3" \
    'sed -i "/^stop:/d" campaign.yaml
     printf "stop: {iterations: 3}\nphases:\n  - {name: a, iterations: 5}\n  - {name: b, iterations: 5}\n" >>campaign.yaml'
said "a stage that is done when hardly anything is" "success: stage 'label' counts as done when 1 % of its tasks are" \
    'sed -i "s/success: 0.9 /success: 0.01 /" campaign.yaml'
said "tries without end" "retry: a task of stage 'label' that fails is run 100 times" \
    'sed -i "s/success: 0.9 /retry: {failed: 100}\n    success: 0.9 /" campaign.yaml'
said "... of one that has none of its own" "retry: a task of stage 'train' that fails is run 50 times" \
    'sed -i "s/^stages:/defaults: {retry: {bad_output: 50}}\n&/" campaign.yaml'

# --- input.json ---

said "few steps" "'training.numb_steps' is 400, where 100,000" \
    'json ".training.numb_steps = 400 | .training.save_freq = 100 | .training.disp_freq = 100 | .learning_rate.decay_steps = 10"'
said "prefactors exchanged" "'loss.start_pref_e' is 1000 and start_pref_f 0.02" \
    'json ".loss.start_pref_e = 1000 | .loss.start_pref_f = 0.02"'
said "a rate of 1" "'learning_rate.start_lr' is 1, where" 'json ".learning_rate.start_lr = 1"'
said "a cutoff that ends at once" "'model.descriptor.rcut_smth' is 5.99 and rcut 6: what an atom feels fades" \
    'json ".model.descriptor.rcut_smth = 5.99"'
said "few neighbours" "lets an atom see 24 neighbours within 6 angstrom" 'json ".model.descriptor.sel = [12, 12]"'
said "parameters of frames that have none" "'model.fitting_net.numb_fparam' is 1, and labelled frames have no fparam" \
    'json ".model.fitting_net.numb_fparam = 1"'
said "a part that is not trained" "'model.descriptor.trainable' is false" 'json ".model.descriptor.trainable = false"'
said "types that do not feel each other" "'model.descriptor.exclude_types' has types" \
    'json ".model.descriptor.exclude_types = [[0, 1]]"'
said "validated on what it is trained on" "stage 'train' is validated on what it is trained on" \
    'sed -i "s/backend: pt/&, validation: all.label.dataset/" campaign.yaml'

said "a rate of a new model" "reuse: start_lr: 0.1, where 1e-4 is usual" \
    'sed -i "s/backend: pt/&, init_model: previous.train.checkpoint, reuse: {start_lr: 0.1}/" campaign.yaml'

# --- nep.in, run.in ---

base=nep
said "cutoffs of NEP in nm" "nep.in:2: cutoff 0.8 is in angstrom" 'sed -i "s/cutoff 8 4/cutoff 0.8 0.4/" nep.in'
said "few generations" "nep.in:4: generation 100 is few" 'sed -i s/100000/100/ nep.in'
said "no force in the loss" "nep.in:6: lambda_f 0 trains on no force" 'echo lambda_f 0 >>nep.in'
said "a pressure of GPUMD in bar" "run.in:2: the pressure 10000 is in GPa" \
    'sed -i "s/^ensemble.*/ensemble npt_ber \${temperature} \${temperature} 100 10000 50 1000/" run.in'

# --- what a node has, and what a shell hides ---

base=alloy
said "GPUs of a node that is full" "stage 'train': of the 4 GPUs of a node 1 are used at a time" \
    'sed -i "s/gpus: 1, cores: 8/gpus: 1, cores: 32/" campaign.yaml'

said "a training without a GPU" "stage 'train' asks for no GPU, so its tasks see none of profile 'gpu'; write task: {gpus: 1}" \
    'sed -i "/gpus: 1, .*12h/s/gpus: 1, //" campaign.yaml'
said "... where the profile tells of none" "write task: {gpus: 1}, and gpus: in node: of the profile" \
    'sed -i "s/gpus: 1, //" campaign.yaml; sed -i "s/, gpus: 4//" site.yaml'
said "a queue of GPUs without any" "stage 'select' runs in 'gpu' of profile 'cpu', and no stage there asks for a GPU" \
    'sed -i "s/partition: standard/partition: gpu/" site.yaml'

# shell: a stage that runs a shell
shell() {
    rm -rf "$c"
    mkdir "$c"
    printf 'format: 1\ncampaign: c\nstages: {run: {uses: my.run}}\nstop: {iterations: 1}\noperators:\n  my.run:\n' >"$c/campaign.yaml"
    # shellcheck disable=SC2016 # of the shell that is looked at
    echo '    command: [sh, -c, "fit >log && test -s log"]' >>"$c/campaign.yaml"
}

# text TEXT: what the shell is given
text() {
    sed -i "s/-c, .*/-c, \"$1\"]/" campaign.yaml
}

base=shell
sound "a shell that ends as what it runs"
said "a failure before a pipe" "the status is that of the program behind '|'" 'text "fit | tee log"'
said "a failure that is no failure" "what follows '||' makes every failure a success" 'text "fit || true"'
said "a last word" "the status is that of the last program, which never fails" 'text "fit; echo done"'
said "what nothing waits for" "nothing waits for what '&' starts" 'text "fit \&"'
said "a shell behind another program" "what follows '||' makes every failure a success" \
    'text "fit || true"; sed -i "s/\[sh, /[timeout, 5m, sh, /" campaign.yaml'

# script TEXT: one that the operator runs
script() {
    sed -i "s/command: .*/script: |/" campaign.yaml
    printf '      %s\n' "$@" >>campaign.yaml
}

# shellcheck disable=SC2016 # of the script
said "a script in the directory of all" 'script: cd $campaign: what is written from there on' \
    "script 'cd \"\$campaign\"' 'sort a >b'"
# shellcheck disable=SC2016
said "a script that goes on" 'script: set +e lets the script go on when a program fails' "script 'set +e' 'sort a >b'"
said "a script whose failure is none" "script: what follows '||' makes every failure a success" \
    "script 'sort a >b' 'fit b || echo failed' '# the end'"
said "... which has two lines" "script: what follows '||' makes" "script 'fit b \\\\' '|| true'"
said "a script that waits for nothing" "script: nothing waits for what '&' starts" "script 'fit a &' 'fit b &'"
quiet_script() {
    shell
    (cd "$c" && script "$@")
    is "nothing is said of a script: $1" "no problems" "$(fanfold -C "$c" check | sed 's/.*: //')"
}
# shellcheck disable=SC2016
quiet_script 'set +e' 'sort a >b' 'status=$?' 'exit $status'
quiet_script 'set +e' 'sort a >b' 'set -e' 'sort b >d'
# shellcheck disable=SC2016
quiet_script 'files=$(cd "$campaign" && ls)' 'sort a >b'
quiet_script 'fit a &' 'fit b &' 'wait'
quiet_script 'fit a' 'rm -r scratch || true'
quiet_script 'fit a || true' 'test -s b'
sounds() {
    shell
    (cd "$c" && text "$1")
    is "nothing is said of $1" "no problems" "$(fanfold -C "$c" check | sed 's/.*: //')"
}
sounds "set -o pipefail; fit | tee log"
sounds "set -e; fit; echo done"
sounds "fit 'a; echo b'"

done_testing
