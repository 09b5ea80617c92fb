# label.sh - what the tests of label operators around a real program share;
# sourced: one task of one frame, and what its labels say
# shellcheck shell=sh
. "$(dirname "$0")/engine.sh"

# label OPERATOR PORT PROGRAM [RANKS [INPUTS]]: of $work/frame.extxyz and the
# template of the standard input; PROGRAM and INPUTS (", ...") are JSON.
label () {
    rm -rf "$work/task"
    mkdir -p "$work/task/in"
    cat >"$work/template.in"
    cp "$work/frame.extxyz" "$work/task/in/frames.extxyz"
    cat >"$work/task/task.json" <<END
{"format": 1, "campaign": "labels", "campaign_dir": "$work",
 "stage": "label", "code": "$1", "iteration": 0, "task": 0, "seed": 1,
 "resources": {"ranks": ${4:-1}, "cores": ${4:-1}, "gpus": 0, "memory_bytes": 0,
  "walltime_s": 120},
 "launcher": [],
 "inputs": {"frames": "$work/task/in/frames.extxyz",
  "input": "$work/template.in", "$2": $3${5-}},
 "outputs": {"frame": "out/frame.extxyz"}}
END
    (cd "$work/task" && fanfold operator "$1.label" run) >"$work/said" 2>&1
    status=$?
}

# What the labels say: energy, number N of the virial, forces.
energy () {
    sed -n 's/.*energy=\([-0-9.e+]*\).*/\1/p' "$work/task/out/frame.extxyz"
}
virial () {
    sed -n 's/.*virial="\([^"]*\)".*/\1/p' "$work/task/out/frame.extxyz" |
        cut -d ' ' -f "$1"
}
forces () {
    sed 1,2d "$work/task/out/frame.extxyz" | awk '{ print $5, $6, $7 }'
}

# near A B TOLERANCE: yes, where they are numbers and near each other.
near () {
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN {
        print a != "" && b != "" && a - b < t && b - a < t ? "yes" : "no" }'
}
yes () {
    if "$@"; then echo yes; else echo no; fi
}
no () {
    if "$@"; then echo no; else echo yes; fi
}
