#!/bin/sh
# 0535-converge.t - a campaign ends when its levels stand still; rules change on
# the way; and what-if on what it left

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
LC_ALL=C
export LC_ALL
if ! command -v fanfold-reduce >/dev/null; then
    not_here "the reducer, built without MPI"
    done_testing
fi
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_orte_tmpdir_base=$tmp
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_orte_tmpdir_base
mkdir "$tmp/c" && cd "$tmp/c" || exit 1

# Exploring: deviations of iteration i are 2^-i of the first's, so the third
# largest is 0.5, 0.25, 0.125, 0.0625, 0.03125: levels move by 0.03125 at last.
cat >explore.sh <<'END'
#!/bin/sh
# explore.sh NUMBER ITERATION TRAJECTORY DEVIATIONS
awk -v number="$1" -v iteration="$2" -v dump="$3" -v devi="$4" 'BEGIN {
    printf "#%11s%19s%19s%19s%19s%19s%19s\n", "step", "max_devi_v", "min_devi_v",
        "avg_devi_v", "max_devi_f", "min_devi_f", "avg_devi_f" >devi
    for (step = 1; step <= 4; step++) {
        f = (number * 4 + step) / 12 * 2 ^ -iteration
        printf "%12d %18.6e %18.6e %18.6e %18.6e %18.6e %18.6e\n", step, 0, 0, 0, f, f, f >devi
        print "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n1" >dump
        print "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id type x y z\n1 1", \
            number, step, iteration >dump
    }
}'
echo "{\"frames_expected\": 4, \"system\": \"s$1\"}" >params.json
END
chmod +x explore.sh
cat >campaign.yaml <<'END'
format: 1
campaign: converge
elements: [Si]
stages:
  explore: {uses: toy.explore, publish: false}
  select:
    uses: model_devi.select
    with:
      forces: []
      deviations: explore.deviations
      levels: {force: {high: 100}, adaptive: {force: {count: 3}}}
      convergence: {drift: 0.05, earlier: all.select.levels}
      pick: {quota: 3, per: iteration}
      lists: true
phases:
  - {name: begin, iterations: 1}
  - {name: few, iterations: 1, stages: {select: {with: {pick: {quota: 1}}}}}
  - {name: again, iterations: 1}
  - {name: largest, iterations: 6, stages: {select: {with: {pick: {how: max, quota: 2}}}}}
stop: {when: select.converged}
operators:
  toy.explore:
    fan_out: [number]
    inputs:
      script: {type: file, default: explore.sh}
      number: {type: int, from: models}
    outputs: {trajectory: {type: file}, deviations: {type: file}, frames_expected: {type: int}, system: {type: string}}
    command: [[sh, "{script}", "{number}", "{iteration}", "{outputs.trajectory}", "{outputs.deviations}"]]
models: 2
END
cat >site.yaml <<'END'
format: 1
profiles:
  here:
    scheduler: local
    node: {cores: 2}
    limits: {poll: 0.05s, settle: 0.05s, visibility: 0.2s}
END
ok "the campaign is fit" fanfold check
ok "and runs until its levels stand still" fanfold run
is "it is done" "done" "$(state_of .)"
output () { # ITERATION NAME
    fanfold result select "$2" --iteration "$1"
}
is "after the fifth iteration, not before" "false false false false true" \
    "$(for i in 0 1 2 3 4; do output $i converged; done | xargs)"
is "there is no sixth" "" "$(ls -d select/model_devi/iter/000005 2>/dev/null)"
has "it says why" "the low force level of 's0' moved by 0.03125, less than 0.05" \
    "$(output 4 convergence)"
is "phases change keys of a section" "3 1 3 2 2" \
    "$(for i in 0 1 2 3 4; do output $i selected; done | xargs)"
provenance () {
    cat select/model_devi/iter/000003/job/000000/out/provenance
}
is "each frame tells its iteration" "3 3" "$(provenance | jq -r '.frames[].iteration' | xargs)"
is "and what was asked for" "max 2 iteration" \
    "$(provenance | jq -r '.request.pick | "\(.how) \(.quota) \(.per)"')"

is "there are lists of all frames" 8 \
    "$(cat select/model_devi/iter/000003/job/000000/out/lists/*.out | wc -l)"

