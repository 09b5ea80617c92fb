#!/bin/sh
# 0367-home - whose the jobs are: copies and moved directories, two users, and
# schedulers that only a person can fix
. "$abs_top_srcdir/tests/cli/tap.sh"

# held DIR: a campaign whose two tasks wait for DIR.gate.
held() {
    mkdir -p "$1"
    cat >"$1/campaign.yaml" <<'EOF'
format: 1
campaign: held
stop: {iterations: 1}
stages:
  a: {uses: t.hold, with: {n: [0, 1]}}
operators:
  t.hold:
    inputs: {n: {type: int}}
    fan_out: [n]
    outputs: {v: {type: int}}
    command: [[sh, -c, 'until [ -e "$0" ]; do sleep 0.05; done; echo "{\"v\": 1}" >params.json', GATE]]
EOF
    sed -i "s,GATE,$1.gate," "$1/campaign.yaml"
    cat >"$1/site.yaml" <<'EOF'
format: 1
profiles:
  local: {scheduler: local, node: {cores: 2}, limits: {running: 2, poll: 0.2s, settle: 0.5s, visibility: 0.5s}}
EOF
}
two_run() {
    [ "$(fanfold -C "$1" status --json | jq '.stages[0].tasks.running')" = 2 ]
}
journal() {
    cat "$1"/.fanfold/journal/* | grep "\"ev\":\"$2\""
}
# Of the tasks that were started how many were cancelled or handed back.
ends() {
    run_cat "$1" a '*' '*/*/results-*' | grep -c '"end"'
}

# --- a copy ---

c=$tmp/c
held "$c"
ok "jobs are submitted" fanfold -C "$c" submit
ok "... and run" until_ok two_run "$c"
cp -a "$c" "$tmp/copy"
events=$(cat "$tmp"/copy/.fanfold/journal/* | sha256sum)
for command in run advance submit cancel pause resume retry "skip a" "redo a" "reset --yes"; do
    # shellcheck disable=SC2086
    out=$(fanfold -C "$tmp/copy" $command 2>&1)
    is "a copy: $command is refused" 1 $?
    has "... with both ways on" "run \`fanfold adopt\` if it was moved here (then its jobs stay its own), or \`fanfold adopt --copy\`" "$out"
done
has "... and says where it was begun" "which is '$c'" "$out"
is "... nothing was journaled or asked" "$events" \
    "$(cat "$tmp"/copy/.fanfold/journal/* | sha256sum)$(ls "$tmp/copy/.fanfold/requests" 2>/dev/null)"
out=$(fanfold -C "$tmp/copy" status 2>&1)
is "who only looks may" 0 $?
has "... and is told" "warning: '$tmp/copy' is not where the campaign was begun" "$out"
exits "adopt does not take a copy for a move" 1 fanfold -C "$tmp/copy" adopt
has "... and says why" "the campaign is still in '$c', so this is a copy" "$out"
ok "adopt --copy" fanfold -C "$tmp/copy" adopt --copy
has "it is done once" "nothing to adopt" "$(fanfold -C "$tmp/copy" adopt --copy)"
ok "the copy can be cancelled" fanfold -C "$tmp/copy" cancel
ok "... the original's jobs run on" two_run "$c"
is "... uncancelled" "" "$(journal "$c" cancelling)$(ls "$tmp"/spool/*/cancel* 2>/dev/null)"
touch "$c.gate"
ok "the copy goes on" fanfold -C "$tmp/copy" resume
ok "... by itself" fanfold -C "$tmp/copy" run
is "... with jobs of its own" "$(journal "$tmp/copy" intent | sed -n '$=')" 2
ok "the original too" fanfold -C "$c" run
is "... where each task ended once" "1 2" "$(journal "$c" intent | sed -n '$=') $(ends "$c")"

# What runs is not copied by a lock that is.
d=$tmp/d
held "$d"
fanfold -C "$d" run >"$tmp/d.out" 2>&1 &
driver=$!
ok "a driver works" until_ok two_run "$d"
cp -a "$d" "$tmp/d2"
has "it does not drive the copy" "no driver runs" "$(fanfold -C "$tmp/d2" status 2>/dev/null)"
has "... which says that it drives the original" "driven by pid $driver" "$(fanfold -C "$d" status)"
ok "so the copy is free" fanfold -C "$tmp/d2" adopt --copy
ok "... for its own driver" fanfold -C "$tmp/d2" pause
touch "$d.gate"
wait $driver
is "the original's ended well" 0 $?

# --- moved to another file system, which gives it another inode ---

m=$tmp/m
held "$m"
ok "jobs to be moved" fanfold -C "$m" submit
ok "... run" until_ok two_run "$m"
token=$(journal "$m" intent | jq -r .token)
cp -a "$m" "$tmp/moved" && rm -r "$m"
exits "it is not driven unasked" 1 fanfold -C "$tmp/moved" advance
ok "adopt" fanfold -C "$tmp/moved" adopt
ok "its jobs are its own" fanfold -C "$tmp/moved" cancel
is "... and are cancelled" "$token" "$(journal "$tmp/moved" cancelling | jq -r .token)"

