#!/bin/sh
# 0370-concurrency - schedules of two drivers, and of a driver and a person,
# forced by stopping a process at a named point (base/point.h)
. "$abs_top_srcdir/tests/cli/tap.sh"
with_hooks

# A campaign of two iterations with a spool of its own.
begin() {
    loop_campaign "$1"
    sed -i 's/iterations: 6/iterations: 2/' "$1/campaign.yaml"
    sed -i 's/poll: 0.2s, settle: 0.3s/poll: 0.05s, settle: 0.1s/' "$1/site.yaml"
    FANFOLD_SPOOL=$1.spool
}

begin "$tmp/reference"
ok "reference: undisturbed" fanfold -C "$tmp/reference" run
reference=$(results_digest "$tmp/reference")

# Wait until the process stands still at a point.
stands_still() {
    until_is T sed 's/.*) //; s/ .*//' "/proc/$1/stat"
}

# Start a driver that stops at a point: stopped_at POINT COMMAND DIR; it is $pid
# and says what it says in $out_file.
stopped_at() {
    out_file=$tmp/out.$tap_n
    FANFOLD_STOP_AT=$1 fanfold -C "$3" "$2" >"$out_file" 2>&1 &
    pid=$!
    ok "a driver stands still at $1" stands_still $pid
}

# Let it go on, to its end: its exit status in $status.
goes_on() {
    kill -CONT "$1"
    wait "$1"
    status=$?
}

# The holder of the lock seems to be on another host, which is silent.
elsewhere() {
    lock=$(find "$1/.fanfold/lock" -name '[0-9]*' ! -name '*.free')
    sed -i 's/"boot_id": "[^"]*"/"boot_id": "another"/' "$lock"
}

# The number of the last term that was given back.
last_term() {
    find "$1/.fanfold/lock" -name '*.free' | sed 's|.*/||; s/\.free$//' | sort -n | tail -1
}

