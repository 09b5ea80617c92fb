# work.sh - a campaign of small tasks that do what a test wants, and what holds on
# every cluster; sourced by slurm.sh and pbs.sh, which have in $site what writes
# their site.yaml, in $commands what their programs are called, and
#   jobs_left DIR             what is queued or running of a campaign
#   wait_running DIR [COUNT]  until so many elements (1) run
# shellcheck shell=sh

# Behaviours: until the test says so ...
waiting='until [ -e "$1/go" ]; do sleep 0.1; done'
# ... and: task 1 takes its agent with it, once, when that has noted its start.
suicide='if [ $2 = 1 ] && mkdir "$1/once" 2>/dev/null; then
    until cat "$1"/.fanfold/run/*/*/*/results-1.* 2>/dev/null | grep -qs "\"start\",\"task\":1"; do sleep 0.02; done
    kill -9 $PPID
    exec sleep 0.1
fi'

# Every call of a cluster's command from here on is a line of $tmp/calls.
count_calls() {
    mkdir -p "$tmp/bin"
    for program in $commands; do
        cat >"$tmp/bin/$program" <<END
#!/bin/sh
echo "$program \$*" >>'$tmp/calls'
exec $(command -v "$program") "\$@"
END
        chmod +x "$tmp/bin/$program"
    done
    PATH=$tmp/bin:$PATH
    : >"$tmp/calls"
}

calls() {
    grep -c "^$1" "$tmp/calls"
}

# work_campaign DIR TASKS: a stage of that many tasks, one to an element; task
# M notes that it runs in DIR/ran and does what DIR/behaviour says.
work_campaign() {
    mkdir -p "$1"
    $site "$1"
    echo true >"$1/behaviour"
    cat >"$1/work.sh" <<'END'
set -e
echo "$2" >>"$1/ran"
. "$1/behaviour"
echo "{\"n\": $2}" >"$3"
END
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: work
elements: [Si]
models: $2
stop: {iterations: 1}
stages:
  work: {uses: test.work, task: {cores: 1, walltime: 50s}}
operators:
  test.work:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {n: {type: int}}
    command: [sh, "{campaign}/work.sh", "{campaign}", "{m}", "{outputs.params}"]
END
}

# env_reaches_tasks: variables of the profile are those of the tasks, as they are.
env_reaches_tasks() {
    c=$tmp/env
    work_campaign "$c" 2
    $site "$c" "env: {PATH: '/nowhere:/usr/bin:/bin', NOTE: \"it's \$5\"}"
    echo 'echo "$PATH|$NOTE" >>"$1/env"' >"$c/behaviour"
    ok "a profile with variables" fanfold -C "$c" run
    is "... which its tasks have, whoever submits" 2 \
        "$(grep -cxF "/nowhere:/usr/bin:/bin|it's \$5" "$c/env")"
}

# ran DIR: which tasks ran, each as often as it did.
ran() {
    sort -n "$1/ran" 2>/dev/null | tr '\n' ' '
}

# wait_ran DIR "M ...": until those tasks have begun.
wait_ran() {
    until_is "$2" ran "$1"
}

