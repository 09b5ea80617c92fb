#!/bin/sh
# 0329-groups.t - the runner of groups: orders, as the programs themselves logged
# them, failures, signals, reports, parameters, workspaces, what is left
. "$(dirname "$0")/tap.sh"

work=$tmp/work
mkdir "$tmp/tools"
PATH=$tmp/tools:$PATH
LOG=$tmp/log
export LOG

# step NAME: logs it.  At one of $WAIT_AT it waits to be told to end; at $FAIL_AT
# it fails, when all those wait.
cat >"$tmp/tools/step" <<'SH'
#!/bin/sh
name=$1
waits=no
case " $WAIT_AT " in
*" $name "*)
    waits=yes
    sleep 1000 &
    trap 'echo "$name told" >>"$LOG"; kill $!; exit 0' TERM
    ;;
esac
echo "$name" >>"$LOG"
if [ "$name" = "$FAIL_AT" ]; then
    for other in $WAIT_AT; do
        until grep -qx "$other" "$LOG"; do sleep 0.01; done
    done
    echo "no luck"
    exit 3
fi
[ $waits = no ] || wait
SH
chmod +x "$tmp/tools/step"

# resources CORES [GPUS]
resources() {
    echo "{\"ranks\": 1, \"cores\": $1, \"gpus\": ${2:-0}, \"memory_bytes\": 0,
        \"walltime_s\": 0, \"nodes\": 1}"
}

# group PROGRAMS [KEYS]: group.json in a new directory, which becomes the current
# one.
grace=10
group() {
    cd "$tmp" && rm -rf "$work" && mkdir "$work" && cd "$work" || exit
    rm -f "$LOG"
    cat >group.json <<JSON
{"format": 1,
 "group": {"nodes": ["local"], "programs": [$1], ${2:-"\"workspace\": \"private\""}},
 "values": {"seed": 7, "task": 0}, "resources": $(resources "${cores:-2}"),
 "launcher": [], "agents": [], "grace_s": $grace, "bind": true, "id": "0123456789ab",
 "workspace_dir": "${workspace_dir:-$tmp}"}
JSON
}

program() {
    printf '{"name": "%s", "node": "local", "instances": %d, "task": %s, %s
        "commands": [%s]}' "$1" "$2" "$(resources 1)" "${4:+$4,}" "$3"
}

# end KEY: of group-end.json
end() {
    sed -n "s/^  \"$1\": \"\{0,1\}\([^\"]*\)\"\{0,1\},\{0,1\}\$/\1/p" group-end.json
}

workspaces() {
    find "$tmp" -maxdepth 1 -name 'fanfold-??????-*' | wc -l
}

# --- orders ---

# The log, with what was done in one phase on one line, sorted:
# node+ d+ d0+ d0 d0- d- node-
story() {
    awk '
    function flush(    i, j, t) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && word[j] < word[j - 1]; j--) {
                t = word[j]; word[j] = word[j - 1]; word[j - 1] = t
            }
        for (i = 1; i <= n; i++)
            printf "%s%s", (i > 1 ? " " : all > 0 ? "|" : ""), word[i]
        all += n
        n = 0
    }
    {
        phase = $0
        gsub(/^[df]/, "p", phase)
        gsub(/[0-9]/, "0", phase)
        if (phase != last)
            flush()
        last = phase
        word[++n] = $0
    }
    END { flush() }' "$LOG"
}

