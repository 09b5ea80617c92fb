#!/bin/sh
# 0817-slurm-life - a campaign taken through a life on Slurm, with the real engines
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"
. "$abs_top_srcdir/tests/cli/life.sh"

slurm_up --nodes 2 --cpus 2
life_begins "$tmp/c"
sed -i 's/scheduler: local/scheduler: slurm/' "$tmp/c/site.yaml"
life_goes_on "$tmp/c"

done_testing
