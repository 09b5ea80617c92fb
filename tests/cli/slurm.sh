# slurm.sh - a Slurm cluster of a test's own; sourced after tap.sh
#
# slurm_up ARGUMENT...   scripts/testbed-slurm up, and enter the environment;
#                        a cluster that does not come up fails the test
# testbed ACTION ...     scripts/testbed-slurm on this cluster
# shellcheck shell=sh

FANFOLD_TESTBED=$tmp/slurm
export FANFOLD_TESTBED

testbed() {
    "$abs_top_srcdir/scripts/testbed-slurm" "$@"
}

slurm_end() {
    testbed down >/dev/null 2>&1
    tap_end
}
trap slurm_end EXIT

slurm_up() {
    if out=$(testbed up "$@" 2>&1); then
        eval "$(testbed env)"
    else
        fail "a Slurm cluster comes up" "$out"
        exit 1
    fi
}
