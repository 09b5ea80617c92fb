#!/bin/sh
# 0902-tutorial - every block of doc/tutorial.md, in order, on this machine and on Slurm
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"
. "$abs_top_srcdir/tests/cli/blocks.sh"

PATH=/usr/bin:$PATH
unset PYTHONPATH FANFOLD
if ! python3 -c 'import ase' 2>/dev/null; then
    not_here "ASE for /usr/bin/python3 (scripts/packages codes)"
    done_testing
fi
if [ ! -x "$abs_top_builddir/fanfold-reduce" ]; then
    not_here "MPI"
    done_testing
fi

slurm_up --nodes 2
split_blocks "$abs_top_srcdir/doc/tutorial.md" "$tmp/blocks"
mkdir "$tmp/w"
for block in "$tmp"/blocks/*; do
    run_block "$block" "$tmp/w"
done

# What the text says of it.
cd "$tmp/w" || exit 1
for campaign in toy cluster elsewhere; do
    is "$campaign is done" "done" "$(state_of $campaign)"
done
is "the committee agrees" true "$(fanfold -C mine result select --iteration 1 | jq '.accurate > 0.5')"
is "... and is wrong about what it never saw" true \
    "$(jq '.held_out_rmse > 0.15 and .held_out_rmse < 0.6' judged.json)"
is "... so the campaign has not converged" limit "$(jq -r .ended status.json)"
has "what is known is not computed again on the cluster" "3 ok (3 reused)" \
    "$(fanfold -C cluster status train)"
is "five iterations in the other place" 5 "$(fanfold -C elsewhere status --json | jq '.history | length')"

done_testing