# How often a request of this kind was journaled.
obeyed() {
    cat "$1"/.fanfold/journal/* | grep -c "\"kind\":\"$2\""
}

# How many jobs there are.
jobs() {
    find "$FANFOLD_SPOOL" -mindepth 1 -maxdepth 1 -name '[a-z]*' ! -name cores | wc -l
}

# Nothing that would lie about for ever: jobs, directories of steps.
nothing_is_left() {
    silent "no job is left" find "$FANFOLD_SPOOL" -mindepth 1 -maxdepth 1 ! -name cores
    is "nothing half done is left" "" "$(find "$1" -name '.tmp-*' -o \
        -path '*/.fanfold/run/*' '(' -name 'collect.*' -o -name 'prepare.*' ')' -o -path '*/.fanfold/publishing/*')"
}

# It ended like one driver that nobody disturbed.
ends_the_same() {
    is "the results are those of one driver" "$reference" "$(results_digest "$1")"
    is "the campaign is done" "done" "$(state_of "$1")"
    rm -f "$1/state.json"
    is "... by the journal alone, too" "done" "$(state_of "$1")"
    nothing_is_left "$1"
}

FANFOLD_LEASE_S=0.3
export FANFOLD_LEASE_S

# --- two drivers ---

c=$tmp/two
begin "$c"
stopped_at lease.taken run "$c"
exits "the lock of a living process is respected, even of one that stands still" \
    4 fanfold -C "$c" advance
goes_on $pid
is "it goes on to the end" 0 $status
ends_the_same "$c"

# A holder is suspended, replaced by a driver that goes on to the end, and woken.
for point in lease.taken round.checked lease.checked submit.intended \
    submit.accepted release.checked close.checked step.checked collect.checked \
    publish.checked outputs.checked; do
    c=$tmp/woken-$point
    begin "$c"
    stopped_at $point run "$c"
    elsewhere "$c"
    ok "another driver takes over from one that is silent" fanfold -C "$c" run
    goes_on $pid
    is "the one that wakes up finds out and stops" 1 $status
    has "... and says why" "another driver took over" "$(cat "$out_file")"
    ends_the_same "$c"
done

# What a driver was about to publish is of a stage that was made again since.
dataset_digest() {
    (cd "$1" && find dataset -type f | sort | xargs -r sha256sum)
}

for points in publish.checked publish.checked,publish.checked; do
    for edit in 's/-2\.25/-3.5/ label.sh' 's/{uses:/&/;s/toy.label$/&\n    publish: false/ campaign.yaml'; do
        c=$tmp/published-$tap_n
        begin "$c"
        stopped_at $points run "$c"
        if [ $points != publish.checked ]; then
            kill -CONT $pid
            ok "... and at the next form" stands_still $pid
        fi
        elsewhere "$c"
        sed -i "${edit% *}" "$c/${edit##* }"
        ok "another driver takes over, to make it again" fanfold -C "$c" redo label --yes
        ok "... to the end" fanfold -C "$c" run
        before=$(dataset_digest "$c")
        goes_on $pid
        is "the one that wakes up stops" 1 $status
        is "... and the training data are the new ones" "$before" "$(dataset_digest "$c")"
        nothing_is_left "$c"
    done
done

# An older checkpoint over a newer one only costs time.
c=$tmp/woken-checkpoint
begin "$c"
stopped_at checkpoint.checked advance "$c"
elsewhere "$c"
ok "another driver takes over from one that is about to say where it stands" \
    fanfold -C "$c" run
goes_on $pid
ends_the_same "$c"

# Two are replaced, one after the other.
c=$tmp/woken-twice
begin "$c"
stopped_at submit.intended run "$c"
first=$pid
elsewhere "$c"
stopped_at submit.accepted run "$c"
second=$pid
elsewhere "$c"
stopped_at collect.checked run "$c"
third=$pid
goes_on $second
is "the second of three stops" 1 $status
goes_on $first
is "the first of three stops" 1 $status
goes_on $third
is "the third goes on to the end" 0 $status
ends_the_same "$c"

# --- jobs of a driver that was replaced ---

# It submits when its successor has concluded that there is no such job.
c=$tmp/late
begin "$c"
stopped_at submit.intended run "$c"
late=$pid
elsewhere "$c"
stopped_at close.checked run "$c"
successor=$pid
goes_on $late
is "a driver that submits too late stops" 1 $status
is "... and has taken its job back" 1 "$(jobs)"
goes_on $successor
is "its successor goes on to the end" 0 $status
ends_the_same "$c"

# It is killed before it can take its job back: the attempt is swept.
c=$tmp/latecomer
begin "$c"
stopped_at submit.intended,submit.accepted run "$c"
late=$pid
elsewhere "$c"
stopped_at close.checked run "$c"
successor=$pid
kill -CONT $late
ok "a driver submits too late" until_is 2 jobs
ok "... and stands still" stands_still $late
kill -KILL $late
wait $late 2>/dev/null
goes_on $successor
is "its successor goes on to the end" 0 $status
ends_the_same "$c"

# Its successor finds the job it had submitted: that one it must leave alone.
c=$tmp/found
begin "$c"
stopped_at submit.accepted run "$c"
late=$pid
elsewhere "$c"
stopped_at release.checked run "$c"
successor=$pid
goes_on $late
is "a driver that submitted in time stops" 1 $status
goes_on $successor
is "its successor goes on to the end" 0 $status
is "... with that job" 0 "$(cat "$c"/.fanfold/journal/* | grep -c '"ev":"absent"')"
ends_the_same "$c"

# --- a wish is not lost ---

# wish DIR KIND: as if a person had asked just now.
wish() {
    mkdir -p "$1/.fanfold/requests"
    echo "{\"format\": 1, \"id\": \"aaaaaaaaaaaaaaa\", \"kind\": \"$2\"}" \
        >"$1/.fanfold/requests/1-x"
}

c=$tmp/wish
begin "$c"
stopped_at lease.taken advance "$c"
has "a person asks while somebody drives" "the driver does it in its next step" \
    "$(fanfold -C "$c" pause)"
goes_on $pid
is "the driver does it" paused "$(state_of "$c")"

c=$tmp/lastwish
begin "$c"
stopped_at lease.releasing advance "$c"
has "a person asks when the driver has looked for the last time" \
    "the driver does it in its next step" "$(fanfold -C "$c" pause)"
goes_on $pid
is "it looks again, and obeys" paused "$(state_of "$c")"

c=$tmp/lostwish
begin "$c"
stopped_at lease.released advance "$c"
rm -f "$c"/.fanfold/wake/* # its own
wish "$c" pause
goes_on $pid
is "a wish left after the unlocking is not lost" paused "$(state_of "$c")"

# What it has journaled of a wish is not what its successor has read.
c=$tmp/unread
begin "$c"
wish "$c" pause
stopped_at lease.checked advance "$c"
late=$pid
elsewhere "$c"
stopped_at lease.taken advance "$c"
successor=$pid
goes_on $late
is "a driver that obeys too late stops" 1 $status
goes_on $successor
is "the wish is left to its successor" paused "$(state_of "$c")"

# --- a wake-up is not lost ---

c=$tmp/wake
begin "$c"
stopped_at lease.releasing advance "$c"
exits "another one wants progress between the last look and the unlocking" \
    4 fanfold -C "$c" advance
goes_on $pid
is "... the driver drives once more for it" 2 "$(last_term "$c")"
ok "... and leaves no wake-up" sh -c "! ls '$c'/.fanfold/wake/[0-9]* 2>/dev/null"

c=$tmp/stolenwake
begin "$c"
stopped_at round.checked run "$c"
late=$pid
elsewhere "$c"
stopped_at lease.releasing advance "$c"
successor=$pid
exits "another one wants progress" 4 fanfold -C "$c" advance
goes_on $late
is "a replaced driver takes the wake-up and stops" 1 $status
goes_on $successor
is "... its successor drives once more for it all the same" 3 "$(last_term "$c")"
ok "the campaign goes on" fanfold -C "$c" run
ends_the_same "$c"

# --- a driver and a person ---

# Whatever the driver is about to do when a person asks.
for point in round.checked lease.checked submit.intended submit.accepted \
    release.checked close.checked step.checked collect.checked publish.checked \
    outputs.checked; do
    for kind in pause cancel; do
        c=$tmp/$kind-$point
        begin "$c"
        stopped_at $point run "$c"
        has "$kind" "the driver does it in its next step" "$(fanfold -C "$c" $kind)"
        goes_on $pid
        is "the campaign is paused" "0 paused" "$status $(state_of "$c")"
        is "... once" 1 "$(obeyed "$c" $kind)"
        ok "resume" fanfold -C "$c" resume
        ok "run" fanfold -C "$c" run
        ends_the_same "$c"
    done
done

# Two persons, at the same time.
c=$tmp/persons
begin "$c"
ok "a campaign is begun" fanfold -C "$c" advance
stopped_at round.checked pause "$c"
has "resume while pause is being done" "the driver does it in its next step" \
    "$(fanfold -C "$c" resume)"
goes_on $pid
is "both are obeyed, in their order" "waiting 1 1" \
    "$(state_of "$c") $(obeyed "$c" pause) $(obeyed "$c" resume)"
ok "run" fanfold -C "$c" run
ends_the_same "$c"

# Two persons mend one failure.
c=$tmp/retried
begin "$c"
mv "$c/train.sh" "$c/away"
exits "a campaign fails" 1 fanfold -C "$c" run
mv "$c/away" "$c/train.sh"
stopped_at lease.checked retry "$c"
has "retry while retry is being done" "the driver does it in its next step" \
    "$(fanfold -C "$c" retry)"
goes_on $pid
is "retry" 0 $status
ok "run" fanfold -C "$c" run
ends_the_same "$c"

# Jobs that Fanfold itself cancelled end when the person has changed his mind.
c=$tmp/changedmind
begin "$c"
stopped_at release.checked,lease.releasing advance "$c"
kill -CONT $pid
ok "a job is let go" stands_still $pid
goes_on $pid
supervisor=$(cut -d ' ' -f 1 "$FANFOLD_SPOOL"/*/supervisor)
kill -STOP "$supervisor"
ok "cancel" fanfold -C "$c" cancel
ok "resume, before the job has ended" fanfold -C "$c" resume
kill -CONT "$supervisor"
ok "run" fanfold -C "$c" run
is "nobody pauses once more" 0 "$(cat "$c"/.fanfold/journal/* | grep -c '"ev":"paused"')"
ends_the_same "$c"

done_testing
