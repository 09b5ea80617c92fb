#!/bin/sh
# 0352-joined - lists of references, and several stages that publish
. "$abs_top_srcdir/tests/cli/tap.sh"

c=$tmp/c
mkdir "$c"
cat >"$c/initial.extxyz" <<'END'
1
Lattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:forces:R:3 energy=0
Si 0 0 0 0 0 0
END
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: joined
elements: [Si]
data: {initial: [initial.extxyz]}
stages:
  cold: {uses: t.label, with: {energy: 1, virial: 'virial="1 0 0 0 1 0 0 0 1"'}}
  hot: {uses: t.label, when: iteration == 1, with: {energy: 2, virial: ''}}
  train:
    uses: t.train
    with: {datasets: [all.cold.dataset, all.hot.dataset], new: [hot.dataset, cold.dataset]}
  last:
    uses: t.train
    with: {datasets: [], new: {from: [previous.hot.dataset, hot.dataset], default: []}}
stop: {iterations: 2}
operators:
  t.label:
    inputs: {energy: {type: int}, virial: {type: string}}
    outputs: {dataset: {type: frames, publish: true}}
    command:
      - sh
      - -c
      - |
        sed "s/energy=0/energy=$2 $3/" "$4/initial.extxyz" >"$1"
      - sh
      - "{outputs.dataset}"
      - "{energy}"
      - "{virial}"
      - "{campaign}"
  t.train:
    inputs: {datasets: {type: frames, list: true}, new: {type: frames, list: true}}
    outputs: {all: {type: string}, new: {type: string}}
    command:
      - sh
      - -c
      - |
        energies() { cat /dev/null "$@" | grep -o 'energy=[0-9]' | cut -d = -f 2 | tr -d '\n'; }
        new=
        while [ "$1" != -- ]; do
            new="$new $1"
            shift
        done
        shift
        printf '{"all": "%s", "new": "%s"}' "$(energies "$@")" "$(energies $new)" >params.json
      - sh
      - "{new}"
      - --
      - "{datasets}"
END

ok "check finds no problem" fanfold -C "$c" check
ok "plan shows what is joined" \
    test "$(fanfold -C "$c" plan --json | jq -r '.stages[] | select(.name == "train") | .inputs.datasets')" = \
    "[all.cold.dataset, all.hot.dataset]"
ok "it runs" fanfold -C "$c" run
is "initial data once, then what there is" 01 "$(fanfold -C "$c" result train all --iteration 0)"
is "... and of all stages in the order of the list" 0112 "$(fanfold -C "$c" result train all)"
is "a stage that was skipped has no part" 1 "$(fanfold -C "$c" result train new --iteration 0)"
is "... one that was not has" 21 "$(fanfold -C "$c" result train new)"
silent "where all were skipped the default is used" fanfold -C "$c" result last new --iteration 0

# --- dataset/ has the data of both stages ---

data=$c/dataset
energies() {
    grep -o 'energy=[0-9]' "$1" | cut -d = -f 2 | tr '\n' ' '
}
is "one stage's data" "1 " "$(energies "$data/extxyz/iter/000000/dataset.extxyz")"
is "two stages' data together" "1 2 " "$(energies "$data/extxyz/iter/000001/dataset.extxyz")"
is "a DeePMD system with virials, one without" "Si1 Si1-1 " \
    "$(cd "$data/deepmd/iter/000001" && ls -d -- * | tr '\n' ' ')"
is "... that have them" "box.npy coord.npy energy.npy force.npy virial.npy " \
    "$(cd "$data/deepmd/iter/000001/Si1/set.000" && ls | tr '\n' ' ')"
is "... and have not" "box.npy coord.npy energy.npy force.npy " \
    "$(cd "$data/deepmd/iter/000001/Si1-1/set.000" && ls | tr '\n' ' ')"

# --- what is redone, and is skipped then, takes away its own part only ---

sed 's/when: iteration == 1/when: iteration == 9/' "$c/campaign.yaml" >"$tmp/edited"
cp "$tmp/edited" "$c/campaign.yaml"
ok "iteration 1 is redone where a stage of two that published is skipped" \
    fanfold -C "$c" redo hot --iteration 1
ok "... and ends" fanfold -C "$c" run
is "... it has no part any more" "skipped" \
    "$(fanfold -C "$c" status --json | jq -r '.stages[] | select(.name == "hot") | .state')"
is "the other one's data are still there" "1 " \
    "$(energies "$data/extxyz/iter/000001/dataset.extxyz")"
is "... in every form" "Si1" "$(ls "$data/deepmd/iter/000001")"

done_testing
