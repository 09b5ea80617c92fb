#!/bin/sh
# 0372-damage - files of a campaign that are cut, changed, gone, or pipes: no command
# waits for ever, and each piece of advice is followed here and gets on
. "$abs_top_srcdir/tests/cli/tap.sh"

# quickly COMMAND...: as it is, unless it hangs (exit 124).
quickly() {
    timeout 60 "$@"
}

# --- pipes in the place of files ---

c=$tmp/c
loop_campaign "$c"
ok "a campaign" fanfold -C "$c" run
frames=$(find "$c/dataset/extxyz" -name dataset.extxyz | sort | tail -1)
mv "$frames" "$tmp/kept"
mkfifo "$frames"
ok "reset without --yes counts frames, and passes over a pipe" quickly fanfold -C "$c" reset
rm "$frames"
mv "$tmp/kept" "$frames"
mkfifo "$tmp/pipe"
exits "select of a pipe" 1 quickly fanfold select "$tmp/pipe"
has "... says that it is one" "pipe" "$out"
exits "plan --node of a pipe" 2 quickly fanfold -C "$c" plan --node "$tmp/pipe"
has "... says that it is one" "is a pipe" "$out"

# --- locks ---

mkfifo "$c/.fanfold/lock/900000"
fanfold -C "$c" run >"$tmp/waits" 2>&1 &
driver=$!
until_ok catches_term $driver
kill -TERM $driver
wait $driver
has "a driver that watches what may be another one ends when it is told to" \
    "told to stop before it was known" "$(cat "$tmp/waits")"
rm -f "$c/.fanfold/lock/900000"
: >"$c/.fanfold/lock/9223372036854775807.free"
ok "a lock whose number nothing follows is none" quickly fanfold -C "$c" run
rm "$c/.fanfold/lock/9223372036854775807.free"

# --- a limit of file sizes ---

loop_campaign "$tmp/limited"
sh -c "ulimit -f 8; exec fanfold -C $tmp/limited run" >"$tmp/limit" 2>&1
is "a limit of file sizes is an error" 1 $?
has "... in words" "File too large" "$(cat "$tmp/limit")"
fanfold -C "$tmp/limited" resume >/dev/null 2>&1
ok "... without it the campaign goes on" fanfold -C "$tmp/limited" run

# --- logs of agents, and the run files ---

# held DIR: a campaign of two stages, the first with files, the second with parameters
# alone; it is driven in the background (as $driver) until the third task of STAGE waits
# for the file `hold` to go.
# held DIR STAGE
held() {
    mkdir "$1"
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: held
stages:
  a: {uses: u.a}
  p: {uses: u.p, with: {f: a.f}}
stop: {iterations: 1}
operators:
  u.a:
    fan_out: [m]
    inputs: {m: {type: int, default: [0, 1, 2, 3]}}
    outputs: {f: {type: file}}
    command: [sh, "{campaign}/work", a, "{m}", "{campaign}", "{outputs.f}"]
  u.p:
    fan_out: [m]
    inputs: {m: {type: int, default: [0, 1, 2, 3]}, f: {type: file, list: true}}
    outputs: {w: {type: int}}
    command: [sh, "{campaign}/work", p, "{m}", "{campaign}", "{outputs.params}"]
END
    cat >"$1/work" <<'END'
echo "$1$2" >>"$3/began"
while [ -e "$3/hold.$1" ] && [ "$2" -gt 1 ]; do sleep 0.02; done
echo "{\"w\": $2}" >"$4"
END
    cat >"$1/site.yaml" <<'END'
format: 1
profiles:
  here: {scheduler: local, node: {cores: 1}, limits: {running: 1, poll: 0.2s, settle: 1s, visibility: 1s}}
END
    : >"$1/hold.$2"
    fanfold -C "$1" run >"$1.said" 2>&1 &
    driver=$!
    until_ok grep -qs "${2}2" "$1/began"
}
# began DIR: what was begun, how often
began() {
    sort "$1/began" | uniq -c | awk '{ print $2 "*" $1 }' | xargs
}
once="a0*1 a1*1 a2*1 a3*1 p0*1 p1*1 p2*1 p3*1"

