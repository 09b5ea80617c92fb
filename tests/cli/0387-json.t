#!/bin/sh
# 0387-json - --json of every command fits its schema, in the states that matter
. "$abs_top_srcdir/tests/cli/tap.sh"

schemas=$abs_top_srcdir/doc/schemas
schema="/usr/bin/python3 -B $abs_top_srcdir/tests/cli/schema.py"
mkdir "$tmp/out"
: >"$tmp/wrong"
: >"$tmp/kept"
n=0

# schema_of COMMAND: the name of its schema.
schema_of() {
    case $1 in
    pause | resume | cancel | retry | skip | redo | forget | reset) echo request ;;
    submit) echo advance ;;
    *) echo "$1" ;;
    esac
}

# keep STATUS DIR COMMAND...: what `fanfold -C DIR COMMAND... --json` prints is judged
# below; it ends with that status.
keep() {
    want=$1 dir=$2
    shift 2
    n=$((n + 1))
    file=$tmp/out/$(schema_of "$1").$n.json
    command=$1
    shift
    fanfold -C "$dir" "$command" --json "$@" >"$file" 2>"$tmp/said"
    got=$?
    echo "$command" >>"$tmp/kept"
    [ $got -eq "$want" ] ||
        echo "$command $*: exit $got, not $want: $(cat "$tmp/said")" >>"$tmp/wrong"
    [ -s "$file" ] || echo "$command $*: prints nothing: $(cat "$tmp/said")" >>"$tmp/wrong"
}

# field FILTER: of what was kept last.
field() {
    jq -r "$1" "$file"
}

# Every command, but for those that print text to read.
fanfold --help | sed -n '/^Every day:/,/^`fanfold/s/^  \([a-z]*\) .*/\1/p' |
    grep -vxE 'help|completion' >"$tmp/commands"
without=$(while read -r command; do
    fanfold "$command" --help | grep -q '^  --json$' || echo "$command"
done <"$tmp/commands")
is "each command has --json" "" "$without"
unknown=$(while read -r command; do
    [ -f "$schemas/$(schema_of "$command").schema.json" ] || echo "$command"
done <"$tmp/commands")
is "... and a schema" "" "$unknown"

# --- a campaign: new, running, paused, failed, done ---

# A campaign of a stage whose task waits for the file `go`, and fails where `fail` is.
c=$tmp/c
mkdir "$c"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: waiting
elements: [Si]
stages:
  wait: {uses: test.wait, retry: {failed: 1}}
  then: {uses: test.then, with: {n: wait.n}}
stop: {iterations: 1}
history: {n: then.m}
functions:
  score: {type: predict, uses: test.then}
operators:
  test.wait:
    outputs: {n: {type: int}}
    command: [sh, -c, 'echo begun; until [ -e "$1/go" ]; do sleep 0.02; done; [ ! -e "$1/fail" ] && echo "{{\"n\": 5}}" > "$2"', sh, "{campaign}", "{outputs.params}"]
  test.then:
    inputs: {n: {type: int}}
    outputs: {m: {type: int}}
    command: [sh, -c, 'echo "{{\"m\": $1}}" > "$2"', sh, "{n}", "{outputs.params}"]
END
cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$c"

look() {
    keep 0 "$c" status
    keep 0 "$c" status --keys
    keep 0 "$c" plan
    keep 0 "$c" explain wait
    keep 0 "$c" explain wait 0
    keep 0 "$c" explain then
}
keep 0 "$tmp" new "$tmp/new"
keep 0 "$tmp" new --template water-cp2k "$tmp/water"
is "new tells what it wrote" "campaign.yaml site.yaml" \
    "$(jq -r '.files | join(" ")' "$tmp/out/new.1.json")"
