#!/bin/sh
# 0100-check - new campaigns are sound; broken ones are refused with position
# and remedy, and nothing is created
. "$abs_top_srcdir/tests/cli/tap.sh"

ok "new" fanfold -C "$tmp/toy" new
ok "... checks" fanfold -C "$tmp/toy" check
is "... as JSON too" true "$(fanfold -C "$tmp/toy" check --json | jq .ok)"
ok "... plans" fanfold -C "$tmp/toy" plan
is "... four tasks in train" 4 \
    "$(fanfold -C "$tmp/toy" plan --json | jq '.stages[] | select(.name == "train") | .tasks')"
has "... and shows a script" "agent" "$(fanfold -C "$tmp/toy" plan --script train)"
has "what new says to do next can be pasted" \
    "fanfold -C '$tmp/a b' check" "$(fanfold -C "$tmp/a b" new)"
exits "new does not overwrite" 1 fanfold -C "$tmp/toy" new
ok "... and runs as it is" fanfold -C "$tmp/toy" run
has "... and converges" "converged" "$(fanfold -C "$tmp/toy" status)"

# broken WHAT LINE:COLUMN WORDS SED-SCRIPT: the loop campaign, edited, has a
# problem there that says so.
n=0
broken() {
    n=$((n + 1))
    dir=$tmp/broken$n
    loop_campaign "$dir"
    sed -i "$4" "$dir/campaign.yaml"
    before=$(cd "$dir" && find . | sort)
    exits "$1: exit 3" 3 fanfold -C "$dir" check
    text=$(fanfold -C "$dir" check 2>&1)
    has "$1: position" "campaign.yaml:$2: " "$text"
    has "$1: words" "$3" "$text"
    exits "$1: run refuses too" 3 fanfold -C "$dir" run
    is "$1: nothing is created" "$before" "$(cd "$dir" && find . | sort)"
}

broken "unknown key" 13:5 "did you mean 'uses'" '13s/uses/use/'
broken "unknown operator" 10:11 "did you mean 'toy.label'" '10s/toy.label/toy.lable/'
broken "unknown stage in a binding" 19:19 "did you mean 'explore" '19s/explore.found/explor.found/'
broken "unknown output" 16:24 "did you mean 'potential'" '16s/train.potential/train.potentiel/'
broken "unknown input" 19:12 "did you mean 'found'" '19s/{found:/{fuond:/'
broken "wrong type" 4:7 "seed" '4s/7/seven/'
broken "duplicate key" 5:1 "models" '4s/.*/models: 2/'
broken "missing path" 6:18 "initial.extxyz" '6s/initial.extxyz/no-initial.extxyz/'
broken "bad expression" 21:14 "stop" '21s/select.left == 0/select.left ==/'
broken "unknown placeholder" 33:42 "did you mean 'frames'" '33s/"{frames}"/"{framse}"/'
broken "negative count" 5:9 "models" '5s/3/-3/'
broken "binding of another type" 16:24 "train.frames" '16s/train.potential/train.frames/'
broken "reserved stage name" 9:3 "dataset" '9s/label:/dataset:/'
broken "unknown type" 30:22 "did you mean 'frames'" '30s/type: frames/type: frame/'
broken "tab" 13:1 "tab" '13s/^    /\t/'

dir=$tmp/cycle
loop_campaign "$dir"
sed -i '13s/$/\n    with: {datasets: select.frames}/' "$dir/campaign.yaml"
text=$(fanfold -C "$dir" check 2>&1)
has "a cycle names its stages" "train" "$text"
has "... all of them" "explore" "$text"
exits "... and is refused" 3 fanfold -C "$dir" check

dir=$tmp/many
loop_campaign "$dir"
sed -i '5s/3/-3/; 10s/toy.label/toy.lable/; 19s/explore.found/explor.found/' "$dir/campaign.yaml"
is "every problem is listed, not the first" "5 10 19" \
    "$(fanfold -C "$dir" check --json | jq -r '[.problems[].line] | join(" ")')"
is "JSON has all keys" '["column","file","line","message","remedy"]' \
    "$(fanfold -C "$dir" check --json | jq -c '.problems[0] | keys')"
is "every problem has a remedy" 0 \
    "$(fanfold -C "$dir" check --json | jq '[.problems[] | select(.remedy == "")] | length')"

exits "no campaign here" 3 fanfold -C "$tmp" check