three_levels() {
    group "$(program d 1 '["step", "d{instance}"]' \
        '"setup": [["step", "d+"]], "exit": [["step", "d-"]],
         "per_instance": {"setup": [["step", "d{instance}+"]],
                          "exit": [["step", "d{instance}-"]]}'),
        $(program f 2 '["step", "f{instance}"]' \
        '"setup": [["step", "f+"]], "exit": [["step", "f-"]],
         "per_instance": {"setup": [["step", "f{instance}+"]],
                          "exit": [["step", "f{instance}-"]]}')" \
        '"workspace": "private",
         "setup": [["step", "node+"], ["step", "node+"]], "exit": [["step", "node-"]]'
}

setups='node+ node+|d+ f+|d0+ f0+ f1+'
exits='d0- f0- f1-|d- f-|node-'

three_levels
ok "a group runs" fanfold group
is "in its order" "$setups|d0 f0 f1|$exits" "$(story)"
is "its private workspace is gone" 0 "$(workspaces)"

while IFS=';' read -r fail_at wait_at told who; do
    three_levels
    FAIL_AT=$fail_at WAIT_AT=$wait_at \
        exits "failing at $fail_at it has that status" 3 fanfold group
    is "failing at $fail_at: exits of what was set up" "$told" "$(story)"
    is "failing at $fail_at: it is named" \
        "$who exited with status 3; its last line: 'no luck'" "$(end message)"
    is "failing at $fail_at: no workspace is left" 0 "$(workspaces)"
done <<CASES
node+;;node+;step 'local setup'
d+;f+;node+ node+|d+ f+|f+ told|f-|node-;step 'local/d setup'
f+;d+;node+ node+|d+ f+|d+ told|d-|node-;step 'local/f setup'
f1+;d0+ f0+;node+ node+|d+ f+|d0+ f0+ f1+|d0+ told f0+ told|d0- f0-|d- f-|node-;step 'local/f:1 setup'
f1;d0 f0;$setups|d0 f0 f1|d0 told f0 told|$exits;program 'local/f:1'
d0;f0 f1;$setups|d0 f0 f1|f0 told f1 told|$exits;program 'local/d'
f0-;;$setups|d0 f0 f1|$exits;step 'local/f:0 exit'
d-;;$setups|d0 f0 f1|$exits;step 'local/d exit'
node-;;$setups|d0 f0 f1|$exits;step 'local exit'
CASES

group "$(program d 1 '["step", "d"]')" \
    '"workspace": "private", "setup": [["step", "node+"], ["step", "node++"]], "exit": [["step", "node-"]]'
FAIL_AT=node++ exits "a setup that fails half way" 3 fanfold group
is "... has its exit, too" "node+ node++ node-" "$(xargs <"$LOG")"

# Told to end while something is at work.
while IFS=';' read -r wait_at told; do
    three_levels
    FAIL_AT='' WAIT_AT=$wait_at fanfold group >out 2>&1 &
    runner=$!
    for word in $wait_at; do
        until_ok grep -qx "$word" "$LOG"
    done
    until_ok grep -q "=== .*: step" out
    kill -TERM $runner
    wait $runner
    is "told to end at $wait_at: as by that signal" 143 $?
    is "told to end at $wait_at: what is begun ends, exits follow" "$told" \
        "$(story)"
    is "told to end at $wait_at: no workspace is left" 0 "$(workspaces)"
done <<CASES
f+;node+ node+|d+ f+|f+ told|d- f-|node-
f0+ d0+;node+ node+|d+ f+|d0+ f0+ f1+|d0+ told f0+ told|$exits
f1;$setups|d0 f0 f1|f1 told|$exits
d0 f0 f1;$setups|d0 f0 f1|d0 told f0 told f1 told|$exits
CASES

# Of a program's commands none begins that comes after.
group "$(program d 1 '["step", "d"], ["step", "d2"]' '"exit": [["step", "d-"]]')"
FAIL_AT='' WAIT_AT=d fanfold group >out 2>&1 &
runner=$!
until_ok grep -qx d "$LOG"
until_ok grep -q "=== .*: step" out
kill -TERM $runner
wait $runner
is "told to end at the first of two commands" "d|d told|d-" "$(paste -sd'|' "$LOG")"

# What does not listen is killed in half of the grace time; exits have their part.
cat >"$tmp/tools/deaf" <<'SH'
#!/bin/sh
trap '' TERM
echo deaf >>"$LOG"
while :; do sleep 1000; done
SH
chmod +x "$tmp/tools/deaf"
grace=1
group "$(program d 1 '["deaf"]' '"exit": [["step", "d-"]]'),
    $(program f 1 '["sh", "-c", "until grep -q deaf $LOG; do sleep 0.01; done; exit 4"]')"
exits "what ignores SIGTERM is killed" 4 fanfold group
is "and exits run" "deaf d-" "$(tr '\n' ' ' <"$LOG" | sed 's/ $//')"
grace=10

group ''
ok "a group without programs runs" fanfold group
group '' '"workspace": "private", "setup": [["step", "node+"]],
          "exit": [["step", "node-"]]'
ok "with its setup and exit" fanfold group
is "in this order" "node+|node-" "$(story)"

# --- how programs end ---

while IFS='|' read -r status what said command; do
    group "$(program d 1 "$command")"
    exits "$what: its status" "$status" fanfold group
    has "$what: its message" "$said" "$(end message)"
done <<'CASES'
7|a program that fails|program 'local/d' exited with status 7 and printed nothing|["sh", "-c", "exit 7"]
137|one that is killed|'local/d' was killed by signal 9 (Killed)|["sh", "-c", "kill -9 $$"]
1|one that is not there|'local/d' cannot be started: no such program|["no-such-program"]
5|the second command|with status 5; its last line: 'two'|["echo", "one"], ["sh", "-c", "echo two; exit 5"]
1|a bad template|'{seeds}'|["echo", "{seeds}"]
CASES
is "which is bad_input" bad_input "$(end outcome)"

# --- what they print ---

group "$(program f 3 '["sh", "-c", "for i in 1 2 3; do printf {instance}; printf {instance}; echo; done; printf end >&2"]')"
fanfold group >out
is "lines name their program, and are whole" \
    "local/f:0: 00 3 local/f:0: end 1 local/f:1: 11 3 local/f:1: end 1 local/f:2: 22 3 local/f:2: end 1" \
    "$(grep -v === out | sort | uniq -c | awk '{ printf "%s%s %s %d", (NR > 1 ? " " : ""), $2, $3, $1 }')"
is "and there is a line for each start" 3 "$(grep -c '=== .* local/f:[0-2]: sh -c' out)"

# --- reports ---

# It counts its runs in $tmp/count and says what was there to be reported.
cat >"$tmp/tools/progress" <<'SH'
#!/bin/sh
echo x >>"$LOG.runs"
printf '{"runs": %d, "over": %s}\n' "$(wc -l <"$LOG.runs")" \
    "$(test -e over && echo true || echo false)"
SH
chmod +x "$tmp/tools/progress"
rm -f "$LOG.runs"
group "$(program d 1 '["sh", "-c", "until [ -s reports.jsonl ]; do sleep 0.01; done; touch over"]')" \
    '"workspace": "private", "report": {"command": ["progress"], "every_s": 0.05}'
ok "a group with a report" fanfold group
has "which tells while programs run" '"name":"local","report":{"runs":1,"over":false}}' \
    "$(head -n 1 reports.jsonl)"
has "and once after the last has ended" '"over":true}' "$(tail -n 1 reports.jsonl)"
has "which the end keeps" '"over": true' "$(cat group-end.json)"

group "$(program f 2 '["true"]' '"per_instance": {"report": {"every_s": 100,
    "command": ["sh", "-c", "echo \"{{\\\"i\\\": {instance}}}\""]}}')"
