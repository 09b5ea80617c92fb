#!/bin/sh
# 0344-durable - what the journal and the logs of results tell of is on the disk: syncs are
# counted by file (durable.awk), in every protocol that makes something
. "$abs_top_srcdir/tests/cli/tap.sh"

kill_at=$abs_top_builddir/tests/crash/kill_at
FANFOLD_SPOOL=$tmp/spool
export FANFOLD_SPOOL

# Work directories of tasks are made anew where they are lost, and so is what a
# command of `then:` printed.
may_be_lost='/[.]fanfold/(run/.*/work|then|replaced/.*/run/.*/results-[^/]*)(/|$)'

# durable WHAT CAMPAIGN COMMAND...: in it, made of tests/cli/CAMPAIGN.
durable() {
    what=$1
    campaign=$tmp/$2
    shift 2
    {
        find "$campaign"
        echo "$tmp"
    } >"$tmp/there"
    "$kill_at" calls "$@" >"$tmp/calls" 2>"$tmp/log"
    status=$?
    if [ $status -eq 77 ]; then
        not_here "what is durable: no process may be traced"
        done_testing
    fi
    is "$what: it ends" 0 "$status"
    [ $status -eq 0 ] || sed 's/^/# /' "$tmp/log"
    silent "... and all is on the disk that a record stands on" awk \
        -f "$abs_top_srcdir/tests/cli/durable.awk" -v top="$campaign" \
        -v exempt="$may_be_lost" "$tmp/there" "$tmp/calls"
}

# make CAMPAIGN...: the first, with what it lacks of the others.
make() {
    cp -r "$abs_top_srcdir/tests/cli/$1" "$tmp/$1"
    [ $# -eq 1 ] || cp -n "$abs_top_srcdir/tests/cli/$2"/* "$tmp/$1"
    chmod -R u+w "$tmp/$1"
}

make crash
durable "a campaign" crash fanfold -C "$tmp/crash" run
# That something was looked at: each kind of place has names that were synced.
for place in '/dataset/extxyz/iter/[0-9]*' '/train/toy/iter/[0-9]*/job/[0-9]*' \
    '/pick/toy/iter/[0-9]*' '/label/toy/iter/[0-9]*/out'; do
    ok "... $place came to its place" grep -q "	rename[a-z0-9]*	.*	$tmp/crash$place	*$" "$tmp/calls"
done

make crash-life crash
durable "one that is edited, redone, renamed, reset" crash-life \
    sh "$tmp/crash-life/commands.sh" "$tmp/crash-life"
make crash-call
durable "calls of functions" crash-call sh "$tmp/crash-call/commands.sh" "$tmp/crash-call"
make crash-reduce
durable "frames are selected" crash-reduce fanfold -C "$tmp/crash-reduce" run

# The check itself: a program that does not sync.
mkdir "$tmp/.fanfold" "$tmp/.fanfold/journal"
for line in "made fsync" "named fsync" "acted write"; do
    name=${line% *}
    {
        [ "$name" = named ] || printf '1\trun\tfsync\t%s\t\n' "$tmp"
        [ "$name" != made ] || printf '1\trun\twrite\t%s\t\n' "$tmp/file"
        [ "$name" != named ] || printf '1\trun\topenat\t%s\t\n' "$tmp/file"
        printf '1\trun\twrite\t%s\t\n' "$tmp/.fanfold/journal/000001"
        [ "$name" != acted ] || printf '1\trun\tmkdir\t%s\t\n' "$tmp/dir"
        printf '1\trun\tfsync\t%s\t\n' "$tmp/.fanfold/journal/000001"
    } >"$tmp/calls"
    has "what is not $name in time is told" "run: $tmp" "$(awk -v top="$tmp" -v exempt=NONE \
        -f "$abs_top_srcdir/tests/cli/durable.awk" "$tmp/there" "$tmp/calls")"
done

done_testing
