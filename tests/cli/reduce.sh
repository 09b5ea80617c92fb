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
# All ranks are on this node: what else hwloc and Open MPI would load and try takes a
# third of a run.  Campaigns that reduce have all of it.
HWLOC_PLUGINS_PATH=$tmp/none
OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1 OMPI_MCA_mtl=^psm,psm2,ofi
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM TMPDIR LC_ALL
export HWLOC_PLUGINS_PATH OMPI_MCA_btl OMPI_MCA_pml OMPI_MCA_mtl
cd "$tmp" || exit 1

# reduce RANKS TASK: 0 ranks is without mpirun.
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

# task_of: the task.json for what is on stdin: rules, and "trajectories" with an
# object for each {task, system, trajectory, deviations or forces, expected_frames};
# tasks that are not named left nothing.
task_of () {
    jq '
    . as $all | (.trajectories | max_by(.task).task // -1) as $last
    | reduce .trajectories[] as $one ([range($last + 1) | null]; .[$one.task] = $one)
    | . as $rows
    | def column(key): if any($rows[]; key) then $rows | map(key) else [] end;
    {
        format: 1, seed: $all.seed, iteration: $all.iteration, campaign_dir: $all.root,
        inputs: ({
            system: $rows | map(.system),
            trajectories: column(.trajectory),
            deviations: column(.deviations),
            forces: column(.forces),
            frames_expected: column(.expected_frames),
            lists: ($all.lists != null)
        } + ($all | del(.format, .seed, .iteration, .root, .trajectories, .frames_dir,
            .params, .provenance, .lists))),
        outputs: {
            frames: (if any($rows[]; .trajectory) then $all.frames_dir else null end),
            params: $all.params, provenance: $all.provenance,
            lists: $all.lists
        }
    }'
}

# plan DIR RULES: the task of selecting from the objects in the file entries, which
# writes into DIR.
plan () {
    mkdir -p "$1"
    {
        echo "{\"seed\": 11, $2,"
        echo "\"frames_dir\": \"$1/frames\", \"params\": \"$1/params.json\","
        echo "\"provenance\": \"$1/provenance.json\", \"trajectories\": ["
        sed '$!s/$/,/' entries
        echo ']}'
    } | task_of >"$1.json"
}

# answer DIR FILTER: of params.json, by jq.
answer () {
    jq -r "$2" "$1/params.json"
}

# same_for_ranks DIR RULES [RANKS...]: 2, 3 and 7 ranks, or so many, leave the same
# bytes as others did in DIR.
same_for_ranks () {
    same_dir=$1 same_rules=$2
    shift 2
    for ranks in ${*:-2 3 7}; do
        plan "$same_dir-$ranks" "$same_rules"
        reduce "$ranks" "$same_dir-$ranks.json" && diff -r "$same_dir" "$same_dir-$ranks" || return 1
    done
}
