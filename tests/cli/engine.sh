# engine.sh - what the tests of steps around a real program share; sourced
#
# They run a step as an agent would, in a directory of their own, $work, with
# what was said last in $work/said.  $root is the source.
# shellcheck shell=sh

root=$(cd "${abs_top_srcdir:-$(dirname "$0")/../..}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/fanfold-test-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
# as the agent sets them for one rank: a fast start, and no shared directory
OMPI_MCA_pml=ob1 OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_btl=self
OMPI_MCA_orte_tmpdir_base=$work OMP_NUM_THREADS=1
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_pml OMPI_MCA_ess_singleton_isolated OMPI_MCA_btl
export OMPI_MCA_orte_tmpdir_base OMP_NUM_THREADS
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
n=0
n_failed=0

# result NAME GOOD: one line of TAP, and what was said if it is not good.
result () {
    n=$((n + 1))
    if [ "$2" = yes ]; then
        echo "ok $n - $1"
    else
        n_failed=$((n_failed + 1))
        echo "not ok $n - $1"
        tail -n 20 "$work/said" | sed 's/^/# /'
        for file in "$work"/task/*.json; do
            [ -f "$file" ] && sed 's/^/# /' "$file"
        done
    fi
}

# The last line of every file.
done_testing () {
    echo "1..$n"
    exit $((n_failed > 0))
}
