#!/bin/sh
# 0600-lammps-explore.t - the steps of lammps.explore with the real LAMMPS

stock=/usr/share/lammps/potentials
if ! command -v lmp >/dev/null || [ ! -r $stock/Si.sw ]; then
    echo '1..0 # SKIP there is no lmp, or not the potentials it comes with'
    exit 0
fi
. "$(dirname "$0")/engine.sh"

# The committee: Stillinger-Weber silicon, softer, harder.
mkdir "$work/soft" "$work/hard" "$work/stock"
cp $stock/Si.sw "$work/stock/member.sw"
sed 's/2\.1683/2.1/' $stock/Si.sw >"$work/soft/member.sw"
sed 's/2\.1683/2.2/' $stock/Si.sw >"$work/hard/member.sw"
cp "$root/examples/silicon/data/diamond.data" "$work/diamond.data"

# A task with these MD lines, number of ranks, and program.
task () {
    rm -rf "$work/task"
    mkdir "$work/task"
    cat >"$work/md.in"
    cat >"$work/task/task.json" <<END
{"format": 1, "campaign": "silicon", "campaign_dir": "$work",
 "stage": "explore", "code": "lammps", "iteration": 0, "task": 0, "seed": 4711,
 "resources": {"ranks": ${1:-1}, "cores": ${1:-1}, "gpus": 0,
  "memory_bytes": 0, "walltime_s": 60},
 "launcher": ["mpirun", "--oversubscribe", "--bind-to", "none",
  "-n", "${1:-1}"],
 "inputs": {"input": "$work/md.in", "systems": {"diamond": "diamond.data"},
  "for_each": {"temperature": [300, 900], "scale": [1, 0.985]},
  "replicas": 1, "steps": 100, "dump_every": 20,
  "potentials": ["$work/stock", "$work/soft", "$work/hard"],
  "elements": ["Si"], "pair_style": "sw",
  "pair_coeff": "* * {potential}/member.sw {elements}",
  "committee": "rerun", "lammps": ["${2:-lmp}"],
  "system": "diamond", "variables": {"temperature": 900, "scale": 0.985},
  "structure": "$work/diamond.data", "run_input": "$work/md.in",
  "run_steps": 100, "run_dump_every": 20},
 "outputs": {"trajectory": "out/trajectory.dump", "forces": "out/forces"}}
END
}

# step NAME: run it in the task's directory; its exit status in $status.
step () {
    (cd "$work/task" && fanfold operator lammps.explore "$1") \
        >"$work/said" 2>&1
    status=$?
}

# frames FILE: how many there are.
frames () {
    grep -c TIMESTEP "$work/task/out/$1"
}

# says PATTERN: the last line on stderr is about it.
says () {
    tail -n 1 "$work/said" | grep -q -e "$1"
}

param () {
    grep -q "\"$1\": $2[,}]*\$" "$work/task/params.json"
}

langevin () {
    cat <<'END'
neigh_modify every 1 delay 0 check yes
velocity all create $(2.0*v_temperature) ${seed} mom yes dist gaussian
fix 1 all nve
fix 2 all langevin ${temperature} ${temperature} 0.05 ${seed}
timestep 0.001
thermo 20
run ${steps}
END
}

not_a_number () {
    echo 'variable b equal "1e308*1e308*(step > 50)"'
    echo 'fix 3 all addforce v_b 0 0'
    langevin
}

langevin | task
step prepare
good=no
[ $status -eq 0 ] && [ "$(grep -c diamond "$work/task/slices.json")" -eq 4 ] &&
    good=yes
result 'prepare makes structures x variables' $good

step run
good=no
[ $status -eq 0 ] && param frames_expected 5 && param frames 6 &&
    param blown_up false && [ "$(frames trajectory.dump)" -eq 6 ] &&
    [ "$(cd "$work/task/out/forces" && echo *)" = \
        '000.dump 001.dump 002.dump' ] &&
    [ "$(frames forces/000.dump)" -eq 6 ] &&
    [ "$(frames forces/002.dump)" -eq 6 ] && good=yes