# tokens_of DIR: of all submissions of a campaign, recorded or not.
tokens_of() {
    cat "$1"/.fanfold/journal/* | grep -o '"token":"[a-z0-9]*"' |
        cut -d'"' -f4 | sort -u
}

# The campaign in $c ended well, and each of four tasks ran once.
undisturbed() {
    is "$1" "done" "$(state_of "$c")"
    is "... each task ran once" "0 1 2 3 " "$(ran "$c")"
    none_left
}

# A cluster has its own pace of noticing that an element has ended.
none_left() {
    ok "... and no job is left" until_is "" jobs_left "$c"
}

# wrap PROGRAM SCRIPT: put a shell script in its place: $real is the real one.
wrap() {
    mkdir -p "$tmp/bin"
    real=$(PATH=$(echo "$PATH" | sed "s,$tmp/bin:,,g") command -v "$1")
    printf '#!/bin/sh\nreal=%s\n%s\n' "$real" "$2" >"$tmp/bin/$1"
    chmod +x "$tmp/bin/$1"
    case $PATH in
    "$tmp/bin:"*) ;;
    *) PATH=$tmp/bin:$PATH ;;
    esac
}

# wrapped_oddly PROGRAM: what submits loses its reply, dies, hangs, tries twice,
# chats.
wrapped_oddly() {
    c=$tmp/lost
    work_campaign "$c" 4
    wrap "$1" 'if mkdir "'"$c"'/once" 2>/dev/null; then
    "$real" "$@" >/dev/null
    echo "wrapper: something went wrong" >&2
    exit 1
fi
exec "$real" "$@"'
    ok "$1 is accepted, and says that it failed" fanfold -C "$c" run
    undisturbed "... the job is found and recorded"
    has "... as explain tells" "recorded as" "$(fanfold -C "$c" explain work)"

    c=$tmp/killed
    work_campaign "$c" 4
    wrap "$1" 'if mkdir "'"$c"'/once" 2>/dev/null; then
    kill -9 $$
fi
exec "$real" "$@"'
    ok "$1 is killed before it asks" fanfold -C "$c" run
    undisturbed "... it is asked again, when the job is known not to be there"

    late=$tmp/hangs
    work_campaign "$late" 4
    wrap "$1" 'if mkdir "'"$late"'/once" 2>/dev/null; then
    "$real" "$@" >/dev/null
    exec sleep 1000
fi
exec "$real" "$@"'
    late_program=$1
    fanfold -C "$late" run >"$tmp/hangs.out" 2>&1 &
    late_pid=$! # until the deadline: see late_submission_ends
    until_ok test -d "$late/once"

    c=$tmp/twice
    work_campaign "$c" 4
    wrap "$1" 'cat >"'"$tmp"'/in"
"$real" "$@" <"'"$tmp"'/in" >/dev/null
"$real" "$@" <"'"$tmp"'/in"
echo "wrapper: tried twice" >&2
exit 1'
    ok "a wrapper that submits twice and fails" fanfold -C "$c" run
    rm "$tmp/bin/$1"
    undisturbed "... one of them is let run, the other cancelled"

    c=$tmp/banner
    work_campaign "$c" 4
    wrap "$1" 'echo "Welcome!  Your quota: 42"
"$real" "$@"
echo "Thank you for using 7 nodes."'
    ok "a wrapper that chats" fanfold -C "$c" run
    rm "$tmp/bin/$1"
    undisturbed "... is understood"
}

late_submission_ends() {
    c=$late
    wait "$late_pid"
    is "$late_program is accepted and hangs" 0 $?
    undisturbed "... its job is found"
}

# What status says of campaign $c, once that has $1 in it.
told() {
    until_ok advanced_to_say "$1"
    fanfold -C "$c" status | grep -F "$1"
}

advanced_to_say() {
    fanfold -C "$c" advance
    fanfold -C "$c" status | grep -F "$1"
}

# waits_for_key WHAT KEY: the campaign in $c, driven, pauses for a person to mend
# that key of site.yaml.
waits_for_key() {
    fanfold -C "$c" run >"$tmp/out" 2>&1
    is "$1: the campaign waits" paused "$(state_of "$c")"
    has "... naming the key" "\`$2\`" "$(cat "$tmp/out")"
}

# The ids of the jobs that will drive $1 on.
dependency_jobs() {
    fanfold -C "$1" status --json | jq -r '.chain[].job'
}

# The loop campaign in $c is driven by nothing but its own jobs.
drives_itself() {
    # Else it may be done before anybody looks.
    sed -i "1i until [ -e '$c/go' ]; do sleep 0.1; done" "$c/train.sh"
    ok "submit --chain returns" fanfold -C "$c" submit --chain
    has "... and says which job drives on" "drives on when job" \
        "$(fanfold -C "$c" status)"
    : >"$c/go"
    ok "nobody else does anything, and the campaign ends" \
        until_is "done" state_of "$c"
    is "... with the same results" "$(results_digest "$tmp/reference")" \
        "$(results_digest "$c")"
}

# driven_by_steps CALL: the loop campaign in $c ends by `advance` alone, each of
# which makes that call at most once, whatever follows from the answer.
driven_by_steps() {
    sed -i "s/poll: 0.5s/poll: 60s/" "$c/site.yaml"
    call=$1
    worst=0
    until_ok advanced_to_end
    is "by advance alone" "$reference" "$(results_digest "$c")"
    is "... with one status call in each" 1 $worst
}

advanced_to_end() {
    : >"$tmp/calls"
    fanfold -C "$c" advance
    n=$(calls "$call")
    [ "$n" -le $worst ] || worst=$n
    [ "$(state_of "$c")" = "done" ]
}

# Cron overlaps a person, in $c.
cron_meets_a_person() {
    work_campaign "$c" 4
    echo "$waiting" >"$c/behaviour"
    fanfold -C "$c" run >"$tmp/out" 2>&1 &
    pid=$!
    ok "elements run" wait_running "$c"
    exits "another driver is told at once" 4 fanfold -C "$c" advance
    : >"$c/go"
    wait $pid
    is "the first one ends well" 0 $?
    is "... and each task ran once" "0 1 2 3 " "$(ran "$c")"
}

# goes_and_comes GO COME: commands that stop what answers, and start it again; the
# campaigns $tmp/submit and $tmp/cancel meet that.
goes_and_comes() {
    c=$tmp/submit
    work_campaign "$c" 4
    work_campaign "$tmp/cancel" 2
    echo "$waiting" >"$tmp/cancel/behaviour"
    ok "another campaign runs" fanfold -C "$tmp/cancel" advance
    ok "... " wait_running "$tmp/cancel" 2
    $1
    exits "nobody answers: advance says so, with status 5" 5 fanfold -C "$c" advance
    exits "... also where jobs run already" 5 fanfold -C "$tmp/cancel" advance
    exits "cancel is noted" 5 fanfold -C "$tmp/cancel" cancel
    ok "somebody answers again" $2
    ok "... the first campaign goes on" fanfold -C "$c" run
    undisturbed "... to its end"
    until_ok advanced_to_cancel
    is "the second one is cancelled" "" "$(jobs_left "$tmp/cancel")"
    is "... and paused" paused "$(state_of "$tmp/cancel")"
}

advanced_to_cancel() {
    fanfold -C "$tmp/cancel" advance
    [ -z "$(jobs_left "$tmp/cancel")" ]
}

# where_yaml DIR MODELS COMMANDS: so many tasks of two ranks on each of two nodes,
# which say where they are.
where_yaml() {
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: mpi
elements: [Si]
models: $2
stop: {iterations: 1}
stages:
  work: {uses: test.where, task: {nodes: 2, ranks: 4, cores: 4, walltime: 50s}}
operators:
  test.where:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {hosts: {type: string, list: true}}
    command: [$3]
END
}

# group_campaign DIR KEYS: two tasks, a driver and two clients on another node, which
# meet by files and make what does not depend on where they ran.  KEYS are the
# stage's; 'node_map: {far: local}' makes it one node.  While DIR/waits is there
# clients wait for DIR/go; who ran is in DIR/ran.
group_campaign() {
    mkdir -p "$1"
    $site "$1"
    sed -i 's/node: .*/node: {cores: 4}/' "$1/site.yaml"
    cat >"$1/driver" <<'END'
set -e
echo "$2 driver $3 $4" >>"$1/ran"
mkdir "$6"
until [ -s "$5/client.0" ] && [ -s "$5/client.1" ]; do sleep 0.1; done
cat "$5/client.0" "$5/client.1" >"$6/sum"
echo "{\"task\": $2}" >"$7"
END
    cat >"$1/client" <<'END'
echo "$2 client" >>"$1/ran"
[ ! -e "$1/waits" ] || until [ -e "$1/go" ]; do sleep 0.1; done
echo "$2 $3" >"$4/client.$3.new"
mv "$4/client.$3.new" "$4/client.$3"
END
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: group
elements: [Si]
models: 2
stop: {iterations: 1}
stages:
  work: {uses: test.group, $2}
operators:
  test.group:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {sum: {type: dir}, task: {type: int}}
    task: {walltime: 50s}
    group:
      workspace: global
      setup: [rm, -f, "{workspace}/client.0", "{workspace}/client.1"]
      report: {every: 100s, command: [sh, -c, 'echo "{{\"host\": \"\$(hostname)\"}}"']}
      programs:
        driver:
          command: [sh, "{campaign}/driver", "{campaign}", "{m}", "{hosts.local}", "{hosts.far}",
                    "{workspace}", "{outputs.sum}", "{outputs.params}"]
        client:
          node: far
          instances: 2
          command: [sh, "{campaign}/client", "{campaign}", "{m}", "{instance}", "{workspace}"]
END
}

# group_results DIR: of that campaign.
group_results() {
    (cd "$1/work" && find . -name sum -type f | sort | xargs sha256sum)
    fanfold -C "$1" result work task
}