keep 0 "$c" check
keep 0 "$c" status
is "... before it has begun" "not begun" "$(field .state)"
keep 0 "$c" plan
keep 0 "$c" plan --script wait
keep 0 "$c" plan --node 'numa:2 core:4 pu:1' --task 'cores=2'
keep 0 "$c" doctor
keep 0 "$c" submit
keep 0 "$c" advance
running() {
    fanfold -C "$c" status --json | jq -e '.stages[0].tasks.running == 1'
}
ok "a task runs" until_ok running
look
is "explain tells what inputs are bound to" "wait.n" "$(field .bindings.n)"
keep 0 "$c" log wait
is "log tells where the output of what runs is" running "$(field '.tasks[0].outcome')"
exits "... and follows nothing as JSON" 2 fanfold -C "$c" log wait --follow --json
silent "advance --quiet prints nothing where nothing changed" fanfold -C "$c" advance --quiet --json
keep 0 "$c" pause
is "pause is done" "true paused" "$(field '"\(.done) \(.state)"')"
look
keep 0 "$c" resume
keep 0 "$c" cancel
keep 0 "$c" resume
touch "$c/fail" "$c/go"
keep 1 "$c" run
is "run tells how it ended, and why" "failed" "$(field .state)"
look
keep 0 "$c" explain wait
is "explain tells which tasks ended how, and why" "exited with status 1" \
    "$(field '.events[] | select(.outcomes.failed == "0") | .why."0"' | grep -o 'exited.*1')"
keep 0 "$c" explain wait 0
is "... of a task where it ran, and where it is" "failed true true" \
    "$(field '"\(.outcome) \(.newest_try.cpu_s >= 0) \(.task_dir | startswith(".fanfold/run"))"')"
keep 0 "$c" log wait
has "... and log where the output is" "begun" \
    "$(tail -c "+$(($(field '.tasks[0].at_bytes') + 1))" "$(field '.tasks[0].file')")"
keep 0 "$c" log wait --failed
keep 0 "$c" verify
exits "what is refused prints no JSON" 1 fanfold -C "$c" resume --json
is "... but on stderr" "" "$(fanfold -C "$c" resume --json 2>/dev/null)"
rm "$c/fail"
keep 0 "$c" retry wait
is "retry tells which tasks have new tries" "0" "$(field .changes.tries_anew.wait)"
keep 0 "$c" run
is "run ends" "done 0" "$(field '"\(.state) \(.iteration)"')"
look
outputs=$(cd "$c" && ls then/*/iter/*/outputs.json)
for command in du verify recover adopt report 'result then' 'result then m' 'log then' \
    "explain $outputs" 'plan --redo then' 'status then'; do
    # shellcheck disable=SC2086 # words of a command
    keep 0 "$c" $command
done
cp "$c/$outputs" "$tmp/outputs.json"
echo ' ' >>"$c/$outputs"
keep 1 "$c" verify
is "verify tells what differs" "false $outputs" "$(field '"\(.ok) \(.differences[0].path)"')"
cp "$tmp/outputs.json" "$c/$outputs"
keep 0 "$c" redo wait
keep 0 "$c" status --replaced
is "status tells what was replaced" "redo wait" "$(field '.replaced[0] | "\(.request) \(.of)"')"
keep 0 "$c" skip then
keep 0 "$c" call score n=3
is "call tells types" int "$(field .types.m)"
keep 0 "$c" call --async score n=3
is "... and the number of one that runs on" "score 1" "$(field '"\(.function) \(.call)"')"
keep 0 "$c" status
fanfold -C "$c" run >/dev/null 2>&1
keep 0 "$c" reset
is "reset asks first" "false" "$(field .done)"
keep 0 "$c" reset --yes
is "... and is done then" "true reset" "$(field '"\(.done) \(.request)"')"
fanfold -C "$c" run >/dev/null 2>&1
sed -i -e '/^  then:/d' -e '/^history:/d' "$c/campaign.yaml"
keep 0 "$c" forget then
keep 0 "$c" forget then --yes
echo 'nonsense: 1' >>"$c/campaign.yaml"
keep 3 "$c" check