result 'run explores and lets every member judge' $good

good=no
grep -q '^0.0000000000000000e+00 5.34953500' "$work/task/out/trajectory.dump" &&
    good=yes
result 'the cell is scaled' $good

good=no
! cmp -s "$work/task/out/forces/000.dump" "$work/task/out/forces/001.dump" &&
    ! cmp -s "$work/task/out/forces/001.dump" \
        "$work/task/out/forces/002.dump" && good=yes
result 'the members disagree' $good

good=no
cp "$work/task/out/trajectory.dump" "$work/first.dump"
cp "$work/task/out/forces/002.dump" "$work/first.forces"
langevin | task
step run
cmp "$work/first.dump" "$work/task/out/trajectory.dump" >>"$work/said" 2>&1 &&
    cmp "$work/first.forces" "$work/task/out/forces/002.dump" \
        >>"$work/said" 2>&1 && good=yes
result 'the same task again ends the same, to the byte' $good

good=no
grep -q 'Loop time' "$work/said" && good=yes
result 'what LAMMPS prints is passed on' $good

langevin | sed 's/^timestep.*/timestep 0.05/' | task
step run
good=no
[ $status -eq 0 ] && param blown_up true && param frames 1 &&
    [ "$(frames trajectory.dump)" -eq 1 ] &&
    [ "$(frames forces/002.dump)" -eq 1 ] && good=yes
result 'lost atoms: what came before is the result' $good

langevin | sed 's/^timestep.*/timestep 0.05\nthermo_modify lost ignore/' | task
step run
good=no
[ $status -eq 0 ] && param blown_up true && param frames_expected 5 &&
    [ "$(frames trajectory.dump)" -lt 6 ] && good=yes
result 'lost atoms that were ignored are found' $good

not_a_number | task
step run
good=no
[ $status -eq 0 ] && param blown_up true && ! grep -q ERROR "$work/said" &&
    ! grep -q nan "$work/task/out/trajectory.dump" && good=yes
result 'coordinates that are no numbers, though LAMMPS does not mind' $good

not_a_number | sed 's/check yes/check no/' | task
step run
good=no
[ $status -eq 0 ] && param blown_up true &&
    grep -q 'ERROR.*Non-numeric' "$work/said" && good=yes
result 'coordinates that are no numbers, when LAMMPS looks' $good

langevin | sed 's/^run.*/run 60/' | task
step run
good=no
[ $status -eq 3 ] && says 'wrote 4 frames where 100 steps' && good=yes
result 'an MD of other length is refused' $good

langevin | sed 's/^thermo.*/pair_style snap/' | task
step run
good=no
[ $status -eq 3 ] && says "ERROR: Unrecognized pair style 'snap'" && good=yes
result 'a mistake in the input is fatal' $good

langevin | task
mv "$work/hard/member.sw" "$work/hard/none.sw"
step run
good=no
[ $status -eq 3 ] && says 'rerun.in.*ERROR.*potential_2/member.sw' && good=yes
result 'a member that cannot be loaded is fatal' $good
mv "$work/hard/none.sw" "$work/hard/member.sw"

langevin | task 1 no-such-lmp
step run
good=no
[ $status -eq 1 ] && says no-such-lmp && good=yes
result 'a program that is not there may be there elsewhere' $good

if command -v mpirun >/dev/null; then
    unset OMPI_MCA_btl OMPI_MCA_ess_singleton_isolated OMPI_MCA_pml
    langevin | task 2
    step run
    good=no
    [ $status -eq 0 ] && param frames 6 && grep -q 'on 2 procs' "$work/said" &&
        [ "$(frames forces/002.dump)" -eq 6 ] && good=yes
    result 'two ranks' $good
    not_a_number | sed 's/check yes/check no/' | task 2
    step run
    good=no
    [ $status -eq 0 ] && param blown_up true &&
        grep -q 'ERROR.*Non-numeric' "$work/said" && good=yes
    result 'an explosion on two ranks' $good
fi

done_testing
