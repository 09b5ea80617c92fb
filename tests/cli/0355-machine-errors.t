#!/bin/sh
# 0355-machine-errors - directories that cannot be written, that vanish, that come back
. "$abs_top_srcdir/tests/cli/tap.sh"

become_nobody

# campaign DIR: the one of the crash sweep, small and quick.
campaign() {
    cp -r "$abs_top_srcdir/tests/cli/crash" "$1"
    chmod -R u+w "$1"
    give_to_nobody "$1"
}

# advance_to DIR FILTER: `advance` until jq finds that of the status.
advance_to() {
    until_ok advanced "$1" "$2"
}

advanced() {
    as_nobody fanfold -C "$1" advance 2>>"$tmp/log"
    as_nobody fanfold -C "$1" status --json | jq -e "$2"
}

# ends WHAT DIR: as the undisturbed one did.
ends() {
    ok "$1" as_nobody fanfold -C "$2" run
    is "... with the same results" "$reference" "$(results_digest "$2")"
}

campaign "$tmp/nobody/reference"
ok "reference: undisturbed" as_nobody fanfold -C "$tmp/nobody/reference" run
reference=$(results_digest "$tmp/nobody/reference")

# --- read-only directories ---

c=$tmp/nobody/readonly
campaign "$c"
# readonly_dir WHAT DIR
readonly_dir() {
    chmod a-w "$c/$2"
    out=$(as_nobody fanfold -C "$c" run 2>&1)
    is "$1 is read-only: the driver stops" 1 $?
    has "... says so" "Permission denied" "$out"
    has "... and where" "$c/" "$out"
    chmod u+w "$c/$2"
}
readonly_dir "the data space" .
ok "a stage is done" advance_to "$c" '.stages[0].state == "done"'
readonly_dir "what holds the lock" .fanfold/lock
readonly_dir "the journal" .fanfold/journal
readonly_dir "what holds run files" .fanfold/run
ends "writable again it goes on" "$c"

# What only looks needs no right to write.
chmod -R a-w "$c"
for command in status 'status --json' 'explain label' 'explain label 0' \
    'result label' 'log label 0' plan check; do
    ok "$command looks at a read-only data space" as_nobody fanfold -C "$c" $command
done
exits "... run has nothing to do or says what it cannot" 1 as_nobody fanfold -C "$c" run
chmod -R u+w "$c"

# --- directories that vanish ---

c=$tmp/nobody/vanishing
campaign "$c"
ok "a job was released" advance_to "$c" '.stages[0].running > 0 or .stages[0].state == "done"'
mv "$c/.fanfold/run" "$c/run.aside"
ends "the run files are gone: it goes on, since stages lie elsewhere" "$c"

c=$tmp/nobody/unmade
campaign "$c"
ok "a job was released" advance_to "$c" '.stages[0].running > 0 or .stages[0].state == "done"'
until_ok sh -c '! pgrep -f "$1.* agent" >/dev/null' sh "$c"
manifest=$(ls "$c"/*/*/iter/*/stage.json | tail -1)
mv "$manifest" "$c/manifest.aside"
out=$(as_nobody fanfold -C "$c" run 2>&1)
is "a stage.json is gone: it stops" 1 $?
has "... says so, and where" "its stage.json is gone" "$out"
has "... and what to do" 'bring it back and run `fanfold resume`' "$out"
mv "$c/manifest.aside" "$manifest"
ok "back again it is resumed" as_nobody fanfold -C "$c" resume
ends "... and goes on" "$c"

c=$tmp/nobody/inputs
campaign "$c"
sed -i 's|command: \[sh, "{campaign}/label.sh".*|command: [sh, -c, "sh \\"$1/label.sh\\" \\"$2\\" \\"$3\\"; rm -rf in", sh, "{campaign}", "{frames}", "{outputs.frame}"]|' "$c/campaign.yaml"
ok "a task that removes its inputs is ok" as_nobody fanfold -C "$c" run
is "... its outputs are the same" "$reference" "$(results_digest "$c")"

# The driver waits for a task that waits for us.
c=$tmp/nobody/moved
campaign "$c"
sed -i "1i touch '$tmp/nobody/began'; until test -e '$tmp/nobody/moved.away'; do sleep 0.05; done" "$c/label.sh"
as_nobody fanfold -C "$c" run >"$tmp/moved.log" 2>&1 &
driver=$!
until_ok test -e "$tmp/nobody/began"
mv "$c" "$c.elsewhere"
wait $driver
is "the data space was moved away: the driver stops" 1 $?
has "... says so" "is gone; was the campaign moved?" "$(cat "$tmp/moved.log")"
ok "status looks at it where it is" as_nobody fanfold -C "$c.elsewhere" status
rm -rf "$c"
mv "$c.elsewhere" "$c"
touch "$tmp/nobody/moved.away"
ends "moved back it goes on" "$c"

done_testing
