#!/bin/sh
# 0310-advance - driven by nothing but repeated steps
. "$abs_top_srcdir/tests/cli/tap.sh"

loop_campaign "$tmp/run"
fanfold -C "$tmp/run" plan --script train >"$tmp/script"
ok "reference: one run" fanfold -C "$tmp/run" run
submitted=$tmp/run/.fanfold/run/000001/000000/000000
token=$(jq -r .token "$submitted/submission.json")
is "the script that plan shows is submitted, with a token" \
    "$(sed "s/$token/TOKEN/g; s|run/000001/|run/000000/|" "$submitted/script")" "$(cat "$tmp/script")"

loop_campaign "$tmp/steps"
steps=0
state=running
while [ "$state" != done ] && [ $steps -lt 2000 ]; do
    answer=$(fanfold -C "$tmp/steps" advance --json) || break
    state=$(printf %s "$answer" | jq -r .state)
    next_s=$(printf %s "$answer" | jq -r .next_s)
    steps=$((steps + 1))
    [ "$state" = done ] || sleep "$(awk "BEGIN { s = $next_s; print (s > 0.05 ? 0.05 : s) }")"
done
is "steps lead to the end" done "$state"
taken=$steps
is "with the same results" "$(results_digest "$tmp/run")" "$(results_digest "$tmp/steps")"
is "a step after the end says there is nothing to wait for" 0 \
    "$(fanfold -C "$tmp/steps" advance --json | jq '.next_s | floor')"
silent "cron is told nothing then" fanfold -C "$tmp/steps" advance --quiet
loop_campaign "$tmp/quiet"
has "a campaign that was not begun says so" "not begun" "$(fanfold -C "$tmp/quiet" status)"
silent "... a step that is nothing special is silent" fanfold -C "$tmp/quiet" advance --quiet
sed -i 's/iterations: 6/iterations: 1/' "$tmp/quiet/campaign.yaml"
told=
steps=0
while [ -z "$told" ] && [ $steps -lt 2000 ]; do
    told=$(fanfold -C "$tmp/quiet" advance --quiet) || break
    steps=$((steps + 1))
done
has "... the end is not" "done" "$told"
ok "few steps left a journal segment" \
    test "$(ls "$tmp/steps/.fanfold/journal" | wc -l)" -le "$taken"
is "one lock file is left" 1 "$(ls "$tmp/steps/.fanfold/lock" | grep -c free)"

done_testing