is "with paths that begin in the campaign" explore/toy/iter/000003/job/000001/out \
    "$(awk 'END { print $1 }' select/model_devi/iter/000003/job/000000/out/lists/*.001.out)"

explained=$(fanfold explain select --iteration 3)
has "explain shows what inputs were" "levels.adaptive      {\"force\":{\"count\":3}}" "$explained"
has "and the defaults of the family" "pick.hard            1.0" "$explained"
has "as it was in that iteration" "pick.quota           1" "$(fanfold explain select --iteration 1)"
is "and nothing of what is absent" 0 "$(echo "$explained" | grep -c clusters)"
is "a program reads them, too" "\"max\" 2 default 0" "$(fanfold plan --json |
    jq -r '.stages[] | select(.name == "select").inputs | "\(.["pick.how"]) \(.["pick.quota"]) \(.["pick.minimum"])"')"

# What if: the stage's own rules give what it gave.
what_if () {
    fanfold select --json --stage select "$@"
}
is "the same again" "$(output 3 levels | jq -c 'map_values(.force[0])')" \
    "$(what_if --iteration 3 | jq -c '.levels | map_values(.force[0])')"
is "and as many" 2 "$(what_if --iteration 3 | jq '[.systems[].selected] | add')"
is "the newest, and all it tells" "true the low force level" \
    "$(what_if | jq -r '"\(.converged) \(.convergence[0:19])"')"
echo 'convergence: {drift: 0.03}' >stricter.yaml
is "another test of convergence" false "$(what_if --rules stricter.yaml | jq .converged)"
is "other levels" "1 4" \
    "$(what_if --iteration 0 --set levels.adaptive.force.count=5 | jq -r '[.systems[].candidates] | map(tostring) | join(" ")')"
echo 'filters: {closest: 10}' >closest.yaml # of a cell of 9 A
is "structures of the stage are looked at" "0 3" \
    "$(what_if --iteration 3 --rules closest.yaml | jq -r '"\([.systems[].selected] | add) \(.too_close)"')"
is "for a person" "not converged: levels of 1 selections, 2 are compared" \
    "$(fanfold select --stage select --iteration 0 | tail -n 1)"
exits "an iteration that has not been" 1 fanfold select --stage select --iteration 7
exits "a stage that is none" 2 fanfold select --stage chose
exits "a stage and files" 2 fanfold select --stage select explore
exits "neither" 2 fanfold select

# Why a frame was selected, or was not.  In iteration 1 frame j of task i is at
# (4 i + j) / 24; the three largest are candidates, one was drawn.
explain () {
    fanfold explain select --iteration 1 --frame "$@" 2>&1
}
drawn=$(jq -r '.frames[] | "\(.task):\(.step)"' select/model_devi/iter/000001/job/000000/out/provenance)
has "one that was selected" "selected, picked by: random" "$(explain "$drawn")"
other=$(printf '1:2\n1:3\n1:4\n' | grep -v "$drawn" | head -n 1)
has "a candidate that was not selected" "a candidate, not selected" "$(explain "$other")"
has "an accurate one, and its levels" "force 0.208333, levels 0.25 to 100
accurate" "$(explain 1:1)"
what_if="--set levels.adaptive.force.count=4 --set pick.how=max"
is "... as JSON, too" "1 1 accurate [0.208333,0.25,100]" \
    "$(explain 1:1 --json | jq -c '"\(.task) \(.step) \(.class) " + (.deviations.force
        | [.value, .low, .high] | map(. * 1e6 | round / 1e6) | tostring)' | jq -r .)"
is "... of one that was selected" "selected random" \
    "$(explain "$drawn" --json | jq -r '"\(.class) \(.picked)"')"
has "other levels would select it" "deviation 0.208333
selected, picked by: max" "$(explain 1:1 $what_if --set pick.quota=4)"
has "or make it a candidate" "force 0.208333, levels 0.208333 to 100
a candidate, not selected" "$(explain 1:1 $what_if --set pick.quota=1)"
has "and leave nothing" "force 0.208333, levels 0.25 to 100" "$(explain 1:1)"
exits "a rule there is not" 2 fanfold explain select --frame 1:1 --set quotta=1
has "a step there is not" "there is no such step" "$(explain 1:5)"
has "a task there is not" "task 2 left nothing to select from; there are 2 tasks" "$(explain 2:1)"
for frame in 3 abc : 3: '' :3 3:x 3:4: 3:4:x 3:4:0 3:4x -1:4 99999999999999999999:1; do
    exits "no frame: '$frame'" 2 fanfold explain select --frame="$frame"
