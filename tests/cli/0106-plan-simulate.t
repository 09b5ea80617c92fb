#!/bin/sh
# 0106-plan-simulate - in which range time and node-hours of the rest lie
. "$abs_top_srcdir/tests/cli/tap.sh"

mkdir "$tmp/c"
cd "$tmp/c" || exit 1
cat >campaign.yaml <<'END'
format: 1
campaign: ahead
stages:
  first: {uses: t.count, with: {n: [1, 2, 3, 4]}, task: {cores: 1, walltime: 1h}}
  then: {uses: t.count, with: {n: first.n}, task: {cores: 1, walltime: 1h}}
stop: {iterations: 5}
operators:
  t.count:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {n: {type: int}}
    command: [sh, -c, 'echo "{{\"n\": $1}}" >params.json', sh, "{n}"]
END
cat >site.yaml <<'END'
format: 1
profiles: {local: {scheduler: local, node: {cores: 2}, limits: {running: 1}}}
END
ahead() {
    fanfold plan --simulate --json "$@"
}

# --- before anything has run ---

ok "a campaign that has not begun" fanfold plan --simulate
has "of what has not run it is said what is not known" "first: how long a task takes is not known yet" "$out"
has "... also how many tasks" "then: how many tasks it has is not known yet; write --assume then=20m*40" "$out"
is "... and no time is told" "null null" "$(ahead | jq -r '"\(.time_s) \(.node_hours)"')"
is "two slots: two waves of ten minutes, and five of an hour" "96000" \
    "$(ahead --assume 'first=10m,then=1h*10' | jq '.time_s[0]' | sed 's/\.0*$//')"
is "... the same in all plays" true "$(ahead --assume 'first=10m,then=1h*10' | jq '.time_s[0] == .time_s[1]')"
is "... of each stage" "6000 90000" \
    "$(ahead --assume 'first=10m,then=1h*10' | jq -r '[.stages[].time_s[0] | floor | tostring] | join(" ")')"
is "... half a node each: node-hours" true \
    "$(ahead --assume 'first=10m,then=1h*10' | jq '.stages[0].node_hours[0] | . > 1.66 and . < 1.67')"
has "people read it" "assumed" "$(fanfold plan --simulate --assume 'first=10m,then=1h*10')"
ok "nothing was made" test ! -e .fanfold

# --- what is wrong with the command line ---

exits "a stage that there is not" 2 fanfold plan --simulate --assume lable=20m
has "... is named" "--assume: there is no stage 'lable'" "$out"
exits "a time that is none" 2 fanfold plan --simulate --assume first=soon
has "... is told how to write" "write first=20m, or first=20m*40 for 40 tasks" "$out"
exits "a number of tasks that is none" 2 fanfold plan --simulate --assume first=1h*0
exits "no plays" 2 fanfold plan --simulate --seeds 0
exits "too many" 2 fanfold plan --simulate --seeds 1000000
exits "--assume alone" 2 fanfold plan --assume first=1h
exits "with a script" 2 fanfold plan --simulate --script first

# --- after some iterations ---

sed -i 's/iterations: 5/iterations: 2/' campaign.yaml
ok "two iterations" fanfold run
is "nothing is left" "[0.0,0.0]" "$(ahead | jq -c .time_s | sed 's/\[0,0\]/[0.0,0.0]/')"
sed -i 's/iterations: 2/iterations: 22/' campaign.yaml
ahead >"$tmp/ahead"
is "twenty more" 20 "$(jq .iterations "$tmp/ahead")"
is "... by the tasks that were seen" "8 8" "$(jq -r '[.stages[].seen | tostring] | join(" ")' "$tmp/ahead")"
is "... four in each" '[[4],[4,4]]' "$(jq -c '[.stages[].tasks]' "$tmp/ahead")"
is "... have a range" true "$(jq '.time_s[0] > 0 and .time_s[0] <= .time_s[1]' "$tmp/ahead")"
is "... not smaller than that of a stage" true \
    "$(jq '.time_s[1] >= .stages[0].time_s[1] and .time_s[1] >= .stages[1].time_s[1]' "$tmp/ahead")"
is "... the same again" "$(cat "$tmp/ahead")" "$(ahead)"
is "so many plays" 7 "$(ahead --seeds 7 | jq .plays)"
is "no queue is on this machine" '[]' "$(jq -c .queues "$tmp/ahead")"
has "people read it" "20 iterations to the end, without waits in queues" "$(fanfold plan --simulate)"

# What only looks at it starts no driver, and changes nothing.
is "the journal is as it was" 1 "$(cat .fanfold/journal/* | jq -Rc 'fromjson? | select(.ev == "finished")' | wc -l)"

done_testing
