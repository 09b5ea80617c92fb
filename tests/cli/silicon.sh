# shellcheck shell=sh disable=SC2154 # test variables come from make
# silicon.sh - two iterations of the quick start, which reach every stage: DFT
# labels, training, MD, MPI selection

# silicon DIR: the example, to be run there.
silicon() {
    cp -R "$abs_top_builddir/examples/silicon" "$1"
    chmod -R u+w "$1"
    sed -i 's/iterations: 12/iterations: 2/' "$1/campaign.yaml"
}

# silicon_here: results_digest of a run that nothing disturbs, on this machine.
# Tests share that run: the first one makes it, for these programs and this
# example.
silicon_here() (
    known=$abs_top_builddir/tests/cli/silicon-here
    exec 9>"$known.lock" && flock 9 || exit
    key=$({
        cat "$(command -v fanfold)" "$(command -v fanfold-reduce)"
        find "$abs_top_builddir/examples/silicon" -type f | sort | xargs cat
    } | sha256sum)
    if [ "$key" != "$(cat "$known.key" 2>/dev/null)" ]; then
        silicon "$tmp/here" &&
            fanfold -C "$tmp/here" run >"$tmp/here.log" 2>&1 9>&- || exit
        results_digest "$tmp/here" >"$known" && echo "$key" >"$known.key"
    fi
    cat "$known"
)
