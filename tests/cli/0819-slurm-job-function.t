#!/bin/sh
# 0819-slurm-job-function - the example of functions here and on Slurm: the same bytes
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/slurm.sh"
. "$abs_top_srcdir/tests/cli/job-function.sh"

job_function "$tmp/here"
cd "$tmp/here" || exit 1
call_all
here=$(call_results)

slurm_up --nodes 2
job_function "$tmp/there"
cd "$tmp/there" || exit 1
slurm_site .
call_all
is "the same bytes" "$here" "$(call_results)"
ok "the jobs were Slurm's" grep -q '#SBATCH' calls/fit/000000/.fanfold/run/000001/000000/000000/script

done_testing
