#!/bin/sh
# 0331-group-nodes.t - the runner of groups on several nodes: processes that meet,
# orders, a node that dies, a runner that dies, nothing left
. "$(dirname "$0")/tap.sh"

unshare -Ur true 2>/dev/null || unshare -u true 2>/dev/null || {
    not_here "groups of several nodes: hosts cannot have names of their own"
    pass "nothing to see"
    done_testing
}
as_host="unshare -Ur"
unshare -u true 2>/dev/null && as_host=unshare

work=$tmp/work
mkdir "$tmp/tools" "$tmp/nodes"
PATH=$tmp/tools:$PATH
LOG=$tmp/log
FANFOLD_NODE=n1.cluster
FANFOLD_NODE_IN=NODE_NAME
export LOG FANFOLD_NODE FANFOLD_NODE_IN

# on HOST COMMAND...: a host of that name, and a disk of its own.
cat >"$tmp/tools/on" <<SH
#!/bin/sh
host=\$1
shift
exec $as_host -u sh -c 'hostname "\$1"; NODE_NAME=\$1.cluster; export NODE_NAME
    shift; exec "\$@"' - "\$host" "\$@"
SH
# agents N COMMAND...: start it on each of N hosts, as srun would.
cat >"$tmp/tools/agents" <<'SH'
#!/bin/sh
n=$1
shift
for host in $(seq "$n"); do
    on "n$host" "$@" &
    echo $! >"$LOG.n$host"
done
wait
exit 0
SH
chmod +x "$tmp/tools/on" "$tmp/tools/agents"

group() {
    cd "$tmp" && rm -rf "$work" && mkdir "$work" && cd "$work" || exit
    rm -f "$LOG"*
    cat >group.json <<JSON
{"format": 1,
 "group": {"nodes": ["local", "far"], "programs": [$1], $2},
 "values": {"seed": 7, "fanfold": "$(command -v fanfold)"},
 "resources": {"ranks": 2, "cores": 4, "gpus": 0, "memory_bytes": 0, "walltime_s": 0,
               "nodes": 2},
 "launcher": [], "agents": [${agents:-"\"agents\", \"{nodes}\""}], "grace_s": 10,
 "bind": true, "id": "0123456789ab", "workspace_dir": "$tmp/nodes"}
JSON
}

program() {
    printf '{"name": "%s", "node": "%s", "instances": %d, "task": {"ranks": 1,
        "cores": 1, "gpus": 0, "memory_bytes": 0, "walltime_s": 0, "nodes": 1},
        %s "commands": [%s]}' "$1" "$2" "$3" "${5:+$5,}" "$4"
}

say() {
    printf '["sh", "-c", "echo $(hostname) %s >>$LOG"]' "$1"
}

workspaces() {
    find "$tmp/nodes" -mindepth 1 -maxdepth 1 | wc -l
}

alive() {
    pgrep -f "sleep 1000.331" | wc -l
}

end() {
    sed -n "s/^  \"$1\": \"\{0,1\}\([^\"]*\)\"\{0,1\},\{0,1\}\$/\1/p" group-end.json
}

own_setups="\"workspace\": \"private\",
    \"setup\": [$(say node+)], \"exit\": [$(say node-)],
    \"report\": {\"every_s\": 100, \"command\": [\"sh\", \"-c\", \"echo \\\"{{\\\\\\\"host\\\\\\\": \\\\\\\"\$(hostname)\\\\\\\"}}\\\"\"]}"

# --- in good order ---

group "$(program d local 1 '["sh", "-c", "touch {workspace}/here; echo $(hostname) {hosts.far} >>$LOG; echo \"{{\\\"a\\\": 1}}\" >{outputs.params}"]' \
    "\"setup\": [$(say d+)], \"exit\": [$(say d-)]"),
    $(program f far 2 '["sh", "-c", "[ -e {workspace}/here ] || echo $(hostname) $# {instance} >>$LOG; echo printed", "-", "{hosts}"]' \
    "\"setup\": [$(say f+)], \"exit\": [$(say f-)]")" "$own_setups"
