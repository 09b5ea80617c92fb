#!/bin/sh
# 0349-extended - a campaign that is done goes on after an edit
. "$abs_top_srcdir/tests/cli/tap.sh"

c=$tmp/c
loop_campaign "$c"
whole=$tmp/whole
loop_campaign "$whole"
ok "reference: to the end" fanfold -C "$whole" run
sed -i 's/iterations: 6/iterations: 1/' "$c/campaign.yaml"
ok "one iteration" fanfold -C "$c" run
has "status says how to go on" 'to go on raise `iterations:`, then `fanfold run`' \
    "$(fanfold -C "$c" status)"
ok "a second run does nothing" fanfold -C "$c" run
is "... and says so in no event" 1 "$(grep -hc '"ev":"finished"' "$c"/.fanfold/journal/* | paste -sd+ | bc)"
sed -i 's/iterations: 1/iterations: 6/' "$c/campaign.yaml"
fanfold -C "$c" run >"$tmp/out"
is "more iterations" 0 $?
has "what was taken on is said" 'taken on: stop.iterations 1 -> 6, from iteration 0 on' "$(cat "$tmp/out")"
is "the results are those of one that had them from the beginning" \
    "$(results_digest "$whole")" "$(results_digest "$c")"

# A stricter rule: the last iteration is judged again by it.
n=$(fanfold -C "$c" status --json | jq .iteration)
sed -i "s/when: select.left == 0/when: select.left == 0 and iteration > $n/" "$c/campaign.yaml"
ok "a stricter stop" fanfold -C "$c" run
is "... leads to another iteration" $((n + 1)) "$(fanfold -C "$c" status --json | jq .iteration)"

# What is not looser is done at once.
sed -i 's/^history:/history:\n  n: count.select/; s/count.select/select.left/' "$c/campaign.yaml"
ok "another history" fanfold -C "$c" run
is "... is that of the last iteration" 0 "$(fanfold -C "$c" status --json | jq '.history[-1].n')"
is "... and has a column of its own" "- 0" "$(fanfold -C "$c" status |
    awk '$1 == "iteration" && !k { for (i = 2; i <= NF; i++) if ($i == "n") k = i }
        k && /^ *[0-9]/ { printf "%s%s", s, $k; s = " " }' | awk '{ print $1, $NF }')"
is "nothing was run for it" $((n + 1)) "$(fanfold -C "$c" status --json | jq .iteration)"

# A stage that came later runs in the last iteration.
cat >"$tmp/stage" <<'END'
  after:
    uses: toy.after
END
sed -i "/^stages:/r $tmp/stage" "$c/campaign.yaml"
cat >>"$c/campaign.yaml" <<'END'
  toy.after:
    outputs: {n: {type: int}}
    command: [sh, -c, 'echo "{\"n\": 5}" >params.json']
END
sed -i 's/{\\"n\\": 5}/{{\\"n\\": 5}}/' "$c/campaign.yaml"
ok "another stage" fanfold -C "$c" run
is "... has run once" 5 "$(fanfold -C "$c" result after n)"

# --- converged, and a stage that changed ---

status=$(fanfold -C "$c" status)
has "of one that has converged status does not ask for more iterations" \
    'to go on tighten `stop:`, then `fanfold run`; or change a stage (levels, systems), then `fanfold redo STAGE`' "$status"
sed -i 's/with: {potentials: train.potential}/with: {potentials: train.potential, temperature: [300, 600]}/' "$c/campaign.yaml"
fanfold -C "$c" run >"$tmp/out"
is "a stage that changed: run does nothing" 0 $?
has "... but says what would" \
    "campaign.yaml says something else of 'explore' than what was done; \`fanfold redo explore\` does it again, and what follows" \
    "$(cat "$tmp/out")"
has "... as does status" "\`fanfold redo explore\` does it again" "$(fanfold -C "$c" status)"
is "... and its JSON" explore "$(fanfold -C "$c" status --json | jq -r .changed)"
fanfold -C "$c" redo explore --yes >"$tmp/out" 2>&1 || fanfold -C "$c" redo explore >"$tmp/out" 2>&1
ok "it is done again" fanfold -C "$c" run
is "... by what it says now" 2 "$(fanfold -C "$c" result explore count)"
is "... which nothing differs from" null "$(fanfold -C "$c" status --json | jq -r .changed)"
sed -i 's/{{\\"n\\": 5}}/{{\\"n\\": 6}}/' "$c/campaign.yaml"
has "an operator that changed is told, too" "campaign.yaml says something else of 'after' than what was done; \`fanfold redo after\`" \
    "$(fanfold -C "$c" run)"
sed -i 's/{{\\"n\\": 6}}/{{\\"n\\": 5}}/; s/^  toy.after:/&\n    doc: a number/' "$c/campaign.yaml"
lacks "... but not what is said about it" "something else" fanfold -C "$c" run

# --- elements ---

sed -i 's/^elements:.*/elements: [O, Si]/; s/iterations: 6/iterations: 7/' "$c/campaign.yaml"
exits "elements in another order" 3 fanfold -C "$c" check
has "... are refused, with what to write" \
    "elements: they are [O, Si], and what has run has types in the order [Si, O]; write elements: [Si, O], with new ones behind them, or begin again with \`fanfold reset\`" \
    "$(fanfold -C "$c" check 2>&1)"
exits "... run refuses them, too" 3 fanfold -C "$c" run
fanfold -C "$c" advance --quiet >"$tmp/out" 2>"$tmp/err"
has "... cron goes on by the old ones" "the definition that was taken on last holds" "$(cat "$tmp/err")"
is "... which hold" '["Si","O"]' "$(jq -c .campaign.elements "$(find "$c/config" -name 'config*.json' | sort | tail -n 1)")"
sed -i 's/^elements:.*/elements: [H, Si, O]/' "$c/campaign.yaml"
exits "a new one before them" 3 fanfold -C "$c" check
sed -i 's/^elements:.*/elements: [Si, O, H]/' "$c/campaign.yaml"
ok "a new one behind them" fanfold -C "$c" check
ok "... is taken on" fanfold -C "$c" run
sed -i 's/^elements:.*/elements: [O, Si]/' "$c/campaign.yaml"
ok "a campaign that begins again" fanfold -C "$c" reset --yes
ok "... may have any" fanfold -C "$c" check

done_testing
