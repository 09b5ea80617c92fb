#!/bin/sh
# 0850-slurm-mpi - tasks of several nodes on Slurm: ranks on each of them, one
# agent, the same bytes
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

where=$abs_top_builddir/tests/mpi/where

# Two nodes of two ranks each; one task to an element, whatever fits on a node.
mpi_campaign() {
    mkdir -p "$1"
    slurm_site "$1" "launcher: $2"
    sed -i 's/node: .*/node: {cores: 4}/' "$1/site.yaml"
    where_yaml "$1" 2 "$3"
}

# Each task of campaign $1 had two ranks on each of two nodes.
on_two_nodes() {
    for hosts in $(fanfold -C "$1" result work hosts | jq -c '.[]'); do
        echo "$hosts" | jq -c 'group_by(.) | map(length)'
    done | tr '\n' ' '
}

c=$tmp/local
mpi_campaign "$c" '[mpirun]' true
printf 'format: 1\nprofiles:\n  here: {scheduler: local}\n' >"$c/site.yaml"
exits "the local scheduler has one node" 3 fanfold -C "$c" check
has "... which is said, naming the key" "campaign.yaml:7:42: a task of stage 'work' needs 2 nodes" "$(fanfold -C "$c" check 2>&1)"

slurm_up --nodes 3
c=$tmp/mpirun
mpi_campaign "$c" '[mpirun, -n, "{ranks}"]' "'{launcher}', '$where', '{outputs.params}'"
has "plan: an element is a task" '"elements": 2' "$(fanfold -C "$c" plan --json)"
has "... of two nodes" "--nodes=2" "$(fanfold -C "$c" plan --script work)"
ok "mpirun over two nodes" fanfold -C "$c" run
is "... puts ranks on both" "[2,2] [2,2] " "$(on_two_nodes "$c")"
is "... an agent on the first only" 2 "$(find "$c" -name 'results-*' | wc -l)"

c=$tmp/srun
mpi_campaign "$c" srun \
    "[sh, -c, 'mkdir hosts'], ['{launcher}', sh, -c, 'hostname >hosts/\$SLURM_PROCID'],
              [sh, -c, 'jq -Rc . hosts/* | jq -sc \"{{hosts: .}}\" >\"\$1\"', -, '{outputs.params}']"
ok "srun over two nodes" fanfold -C "$c" run
is "... too" "[2,2] [2,2] " "$(on_two_nodes "$c")"

# The preset: two tasks of one node run at the same time, each on cores of its own.
c=$tmp/preset
mkdir "$c" "$tmp/ranks"
slurm_site "$c" 'launcher: srun' 'setup: [[export, "HWLOC_SYNTHETIC=core:4 pu:1"]]'
sed -i 's/node: .*/node: {cores: 4}/; s/limits: {/&elements: 1, running: 1, /' "$c/site.yaml"
cat >"$tmp/rank" <<'END'
#!/bin/sh
echo "$SLURM_STEP_ID $SLURM_CPUS_PER_TASK" >"$1/$2.$SLURM_PROCID"
n=0
while [ "$(ls "$1" | wc -l)" -lt 4 ] && [ $n -lt 600 ]; do
    sleep 0.1
    n=$((n + 1))
done
END
chmod +x "$tmp/rank"
cat >"$c/campaign.yaml" <<END
format: 1
campaign: preset
elements: [Si]
models: 2
stop: {iterations: 1}
stages:
  work: {uses: test.ranks, task: {ranks: 2, cores: 2, walltime: 5m}}
operators:
  test.ranks:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    command: ["{launcher}", "$tmp/rank", "$tmp/ranks", "{m}"]
END
ok "srun, the preset" fanfold -C "$c" run
is "... two steps at a time" 2 \
    "$(cat "$tmp"/ranks/* | sort -u | wc -l)"
is "... of two ranks each, as one element" "4 1" \
    "$(find "$tmp/ranks" -type f | wc -l) $(find "$c" -name 'results-*' | wc -l)"

# A task that is stopped leaves nothing on its other node.
c=$tmp/stopped
nap=47$$ # to be found by
mpi_campaign "$c" '[srun, "--ntasks={ranks}"]' "'{launcher}', sleep, '$nap'"
sed -i 's/models: 2/models: 1/; s/^ *outputs:.*//' "$c/campaign.yaml"
fanfold -C "$c" run >"$tmp/out" 2>&1 &
pid=$!
ok "ranks run on two nodes" until_is 4 pgrep -fxc "[^ ]*sleep $nap"
fanfold -C "$c" cancel >/dev/null 2>&1
wait $pid
ok "... cancelled, none is left on either" until_is "" pgrep -fx "[^ ]*sleep $nap"

# The reducer: the same bytes from one node and from two.
r=$tmp/one
cp -r "$abs_top_srcdir/tests/cli/crash-reduce" "$r"
chmod -R u+w "$r"
ok "the reducer on this machine" fanfold -C "$r" run
c=$tmp/reduce
cp -r "$abs_top_srcdir/tests/cli/crash-reduce" "$c"
chmod -R u+w "$c"
slurm_site "$c" 'launcher: [mpirun, -n, "{ranks}"]'
sed -i 's/uses: model_devi.select/&\n    task: {nodes: 2, ranks: 2, cores: 2}/' "$c/campaign.yaml"
ok "... on two nodes" fanfold -C "$c" run
is "... selects the same bytes" "$(results_digest "$r")" "$(results_digest "$c")"

done_testing