ok "reports of instances" fanfold group
is "each is told" '"local/f:0","report":{"i":0}} "local/f:1","report":{"i":1}}' \
    "$(sed 's/.*"name"://' reports.jsonl | sort | tr '\n' ' ' | sed 's/ $//')"

while IFS='|' read -r what said command; do
    group "$(program d 1 '["sh", "-c", "until [ $(wc -l <$LOG) -ge 3 ]; do sleep 0.01; done"]')" \
        "\"workspace\": \"private\", \"setup\": [[\"touch\", \"$LOG\"]],
         \"report\": {\"every_s\": 0.01, \"command\": [$command]}"
    fanfold group >out
    is "$what changes no outcome" 0 $?
    is "$what is noted once" 1 "$(grep -c ' local report: ' out)"
    has "$what is described" "$said" "$(cat out)"
done <<'CASES'
a report that fails|exited with status 1; its last line: 'why'|"sh", "-c", "echo x >>$LOG; echo why >&2; exit 1"
one that prints no object|printed no JSON object|"sh", "-c", "echo x >>$LOG; echo nonsense"
one that prints too much|printed more than 4096 bytes|"sh", "-c", "echo x >>$LOG; head -c 5000 /dev/zero"
CASES

# One that hangs: it is not started again, and is ended with the group.
grace=2
group "$(program d 1 '["sh", "-c", "until [ -s $LOG ]; do sleep 0.01; done; sleep 0.2; exit 6"]')" \
    '"workspace": "private", "report": {"every_s": 0.02,
      "command": ["sh", "-c", "echo x >>$LOG; exec sleep 1000"]}'
