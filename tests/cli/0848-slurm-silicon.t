#!/bin/sh
# 0848-slurm-silicon - the quick start on four emulated nodes: `scheduler: slurm`
# is the only change, every stage is one sbatch, the results are the same bytes
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"

# Two iterations reach every stage: DFT labels, training, MD, MPI selection.
silicon() {
    cp -R "$abs_top_builddir/examples/silicon" "$tmp/$1"
    chmod -R u+w "$tmp/$1"
    sed -i 's/iterations: 12/iterations: 2/' "$tmp/$1/campaign.yaml"
}

slurm_up --nodes 4
silicon here
ok "on this machine" fanfold -C "$tmp/here" run

c=$tmp/cluster
silicon cluster
sed -i 's/scheduler: local/scheduler: slurm/' "$c/site.yaml"
is "one line is changed" 1 \
    "$(diff "$tmp/here/site.yaml" "$c/site.yaml" | grep -c '^>')"
count_calls
ok "on Slurm" fanfold -C "$c" run
is "... the results are the same" "$(results_digest "$tmp/here")" \
    "$(results_digest "$c")"
stages=$(ls -d "$c"/.fanfold/run/*/*/000000/000000 | wc -l)
is "... with one sbatch for each stage that ran" "$stages" "$(calls sbatch)"
is "... each tried once" "$stages" "$(ls -d "$c"/.fanfold/run/*/*/0* | wc -l)"
ok "a node's cores are asked of the site, once" test "$(calls sinfo)" -eq 1
has "... and used" "ntasks-per-node=4" \
    "$(cat "$c"/.fanfold/run/explore/000000/000000/000000/script)"
echo "# scheduler calls of the campaign: $(wc -l <"$tmp/calls") ($(
    cut -d' ' -f1,2 "$tmp/calls" | sed 's/ -.*//' | sort | uniq -c | tr -s ' \n' ' '))"