# damaged WHAT COMMANDS: of the log, as $1
damaged() {
    c=$tmp/damaged
    rm -rf "$c"
    held "$c" a
    log=$(run_files "$c" a '000000' '*/*/results-*')
    sh -c "$2" sh "$log"
    rm "$c/hold.a"
    wait $driver
    is "$1: the driver goes on" 0 $?
    is "... and each task ran once" "$once" "$(began "$c")"
}
damaged "a line that is no record in a log" 'echo x >>"$1"'
has "... which explain names" "results-0.0:" "$(fanfold -C "$c" explain a 3)"
has "... with what is wrong" "damaged record" "$(fanfold -C "$c" explain a 3)"
exits "... and not of a task that is none" 1 fanfold -C "$c" explain a 4
damaged "a byte that was changed" 'sed -i "2s/start/stXrt/" "$1"'
damaged "a log cut to its half" 'truncate -s $(($(stat -c %s "$1") / 2)) "$1"'
damaged "a log that is a pipe" 'rm "$1"; mkfifo "$1"'
damaged "a log that is gone" 'rm "$1"'

# Of a stage without files the parameters are in the logs alone.
for how in 'echo x >>"$1"' 'sed -i "2s/start/stXrt/" "$1"' 'truncate -s 100 "$1"' 'rm "$1"'; do
    c=$tmp/damaged
    rm -rf "$c"
    held "$c" p
    until_ok sh -c "cat $c/.fanfold/journal/* | grep -q '\"ev\":\"results\".*\"stage\":\"p\"'"
    sh -c "$how" sh "$(run_files "$c" p '000000' '*/*/results-*')"
    rm "$c/hold.p"
    wait $driver
    status=$?
    advice=$(sed -n 's/.*`fanfold \(redo p --iteration 0\)`.*/\1/p' "$c.said" | tail -1)
    if [ $status -ne 0 ]; then
        is "parameters that are lost ($how): what to do is said" "redo p --iteration 0" "$advice"
        ok "... and done" fanfold -C "$c" redo p --iteration 0
        ok "... which gets on" fanfold -C "$c" run
    fi
    is "a log of parameters ($how): the results are right" "[0,1,2,3]" \
        "$(fanfold -C "$c" result p w | jq -c .)"
done

c=$tmp/without
held "$c" a
kill -TERM $driver
wait $driver
rm -rf "$c/.fanfold/run"
for command in pause cancel; do
    ok "without the run files: $command" fanfold -C "$c" $command
done
rm "$c/hold.a"
ok "... resume" fanfold -C "$c" resume
ok "... and run goes on" fanfold -C "$c" run
is "... to its end" done "$(state_of "$c")"

# --- the journal ---

with_hooks # a lease of a second
newest() {
    ls "$c"/.fanfold/journal | sort -n | tail -1
}
# recovered WHAT: the advice of every command is `fanfold recover`, which is followed;
# then the campaign goes on, to the end and to the same results.
recovered() {
    exits "$1: run says so" 1 fanfold -C "$c" run
    has "... and what to do" '`fanfold recover`' "$out"
    ok "... which is done" fanfold -C "$c" recover
    has "... and told" "recovered: " "$out"
    ok "... once" fanfold -C "$c" recover
    has "... for good" "nothing to recover" "$out"
    ok "... then it can be looked at" fanfold -C "$c" status
    ok "... and goes on" fanfold -C "$c" run
    is "... to its end" done "$(state_of "$c")"
    is "... with its results" "[0,1,2,3]" "$(fanfold -C "$c" result p w | jq -c .)"
}
# fresh: a campaign that two drivers drove, the first of which was ended in stage a.
fresh() {
    c=$tmp/journal
    rm -rf "$c"
    held "$c" a
    kill -TERM $driver
    wait $driver
    rm "$c/hold.a"
    [ "$1" = begun ] || fanfold -C "$c" run >/dev/null
}

fresh done
ok "a whole journal needs no recovery" fanfold -C "$c" recover
has "... which it says" "nothing to recover" "$out"

fresh done
sed -i '5i progress lines' "$c/.fanfold/journal/$(newest)"
recovered "a line that is no event"
is "... and no task runs again" "$once" "$(began "$c")"
has "... the former journal is kept" "progress lines" "$(cat "$c"/.fanfold/journal.before-*/*)"

fresh done
sed -i '5s/"ev":"/"ev":"x/' "$c/.fanfold/journal/$(newest)"
recovered "an event that was changed"
is "... and no task runs again, by state.json" "$once" "$(began "$c")"

