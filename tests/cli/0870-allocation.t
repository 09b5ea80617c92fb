#!/bin/sh
# 0870-allocation - a campaign on the nodes of the job that drives it
#
# The job is one of PBS with two nodes, by its environment, and both are this
# machine.
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/work.sh"

unset PBS_JOBID SLURM_JOB_ID
site=allocation_site

# allocation_site DIR
allocation_site() {
    cat >"$1/agents" <<'END'
for node in a b; do
    FANFOLD_NODE=$node FANFOLD_SPOOL=${FANFOLD_SPOOL-}.$node "$@" &
done
wait
END
    cat >"$1/site.yaml" <<END
format: 1
profiles:
  job:
    scheduler: allocation
    agents: [sh, $1/agents]
    limits: {poll: 0.2s, settle: 0.3s, visibility: 2s}
END
}

# inside ID COMMAND...: as in job ID.
inside() {
    inside_id=$1
    shift
    printf 'a\na\nb\nb\n' >"$tmp/nodefile"
    PBS_JOBID=$inside_id PBS_NODEFILE=$tmp/nodefile "$@"
}

# runners DIR: the files of those that have not ended.
runners() {
    find "$1/.fanfold/allocation/nodes" -type f -name '[ab]-*' ! -name '*.*' |
        while read -r file; do
            [ -e "$file.dead" ] || [ -e "$file.ended" ] || echo "$file"
        done | sort
}

# lose FILE...: kill these runners and all they run, and let a minute pass.
lose() {
    for file; do
        node=$(jq -r .node "$file")
        for part in $(pgrep -f "$c/.fanfold/allocation/nodes/") \
            $(pgrep -f "$c/work.sh"); do
            if tr '\0' '\n' <"/proc/$part/environ" 2>/dev/null |
                grep -qx "FANFOLD_NODE=$node"; then
                kill -9 "$part"
            fi
        done
        : >"$file.late"
        touch -d '1 minute ago' "$file" "$file.late"
    done
}

# What a campaign left, times and names of nodes aside.
results() {
    (cd "$1" && find ./*/*/iter -name outputs.json | sort | xargs cat)
}

# --- outside ---

c=$tmp/outside
work_campaign "$c" 4
exits "outside a job" 5 fanfold -C "$c" run
has "... a driver says where to run it" "run it inside sbatch or qsub" "$out"
exits "... advance, too" 5 fanfold -C "$c" advance
ok "... what drives nothing works" fanfold -C "$c" status
ok "... and a person may pause it" fanfold -C "$c" check
sed -i 's/cores: 1,/cores: 3, nodes: 3,/' "$c/campaign.yaml"
sed -i 's|scheduler: allocation|&\n    launcher: openmpi|' "$c/site.yaml"
ok "... and a job may have any number of nodes" fanfold -C "$c" check
exits "a task of three nodes in a job of two" 3 inside 4711.host fanfold -C "$c" check
has "... is refused with both numbers" "needs 3 nodes and the job that this is part of has 2" "$out"

# --- inside ---

c=$tmp/nodes/me/reference # the first "/nodes/" is none of ours
work_campaign "$c" 8
ok "inside a job of two nodes" inside 4711.host fanfold -C "$c" run
is "... each task ran once" "0 1 2 3 4 5 6 7 " "$(ran "$c")"
is "... by two processes that were started once" "a b" \
    "$(runners "$c" | sed 's|.*/||; s|-.*||' | xargs)"
is "... of which the nodes are known" "a b" \
    "$(run_cat "$c" work '*' '*/*/results-*' | grep -o '"node":"[ab]"' |
        cut -d'"' -f4 | sort -u | xargs)"
is "... and no job is left" "" "$(ls "$c/.fanfold/allocation" | grep -v nodes)"
reference=$(results "$c")

# --- elements of two nodes go first ---

# Small ones wait for `go`, and there is always another: the large one does not wait
# for those that nobody had taken when its nodes were chosen.
c=$tmp/first
work_campaign "$c" 40
sed -i 's|scheduler: allocation|&\n    node: {cores: 1}\n    launcher: openmpi|' "$c/site.yaml"
sed -i 's|^  work: .*|&\n  large: {uses: test.large, task: {nodes: 2, walltime: 50s}}|' "$c/campaign.yaml"
cat >>"$c/campaign.yaml" <<'END'
  test.large:
    outputs: {n: {type: int}}
    command: [sh, "{campaign}/work.sh", "{campaign}", "100", "{outputs.params}"]
END
echo "[ \$2 = 100 ] || $waiting" >"$c/behaviour"
env PBS_JOBID=4713.host PBS_NODEFILE="$tmp/nodefile" fanfold -C "$c" run \
    >"$tmp/out" 2>&1 &
pid=$!
ok "two nodes are chosen for a large element" until_ok eval \
    'ls "$c"/.fanfold/allocation/teams/*.chosen'
taken=$(find "$c/.fanfold/allocation" -name 'taken-*' | wc -l)
tasks=$(jq -s 'map(.elements) | max | 40 / . | ceil' "$c"/.fanfold/allocation/*/job.json)
: >"$c/go"
wait $pid
is "... all elements run" 0 $?
place=$(grep -n '^100$' "$c/ran" | cut -d: -f1)
ok "... the large one before the small ones that were left" \
    [ "$place" -le $((taken * tasks + 1)) ]

# --- a node is lost ---

c=$tmp/lost
work_campaign "$c" 8
echo "$waiting" >"$c/behaviour"
env PBS_JOBID=4711.host PBS_NODEFILE="$tmp/nodefile" fanfold -C "$c" run \
    >"$tmp/out" 2>&1 &
pid=$!
until_ok test -s "$c/ran"
until_is 2 eval 'run_cat "$c" work "*" "*/*/results-*" | sed "s/.*node.:.\(.\).*/\1/" | grep "^[ab]$" | sort -u | wc -l'
lost=$(runners "$c" | grep '/b-')
ok "a node is lost while tasks run on it" test -n "$lost"
lose "$lost"
: >"$c/go"
wait $pid
is "... the campaign ends well" 0 $?
is "... with the same results" "$reference" "$(results "$c")"
has "... and the try is a node failure" "ended node_failure" \
    "$(for t in 0 1 2 3 4 5 6 7; do fanfold -C "$c" explain work $t; done)"

# --- the job ends ---

c=$tmp/again
work_campaign "$c" 8
echo "$waiting" >"$c/behaviour"
env PBS_JOBID=4711.host PBS_NODEFILE="$tmp/nodefile" fanfold -C "$c" run \
    >"$tmp/out" 2>&1 &
pid=$!
until_is 2 eval 'runners "$c" 2>/dev/null | wc -l'
until_ok test -s "$c/ran"
kill -9 $pid
wait $pid 2>/dev/null
first=$(runners "$c")
# shellcheck disable=SC2086
lose $first
: >"$c/go"
ok "the job ends with all that runs in it; the same script again" \
    inside 4712.host fanfold -C "$c" run
is "... ends the campaign with the same results" "$reference" "$(results "$c")"
hasnt() { case $3 in *"$2"*) fail "$1" "$3" ;; *) pass "$1" ;; esac; }
hasnt "... and no node is taken for bad" node_failure \
    "$(cat "$c"/.fanfold/journal/*)"

done_testing
