#!/bin/sh
# 0376-generations - what is prepared again takes what is equal, whoever is killed or
# stands still meanwhile, and whatever a person deletes that was superseded
. "$abs_top_srcdir/tests/cli/tap.sh"
with_hooks

kill_at=$abs_top_builddir/tests/crash/kill_at

# One stage whose tasks leave files and one whose tasks leave a parameter, behind one that
# makes the same again.
begin() {
    mkdir "$1"
    cat >"$1/campaign.yaml" <<'YAML'
format: 1
campaign: generations
stages:
  make: {uses: t.make, with: {n: 12}}
  use: {uses: t.use, with: {from: make.out, k: [1, 2, 3, 4, 5, 6]}}
  count: {uses: t.count, with: {from: make.out, k: [1, 2, 3]}}
stop: {iterations: 1}
operators:
  t.make:
    inputs: {n: {type: int}}
    outputs: {out: {type: file}}
    command: [sh, -c, 'echo make >>"$1/ran"; echo "$2" >"$3"', sh, "{campaign}", "{n}", "{outputs.out}"]
  t.use:
    fan_out: [k]
    inputs: {k: {type: int}, from: {type: file}}
    outputs: {out: {type: file}}
    command: [sh, -c, 'echo "use$2" >>"$1/ran"; cat "$3" >"$4"; echo "$2" >>"$4"', sh, "{campaign}", "{k}", "{from}", "{outputs.out}"]
  t.count:
    fan_out: [k]
    inputs: {k: {type: int}, from: {type: file}}
    outputs: {v: {type: int}}
    command: [sh, -c, 'echo "count$2" >>"$1/ran"; echo "{\"v\": $(($2 * $(cat "$3")))}" >"$4"', sh, "{campaign}", "{k}", "{from}", "{outputs.params}"]
YAML
    FANFOLD_SPOOL=$1.spool
}

# The tasks that were run since this was asked last.
what_ran() {
    LC_ALL=C sort "$c/ran" 2>/dev/null | paste -sd ' '
    rm -f "$c/ran"
}

# Everything that is in force, and nothing else.
in_force() {
    (cd "$1" && find make use count -name outputs.json -o -path '*/out/out' | LC_ALL=C sort | xargs sha256sum) | sha256sum
}

# The one in force of a stage.
number() {
    jq .generation "$c/$1/t/iter/000000/stage.json"
}

reference=$tmp/reference
begin "$reference"
c=$reference
ok "reference: undisturbed" fanfold -C "$c" run
is "all of it ran" "count1 count2 count3 make use1 use2 use3 use4 use5 use6" "$(what_ran)"
same=$(in_force "$c")
ends_the_same() {
    is "... the results are the same" "$same" "$(in_force "$c")"
    is "... the campaign is done" "done" "$(fanfold -C "$c" status --json | jq -r .state)"
    ok "... and nothing is damaged" fanfold -C "$c" verify
}

# --- the same definition ---

c=$tmp/whole
cp -a "$reference" "$c"
old=$(number use)
inode=$(stat -c %i "$c/use/t/iter/000000/job")
"$kill_at" calls sh -c "fanfold -C '$c' redo make --yes && fanfold -C '$c' run" \
    >"$tmp/calls" 2>"$tmp/log"
status=$?
if [ $status -eq 77 ]; then
    not_here "how much is renamed: no process may be traced"
    ok "redo" fanfold -C "$c" redo make --yes
    ok "run" fanfold -C "$c" run
else
    is "a stage before them is done again" 0 "$status"
    new=$(printf '%06d' "$(number use)")
    # Before its tasks are in force: it is put together, appears and takes all.
    awk -F '\t' -v new="/making/$new(/|$)" '
        $3 ~ /^rename/ && $4 " " $5 !~ /[.]fanfold\/run\// &&
            ($4 " " $5 ~ /\/use\/t\/iter\/000000/ || $4 ~ new) { print $4, $5 }' \
        "$tmp/calls" >"$tmp/renames"
    is "what stands behind it, unchanged, costs five renames" 5 "$(sort -u "$tmp/renames" | wc -l)"
    silent "... and changes nothing of any of its tasks" \
        awk -F '\t' '$3 !~ /sync/ && $4 " " $5 ~ /\/(use\/t\/iter\/000000|making\/[0-9]*)\/job\//' "$tmp/calls"
