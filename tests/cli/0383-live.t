#!/bin/sh
# 0383-live - the live screen of `run` and `status --watch`, and lines where there is
# no terminal
. "$abs_top_srcdir/tests/cli/tap.sh"

LC_ALL=C.UTF-8 TERM=xterm TZ=XYZ-3
export LC_ALL TERM TZ
unset NO_COLOR COLORTERM

# live_campaign DIR: tasks of `work` wait for a file go.
live_campaign() {
    mkdir "$1"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
    cat >"$1/campaign.yaml" <<'EOF'
format: 1
campaign: live
elements: [Si]
models: 12
stop: {iterations: 2}
stages:
  work: {uses: test.work, task: {cores: 1, walltime: 1h}}
  judge: {uses: test.judge, with: {of: work.of}}
operators:
  test.work:
    fan_out: [of]
    inputs: {of: {type: int, from: models}}
    outputs: {of: {type: int}}
    command:
      - [sh, -c, 'while [ ! -e "$1/go" ]; do sleep 0.1; done', sh, "{campaign}"]
      - [sh, -c, 'echo "{\"of\": $1}" >"$2"', sh, "{of}", "{outputs.params}"]
  test.judge:
    inputs: {of: {type: int, list: true}}
    command: ["true"]
EOF
}

if ! /usr/bin/env python3 -c 'import pty' 2>/dev/null; then
    not_here "a terminal: python3 is not installed"
    done_testing
fi

# on_pty SIZE STEP... -- COMMAND...
on_pty() {
    python3 "$abs_top_srcdir/tests/cli/terminal.py" "$@"
}

# wider FILE COLUMNS: lines that are longer.
wider() {
    grep -nE ".{$2}." "$1"
}

# --- run ---

c=$tmp/c
live_campaign "$c"
exits "run on a terminal, and q leaves it" 130 on_pty 80x24 \
    "wait:2 running" "save:$tmp/80" resize:40x20 gone:~ "save:$tmp/40" \
    resize:160x50 gone:~ "save:$tmp/160" \
    "raw:$tmp/raw" key:q -- fanfold -C "$c" run
printf '%s\n' "$out" >"$tmp/left"
lacks "... and not who drives, which it does itself" "driven by" cat "$tmp/80"
ok "... it shows campaign and iteration" grep -q '^live: running, iteration 0 (up to 1)' "$tmp/80"
ok "... a bar for each stage, and counts" \
    grep -q '^work  \[▒*░*\]  0/12  2 running  10 queued' "$tmp/80"
ok "... stages to come" grep -q '^judge waiting$' "$tmp/80"
ok "... node-hours, and at most how many more" \
    grep -q '^node-hours: .* used; at most [0-9.]* more by what is submitted$' "$tmp/80"
ok "... with the keys in the last row" sh -c "sed -n '24p' '$tmp/80' | grep -q '^q leaves'"
is "... no row is wider than 40 columns" "" "$(wider "$tmp/40" 40)"
ok "... whose last row is the 20th" sh -c "sed -n '20p' '$tmp/40' | grep -q '^q leaves'"
ok "... and of 50 rows the last" sh -c "sed -n '50p' '$tmp/160' | grep -q '^q leaves'"
ok "... in colour" grep -qa "$(printf '\033\\[36m')" "$tmp/raw"
ok "... what happened stands on the terminal when it is left" grep -q "interrupted; what was submitted runs on" "$tmp/left"
has "what was submitted goes on" running "$(fanfold -C "$c" status)"

exits "a signal gives the terminal back" 130 on_pty 80x24 "wait:2 running" kill:TERM \
    -- fanfold -C "$c" run
exits "stopped and continued it shows again" 130 on_pty 80x24 "wait:2 running" \
    "key:$(printf '\032')" stopped continue gone:~ "wait:2 running" kill:STOP stopped \
    continue gone:~ "wait:2 running" "key:$(printf '\003')" -- fanfold -C "$c" run
exits "without colour and UTF-8" 130 env NO_COLOR=1 LC_ALL=C \
    python3 "$abs_top_srcdir/tests/cli/terminal.py" 80x24 "wait:2 running" "save:$tmp/ascii" \
    "raw:$tmp/raw" key:q -- fanfold -C "$c" run
is "... none is there" 0 "$(LC_ALL=C grep -caP '\x1b\[[0-9]*m|[\x80-\xff]' "$tmp/raw")"
ok "... bars are of ASCII" grep -q '^work  \[>*\.*\]' "$tmp/ascii"

# --- status --watch ---

fanfold -C "$c" run >"$tmp/run" 2>&1 &
driver=$!
until_is running state_of "$c"
before=$(ls -a "$c/.fanfold" "$c/.fanfold/lock")
exits "status --watch looks at what another drives" 0 on_pty 80x24 "wait:driven by pid" \
    "wait:2 running" "run:touch $c/go" "wait:iteration 1 closed" "wait:done" "save:$tmp/watch" \
    key:q -- fanfold -C "$c" status --watch
printf '%s\n' "$out" >"$tmp/left"
ok "... to the end" grep -q '^live: done, iteration 1 (up to 1)' "$tmp/watch"
ok "... bars are full then" grep -q '^work  \[█*\]  12/12 ' "$tmp/watch"
ok "... what happened stands there when it is left" grep -q '^iteration 0 closed' "$tmp/left"
touch "$c/go"
wait $driver
is "... and the driver was not in its way" 0 $?
is "... nothing was written by it" "$before" "$(ls -a "$c/.fanfold" "$c/.fanfold/lock" | sed 's/\.free$//')"

# --- no terminal ---

is "run has the time of each line, local" "" \
    "$(grep -vE '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\+03:00  ' "$tmp/run")"
fanfold -C "$c" redo work --iteration 1 >/dev/null
rm "$c/go"
fanfold -C "$c" status --watch >"$tmp/lines" 2>&1 &
watcher=$!
until_ok test -s "$tmp/lines"
fanfold -C "$c" run >/dev/null 2>&1 &
driver=$!
touch "$c/go"
wait $driver
wait $watcher
is "status --watch ends with the campaign" 0 $?
ok "... first it tells how it stands" grep -q '^live: ' "$tmp/lines"
ok "... then a line for each event" grep -qE '^2[0-9T:-]*\+03:00    work +12 ok' "$tmp/lines"
exits "--watch is for all of the campaign" 2 fanfold -C "$c" status --watch work
exits "... and for people" 2 fanfold -C "$c" status --watch --json

# --- lines are no longer than the terminal is wide ---

on_pty 30x50 -- fanfold -C "$c" status >"$tmp/said"
is "status keeps to 30 columns" "" "$(wider "$tmp/said" 30)"
on_pty 30x50 -- fanfold -C "$c" log nothing 17 >"$tmp/said"
is "... a complaint too" "" "$(wider "$tmp/said" 30)"
on_pty 200x200 -- fanfold -C "$c" status --json | jq -S . >"$tmp/json"
fanfold -C "$c" status --json | jq -S . >"$tmp/want"
ok "--json is not wrapped" cmp "$tmp/want" "$tmp/json"

done_testing
