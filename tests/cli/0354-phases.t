#!/bin/sh
# 0354-phases - stages have conditions of their own in each part of a campaign
. "$abs_top_srcdir/tests/cli/tap.sh"

write() { # DIRECTORY UNTIL ON_MAXIMUM
    mkdir -p "$1"
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: phased
stages:
  explore: {uses: t.echo, with: {x: 1, y: 1}}
  extra: {uses: t.echo, when: iteration < 0, with: {x: explore.x, y: 1}}
history: {x: explore.x, y: explore.y, extra: extra.x}
phases:
  - {name: cold, iterations: 2}
  - name: warm
    iterations: 3
    until: $2
    on_maximum: $3
    stages: {explore: {with: {x: 5}}}
  - name: hot
    iterations: 2
    stages: {explore: {with: {x: 9, y: 2}}, extra: {when: ~}}
operators:
  t.echo:
    inputs: {x: {type: int}, y: {type: int}, n: {type: int, from: iteration}}
    outputs: {x: {type: int}, y: {type: int}, n: {type: int}}
    command: [sh, -c, 'printf "{\"x\": \$1, \"y\": \$2, \"n\": \$3}" >params.json', sh, "{x}", "{y}", "{n}"]
END
}
history() { # DIRECTORY: "phase:x:y:extra" of every iteration
    fanfold -C "$1" status --json |
        jq -r '[.history[] | "\(.phase):\(.x):\(.y):\(.extra)"] | join(" ")'
}
why() {
    fanfold -C "$1" status --json | jq -r '"\(.state) \(.converged) \(.why)"'
}
whole="cold:1:1:null cold:1:1:null warm:5:1:null warm:5:1:null hot:9:2:9 hot:9:2:9"

c=$tmp/c
write "$c" "explore.n >= 3" stop
ok "phases need no stop:" fanfold -C "$c" check
fanfold -C "$c" plan >"$tmp/out"
ok "plan shows them" grep -q "^  phase warm: at most 3 iterations, until explore.n >= 3$" "$tmp/out"
ok "... and whose stages it shows" grep -q "^  phase cold: at most 2 iterations (below)$" "$tmp/out"
has "check tells it, too" "at most 7 iterations" "$(fanfold -C "$c" check)"
ok "... and how many iterations there are at most" grep -q "^phased: at most 7 iterations$" "$tmp/out"
fanfold -C "$c" run >"$tmp/out"
is "it runs" 0 $?
is "each phase until its rule holds or its iterations are done" "$whole" "$(history "$c")"
is "after the last one it is done" "done false all phases are over" "$(why "$c")"
ok "run names the phases" grep -q "^[^ ]*  iteration 2, phase warm" "$tmp/out"
fanfold -C "$c" status >"$tmp/out"
ok "status too" grep -q "^iteration 5, phase hot" "$tmp/out"

# --- every step by a process of its own, which knows the journal only ---

d=$tmp/d
write "$d" "explore.n >= 3" stop
steps=0
until [ "$(fanfold -C "$d" status --json | jq -r .state)" = "done" ] || [ $steps -gt 300 ]; do
    fanfold -C "$d" advance >"$tmp/out" 2>&1
    rm -f "$d/state.json"
    steps=$((steps + 1))
done
is "processes that begin anew go through the same phases" "$whole" "$(history "$d")"

# --- a rule that does not hold ---

e=$tmp/e
write "$e" "explore.n >= 100" stop
fanfold -C "$e" run >"$tmp/out"
is "where the rule does not hold it stops" \
    "done false phase 'warm': its until: did not hold in 3 iterations" "$(why "$e")"
sed -i 's/on_maximum: stop/on_maximum: continue/' "$e/campaign.yaml"
ok "after an edit it goes on" fanfold -C "$e" run
is "... with the next phase" \
    "cold:1:1:null cold:1:1:null warm:5:1:null warm:5:1:null warm:5:1:null hot:9:2:9 hot:9:2:9" \
    "$(history "$e")"
sed -i 's/    iterations: 2$/    iterations: 3/' "$e/campaign.yaml"
ok "a longer last phase" fanfold -C "$e" run
is "... has another iteration" hot:9:2:9 "$(history "$e" | tr ' ' '\n' | sed -n 8p)"
is "... and no more" 8 "$(history "$e" | wc -w)"
echo 'stages: [' >>"$e/campaign.yaml"
is "what is recorded has the phases" hot "$(fanfold -C "$e" status --json 2>"$tmp/err" | jq -r .phase)"

# --- an edit in the middle of a phase ---

g=$tmp/g
write "$g" "explore.n >= 3" stop
sed -i 's/^history/stop: {iterations: 3}\n&/' "$g/campaign.yaml"
fanfold -C "$g" run >"$tmp/out"
is "a stop: holds on top" 3 "$(history "$g" | wc -w)"
sed -i 's/x: 5/x: 6/; s/name: warm/name: tepid/; s/iterations: 3}$/iterations: 9}/' "$g/campaign.yaml"
fanfold -C "$g" run >"$tmp/out"
is "a phase that has another name is the one in its place" \
    "cold:1:1:null cold:1:1:null warm:5:1:null tepid:6:1:null hot:9:2:9 hot:9:2:9" "$(history "$g")"

h=$tmp/h
write "$h" "explore.n >= 3" stop
sed -n '/^phases:/q; p' "$h/campaign.yaml" >"$h/plain"
{ cat "$h/plain"; echo 'stop: {iterations: 2}'; sed -n '/^operators:/,$p' "$h/campaign.yaml"; } >"$h/new"
cp "$h/campaign.yaml" "$h/phased"
mv "$h/new" "$h/campaign.yaml"
ok "a campaign without phases" fanfold -C "$h" run
mv "$h/phased" "$h/campaign.yaml"
ok "... gets some" fanfold -C "$h" run
is "... and begins the first one" \
    "null:1:1:null null:1:1:null cold:1:1:null cold:1:1:null warm:5:1:null hot:9:2:9 hot:9:2:9" \
    "$(history "$h")"

# --- until: of the last phase ---

i=$tmp/i
write "$i" "explore.n >= 3" stop
sed -i '/name: hot/,/stages:/d' "$i/campaign.yaml"
fanfold -C "$i" run >"$tmp/out"
is "the last rule holds: converged" "done true all phases are over" "$(why "$i")"

done_testing
