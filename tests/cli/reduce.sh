# reduce.sh - what tests of fanfold-reduce share; sourced after tap.sh
#
# MPIRUN replaces the launcher.
# shellcheck shell=sh disable=SC2154

reduce=${abs_top_builddir:-$PWD}/fanfold-reduce
mpirun=${MPIRUN:-mpirun --allow-run-as-root --oversubscribe --bind-to none}
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
TMPDIR=$tmp # Open MPI's session directories are nobody else's
LC_ALL=C
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM TMPDIR LC_ALL
cd "$tmp" || exit 1

# reduce RANKS PLAN: 0 ranks is without mpirun.
reduce () {
    if [ "$1" = 0 ]; then
        "$reduce" "$2"
    else
        $mpirun -n "$1" "$reduce" "$2" </dev/null
    fi
}

# deviation_head [COLUMN]: the first line of a file of deviations, with one more.
deviation_head () {
    printf '#%11s' step
    printf '%19s' max_devi_v min_devi_v avg_devi_v max_devi_f min_devi_f avg_devi_f
    echo "${1-}"
}

# plan DIR ORDER RULES: a plan with the objects in the file entries, in that
# order (cat, tac, sort), which writes into DIR.
plan () {
    mkdir -p "$1"
    {
        echo "{\"format\": 1, \"seed\": 11, $3,"
        echo "\"frames_dir\": \"$1/frames\", \"params\": \"$1/params.json\","
        echo "\"provenance\": \"$1/provenance.json\", \"trajectories\": ["
        $2 entries | sed '$!s/$/,/'
        echo ']}'
    } >"$1.json"
}

# answer DIR FILTER: of params.json, by jq.
answer () {
    jq -r "$2" "$1/params.json"
}

# same_for_ranks DIR RULES: 2, 3 and 7 ranks and files in other orders leave the
# same bytes as one rank did in DIR.
same_for_ranks () {
    for variant in '2 tac' '3 sort' '7 cat'; do
        ranks=${variant% *}
        plan "$1-$ranks" "${variant#* }" "$2"
        reduce "$ranks" "$1-$ranks.json" && diff -r "$1" "$1-$ranks" || return 1
    done
}