on n1 fanfold group >out 2>&1
is "a group of two nodes runs" 0 $?
is "with what belongs to each on its own, in its order" \
    "n1 node+,n2 node+,n1 d+,n2 f+,n1 n2,n2 2 0,n2 2 1,n1 d-,n2 f-,n1 node-,n2 node-" \
    "$(awk '{ print (/node\+/ ? 1 : /\+/ ? 2 : /node-/ ? 5 : /-/ ? 4 : 3), $0 }' "$LOG" |
        sort -s -k1,1n -k2 | cut -d' ' -f2- | paste -sd,)"
is "phase by phase" "node+ node+ + + run run run - - node- node-" \
    "$(sed 's/.* node/node/; s/.* [df]\([+-]\)/\1/; s/^n.*[0-9]$/run/' "$LOG" | paste -sd' ')"
has "what a far program prints is in the log" "far/f:1: printed" "$(cat out)"
has "the hosts are told, in their order" \
    '{ "name": "local", "host": "n1" }, { "name": "far", "host": "n2" }' \
    "$(tr -s ' \n' ' ' <group-end.json)"
has "with the report of each node" \
    '{"far":{"host":"n2"},"local":{"host":"n1"}}' "$(jq -cS .run.report group-end.json)"
is "no workspace is left" 0 "$(workspaces)"
is "the parameters are there" '{ "a": 1 }' "$(tr -s ' \n' ' ' <params.json | sed 's/ $//')"
is "others cannot read how to connect" 600 "$(stat -c %a nodes.json)"

group "$(program f far 1 '["sh", "-c", "echo >>{workspace}/x; sleep 0"]')" \
    '"workspace": "global"'
sed -i "s|$tmp/nodes|$tmp/global/000000|" group.json
on n1 fanfold group >out 2>&1
is "a global workspace is one for all nodes" 0 $?
ok "and is kept" test -s "$tmp/global/000000/x"

# --- failures ---

sleeper='["sh", "-c", "echo up >>$LOG; exec sleep 1000.331"]'
group "$(program d local 1 "$sleeper" "\"exit\": [$(say d-)]"),
    $(program f far 2 '["sh", "-c", "until grep -q up $LOG; do sleep 0.01; done; [ {instance} = 0 ] || exit 5; exec sleep 1000.331"]')" \
    "$own_setups"
on n1 fanfold group >out 2>&1
is "a far program that fails gives its status" 5 $?
has "and is named" "program 'far/f:1' exited with status 5" "$(end message)"
has "exits follow on both" "n1 d-" "$(cat "$LOG")"
is "nothing runs" 0 "$(alive)"
is "no workspace is left then" 0 "$(workspaces)"

group "$(program d local 1 "$sleeper" "\"exit\": [$(say d-)]"),
    $(program f far 1 "$sleeper" "\"exit\": [$(say f-)]")" "$own_setups"
on n1 fanfold group >out 2>&1 &
runner=$!
until_is 2 grep -c up "$LOG"
kill -TERM $runner
wait $runner
is "told to end it ends as by that signal" 143 $?
is "exits follow on both nodes" "n1 d- n1 node- n2 f- n2 node-" \
    "$(grep -e - "$LOG" | sort | paste -sd' ')"
is "nothing runs then" "0 0" "$(alive) $(workspaces)"

# --- a node that dies ---