# A name alone that differs is nothing.
n=$tmp/n
held "$n"
ok "jobs of one that is renamed" fanfold -C "$n" submit
mv "$n" "$tmp/n2"
ln -s "$tmp/n2" "$n"
touch "$n.gate"
ok "... are followed under the new name" fanfold -C "$tmp/n2" run

# One that has no jobs has nothing that could be taken for another's.
cp -a "$c" "$tmp/over"
ok "a copy of one that is over" fanfold -C "$tmp/over" redo a
is "... needs no word" "$tmp/over" "$(journal "$tmp/over" adopted | jq -r .path)"
ok "... and runs" fanfold -C "$tmp/over" run

# --- only a person can fix it: pause ---

b=$tmp/b
held "$b"
touch "$b.gate"
out=$(FANFOLD_SPOOL=/proc/nowhere/spool fanfold -C "$b" run 2>&1)
is "a spool that cannot be had ends the driver" 1 $?
has "... with the reason" "paused: the scheduler of profile 'local' cannot be used: /proc/nowhere/spool" "$out"
is "... after one try" 1 "$(journal "$b" intent | sed -n '$=')"
out=$(FANFOLD_SPOOL=/proc/nowhere/spool fanfold -C "$b" advance 2>&1)
is "... the next step says it again" 1 $?
has "... in the same words" "/proc/nowhere/spool: cannot make the spool" "$out"
ok "resume without a remedy" env FANFOLD_SPOOL=/proc/nowhere/spool fanfold -C "$b" resume
out=$(FANFOLD_SPOOL=/proc/nowhere/spool fanfold -C "$b" run 2>&1)
is "... ends the driver again" 1 $?
has "... with the reason" "paused: the scheduler of profile 'local' cannot be used" "$out"
ok "fixed, resume" fanfold -C "$b" resume
ok "... goes on" fanfold -C "$b" run

s=$tmp/s
held "$s"
sed -i 's/scheduler: local/scheduler: slurm/; s/ running: 2,//' "$s/site.yaml"
mkdir "$tmp/few"
for program in sh cat; do
    ln -s "$(command -v $program)" "$tmp/few/$program"
done
fanfold=$(command -v fanfold)
out=$(PATH=$tmp/few "$fanfold" -C "$s" run 2>&1)
is "commands that are not there end the driver" 1 $?
has "... with the reason" "paused: the scheduler of profile 'local' cannot be used: Slurm cannot be reached from here" "$out"

# --- two users ---

if [ "$(id -u)" -ne 0 ]; then
    not_here "campaigns of two users: needs root"
    done_testing
fi
with_hooks # FANFOLD_LEASE_S
become_nobody
as_other() {
    setpriv --reuid=daemon --regid=65534 --clear-groups "$@"
}
umask 0
chmod 777 "$tmp"
mkdir "$tmp/other" && chmod 777 "$tmp/other"
u=$tmp/u
held "$u"
chmod -R a+rwX "$u"
ok "a user's jobs" as_nobody fanfold -C "$u" submit
ok "... run" until_ok two_run "$u"
for who in as_other env; do
    out=$(FANFOLD_SPOOL=$tmp/other/spool $who fanfold -C "$u" run 2>&1)
    is "another user ($who) may not follow them" 1 $?
    has "... and is told who may" "were submitted by user nobody" "$out"
done
is "they are not taken for lost" "" "$(journal "$u" over)$(journal "$u" ended)"
touch "$u.gate"
ok "their user can" as_nobody fanfold -C "$u" run
is "... and each task ran once" "1 2" "$(journal "$u" intent | sed -n '$=') $(ends "$u")"
ok "then another one may go on" as_other env FANFOLD_SPOOL="$tmp/other/spool" fanfold -C "$u" redo a
ok "... to the end" as_other env FANFOLD_SPOOL="$tmp/other/spool" fanfold -C "$u" run

# A living driver that /proc hides.
h=$tmp/h
held "$h"
chmod -R a+rwX "$h"
FANFOLD_LEASE_S=6 as_nobody fanfold -C "$h" run >"$tmp/h.out" 2>&1 &
driver=$!
ok "a user drives" until_ok two_run "$h"
cat >"$tmp/hidden" <<'EOF'
mount -t proc -o hidepid=2 proc /proc || exit 77
[ ! -e "/proc/$2" ] && [ "$(id -u)" -ne 0 ] && exit 76
setpriv --reuid=daemon --regid=65534 --clear-groups sh -c '
    ! test -e "/proc/$2" && echo hidden
    fanfold -C "$1" status
    FANFOLD_LEASE_S=6 FANFOLD_SPOOL=$3/other/spool fanfold -C "$1" run; echo "run $?"' sh "$@"
EOF
pid=$(jq -r .pid "$h"/.fanfold/lock/[0-9]*)
out=$(unshare --mount sh "$tmp/hidden" "$h" "$pid" "$tmp" 2>&1)
if [ $? -eq 77 ]; then
    not_here "drivers that /proc hides: needs mount"
else
    has "it cannot be seen" hidden "$out"
    has "... and is not taken for dead" "driven by pid $pid" "$out"
    has "... by a driver neither" "another driver holds the lock: pid $pid" "$out"
    has "... which ends" "run 4" "$out"
fi
touch "$h.gate"
wait $driver
is "it works undisturbed" 0 $?

done_testing
