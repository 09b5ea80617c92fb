#!/bin/sh
# 0610-qe-label.t - the steps of qe.label with the real pw.x

pseudo=/usr/share/espresso/pseudo
if ! command -v pw.x >/dev/null || [ ! -r $pseudo/Si.pz-vbc.UPF ]; then
    echo '1..0 # SKIP there is no pw.x, or not its pseudopotentials'
    exit 0
fi
. "$(dirname "$0")/engine.sh"

# The first frame of the quick start's data; its labels are pw.x's, too.
head -n 10 "$root/examples/silicon/data/initial.extxyz" >"$work/labelled.extxyz"
awk 'NR == 2 { match($0, /Lattice="[^"]*"/)
               $0 = substr($0, RSTART, RLENGTH) \
                    " Properties=species:S:1:pos:R:3 pbc=\"T T T\" task=7" }
     NR > 2 { NF = 4 }
     1' "$work/labelled.extxyz" >"$work/frame.extxyz"

# A task with this template, number of ranks, and pseudopotential.
task () {
    rm -rf "$work/task"
    mkdir -p "$work/task/in"
    cat >"$work/pw.in"
    cp "$work/frame.extxyz" "$work/task/in/frames.extxyz"
    cat >"$work/task/task.json" <<END
{"format": 1, "campaign": "silicon", "campaign_dir": "$work",
 "stage": "label", "code": "qe", "iteration": 0, "task": 0, "seed": 1,
 "resources": {"ranks": ${1:-1}, "cores": ${1:-1}, "gpus": 0,
  "memory_bytes": 0, "walltime_s": 120},
 "launcher": ["mpirun", "--oversubscribe", "--bind-to", "none",
  "-n", "${1:-1}"],
 "inputs": {"frames": "$work/task/in/frames.extxyz", "input": "$work/pw.in",
  "pseudopotentials": {"Si": "${2:-Si.pz-vbc.UPF}"},
  "pseudo_dir": "$pseudo", "pw": ["pw.x"]},
 "outputs": {"frame": "out/frame.extxyz"}}
END
}

# step NAME: run it in the task's directory; its exit status in $status.
step () {
    (cd "$work/task" && fanfold operator qe.label "$1") >"$work/said" 2>&1
    status=$?
}

says () {
    tail -n 1 "$work/said" | grep -q -e "$1"
}

# near FRAME FRAME: the same energy and forces to 1 meV (and per angstrom).
near () {
    awk '
        function off (a, b) { return a - b > 0.001 || b - a > 0.001 }
        FNR == 2 { match($0, /energy=[-0-9.e+]+/)
                   energy[FILENAME] = substr($0, RSTART + 7, RLENGTH - 7) }
        FNR > 2 { for (i = 0; i < 3; i++)
                      force[FILENAME, 3 * FNR + i] = $(NF - 2 + i) }
        END { if (off(energy[ARGV[1]], energy[ARGV[2]])) exit 1
              for (i = 9; i < 33; i++)
                  if (off(force[ARGV[1], i], force[ARGV[2], i])) exit 1 }
    ' "$1" "$2"
}

task <"$root/examples/silicon/pw.in"
step run
good=no
[ $status -eq 0 ] && near "$work/labelled.extxyz" \
    "$work/task/out/frame.extxyz" && good=yes
result 'energy and forces of a configuration' $good

good=no
sed -n 2p "$work/task/out/frame.extxyz" >>"$work/said"
sed -n 2p "$work/task/out/frame.extxyz" | grep 'virial="' | grep -q 'task=7' &&
    good=yes
result 'its virial, and what else was known of it' $good

good=no
[ ! -e "$work/task/scratch" ] && grep -q 'JOB DONE' "$work/said" && good=yes
result 'the scratch directory is gone, the output is passed on' $good

sed 's/electron_maxstep.*/electron_maxstep = 2/' \
    "$root/examples/silicon/pw.in" | task
step run
good=no
[ $status -eq 3 ] && says 'SCF not converged after 2 steps' &&
    [ ! -e "$work/task/out/frame.extxyz" ] && good=yes
result 'what did not converge is no label' $good

task 1 nosuch.UPF <"$root/examples/silicon/pw.in"
step run
good=no
[ $status -eq 3 ] && says 'readpp (1): .*nosuch.UPF not found' && good=yes
result "pw.x's own message" $good

sed 's/ibrav = 0/ibrav = 0, nat = 8/' "$root/examples/silicon/pw.in" | task
step run
good=no
[ $status -eq 3 ] && says "pw.in:12: 'nat' is filled in" && good=yes
result 'a template that says too much' $good

sed 's/ibrav = 0/ibrav = 1, celldm(1) = 10/' "$root/examples/silicon/pw.in" |
    task
step run
good=no
[ $status -eq 3 ] && good=yes
result 'another cell' $good

if command -v mpirun >/dev/null; then
    unset OMPI_MCA_btl OMPI_MCA_ess_singleton_isolated OMPI_MCA_pml
    task 2 <"$root/examples/silicon/pw.in"
    step run
    good=no
    [ $status -eq 0 ] && near "$work/labelled.extxyz" \
        "$work/task/out/frame.extxyz" && good=yes
    result 'two ranks' $good
fi

# --- collect ---

cat >"$work/task/task.json" <<END
{"format": 1, "campaign": "silicon", "campaign_dir": "$work",
 "stage": "label", "code": "qe", "iteration": 0, "task": null,
 "inputs": {}, "outputs": {"dataset": "out/dataset.extxyz"},
 "stacked": {"frame": ["$work/labelled.extxyz", null, "$work/labelled.extxyz"]}}
END
step collect
good=no
[ $status -eq 0 ] &&
    [ "$(grep -c Lattice "$work/task/out/dataset.extxyz")" -eq 2 ] &&
    grep -q '"failed": 1' "$work/task/params.json" && good=yes
result 'collect puts them into one file' $good

done_testing