fi
is "... the stage alone ran" make "$(what_ran)"
is "... its tasks are the same directory" "$inode" "$(stat -c %i "$c/use/t/iter/000000/job")"
ok "... the superseded one has all but them" \
    test -e "$c/.fanfold/replaced/$(printf '%06d' "$old")/outputs.json"
ends_the_same

# --- another definition ---

c=$tmp/linked
cp -a "$reference" "$c"
old=$c/.fanfold/replaced/$(printf '%06d' "$(number use)")
sed -i 's/k: \[1, 2, 3, 4, 5, 6\]/k: [7, 2, 1, 6]/; s/k: \[1, 2, 3\]/k: [3, 4, 1]/' "$c/campaign.yaml"
ok "two stages are edited" fanfold -C "$c" redo make --yes
ok "... and prepared again" fanfold -C "$c" run
is "what is equal did not run" "count4 make use7" "$(what_ran)"
is "... tasks of the same number are linked" \
    "$(stat -c %i "$old/job/000001/out/out" "$old/job/000001/out/result.json")" \
    "$(stat -c %i "$c/use/t/iter/000000/job/000001/out/out" "$c/use/t/iter/000000/job/000001/out/result.json")"
is "... and of another number, which has a record of its own" "$(stat -c %i "$old/job/000005/out/out") 3 5" \
    "$(stat -c %i "$c/use/t/iter/000000/job/000003/out/out") $(
        jq .task "$c/use/t/iter/000000/job/000003/out/result.json" "$old/job/000005/out/result.json" | paste -sd ' ')"
is "... read-only like others" 444 "$(stat -c %a "$c/use/t/iter/000000/job/000003/out/result.json")"
is "parameters are those of their tasks" "[36,48,12]" "$(fanfold -C "$c" result count v | jq -c .)"
ok "nothing is damaged" fanfold -C "$c" verify
ok "what was superseded is deleted" rm -r "$c/.fanfold/replaced"
ok "... which harms nothing" fanfold -C "$c" verify
is "... as the files tell" "12 6" "$(paste -sd ' ' "$c/use/t/iter/000000/job/000003/out/out")"

# --- without its journal ---

c=$tmp/lost
cp -a "$reference" "$c"
ok "a stage was done again before" fanfold -C "$c" redo make --yes
ok "... to the end" fanfold -C "$c" run
what_ran >/dev/null
before=$(number use)
rm -r "$c/.fanfold" "$c/state.json"
ok "the journal is lost" fanfold -C "$c" run
silent "nothing ran, not even what left parameters" what_ran
ok "... and no number is given twice" test "$(number use)" -gt "$before"
ends_the_same

# --- what was superseded is deleted ---

c=$tmp/deleted
cp -a "$reference" "$c"
ok "a stage is to be done again" fanfold -C "$c" redo make --yes
rm -r "$c/.fanfold/replaced"
ok "what it supersedes is deleted before it is taken" fanfold -C "$c" run
is "... it is made again" "count1 count2 count3 make use1 use2 use3 use4 use5 use6" "$(what_ran)"
ends_the_same

# --- drivers that are killed, or stand still ---

FANFOLD_LEASE_S=0.3
export FANFOLD_LEASE_S

# stopped_at POINT COMMAND...: a driver of $c that stops there; it is $pid.
stopped_at() {
    point=$1
    shift
    out_file=$tmp/out.$tap_n
    FANFOLD_STOP_AT=$point fanfold -C "$c" "$@" >"$out_file" 2>&1 &
    pid=$!
    ok "a driver stands still at $point ($1)" until_is T sed 's/.*) //; s/ .*//' "/proc/$pid/stat"
}