done
exits "a stage that selects nothing" 2 fanfold explain explore --frame 0:1

# The same from forces: in the reducer's own campaign there are two members.
cp -R "$abs_top_srcdir/tests/cli/crash-reduce" "$tmp/forces" && cd "$tmp/forces" || exit 1
chmod -R u+w .
ok "a campaign that selects by forces" fanfold run
is "the same as it selected" \
    "$(fanfold result select systems | jq -c '.oxide | [.frames, .accurate, .candidates, .failed, .selected]')" \
    "$(fanfold select --json --stage select | jq -c '.systems.oxide | [.frames, .accurate, .candidates, .failed, .selected]')"
steps=$(sed -n '/TIMESTEP/{n;p;}' md.dump)
is "and each frame has the class it is counted in" \
    "$(fanfold result select systems | jq -r '.oxide | "\(.accurate) \(.candidates) \(.failed)"')" \
    "$(for step in $steps; do fanfold explain select --frame 0:"$step"; done |
        awk '/^accurate:/ { a++ } /^selected|^a candidate/ { c++ } /^failed:/ { f++ }
            END { print a + 0, c + 0, f + 0 }')"
has "levels apply to forces, too" "force " "$(for step in $steps; do
    fanfold explain select --frame 0:"$step"; done)"
is "other levels" "0" \
    "$(fanfold select --json --stage select --set "levels.force=[100, 200]" | jq .systems.oxide.candidates)"

# What `keep: until_used` has removed cannot be selected from, which is said.
cp -R "$abs_top_srcdir/tests/cli/crash-reduce" "$tmp/gone" && cd "$tmp/gone" || exit 1
chmod -R u+w .
cat >campaign.yaml <<'EOF'
format: 1
campaign: gone
elements: [Si, O]
data: {initial: [initial.extxyz]}
stages:
  explore: {uses: t.explore, with: {n: [0]}}
  select:
    uses: model_devi.select
    with:
      trajectories: explore.trajectory
      forces: explore.forces
      frames_expected: [2]
      system: [oxide]
      levels: {force: [0.2, 0.8]}
      pick: {quota: 1, per: iteration}
stop: {iterations: 1}
operators:
  t.explore:
    inputs: {n: {type: int}}
    fan_out: [n]
    outputs:
      trajectory: {type: file, keep: until_used}
      forces: {type: file, list: true, keep: until_used}
    command:
      - [mkdir, out/forces]
      - [cp, "{campaign}/member0.dump", "{campaign}/member1.dump", out/forces]
      - [cp, "{campaign}/md.dump", out/trajectory]
EOF
ok "a campaign that keeps no trajectories" fanfold run
is "... has removed them" "forces trajectory" \
    "$(jq -r '.outputs | keys[]' explore/t/iter/000000/removed.json | paste -sd ' ')"
for what in "select --stage select" "explain select --frame 0:$(echo "$steps" | tail -n 1) --set pick.quota=1"; do
    # shellcheck disable=SC2086 # words
    exits "$what: refused" 1 fanfold $what
    has "... with what was removed, when, and what makes it again" \
        "'forces' of stage 'explore' was removed in iteration 0 (keep: until_used); \`fanfold redo explore --iteration 0\` makes it again" "$out"
done
picked=$(jq -r '.frames[0] | "\(.task):\(.step)"' select/model_devi/iter/000000/job/000000/out/provenance)
has "what was selected is known without them" "selected, picked by" "$(fanfold explain select --frame "$picked")"
rest=$(for step in $steps; do echo "0:$step"; done | grep -v -x "$picked" | head -n 1)
exits "another frame is not" 1 fanfold explain select --frame "$rest"
has "... for the same reason" "was removed in iteration 0 (keep: until_used)" "$out"

done_testing
