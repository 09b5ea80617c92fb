#!/bin/sh
# 0866-pbs-silicon - two iterations of the quick start on PBS, with the real
# engines: the profile's scheduler is the only change
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"
. "$abs_top_srcdir/tests/cli/silicon.sh"

pbs_up ncpus=2
silicon "$tmp/there"
sed -i 's/scheduler: local/scheduler: pbs\n    node: {cores: 2, memory: 4GiB}\n    limits: {poll: 1s}/' \
    "$tmp/there/site.yaml"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Jobs have the environment of a login, not ours.
sed -i 's/mpirun,/mpirun, --allow-run-as-root,/' "$tmp/there/site.yaml"
ok "there" fanfold -C "$tmp/there" run
is "the same bytes" "$(silicon_here)" "$(results_digest "$tmp/there")"

done_testing
