#!/bin/sh
# 0473-slurm-worker - workers on nodes of Slurm: the files they make here, and nothing left
# when their job is cancelled
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/worker.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

do='ok, ok, orphan, ok, ok, ok, ok, ok'
c=$tmp/here
worker_campaign "$c" "$do" start
ok "here" fanfold -C "$c" run

slurm_up --nodes 2 --cpus 2
d=$tmp/slurm
worker_campaign "$d" "$do" start
slurm_site "$d"
ok "on Slurm" fanfold -C "$d" run
is "... the same files" "$(texts "$c")" "$(texts "$d")"
ok "nothing is left" until_is "" pgrep -f "$d/worker.py"

d=$tmp/cancelled
worker_campaign "$d" 'ok, deaf' start
slurm_site "$d"
fanfold -C "$d" run >"$tmp/out" 2>&1 &
pid=$!
second_runs() {
    run_cat "$d" work '000000' '000000/000000/results-*' | grep -q '"start","task":1'
}
until_ok second_runs
fanfold -C "$d" cancel >"$tmp/said" 2>&1
wait $pid
ok "cancelled: nothing is left, though a worker does not listen" until_is "" pgrep -f "$d/worker.py"

# Two ranks, which srun starts; rank 0 writes.
d=$tmp/ranks
worker_campaign "$d" 'ok, ok' start
slurm_site "$d" 'launcher: srun'
sed -i 's/cores: 1/cores: 2/; s/memory: 300MiB/memory: 600MiB/' "$d/site.yaml"
cat >"$d/rank.sh" <<'END'
if [ "$SLURM_PROCID" = 0 ]; then exec python3 "$@"; fi
while read -r line; do echo "rank $SLURM_PROCID: $line" >>"${1%/*}/lines"; done
END
sed -i 's|worker: .python3,|worker: ["{launcher}", sh, "{campaign}/rank.sh",|; s/profile: here/task: {ranks: 2, cores: 2}/' "$d/campaign.yaml"
ok "two ranks" fanfold -C "$d" run
is "... give the same files" "$(texts "$c" | head -n 2)" "$(texts "$d")"
is "... each rank is told of each task" 2 "$(grep -c '"type":"task"' "$d/lines")"
ok "... and of the end" until_ok grep -q '"type":"bye"' "$d/lines"

done_testing
