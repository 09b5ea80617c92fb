#!/bin/sh
# 0866-pbs-silicon - two iterations of the quick start on PBS, with the real
# engines: the profile's scheduler is the only change
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

pbs_up ncpus=2
for name in here there; do
    cp -R "$abs_top_builddir/examples/silicon" "$tmp/$name"
    chmod -R u+w "$tmp/$name"
    sed -i 's/iterations: 12/iterations: 2/' "$tmp/$name/campaign.yaml"
done
sed -i 's/scheduler: local/scheduler: pbs\n    node: {cores: 2, memory: 4GiB}\n    limits: {poll: 1s}/' \
    "$tmp/there/site.yaml"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Jobs have the environment of a login, not ours.
sed -i 's/mpirun,/mpirun, --allow-run-as-root,/' "$tmp/there/site.yaml"
ok "here" fanfold -C "$tmp/here" run
ok "there" fanfold -C "$tmp/there" run
is "the same bytes" "$(results_digest "$tmp/here")" "$(results_digest "$tmp/there")"

done_testing