exits "one that hangs blocks nobody" 6 fanfold group
is "it ran once, and for the last time" 2 "$(wc -l <"$LOG")"
grace=10

# --- parameters ---

param() {
    printf '["sh", "-c", "echo '\''{{\\"%s\\": 1}}'\'' >{outputs.params}"]' "$1"
}
group "$(program d 1 "$(param steps)"), $(program f 1 "$(param forces)")"
ok "parameters of two programs" fanfold group
is "are joined" '{ "steps": 1, "forces": 1 }' "$(tr -s ' \n' ' ' <params.json | sed 's/ $//')"
group "$(program d 1 "$(param steps)"), $(program f 2 "$(param steps)")"
exits "one that two write is refused" 1 fanfold group
is "as bad_output" bad_output "$(end outcome)"
has "naming both" "'steps' was written by 'local/d' and by 'local/f:0'" "$(end message)"

# --- binding ---

# The cores that this runner may use, as a list of words.
mine=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr ',' '\n' |
    awk -F- '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }')
if [ "$(echo "$mine" | wc -l)" -ge 2 ]; then
    cores=$(echo "$mine" | wc -l)
    group "$(program f "$cores" '["sh", "-c", "grep Cpus_allowed_list /proc/self/status"]')"
    taskset -c "$(echo "$mine" | paste -sd,)" fanfold group >out
    is "instances have cores of their own" "$cores" \
        "$(sed -n 's/.*Cpus_allowed_list:[[:space:]]*//p' out | sort -u | wc -l)"
    has "which the end tells" '"cores": "' "$(cat group-end.json)"
    cores=1
    group "$(program f 1 '["sh", "-c", "grep Cpus_allowed_list /proc/self/status"]')"
    fanfold group >out
    is "where more was given than asked nothing is bound" \
        "$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)" \
        "$(sed -n 's/.*Cpus_allowed_list:[[:space:]]*//p' out)"
    cores=2
else
    not_here "instances with cores of their own: there is one core"
fi
group "$(program f 2 '["sh", "-c", "echo $CUDA_VISIBLE_DEVICES"]' |
    sed 's/"gpus": 0/"gpus": 1/'), $(program d 1 '["sh", "-c", "echo none=$CUDA_VISIBLE_DEVICES"]')"
CUDA_VISIBLE_DEVICES=5,GPU-b fanfold group >out
is "each sees its own devices" "5 GPU-b none=" \
    "$(grep -v === out | sed 's/.*: //' | sort | paste -sd' ')"
CUDA_VISIBLE_DEVICES=5 exits "too few devices are refused" 1 fanfold group
has "which is the machine's doing" '"machine_error": true' "$(cat group-end.json)"
has "with the number" "more than the 1 GPUs" "$(end message)"

# --- workspaces ---

group "$(program d 1 '["sh", "-c", "stat -c %a {workspace}; echo {workspace}; touch {workspace}/x"]')"
fanfold group >out
has "a private workspace is ours alone" "local/d: 700" "$(cat out)"
has "and where it was asked for" "local/d: $tmp/fanfold-" "$(cat out)"
workspace_dir=$tmp/nowhere
group "$(program d 1 '["sh", "-c", "echo {workspace}"]')"
fanfold group >out
has "or in /tmp" "local/d: /tmp/fanfold-" "$(cat out)"
workspace_dir=

# What a run left that was killed goes with the next one on the node; not what is
# in use.
left=$(sed -n 's|^local/d: /tmp/\(fanfold-......-\).*|\1|p' out)
mkdir "$tmp/${left}dead" "$tmp/${left}used" "$tmp/fanfold-other"
(flock 9 && touch "$LOG.locked" && until [ -e "$LOG.done" ]; do sleep 0.05; done) 9<"$tmp/${left}used" &
until_ok test -e "$LOG.locked"
group "$(program d 1 '["true"]')"
ok "a run after one that was killed" fanfold group
is "removes what that left, not what is in use" "${left}used fanfold-other" \
    "$(cd "$tmp" && echo fanfold-* | tr ' ' '\n' | LC_ALL=C sort | paste -sd' ')"