# Without state.json the journal says it alone, in all of its segments.
fresh done
events=$(cat "$c"/.fanfold/journal/* | grep -cv '"ev":"segment"')
sed -i '5i progress lines' "$c/.fanfold/journal/$(newest)"
rm "$c/state.json"
exits "a line that is no event, without state.json: run says so" 1 fanfold -C "$c" run
has "... and all events stay" "recovered: $events events of the journal stay" \
    "$(fanfold -C "$c" recover)"
ok "... it goes on" fanfold -C "$c" run
is "... and no task runs again" "$once" "$(began "$c")"

# A checkpoint between what is damaged and the end: both sides of it count.
fresh begun
cp "$c/state.json" "$tmp/checkpoint"
fanfold -C "$c" run >/dev/null
cp "$tmp/checkpoint" "$c/state.json"
sed -i '5s/"ev":"/"ev":"x/' "$c/.fanfold/journal/$(ls "$c/.fanfold/journal" | sort -n | head -1)"
recovered "an event before the checkpoint was changed"
is "... and no task runs again, by what follows the checkpoint" "$once" "$(began "$c")"

fresh done
rm "$c/state.json"
sed -i '9s/"ev":"/"ev":"x/' "$c/.fanfold/journal/$(newest)"
recovered "an event that was changed, without state.json"

fresh done
rm "$c/.fanfold/journal/$(newest)"
FANFOLD_LEASE_S=1 recovered "the newest segment is lost"
is "... and no task runs again, by state.json" "$once" "$(began "$c")"

fresh done
rm "$c/.fanfold/journal/$(newest)" "$c/state.json"
FANFOLD_LEASE_S=1 recovered "the newest segment is lost, and state.json"

fresh done
rm -r "$c/.fanfold/journal"
FANFOLD_LEASE_S=1 recovered "all of the journal is lost"

fresh done
rm "$c/state.json"
truncate -s 300 "$c/.fanfold/journal/$(ls "$c/.fanfold/journal" | sort -n | head -1)"
recovered "an older segment was cut"

fresh begun
rm "$c/.fanfold/journal/$(newest)" "$c/state.json"
: >"$c/hold.a"
FANFOLD_LEASE_S=1 fanfold -C "$c" recover >"$tmp/told" 2>&1
has "attempts that nothing is known of are moved" "lost-" "$(cat "$tmp/told")"
has "... and their jobs are named" "cancel their jobs" "$(cat "$tmp/told")"
rm "$c/hold.a"
ok "... the campaign is run again" fanfold -C "$c" run
is "... with its results" "[0,1,2,3]" "$(fanfold -C "$c" result p w | jq -c .)"

# Of a stage whose first attempts are known, and the next is not.
fresh begun
rm "$c/state.json"
sed -i '/"ev":"attempt".*"stage":"a"/,$d' "$c/.fanfold/journal/$(newest)"
ok "an attempt is lost: the journal is made whole" env FANFOLD_LEASE_S=1 fanfold -C "$c" recover
has "... what began then is moved" ".fanfold/run/000001/lost-" "$out"
ok "... and so it can begin anew" fanfold -C "$c" run
is "... with its results" "[0,1,2,3]" "$(fanfold -C "$c" result p w | jq -c .)"

fresh done
fanfold -C "$c" redo p >/dev/null
rm -r "$c/.fanfold/lock"
exits "the locks are gone: run says so" 1 fanfold -C "$c" run
advice=$(echo "$out" | sed -n 's,.*Make the empty file \(.fanfold/lock/[0-9]*.free\).*,\1,p')
ok "... and what to do" test -n "$advice"
: >"$c/$advice"
ok "... which gets on" fanfold -C "$c" run
is "... to its end" done "$(state_of "$c")"

# Killed anywhere it is done again.
kill_at=$abs_top_builddir/tests/crash/kill_at
fresh done
sed -i '5i progress lines' "$c/.fanfold/journal/$(newest)"
rm -rf "$tmp/kept.c"
cp -a "$c" "$tmp/kept.c"
"$kill_at" trace fanfold -C "$c" recover 2>&1 | grep '^recover ' >"$tmp/points"
if [ -s "$tmp/points" ]; then
    bad=
    while read -r role call n path; do
        rm -rf "$c"
        cp -a "$tmp/kept.c" "$c"
        "$kill_at" kill "$role" "$call" "$n" alone fanfold -C "$c" recover >/dev/null 2>&1
        fanfold -C "$c" recover >/dev/null 2>&1 && [ "$(state_of "$c")" = done ] ||
            bad="$bad $call $n $path;"
    done <"$tmp/points"
    ok "recover was killed at many calls" test "$(wc -l <"$tmp/points")" -gt 20
    is "... and once more makes it whole" "" "$bad"
else
    not_here "no process may be traced here"
fi

done_testing
