#!/bin/sh
# 0862-pbs-faults - whatever PBS does: every task ends exactly once, nothing is
# lost, nothing runs twice, and explain says what happened
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

fake_up job_history_enable=True

# wait_copy PART: until the record of an ended sub-job is one of its array.
wait_copy() {
    until_ok sh -c "qstat -f -x -t '$1' | grep 'comment = Subjob finished'"
}

# --- calls that end at their deadline; looked at below ---

for late in late silent; do
    c=$tmp/$late
    work_campaign "$c" 4
    fake fault qsub $late 1
    fanfold -C "$c" run >"$c.out" 2>&1 &
    eval "${late}_pid=$!"
    until_ok grep '"faults": {}' "$tmp/pbs/state"
done

# --- qsub: its reply lost, itself killed, garbage, banners ---

for kind in lost killed garbage cut down slow=2; do
    c=$tmp/submit-$kind
    work_campaign "$c" 4
    fake fault qsub $kind 1
    ok "qsub: $kind" fanfold -C "$c" run
    undisturbed "... the campaign ends well"
done
has "a job whose reply was lost is found, as explain tells" "recorded as" \
    "$(fanfold -C "$tmp/submit-lost" explain work)"

c=$tmp/banner
work_campaign "$c" 4
mkdir -p "$tmp/bin"
printf '#!/bin/sh\necho "Welcome!  Your quota: 42"\n%s "$@"\necho "Thank you for 7 nodes."\n' \
    "$tmp/pbs/bin/qsub" >"$tmp/bin/qsub"
chmod +x "$tmp/bin/qsub"
PATH=$tmp/bin:$PATH
ok "a wrapper that chats" fanfold -C "$c" run
undisturbed "... is understood"

c=$tmp/twice
work_campaign "$c" 4
printf '#!/bin/sh\ncp /dev/stdin "%s"; "%s" "$@" <"%s" >/dev/null\n"%s" "$@" <"%s"\nexit 1\n' \
    "$tmp/in" "$tmp/pbs/bin/qsub" "$tmp/in" "$tmp/pbs/bin/qsub" "$tmp/in" >"$tmp/bin/qsub"
ok "a wrapper that submits twice and fails" fanfold -C "$c" run
rm "$tmp/bin/qsub"
undisturbed "... one of them is let run, the other cancelled"

# --- qrls, qselect, qstat ---

for fault in 'qrls lost 1' 'qrls down 2' 'qrls killed 1' 'qstat down 3' 'qstat garbage 3' \
    'qstat cut 3' 'qstat lost 2' 'qstat slow=2 2'; do
    c=$tmp/$(echo "$fault" | tr ' ' -)
    work_campaign "$c" 4
    # shellcheck disable=SC2086 # words
    fake fault $fault
    ok "$fault" fanfold -C "$c" run
    fake mend
    undisturbed "... the campaign ends well"
done

c=$tmp/blind
work_campaign "$c" 4
fake fault qsub lost 1
fake fault qselect garbage 2
ok "a lost reply, and the search for it fails, too" fanfold -C "$c" run
undisturbed "... it is submitted once"

# --- the server is down: during submit, poll, cancel ---

goes_and_comes "fake fault any down" "fake mend"

# --- a release that nothing follows ---

c=$tmp/release
work_campaign "$c" 4
fake set cycle_after_qrls=False
fanfold -C "$c" run >"$c.out" 2>&1 &
pid=$!
ok "released, and the scheduler does not look" wait_parts "$c" Q 4
fake set cycle_after_qrls=True
wait $pid
is "... until later" 0 $?
undisturbed "... the campaign ends well"

# --- sub-jobs: killed, run again, their node lost ---