# The holder of the lock seems to be on another host, which is silent.
elsewhere() {
    lock=$(find "$c/.fanfold/lock" -name '[0-9]*' ! -name '*.free')
    sed -i 's/"boot_id": "[^"]*"/"boot_id": "another"/' "$lock"
}

# stands_at NAME POINT: a copy of the reference, NAME, whose driver stands there while the
# stages behind are prepared again.
stands_at() {
    c=$tmp/$1
    cp -a "$reference" "$c"
    FANFOLD_SPOOL=$c.spool
    if [ "$2" = supersede.checked ]; then
        stopped_at "$2" redo make --yes
    else
        ok "a stage is to be done again" fanfold -C "$c" redo make --yes
        stopped_at "$2" run
    fi
}

for point in supersede.checked appear.checked take.checked; do
    stands_at "killed-$point" $point
    kill -KILL $pid
    wait $pid 2>/dev/null
    ok "it is killed; another one goes on" fanfold -C "$c" run
    is "... nothing ran but the stage that was meant" make "$(what_ran)"
    ends_the_same
    is "... nothing half done is left" "" "$(find "$c/.fanfold/making" -mindepth 1 2>/dev/null)"

    stands_at "late-$point" $point
    elsewhere
    ok "another one takes over" fanfold -C "$c" run
    is "... nothing ran but the stage that was meant" make "$(what_ran)"
    find "$c/make" "$c/use" "$c/count" "$c/.fanfold/replaced" -printf '%p %i %T@\n' | sort >"$tmp/before"
    kill -CONT $pid
    wait $pid
    is "the one that goes on late stops" 1 $?
    find "$c/make" "$c/use" "$c/count" "$c/.fanfold/replaced" -printf '%p %i %T@\n' | sort >"$tmp/after"
    silent "... and has touched nothing of what there is" diff "$tmp/before" "$tmp/after"
    ends_the_same

    # Superseded once more meanwhile, so that what is in the places is not what it knows.
    stands_at "later-$point" $point
    elsewhere
    ok "another one takes over" fanfold -C "$c" run
    ok "... and begins anew" fanfold -C "$c" redo make --yes
    find "$c/use" "$c/count" "$c/.fanfold/replaced" -printf '%p %i %T@\n' 2>/dev/null | sort >"$tmp/before"
    kill -CONT $pid
    wait $pid
    is "the one that goes on late stops" 1 $?
    find "$c/use" "$c/count" "$c/.fanfold/replaced" -printf '%p %i %T@\n' 2>/dev/null | sort >"$tmp/after"
    silent "... and has touched nothing" diff "$tmp/before" "$tmp/after"
    ok "the campaign goes on" fanfold -C "$c" run
    is "... nothing else ran" "make make" "$(what_ran)"
    ends_the_same

    stands_at "deleted-$point" $point
    rm -rf "$c/.fanfold/replaced"
    kill -CONT $pid
    wait $pid
    ok "what was superseded is deleted while a driver stands still" fanfold -C "$c" run
    ends_the_same
done

# What a late driver would rename is another generation by then, and the name that kept it
# from that is deleted.
stands_at late-and-deleted supersede.checked
elsewhere
ok "another driver takes over" fanfold -C "$c" run
rm -r "$c/.fanfold/replaced"
mkdir "$c/.fanfold/replaced" # as for what is superseded next
find "$c/make" "$c/use" "$c/count" -printf '%p %i %T@\n' | sort >"$tmp/before"
kill -CONT $pid
wait $pid
is "the late one stops, where all that was superseded was deleted, too" 1 $?
find "$c/make" "$c/use" "$c/count" -printf '%p %i %T@\n' | sort >"$tmp/after"
silent "... and what is in force stays" diff "$tmp/before" "$tmp/after"

done_testing
