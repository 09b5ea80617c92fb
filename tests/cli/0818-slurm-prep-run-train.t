#!/bin/sh
# 0818-slurm-prep-run-train - the example of an operator with steps on Slurm: the same
# bytes as on this machine, one sbatch for each step
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

example() {
    cp -R "$abs_top_builddir/examples/prep-run-train" "$1"
    chmod -R u+w "$1"
}

example "$tmp/here"
ok "on this machine" fanfold -C "$tmp/here" run

slurm_up --nodes 2 --cpus 2
c=$tmp/slurm-train
example "$c"
sed -i 's/scheduler: local/scheduler: slurm/' "$c/site.yaml"
ok "it checks" fanfold -C "$c" check
count_calls
ok "on Slurm" fanfold -C "$c" run
is "... the same bytes" "$(results_digest "$tmp/here")" "$(results_digest "$c")"
is "... one sbatch for each step, and the other stage" 4 "$(calls sbatch)"
is "... all of the first attempt" "000000 000000 000000 000000" \
    "$(run_files "$c" '*' 000000 '*/000000' | sed 's|.*/\(0*\)/000000$|\1|' | xargs)"
is "result of the stage" "m00-ridge-1e-07" "$(fanfold -C "$c" result train best)"
has "log of a task by its key" "fit_linear" \
    "$(fanfold -C "$c" log "$(fanfold -C "$c" status --keys train.run | sed -n '2s/  .*//p')")"

done_testing