# An earlier iteration.
mkdir "$tmp/two"
cat >"$tmp/two/campaign.yaml" <<'END'
format: 1
campaign: two
elements: [Si]
stages: {one: {uses: test.one}, both: {uses: test.both}}
stop: {iterations: 2}
operators:
  test.both: {steps: {a: {uses: test.one}, b: {uses: test.one}}, outputs: {n: b.n}}
  test.one:
    outputs: {n: {type: int}, f: {type: file}}
    command: [sh, -c, 'echo "{{\"n\": 1}}" > "$1"; echo a > "$2"', sh, "{outputs.params}", "{outputs.f}"]
END
cp "$c/site.yaml" "$tmp/two"
keep 0 "$tmp/two" run
keep 0 "$tmp/two" redo one --iteration 0
is "redo of an earlier iteration asks first" "false 0 4" \
    "$(field '"\(.done) \(.drops.iteration) \(.drops.tasks)"')"
keep 0 "$tmp/two" explain both
is "explain tells of each step" "test.both both.a done both.b done" \
    "$(field '"\(.operator) " + ([.steps[] | "\(.stage) \(.state)"] | join(" "))')"
keep 0 "$tmp/two" explain "$(cd "$tmp/two" && ls one/*/iter/*1/job/*/out/f)"
rm -r "$tmp/two/.fanfold/journal"/*
keep 0 "$tmp/two" recover
is "recover tells what it kept" true "$(field .needed)"

# --- data, sites, stores ---

cat >"$tmp/a.xyz" <<'END'
2
Lattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3:forces:R:3 energy=-1.5 pbc="T T T"
Si 0 0 0 0 0 0.1
Si 0 0 2.4 0 0 -0.1
2
Lattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3:forces:R:3 energy=-1.5 pbc="T T T"
Si 0 0 0 0 0 0.1
Si 0 0 2.4 0 0 -0.1
END
keep 0 "$tmp" data "$tmp/a.xyz"
keep 0 "$tmp" convert "$tmp/a.xyz" "$tmp/b.xyz"
is "convert counts frames" "extxyz 2" "$(field '"\(.format) \(.frames)"')"
loop_campaign "$tmp/loop"
keep 0 "$tmp/loop" run
keep 0 "$tmp/loop" export "$tmp/set"
keep 0 "$tmp" export --campaigns "$tmp/loop" "$tmp/several"
is "export of campaigns tells what each gave" "$(field .frames)" "$(field '.campaigns[0].frames')"
keep 0 "$tmp/loop" status
printf '0.1 0.01\n0.2 0.02\n0.3 0.9\n0.4\n' >"$tmp/scores"
keep 0 "$tmp" calibrate --target 0.1 --coverage 0.5 "$tmp/scores"
keep 0 "$tmp/loop" probe here --output "$tmp/node.xml"
FANFOLD_STORE=$tmp/store
keep 0 "$tmp/loop" store list
mkdir "$tmp/algorithm"
echo 'echo 1 >out/model' >"$tmp/algorithm/train.sh"
keep 0 "$tmp/loop" quick --algorithm "$tmp/algorithm" --name toy --output out --wait -- \
    sh -c 'mkdir -p out && sh train.sh'
keep 0 "$tmp/loop" quick list
keep 0 "$tmp/loop" quick resume
keep 0 "$tmp/loop" store list
keep 0 "$tmp/loop" store verify
keep 0 "$tmp/loop" store gc

# --- all of it ---

silent "each ended as it does without --json, and printed something" cat "$tmp/wrong"
# shellcheck disable=SC2086
silent "all $n outputs are one JSON value that fits" $schema json "$schemas" "$tmp"/out/*
mkdir "$tmp/more"
for file in "$tmp"/out/*; do
    jq -e 'if type == "object" then . + {"nonsense": 1} else map(. + {"nonsense": 1}) end' \
        "$file" >"$tmp/more/${file##*/}"
done
# shellcheck disable=SC2086
is "... and none fits with one key more" "$n" "$($schema json "$schemas" "$tmp"/more/* | wc -l)"
missing=$(grep -vxFf "$tmp/kept" "$tmp/commands")
is "all commands were tried but those whose tests are elsewhere" "import
select" "$missing"
done_testing