two_sleepers() {
    group "$(program d local 1 "$sleeper" "\"exit\": [$(say d-)]"),
        $(program f far 1 "$sleeper" "\"exit\": [$(say f-)]")" "$own_setups"
    on n1 fanfold group >out 2>&1 &
    runner=$!
    until_is 2 grep -c up "$LOG"
}
two_sleepers
pkill -KILL -f "^$(command -v fanfold) group --node" || pkill -KILL -f 'fanfold group --node'
wait $runner
is "a node that dies ends the group" 1 $?
is "as node_failure" node_failure "$(end outcome)"
has "and is named" "node 'far' (n2) was lost" "$(end message)"
is "as the scheduler knows it, too" n2.cluster "$(end lost_node)"
is "exits run where that can be" "n1 d- n1 node-" "$(grep -e - "$LOG" | sort | paste -sd' ')"
ok "nothing runs on either" until_is 0 alive
rm -rf "$tmp/nodes"/*

# A launcher that hands the first node's name on tells of no other.
FANFOLD_NODE_IN=FANFOLD_NODE
two_sleepers
pkill -KILL -f "^$(command -v fanfold) group --node" || pkill -KILL -f 'fanfold group --node'
wait $runner
FANFOLD_NODE_IN=NODE_NAME
is "the first node is not blamed" "node_failure:" "$(end outcome):$(end lost_node)"
ok "nothing runs on either" until_is 0 alive
rm -rf "$tmp/nodes"/*

# The runner dies: the other node hears of it by its connection.
two_sleepers
kill -KILL $runner
wait $runner 2>/dev/null
ok "programs on other nodes end with a runner that is killed" until_is 0 alive
ok "and their workspace is removed" until_is 1 workspaces
ok "and none of the group's processes stays" until_is "" pgrep -f "group --node $work"
rm -rf "$tmp/nodes"/*

# --- processes that do not come ---

agents='"sh", "-c", "echo no such partition; exit 4"'
group "$(program f far 1 '["true"]')" "$own_setups"
on n1 fanfold group >out 2>&1
is "where they cannot be started nothing is" 1 $?
has "which is the machine's doing" '"machine_error": true' "$(cat group-end.json)"
has "with what was said" "(agents:) exited with status 4 before they were connected; its last line: 'no such partition'" \
    "$(end message)"
agents='"no-such-program"'
group "$(program f far 1 '["true"]')" "$own_setups"
on n1 fanfold group >out 2>&1
has "a program that is not there is named" "agents: 'no-such-program': no such program" \
    "$(end message)"
is "and nothing is left" 0 "$(workspaces)"

# A stranger is let in by nobody.
agents='"sh", "-c", "port=$(sed -n \"s/.*port.: \\([0-9]*\\).*/\\1/p\" nodes.json); (exec 3<>/dev/tcp/localhost/$port) 2>/dev/null; bash -c \"exec 3<>/dev/tcp/localhost/$port; echo {{\\\\\\\"hello\\\\\\\": \\\\\\\"x\\\\\\\"}} >&3; cat <&3\"; exec agents {nodes} \"$@\"", "-"'
group "$(program f far 1 "$(say ran)")" '"workspace": "private"'
on n1 timeout 60 fanfold group >out 2>&1
is "a stranger on the port is no node" "0 n2 ran" "$? $(cat "$LOG")"

# Nor does a node obey one: what it connects to has to know the secret's other half.
cat >"$tmp/tools/stranger" <<'PY'
#!/usr/bin/env python3
# stranger SECRET COMMAND...: stands in for a group's runner; prints what a node answers
import json, socket, subprocess, sys

server = socket.create_server(("127.0.0.1", 0))
json.dump({"addresses": ["127.0.0.1"], "port": server.getsockname()[1], "secret": "a" * 16 + "b" * 16},
          open("nodes.json", "w"))
node = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
server.settimeout(120)
peer = server.accept()[0]
peer.settimeout(120)
lines = peer.makefile("r")
print(json.loads(lines.readline())["hello"])
answer = ""
try:
    for message in ({"node": 1, "secret": sys.argv[1]},
                    {"hosts": {"local": "x", "far": "y"}, "address": "x", "port": 1}):
        peer.sendall(json.dumps(message).encode() + b"\n")
    answer = lines.readline()
except ConnectionError:
    pass  # the node hung up
print(*json.loads(answer)) if answer else print("nothing")
try:
    peer.shutdown(socket.SHUT_RDWR)
except OSError:
    pass  # the node was first
node.wait(120)
PY
chmod +x "$tmp/tools/stranger"
agents='"sh", "-c", "printf \"%s\\n\" \"$@\" >argv; exit 4", "-"'
group "$(program f far 1 '["true"]')" '"workspace": "private"'
on n1 fanfold group >out 2>&1
for secret in bbbbbbbbbbbbbbbb bbbbbbbbbbbbbbbc ''; do
    xargs -d '\n' "$tmp/tools/stranger" "$secret" <argv >answer 2>&1
    is "a runner that knows '$secret'" "aaaaaaaaaaaaaaaa $(
        [ "$secret" = bbbbbbbbbbbbbbbb ] && echo ready || echo nothing)" "$(xargs <answer)"
done

done_testing
