#!/bin/sh
# 0815-slurm-silicon - two iterations of the quick start, with the real engines,
# on four nodes: `scheduler: slurm` is the only change, the bytes are the same as
# here, one sbatch for each stage
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"
. "$abs_top_srcdir/tests/cli/silicon.sh"

slurm_up --nodes 4 --cpus 2
c=$tmp/slurm-silicon
silicon "$c"
sed -i 's/scheduler: local/scheduler: slurm/' "$c/site.yaml"
is "one line is changed" 1 \
    "$(diff "$abs_top_builddir/examples/silicon/site.yaml" "$c/site.yaml" | grep -c '^>')"
ok "it checks" fanfold -C "$c" check
count_calls
ok "on Slurm" fanfold -C "$c" run
is "... the same bytes" "$(silicon_here)" "$(results_digest "$c")"
is "... one sbatch for each stage that ran" \
    "$(run_files "$c" '*' '*' '000000/000000' | wc -l)" "$(calls sbatch)"
is "... each attempt was the first" "" "$(run_files "$c" '*' '*' '000001')"
is "what a node has is asked of the site once" 1 "$(calls sinfo)"
has "... and used" "ntasks-per-node=2" \
    "$(run_cat "$c" explore '000000' '000000/000000/script')"
echo "# scheduler calls of two iterations: $(wc -l <"$tmp/calls") ($(
    cut -d' ' -f1,2 "$tmp/calls" | sed 's/ -.*//' | sort | uniq -c | tr -s ' \n' ' '))"

done_testing