touch "$LOG.done"
wait
rm -rf "$tmp/${left}used" "$tmp/fanfold-other"

workspace_dir=$tmp/global/000000
group "$(program d 1 '["sh", "-c", "echo x >>{workspace}/kept; wc -l <{workspace}/kept"]')" \
    '"workspace": "global"'
ok "a global workspace is made" fanfold group
has "and kept for the next run" "local/d: 2" "$(fanfold group)"
lock=$workspace_dir.lock
printf 'process 1234567890 on a-node-with-a-very-long-name\nmore\n' >"$lock"
ok "... by who is not the one before" fanfold group
is "... whose name nothing is left of" "process" \
    "$(sed 's/^process [0-9]* on [^ ]*$/process/' "$lock")"

# A second run waits for the first.
group "$(program d 1 '["sh", "-c", "echo begin >>$LOG; [ -z \"$WAIT_AT\" ] || until [ -e go ]; do sleep 0.02; done; echo end >>$LOG"]')" \
    '"workspace": "global"'
WAIT_AT=yes fanfold group >out1 &
until_ok test -s "$LOG"
fanfold group >out2 &
until_ok grep -q "=== waiting for the workspace '$workspace_dir', used by process" out2
touch go
wait
is "two runs never use it at once" "begin end begin end" "$(paste -sd' ' "$LOG")"
workspace_dir=

# --- killed ---

# Nothing of it runs afterwards.
alive() {
    pgrep -f "sleep 1000.$1" | wc -l
}
group "$(program d 1 '["sh", "-c", "echo up >>$LOG; exec sleep 1000.327"]'),
    $(program f 2 '["sh", "-c", "echo up >>$LOG; exec sleep 1000.327"]')"
fanfold group >out 2>&1 &
runner=$!
until_is 3 sh -c "wc -l <$LOG"
kill -KILL $runner
wait $runner 2>/dev/null
ok "programs die with a runner that is killed" until_is 0 alive 327
is "which leaves its workspace" 1 "$(workspaces)"
group "$(program d 1 '["true"]')"
fanfold group >out
is "for the next run to remove" 0 "$(workspaces)"

# Whoever started the runner is killed: it ends its programs and cleans up.
group "$(program d 1 '["sh", "-c", "echo up >>$LOG; exec sleep 1000.328"]' '"exit": [["step", "d-"]]')"
cat >"$tmp/tools/parent" <<'SH'
#!/bin/sh
setpriv --pdeathsig TERM fanfold group >out 2>&1 &
echo $! >runner
wait
SH
chmod +x "$tmp/tools/parent"
parent &
parent=$!
until_ok grep -qx up "$LOG"
kill -KILL $parent
wait $parent 2>/dev/null
ok "programs die with whoever started the runner" until_is 0 alive 328
ok "and no workspace is left" until_is 0 workspaces
is "exits of it do not run: nobody asks for them" up "$(cat "$LOG")"

# --- parts of cores ---

# The first two CPUs that are ours.
two=$(taskset -cp $$ | sed 's/.*: *//' | tr , '\n' |
    awk -F- '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }' |
    head -n 2 | paste -sd, -)
if [ "${two#*,}" = "$two" ]; then
    not_here "programs that share a core"
else
    # light NAME INSTANCES: of half a core each
    light() {
        program "$1" "$2" '["sh", "-c", "sed -n \"s/^Cpus_allowed_list:[[:space:]]*/$1 /p\" /proc/self/status >>$LOG", "sh", "'"$1"'{instance}"]' |
            sed 's/"nodes": 1/"nodes": 1, "core_share": 2/'
    }
    cpu_of() {
        sed -n "s/^$1 //p" "$LOG"
    }
    group "$(light a 1), $(light b 2)"
    ok "three programs of half a core run on two" taskset -c "$two" "$(command -v fanfold)" group
    is "two of them on one" "$(cpu_of a0)" "$(cpu_of b0)"
    is "... and all on both" "$(echo "$two" | tr , '\n')" "$({ cpu_of a0; cpu_of b1; } | sort -n)"
fi

done_testing
