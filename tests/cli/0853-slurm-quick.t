#!/bin/sh
# 0853-slurm-quick - the trainings of 0725-quick on Slurm, on one node and on two: the
# same bytes as here
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"
. "$abs_top_srcdir/tests/cli/quick.sh"

slurm_up --nodes 3 --cpus 2

FANFOLD_STORE=$tmp/store
export FANFOLD_STORE
quick_files "$tmp/q"
cd "$tmp/q" || exit 1
slurm_site .
sed -i 's/cores: 1/cores: 2/' site.yaml

# result: of the task in ./told.
result() {
    rm -rf got
    fanfold quick get "$(jq -r .task told)" got && cat got/weights.json
}
# hosts: where it ran.
hosts() {
    jq -r '.run.nodes | map(.host) | unique | length' \
        "$(jq -r .directory told)"/train/quick/iter/000000/job/000000/out/result.json
}

ok "on one node" train --algorithm trainer --dataset data/a --dataset data/b \
    --hyperparam epochs=50 --output model --wait -- python3 train.py
is "... the same bytes as here" "$(cat expected)" "$(result)"
ok "on two nodes" train --algorithm trainer --dataset data/a --dataset data/b \
    --hyperparam epochs=50 --output model --nodes 2 --procs-per-node 2 --wait -- python3 train.py
is "... which it had" 2 "$(hosts)"
is "... the same bytes" "$(cat expected)" "$(result)"
is "... nothing was registered again" "a.1 b.1 trainer.1" \
    "$(cd "$FANFOLD_STORE/records" && ls algorithms datasets | sed -n 's/\.json//p' | sort | paste -sd' ')"
dir=$(jq -r .directory told)
has "... and two processes on each were asked for" "cpus-per-task=2" \
    "$(run_cat "$dir" train '000000' '000000/000000/script')"

# Two at once on the same nodes: each has a port.
for i in 1 2; do
    fanfold quick --algorithm trainer.1 --dataset a.1 --output model --nodes 2 \
        --hyperparam "epochs=$i" -- sh -c 'echo "$MASTER_PORT" >>model/port; echo "$NODE_RANK $NNODES $NPROC_PER_NODE" >>model/ranks; echo "$MASTER_ADDR" >>model/address; sleep 1' >"told$i"
done
ok "two at once, driven by resume" fanfold quick resume
for i in 1 2; do
    fanfold quick get "$(jq -r .task "told$i")" "got$i"
done
is "each has one port on both nodes" "1 1" "$(sort -u got1/port | wc -l) $(sort -u got2/port | wc -l)"
ok "... which the other has not" test "$(head -1 got1/port)" != "$(head -1 got2/port)"
is "... and one address" 1 "$(cat got1/address got2/address | sort -u | wc -l)"
is "... and both ranks" "0 2 1|1 2 1" "$(sort got1/ranks | paste -sd'|')"
is "all are done" "done" "$(fanfold quick list --json | jq -r '[.[].state] | unique | join(" ")')"
exits "more nodes than there are" 3 fanfold quick --algorithm trainer.1 --nodes 2 --task cores=many -- true

done_testing
