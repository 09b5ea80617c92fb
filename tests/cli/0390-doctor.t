#!/bin/sh
# 0390-doctor - what is wrong with this site, for the local scheduler
. "$abs_top_srcdir/tests/cli/tap.sh"

# How many findings of grade $1 there are, and what those on subject $2 say.
count() {
    jq "[.findings[] | select(.grade == \"$1\")] | length" "$tmp/out"
}
says() {
    jq -r ".findings[] | select(.subject == \"$1\") | .text + \"; \" + .advice" "$tmp/out"
}

mkdir "$tmp/empty"
fanfold -C "$tmp/empty" doctor --json >"$tmp/out"
is "without a site file this machine is looked at" 0 $?
is "... and nothing is bad" 0 "$(count bad)"
has "... its file system" "renaming, fsync" "$(says 'data space')"
is "nothing is left" "" "$(ls -A "$tmp/empty")"

c=$tmp/site
mkdir "$c"
printf 'format: 1\nprofiles:\n  here: {scheduler: local, launcher: [nosuchrun]}\n' >"$c/site.yaml"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "a probe job runs here" 0 $?
has "... and its report is seen" "ran on $(uname -n)" "$(says "profile 'here': node")"
has "... a launcher that is not there" "no nosuchrun on PATH" "$(says "profile 'here': launcher")"
is "... is a warning" 1 "$(count warning)"
is "nothing is left" "site.yaml" "$(ls -A "$c")"
is "... nor in the spool" "" "$(ls "$FANFOLD_SPOOL" | grep -v cores)"

# setup that fails: no report, and the job's last words.
printf 'format: 1\nprofiles:\n  here: {scheduler: local, setup: [[sh, -c, "echo no module; exit 3"]], limits: {visibility: 0.1s}}\n' >"$c/site.yaml"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "setup fails: bad" 1 $?
has "... with what the job said" "the job said: no module" "$(says "profile 'here': probe job")"
has "... and what to do" '`setup`' "$(says "profile 'here': probe job")"
is "nothing is left" "site.yaml" "$(ls -A "$c")"

# A spool that can be none.
: >"$tmp/foreign"
printf 'format: 1\nprofiles:\n  here: {scheduler: local, spool: %s/foreign}\n' "$tmp" >"$c/site.yaml"
fanfold -C "$c" doctor --json >"$tmp/out"
is "a spool that is a file: bad" 1 $?
has "... naming the key" '`spool:`' "$(says 'local scheduler: spool')"

# Interrupted while the job waits: it is taken back.
printf 'format: 1\nprofiles:\n  here: {scheduler: local, setup: [[sleep, "1000"]]}\n' >"$c/site.yaml"
fanfold -C "$c" doctor --probe >"$tmp/out" 2>&1 &
pid=$!
until_ok pgrep -f "$FANFOLD_SPOOL/.*"
kill -INT $pid
wait $pid
is "interrupted: says so" 130 $?
is "... nothing is left" "site.yaml" "$(ls -A "$c")"
is "... nothing runs" "" "$(pgrep -f "$FANFOLD_SPOOL")"

# The words of the command.
exits "an unknown profile is refused" 2 fanfold -C "$c" doctor nosuch
has "... saying which there are" "there is here" "$(fanfold -C "$c" doctor nosuch 2>&1)"
exits "a bad duration too" 2 fanfold -C "$c" doctor --timeout soon
echo 'format: 2' >"$c/site.yaml"
exits "a site file that is wrong" 3 fanfold -C "$c" doctor

become_nobody
mkdir "$tmp/nobody/readonly"
chmod 555 "$tmp/nobody/readonly"
give_to_nobody "$tmp/nobody"
as_nobody fanfold -C "$tmp/nobody/readonly" doctor --json >"$tmp/out"
is "a directory that cannot be written: bad" 1 $?
has "... and what to do" "make the campaign's directory writable" "$(says 'data space')"

done_testing
