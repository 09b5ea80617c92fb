#!/bin/sh
# 0815-slurm-silicon - two iterations of the quick start, with the real engines,
# on four nodes: `scheduler: slurm` is the only change, the bytes are the same as
# here, one sbatch for each stage
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

silicon() {
    cp -R "$abs_top_builddir/examples/silicon" "$1"
    chmod -R u+w "$1"
    sed -i 's/iterations: 12/iterations: 2/' "$1/campaign.yaml"
}

silicon "$tmp/here"
ok "on this machine" fanfold -C "$tmp/here" run

slurm_up --nodes 4 --cpus 2
c=$tmp/slurm-silicon
silicon "$c"
sed -i 's/scheduler: local/scheduler: slurm/' "$c/site.yaml"
is "one line is changed" 1 \
    "$(diff "$tmp/here/site.yaml" "$c/site.yaml" | grep -c '^>')"
ok "it checks" fanfold -C "$c" check
count_calls
ok "on Slurm" fanfold -C "$c" run
is "... the same bytes" "$(results_digest "$tmp/here")" "$(results_digest "$c")"
is "... one sbatch for each stage that ran" \
    "$(ls -d "$c"/.fanfold/run/*/*/000000/000000 | wc -l)" "$(calls sbatch)"
is "... each attempt was the first" "" "$(ls -d "$c"/.fanfold/run/*/*/000001 2>/dev/null)"
is "what a node has is asked of the site once" 1 "$(calls sinfo)"
has "... and used" "ntasks-per-node=2" \
    "$(cat "$c"/.fanfold/run/explore/000000/000000/000000/script)"
echo "# scheduler calls of two iterations: $(wc -l <"$tmp/calls") ($(
    cut -d' ' -f1,2 "$tmp/calls" | sed 's/ -.*//' | sort | uniq -c | tr -s ' \n' ' '))"

done_testing
