#!/bin/sh
# 0328-launchers - the ranks of each preset stay where their task was bound, and two
# tasks at a time share no core
# Of two daemons of Open MPI on one machine one crashes when they meet in /dev/shm.
TMPDIR=/tmp
export TMPDIR
. "$abs_top_srcdir/tests/cli/tap.sh"

# A rank notes which CPUs it may run on, and waits until four have.
cat >"$tmp/rank" <<-'EOF'
	#!/bin/sh
	sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status >"$1/$2.$$"
	n=0
	while [ "$(ls "$1" | wc -l)" -lt "$3" ] && [ $n -lt 600 ]; do
	    sleep 0.1
	    n=$((n + 1))
	done
	EOF
chmod +x "$tmp/rank"

# campaign PRESET: one task of two ranks
campaign() {
    rm -rf "$tmp/c" "$tmp/ranks"
    mkdir "$tmp/c" "$tmp/ranks"
    cat >"$tmp/c/campaign.yaml" <<-EOF
	format: 1
	campaign: launchers
	elements: [Si]
	stages:
	  work: {uses: test.ranks}
	stop: {iterations: 1}
	operators:
	  test.ranks:
	    task: {ranks: 2}
	    command: ["{launcher}", $tmp/rank, $tmp/ranks, task, "2"]
	EOF
    cat >"$tmp/c/site.yaml" <<-EOF
	format: 1
	profiles:
	  here: {scheduler: local, spool: $tmp/spool, launcher: $1, node: {cores: 2}}
	EOF
}

# seen TASK: what its ranks may run on, each once
seen() {
    cat "$tmp/ranks/$1".* | sort -u | xargs
}

# start_on CPU TASK LAUNCHER...: with a directory of its own, as an agent gives each task;
# two daemons of Open MPI that share one may remove it under each other.
start_on() (
    cpu=$1 task=$2
    shift 2
    mkdir -p "$tmp/t$task"
    TMPDIR=$tmp/t$task taskset -c "$cpu" "$@" "$tmp/rank" "$tmp/ranks" "$task" 4 \
        >"$tmp/$task" 2>&1
)

# Two tasks of the preset at a time, as an agent would start them on these CPUs.
two_at_a_time() {
    rm -f "$tmp"/ranks/*
    manifest=$(find "$tmp/c" -name stage.json)
    set --
    while read -r word; do
        set -- "$@" "$word"
    done <<-EOF
	$(jq -r '.launcher[]' "$manifest" | sed 's/{ranks}/2/; s/{ranks_per_node}/2/')
	EOF
    (
        for setting in $(jq -r '.environment[]' "$manifest"); do
            export "${setting?}"
        done
        start_on "$cpu_a" a "$@" &
        start_on "$cpu_b" b "$@" &
        wait
    )
    [ "$(ls "$tmp/ranks" | wc -l)" = 4 ] || sed 's/^/# /' "$tmp/a" "$tmp/b" >&2
}

if [ "$(nproc)" -lt 2 ]; then
    not_here "two tasks of several ranks at a time: one CPU"
    done_testing
fi
cpus=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
cpu_a=${cpus%%[-,]*}
cpu_b=${cpus##*[-,]}

# Which of the two is called so by default may differ.
mkdir "$tmp/bin"
for name in mpirun:mpirun.openmpi mpiexec:mpiexec.hydra; do
    printf '#!/bin/sh\nexec %s "$@"\n' "${name#*:}" >"$tmp/bin/${name%:*}"
    chmod +x "$tmp/bin/${name%:*}"
done
PATH=$tmp/bin:$PATH

for preset in openmpi mpich; do
    if [ $preset = mpich ] && ! command -v mpiexec.hydra >/dev/null; then
        not_here "ranks of MPICH: it is not installed"
        continue
    fi
    campaign $preset
    ok "$preset: two ranks" fanfold -C "$tmp/c" run
    is "... on the cores of their task" "$cpus" "$(seen task)"
    two_at_a_time
    is "... of two tasks at a time" "$cpu_a" "$(seen a)"
    is "... each on its own" "$cpu_b" "$(seen b)"

    # both are cores of which the task has one hardware thread
    HWLOC_SYNTHETIC='core:2 pu:2(indexes=0,2,1,3)'
    HWLOC_THISSYSTEM=1
    export HWLOC_SYNTHETIC HWLOC_THISSYSTEM
    campaign $preset
    ok "$preset: half cores" fanfold -C "$tmp/c" run
    is "... two ranks on them" "$cpus" "$(seen task)"
    unset HWLOC_SYNTHETIC HWLOC_THISSYSTEM
done

done_testing