for action in crash qrerun; do
    c=$tmp/$action
    work_campaign "$c" 4
    echo 'if [ $2 = 1 ] && mkdir "$1/once" 2>/dev/null; then touch "$1/here"; exec sleep 1000; fi' \
        >"$c/behaviour"
    fanfold -C "$c" run >"$c.out" 2>&1 &
    pid=$!
    until_ok test -e "$c/here"
    part=$(qstat -t "$(job_of "$c")" | sed -n 's/^\([^ ]*\[[0-9]\][^ ]*\) .* R .*/\1/p')
    if [ $action = crash ]; then fake crash "$part"; else qrerun "$part"; fi
    wait $pid
    is "$action: PBS runs the element again by itself" 0 $?
    is "... every task has one result" "0 1 2 3" \
        "$(fanfold -C "$c" result work n | jq -r 'join(" ")')"
    is "... nothing that was done is done again" "0 1 1 2 3 " "$(ran "$c")"
    is "... in one submission" 1 "$(find "$c/.fanfold/run" -name submission.json | wc -l)"
done

c=$tmp/walltime
work_campaign "$c" 2
sed -i 's/walltime: 50s/walltime: 3s/' "$c/campaign.yaml"
echo 'mkdir "$1/once-$2" 2>/dev/null && exec sleep 1000' >"$c/behaviour"
sed -i '$a:' "$c/behaviour"
fanfold -C "$c" run >"$c.out" 2>&1
is "out of time: the campaign ends well" 0 $?
is "... with another try for each" "0 0 1 1 " "$(ran "$c")"
has "... and explain says why" "timeout" "$(fanfold -C "$c" explain work 0)"

# --- ids that are purged ---

c=$tmp/purged
work_campaign "$c" 4
echo "$waiting" >"$c/behaviour"
ok "submitted" fanfold -C "$c" advance
: >"$c/go"
until_is "0 1 2 3 " ran "$c"
until_is "" jobs_left "$c"
fake purge "$(job_of "$c")"
ok "the server has forgotten the job: the logs have to do" fanfold -C "$c" run
undisturbed "... the campaign ends well"

# --- no history ---

fake set job_history_enable=False
c=$tmp/blank
work_campaign "$c" 4
echo 'if [ $2 = 2 ] && mkdir "$1/once" 2>/dev/null; then exit 7; fi' >"$c/behaviour"
ok "no history, and a task that fails once" fanfold -C "$c" run
is "... it runs again, nothing else" "0 1 2 2 3 " "$(ran "$c")"

c=$tmp/blank-killed
work_campaign "$c" 3
echo "$suicide" >"$c/behaviour"
ok "no history, and an agent that is killed" fanfold -C "$c" run
is "... what left no word runs again" "0 1 1 2 " "$(ran "$c")"
has "... and explain says so" "lost" "$(fanfold -C "$c" explain work 1)"
fake set job_history_enable=True

# The array lives for longer than the server remembers its elements.
fake set job_history_duration=00:00:01
c=$tmp/short
work_campaign "$c" 3
echo "$suicide" >"$c/behaviour"
echo '[ $2 != 2 ] || until [ -e "$1/go" ]; do sleep 0.1; done' >>"$c/behaviour"
fanfold -C "$c" run >"$c.out" 2>&1 &
pid=$!
until_ok test -e "$c/once"
ok "an agent is killed, and its element forgotten" wait_copy "$(part_of "$(job_of "$c")" 1)"
: >"$c/go"
wait $pid
is "... nobody takes that for a qdel: the campaign ends well" 0 $?
is "... what left no word runs again" "0 1 1 2 " "$(ran "$c")"
has "... and explain says so" "lost" "$(fanfold -C "$c" explain work 1)"
fake set job_history_duration=336:00:00

# --- somebody else's jobs ---

c=$tmp/hostile
work_campaign "$c" 4
echo "$waiting" >"$c/behaviour"
ok "submitted" fanfold -C "$c" advance
for token in $(tokens_of "$c"); do fake foreign "$token"; done
: >"$c/go"
fake fault qrls lost 1
ok "hostile jobs with our own names" fanfold -C "$c" run
is "... each task ran once" "0 1 2 3 " "$(ran "$c")"
is "... they are not touched" 1 "$(qselect -u mallory | wc -l)"

# --- what took its time ---

for late in late silent; do
    c=$tmp/$late
    eval "wait \$${late}_pid"
    is "qsub hangs ($late)" 0 $?
    undisturbed "... and the campaign ends well"
done
