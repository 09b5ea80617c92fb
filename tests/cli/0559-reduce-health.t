#!/bin/sh
# 0559-reduce-health.t - trajectories that ended early, are broken, or in which atoms
# are too close: what ASE's neighbour list finds, for any number of ranks

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
if ! /usr/bin/python3 -c 'import ase, numpy' 2>/dev/null; then
    not_here "distances by ASE: python3-ase is not installed (scripts/packages codes)"
    done_testing
fi
# shellcheck source=tests/cli/reduce.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/reduce.sh"
program=${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/health.py
health () {
    /usr/bin/python3 "$program" "$@"
}
base='"elements": ["Si", "O", "H"], "levels": {"force": [0.15, 0.3]}, "pick": {"quota": 3},
    "skip": {"steps": 1, "dump_every": 10}'
# judge DIR [JQ]: as ASE finds it, with this change of "health".
judge () {
    rm -rf "$1"
    plan "$1" "$base, \"health\": $(jq -c "${2:-.}" health.json)"
    reduce 0 "$1.json"
}

for seed in 1 4; do
    health make $seed || exit 1
    judge sound
    silent "seed $seed: what ASE finds" health judge sound/params.json
done
judge near '.closest = 0.9'
silent "closer than 0.9 of the least distance" health judge near/params.json 0.9
judge far '.closest = 0.3'
is "closer than 0.3 there are none" 0 "$(answer far .health.too_close)"
rules="$base, \"health\": $(cat health.json)"
ok "2, 3 and 7 ranks: the same bytes" same_for_ranks sound "$rules"
plan without "$base"
reduce 0 without.json || exit 1
is "nothing is said where it is not asked for" "null null" "$(answer without '"\(.healthy) \(.health)"')"
is "... and all else is the same" "$(jq -S 'del(.healthy, .health)' sound/params.json)" \
    "$(jq -S . without/params.json)"
ok "... frames, too" diff -r sound/frames without/frames
ok "... and where they come from" cmp sound/provenance.json without/provenance.json

kept_base=$base
base=$(echo "$base" | sed 's/"dump_every": 10/&, "frames": 5/')
judge later
is "frames that are skipped did not end early" "$(answer sound .health.ended_early) 19" \
    "$(answer later '"\(.health.ended_early) \([.health.worst[].expected // empty] | max)"')"
base=$kept_base

# --- what is known without distances ---

judge short '.labelled = []'
is "without labelled frames no trajectory is read" "0 0 $(answer sound .health.ended_early)" \
    "$(answer short '.health | "\(.too_close) \(.broken) \(.ended_early)"')"
judge loose 'del(.labelled) | .closest = 0.8'
is "asked for by closest alone" "$(answer short '.health | tojson')" "$(answer loose '.health | tojson')"
jq -c 'if .task == 2 then empty else . end' entries >kept && cp entries all && cp kept entries
judge missing '.conditions[2] = null | .blown_up[2] = null'
is "a task that left nothing is not sound" "1 true" \
    "$(answer missing '"\(.health.missing_tasks) \(.healthy == .health.healthy / 24)"')"
cp all entries
judge nowhere 'del(.conditions)'
is "without conditions systems are told apart" "4 null" \
    "$(answer nowhere '.health.groups | "\(length) \(.[0].conditions)"')"
jq -c 'select(.task == 1) | .task = 0' all >entries
judge present 'del(.conditions, .blown_up) | .closest = 0.1'
sed -i 's/t1[.]dump/gone.dump/' entries
judge absent 'del(.conditions, .blown_up) | .closest = 0.1'
is "a trajectory that is not there is not sound" "1 0" "$(answer present .healthy) $(answer absent .healthy)"
cp all entries

# --- ranks that share a trajectory ---

# Frames 60 times over, of steps that rise: a file that is cut.
awk '/^ITEM: TIMESTEP/ { print; getline; next_step += 10; print next_step; next } { print }' \
    $(yes t4.dump | head -60) >big.dump 2>/dev/null || exit 1
awk '/^ITEM: TIMESTEP/ { getline; printf "%12d", $1; for (i = 0; i < 6; i++) printf "%19.6e", 0.2; print "" }' \
    big.dump >big.out
echo '{"task": 0, "system": "cubic", "trajectory": "big.dump", "deviations": "big.out", "expected_frames": 100}' >entries
ok "the file is large enough to be cut" test "$(wc -c <big.dump)" -gt 1500000
rules="$base, \"health\": {\"closest\": 1, \"labelled\": [\"labelled.0.extxyz\", \"labelled.1.extxyz\"]}"
plan big "$rules"
reduce 0 big.json || exit 1
is "of many equal worst frames the first is found" "1 true" \
    "$(answer big '.health | "\(.too_close) \(.worst[0].step <= 250)"')"
ok "... by 2, 3 and 7 ranks, too" same_for_ranks big "$rules"
cp all entries

# --- a file for each frame ---

mkdir traj
awk '/^ITEM: TIMESTEP/ { getline step; close(file); file = "traj/" step ".dump"; print > file; print step > file; next }
    { print > file }' t4.dump
jq -c 'select(.task == 4) | .task = 0' all >entries
judge whole 'del(.conditions, .blown_up) | .closest = 1'
sed -i 's|t4.dump|traj/*.dump|' entries
judge files 'del(.conditions, .blown_up) | .closest = 1'
is "frames that are files are looked at" "$(answer whole '.health | tojson')" "$(answer files '.health | tojson')"
is "... and something is found" 1 "$(answer whole .health.too_close)"
cp all entries

# --- what is wrong with files ---

# refused WHAT SAYS [JQ]: exit 3, and nothing is left.
refused () {
    judge bad "${3:-.}" >message 2>&1
    status=$?
    case $status,$(cat message) in
    3,*"$2"*) good=yes ;;
    *) good="$status, $(cat message)" ;;
    esac
    [ ! -e bad/params.json ] || good="there are results"
    is "$1" yes "$good"
}
cp t4.dump kept.dump
awk '/^3 [123] / && ++n == 5 { $2 = 7 } { print }' kept.dump >t4.dump
refused "a type that is none" "t4.dump: atom 3 of step 40: type 7, but there are 3 elements"
cp kept.dump t4.dump
sed -i '300s/ [^ ]*$/ x/' t4.dump
refused "a row that is none" "t4.dump:300"
cp kept.dump t4.dump
cp labelled.1.extxyz kept.extxyz
sed -i '5s/ [^ ]*$/ x/' labelled.1.extxyz
refused "labelled frames that are none" "health: labelled: labelled.1.extxyz:5"
cp kept.extxyz labelled.1.extxyz
rm labelled.2.extxyz
refused "labelled frames that are not there" "labelled.2.extxyz"
cp kept.extxyz labelled.2.extxyz
refused "a part above 1" "health: closest: 1.5; write 0 to 1" '.closest = 1.5'
refused "another key" "health: unknown key 'nearest'" '.nearest = 1'
refused "conditions of other tasks" "health: conditions has 2 elements, system has 24" '.conditions |= .[:2]'
refused "conditions that are none" "health: conditions: [3]: expected {NAME: VALUE}" '.conditions[3] = 300'
refused "an end that is no answer" "health: blown_up: [3]: expected true or false" '.blown_up[3] = 1'

done_testing
