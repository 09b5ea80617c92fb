#!/bin/sh
# 0862-pbs-faults - whatever PBS's commands do: every task ends exactly once,
# nothing is lost, nothing runs twice, and explain says what happened
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

fake_up job_history_enable=True

# --- calls that end at their deadline; looked at below ---

for late in late silent; do
    c=$tmp/$late
    work_campaign "$c" 4
    fake fault qsub $late 1
    fanfold -C "$c" run >"$c.out" 2>&1 &
    eval "${late}_pid=$!"
    until_ok grep '"faults": {}' "$tmp/pbs/state"
done

# --- qsub: its reply lost, itself killed, garbage ---

for kind in lost killed garbage cut down slow=2; do
    c=$tmp/submit-$kind
    work_campaign "$c" 4
    fake fault qsub $kind 1
    ok "qsub: $kind" fanfold -C "$c" run
    undisturbed "... the campaign ends well"
done
has "a job whose reply was lost is found, as explain tells" "recorded as" \
    "$(fanfold -C "$tmp/submit-lost" explain work)"

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

# --- the node of a sub-job is lost ---

c=$tmp/crash
runs_again "fake crash"

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

done_testing
