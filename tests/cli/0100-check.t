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
fanfold -C "$tmp/vasp" new --template deepmd-vasp >"$tmp/out"
fanfold -C "$tmp/vasp" plan >"$tmp/out"
is "... and lists the inputs that are bound" "1 0" \
    "$(grep -c '          and without 10 optional inputs$' "$tmp/out") $(grep -c '<- absent' "$tmp/out")"
has "... and shows a script" "agent" "$(fanfold -C "$tmp/toy" plan --script train)"
has "what new says to do next can be pasted" \
    "fanfold -C '$tmp/a b' check" "$(fanfold -C "$tmp/a b" new)"
exits "new does not overwrite" 1 fanfold -C "$tmp/toy" new
ok "... and runs as it is" fanfold -C "$tmp/toy" run
has "... and converges" "converged" "$(fanfold -C "$tmp/toy" status)"

# many FIELD... : a stage of 1,000 tasks on nodes of 8 cores; each FIELD is a
# line of the profile.  What plan says of it.
many() {
    rm -rf "$tmp/many"
    mkdir "$tmp/many"
    cat >"$tmp/many/campaign.yaml" <<-EOF
	format: 1
	campaign: many
	elements: [Si]
	stages:
	  count: {uses: toy.count, with: {n: [$(seq -s, 1000)]}}
	stop: {iterations: 1}
	operators:
	  toy.count:
	    fan_out: [n]
	    inputs: {n: {type: int}}
	    outputs: {m: {type: int}}
	    command: [count, "{n}", "{outputs.params}"]
	EOF
    {
        printf 'format: 1\nprofiles:\n  far:\n    scheduler: pbs\n'
        printf '    node: {cores: 8}\n'
        for field in "$@"; do printf '    %s\n' "$field"; done
    } >"$tmp/many/site.yaml"
    fanfold -C "$tmp/many" plan
}
text=$(many)
has "bundles grow with the fan-out" "1000 tasks in 42 elements of 8 slots" "$text"
has "plan warns where starting elements may take longest" \
    "how long a task takes is not known; if it is less than 0.67 s" "$text"
text=$(many 'limits: {running: 16, walltime: 1h}')
has "a limit says how many elements are worth it" "in 16 elements" "$text"
lacks "... and plan does not warn" warning echo "$text"

# What tasks took is known after an iteration.
loop_campaign "$tmp/timed"
cat >"$tmp/timed/site.yaml" <<-EOF
	format: 1
	profiles:
	  here: {scheduler: local, node: {cores: 1}, limits: {running: 2}}
	EOF
lacks "nothing ran: no warning" warning fanfold -C "$tmp/timed" plan
ok "tasks of no work run" fanfold -C "$tmp/timed" run
has "plan compares what they took with the start of an element" \
    "as in the latest iteration); for fewer and longer elements" \
    "$(fanfold -C "$tmp/timed" plan)"

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
broken "a list in stop:" 21:14 "column 1: train.frames is a list, and a number must stand here; write max(train.frames)" \
    '21s/select.left == 0/train.frames > 100/'
broken "a number in stop:" 21:14 "select.left is a number, and true or false must stand here; compare it: select.left > NUMBER" \
    '21s/select.left == 0/select.left/'
broken "a list in history:" 23:13 "train.frames is a list" '23s/max(train.frames)/train.frames + 1/'
broken "unknown placeholder" 33:42 "did you mean 'frames'" '33s/"{frames}"/"{framse}"/'
broken "negative count" 5:9 "models" '5s/3/-3/'
broken "binding of another type" 16:24 "train.frames" '16s/train.potential/train.frames/'
broken "reserved stage name" 9:3 "dataset" '9s/label:/dataset:/'
broken "unknown type" 30:22 "did you mean 'frames'" '30s/type: frames/type: frame/'
broken "tab" 13:1 "tab" '13s/^    /\t/'

dir=$tmp/place
loop_campaign "$dir"
echo 'echo hello' >"$dir/train"
has "a file where a stage keeps its results" \
    "12:3: stage 'train' keeps its results in a directory of that name, and there is a file 'train'; rename the file, or the stage" \
    "$(fanfold -C "$dir" check 2>&1)"

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
is "JSON has all keys" '["column","file","line","message","remedy","warning"]' \
    "$(fanfold -C "$dir" check --json | jq -c '.problems[0] | keys')"
is "every problem has a remedy" 0 \
    "$(fanfold -C "$dir" check --json | jq '[.problems[] | select(.remedy == "")] | length')"

exits "no campaign here" 3 fanfold -C "$tmp" check

# --- names of the directory ---

bad=$(printf '%s/x\377' "$tmp")
loop_campaign "$bad"
exits "a directory whose name is no UTF-8 is refused" 3 fanfold -C "$bad" check
has "... and why" 'x\xff/campaign.yaml: the name of the directory is not UTF-8' \
    "$(fanfold -C "$bad" check 2>&1)"
exits "... by run, too" 3 fanfold -C "$bad" run
is "... which makes nothing there" "" "$(find "$bad" -name .fanfold)"
bad="$tmp/a
b"
loop_campaign "$bad"
ok "... but not a line break" fanfold -C "$bad" check
good=$(printf '%s/\303\251t\303\251 1' "$tmp")
loop_campaign "$good"
exits "... nor accents and blanks" 0 fanfold -C "$good" check
long=$(printf 'n%.0s' $(seq 65))
fanfold -C "$tmp/$long" new >/dev/null
exits "new in a directory of 65 letters writes a good campaign" 0 fanfold -C "$tmp/$long" check
is "... which has another name" campaign "$(sed -n 's/^campaign: //p' "$tmp/$long/campaign.yaml")"

done_testing
