#!/bin/sh
# 0360-hostile - tasks that do their worst, and a disk they fill
. "$abs_top_srcdir/tests/cli/tap.sh"

become_nobody

# campaign DIR STAGES OPERATORS
campaign() {
    mkdir "$1"
    {
        printf 'format: 1\ncampaign: hostile\nelements: [Si]\nmodels: 4\n'
        printf 'stop: {iterations: 1}\nstages:\n%s\noperators:\n%s\n' "$2" "$3"
    } >"$1/campaign.yaml"
    sed 's/visibility: 2s/visibility: 2s, log: 1MiB/' \
        "$abs_top_srcdir/tests/cli/loop/site.yaml" >"$1/site.yaml"
    give_to_nobody "$1"
}

stray=98$$ # what strays sleep for, to be found by

cat >"$tmp/act.sh" <<END
# act.sh NAME OUT PARAMS - OUT is a directory to be made
mkdir -p "\$2"
echo good >"\$2/file"

# descend DIR NAME: a thousand levels of it, with a file at the bottom.
descend() {
    ten=\$2/\$2/\$2/\$2/\$2/\$2/\$2/\$2/\$2/\$2
    hundred=\$ten/\$ten/\$ten/\$ten/\$ten/\$ten/\$ten/\$ten/\$ten/\$ten
    cd "\$1"
    for i in 1 2 3 4 5 6 7 8 9 10; do
        mkdir -p \$hundred
        cd -P \$hundred
    done
    echo deep >file
}

case \$1 in
good*) ;;
loud)
    echo the beginning
    yes | head -c 1000000000
    echo the end
    ;;
children)
    sleep $stray &
    setsid sleep $stray &
    (setsid sh -c "sleep $stray & exit" &)
    env -i setsid sleep $stray &
    ;;
homeless) rm -rf "\$PWD" ;;
link) ln -s /etc/passwd "\$2/link" ;;
ladder) ln -s ../../../../../../.. "\$2/link" ;;
loop) ln -s link "\$2/link" ;;
pipe) mkfifo "\$2/pipe" ;;
params) mkfifo "\$3" ;;
newline) echo >"\$2/a
b" ;;
deep) descend "\$2" d ;;
deeper) descend "\$2" directory ;;
locked) chmod 000 "\$2" ;;
silent)
    log=\$(readlink /proc/self/fd/1)
    echo said
    : >/proc/self/fd/1
    rm "\$log"
    exec >&- 2>&-
    ;;
group) kill -KILL 0 ;;
limits)
    ulimit -n 3
    ulimit -f 0
    echo much >"\$2/more"
    ;;
esac
END
# size.sh NAME - how large our parent ever was
cat >"$tmp/size.sh" <<'END'
test -p params.json && exit
sed -n "s/VmHWM:[^0-9]*\([0-9]*\) kB/{\"$1\": \1}/p" /proc/$PPID/status >params.json
END
names='good, loud, children, homeless, link, ladder, loop, pipe, params, newline, deep, deeper, locked, silent, group, limits, good'
c=$tmp/nobody/acts
campaign "$c" '  act: {uses: test.act, success: 0.1, retry: {failed: 1, bad_output: 1}}
  deaf: {uses: test.deaf, success: 0, task: {walltime: 0.5s}, retry: {timeout: 1}}
  size: {uses: test.size, with: {memory: act.memory}}' "  test.act:
    fan_out: [name]
    inputs: {name: {type: string, default: [$names]}}
    outputs: {dir: {type: dir}, memory: {type: int}}
    command:
      - [sh, $tmp/act.sh, \"{name}\", \"{outputs.dir}\", \"{outputs.params}\"]
      - [sh, $tmp/size.sh, memory]
  test.deaf:
    command: [sh, -c, 'trap \"\" TERM; sleep $stray & while :; do sleep 1; done']
  test.size:
    inputs: {memory: {type: int, list: true}}
    command: ['true']
    collect:
      outputs: {driver: {type: int}}
      command: [sh, $tmp/size.sh, driver]"

ok "a campaign of hostile tasks ends" as_nobody fanfold -C "$c" run

# outcome WHAT TASK OUTCOME TEXT
outcome() {
    out=$(as_nobody fanfold -C "$c" explain act "$2")
    has "$1: $3" "task $2: $3, 1 try" "$out"
    [ -z "$4" ] || has "... and why" "$4" "$out"
}
outcome "a good one beside them" 0 ok
outcome "one that prints 1 GB" 1 ok "of its log were left out"
outcome "one that leaves children" 2 ok
outcome "one that removes its own directory" 3 failed "cannot enter"
outcome "a link out of the data space" 4 bad_output "is a link to '/etc/passwd'"
outcome "a relative one" 5 bad_output "not inside out/"
outcome "a link to itself" 6 bad_output "is a link to 'link'"
outcome "a pipe" 7 bad_output "neither a file nor a directory"
outcome "a pipe for parameters" 8 bad_output "not a regular file"
outcome "a line break in a file name" 9 bad_output "a line break in a file name"
outcome "a thousand levels of directories" 10 ok
outcome "... with a path too long for the kernel" 11 bad_output "File name too long"
outcome "outputs it may not read itself" 12 bad_output "Permission denied"
outcome "one without a log" 13 ok
outcome "one that kills its process group" 14 failed "signal 9"
outcome "one with limits of its own" 15 failed "File size limit exceeded"
outcome "another good one" 16 ok
is "all were begun once" 1 "$(cat "$c"/.fanfold/journal/* | grep -c '"ev":"attempt".*"stage":"act"')"
has "one that ignores SIGTERM is killed" "ended timeout" \
    "$(as_nobody fanfold -C "$c" explain deaf 0)"

log=$(as_nobody fanfold -C "$c" log act 1)
ok "the log of 1 GB is at most as long as limits: log says" test ${#log} -le 1048576
has "... has its beginning" "the beginning" "$(echo "$log" | head -3)"
has "... its end" "the end" "$(echo "$log" | tail -5)"
has "... and says what is missing" " bytes were left out here (limits: log)" "$log"

found=$(pgrep -f -a "sleep $stray")
is "no process is left" "" "$found"
memory_kib=$(as_nobody fanfold -C "$c" result act memory | jq 'max')
ok "the agent stayed small" test "$memory_kib" -lt 262144
memory_kib=$(as_nobody fanfold -C "$c" result size driver)
ok "the driver stayed small" test "$memory_kib" -lt 262144
as_nobody chmod -R u+rwx "$c"
ok "what they left can be removed" as_nobody rm -rf "$c"

# --- inputs are read-only ---

# Stages that write to a user's file, to what another stage committed, and to what
# was published, unless the file `fixed` is there.
# writers DIR
writers() {
    campaign "$1" "  first: {uses: test.first}
  theirs: {uses: test.write, with: {file: first.file}, retry: {failed: 1}}
  users: {uses: test.within, with: {dir: $1/users.dir}}
  both: {uses: test.both, with: {dir: $1/users.dir}}
  copied: {uses: test.write, with: {file: $1/users.file}, retry: {failed: 1}}" '  test.first:
    outputs: {file: {type: file}}
    command: [sh, -c, "echo committed > out/file"]
  test.write:
    inputs: {file: {type: file}}
    command: [sh, -c, "test -e \"$1/fixed.$2\" || echo more >> \"$3\"", sh, "{campaign}", "{task}", "{file}"]
  test.within:
    inputs: {dir: {type: dir}}
    command: [sh, -c, "test -e \"$1/fixed.$2\" || echo more >> \"$3/file\"", sh, "{campaign}", "{task}", "{dir}"]
  test.both:
    fan_out: [m]
    inputs: {m: {type: int, from: models}, dir: {type: dir}}
    command: [sh, -c, "test -e \"$1/fixed.both\" || test $2 != 1 || echo more >> \"$3/file\"", sh, "{campaign}", "{m}", "{dir}"]'
    mkdir "$1/users.dir"
    echo mine | tee "$1/users.dir/file" >"$1/users.file"
    give_to_nobody "$1"
}

# only DIR STAGE: leave out the other stages that write
only() {
    for stage in theirs users both copied; do
        [ $stage = "$2" ] || sed -i "/^  $stage:/d" "$1/campaign.yaml"
    done
}

# read_only WHO: as root modes stop nobody.
read_only() {
    c=$tmp/nobody/theirs.$1
    writers "$c"
    only "$c" theirs
    exits "$1: a task that writes to what another committed" 1 as_nobody fanfold -C "$c" run
    file=$c/first/test/iter/000000/job/000000/out/file
    is "... which is read-only" 444 "$(stat -c %a "$file")"
    if [ "$1" = root ]; then
        has "... is fatal" "task 0: fatal, 1 try" "$(as_nobody fanfold -C "$c" explain theirs 0)"
        has "... and the file is named" "'$file' was changed while task 0 ran" \
            "$(as_nobody fanfold -C "$c" explain theirs 0)"
    else
        has "... fails" "task 0: failed, 1 try" "$(as_nobody fanfold -C "$c" explain theirs 0)"
        is "... and the file is as it was" committed "$(cat "$file")"
    fi

    c=$tmp/nobody/copied.$1
    writers "$c"
    only "$c" copied
    exits "$1: a task that writes to the copy of a user's file" 1 as_nobody fanfold -C "$c" run
    is "... leaves the user's as it was" mine "$(cat "$c/users.file")"

    c=$tmp/nobody/users.$1
    writers "$c"
    only "$c" users
    exits "$1: a task that writes to a user's file" 1 as_nobody fanfold -C "$c" run
    has "... is fatal" "task 0: fatal, 1 try" "$(as_nobody fanfold -C "$c" explain users 0)"
    has "... the file is named, and what to do" \
        "'$c/users.dir/file' was changed while task 0 ran here; inputs must stay as they are; restore" \
        "$(as_nobody fanfold -C "$c" explain users 0)"
    echo mine >"$c/users.dir/file"
    touch "$c/fixed.0"
    ok "... when that is done, retry" as_nobody fanfold -C "$c" retry
    ok "... goes on" as_nobody fanfold -C "$c" run

    c=$tmp/nobody/both.$1
    writers "$c"
    only "$c" both
    exits "$1: one task of several that writes to a user's file" 1 as_nobody fanfold -C "$c" run
    is "... stops the campaign" paused "$(state_of "$c")"
    has "... the stage and the file are named" "stage 'both', task " "$(as_nobody fanfold -C "$c" status)"
    has "... " "'$c/users.dir/file' was changed while task" "$(as_nobody fanfold -C "$c" status)"
    touch "$c/fixed.both"
    ok "... when that is fixed, resume" as_nobody fanfold -C "$c" resume
    ok "... goes on" as_nobody fanfold -C "$c" run
    lacks "... and no task failed" 'tasks ended: [^o]' as_nobody fanfold -C "$c" explain both
}
read_only nobody
if [ "$(id -u)" -eq 0 ]; then
    before=$user
    user=
    FANFOLD_SPOOL=$tmp/spool
    read_only root
    user=$before
    FANFOLD_SPOOL=$tmp/nobody/spool
else
    not_here "tasks of root, whom modes do not stop"
fi

# --- devices: only root can make them ---

if [ "$(id -u)" -eq 0 ] && mknod "$tmp/device" c 1 5 2>"$tmp/why"; then
    c=$tmp/devices
    user=
    FANFOLD_SPOOL=$tmp/spool
    campaign "$c" '  act: {uses: test.device, retry: {bad_output: 1}}' '  test.device:
    outputs: {file: {type: file}}
    command: [mknod, "{outputs.file}", c, "1", "5"]'
    exits "a device" 1 fanfold -C "$c" run
    has "... is bad_output" "neither a file nor a directory" "$(fanfold -C "$c" explain act 0)"
else
    not_here "devices, which only root can make; pipes stand for them"
fi

# --- a disk that gets full ---

# Task 2 fills it, unless the file `mended` is there.
c=$tmp/disk/c
mkdir "$tmp/disk"
user=
FANFOLD_SPOOL=$tmp/spool
if mount -t tmpfs -o size=4m tmpfs "$tmp/disk" 2>"$tmp/why"; then
    trap 'status=$?; umount "$tmp/disk"; tap_end $status' EXIT
    full=tmpfs
else
    not_here "a small disk, which cannot be mounted ($(cat "$tmp/why")); ENOSPC is injected instead"
    full=injected
fi
campaign "$c" '  work: {uses: test.work}' "  test.work:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {f: {type: file}}
    command:
      - [sh, -c, 'if test \$1 = 2 && ! test -e \$2; then head -c 100M /dev/zero >out/hog; else echo \$1 >\$3; fi', sh, \"{m}\", $tmp/mended, \"{outputs.f}\"]"
sed -i 's/cores: 2/cores: 1/' "$c/site.yaml"
if [ $full = tmpfs ]; then
    fanfold -C "$c" run >"$tmp/log" 2>&1
    status=$?
else
    "$abs_top_builddir/tests/crash/fail_at" fail "$c:$FANFOLD_SPOOL" agent \
        openat 'A/.fanfold/run/0/0/0/work/0.*/0/task.json' 3 ENOSPC on \
        fanfold -C "$c" run >/dev/null 2>"$tmp/log"
    status=$?
fi
sed 's/^/# /' "$tmp/log"
is "the driver stops" 1 $status
has "... says what is wrong" "No space left on device" "$(cat "$tmp/log")"
has "... and with which task" "stage 'work', task 2: " "$(cat "$tmp/log")"
is "the campaign is paused" paused "$(state_of "$c")"
has "status says why" "No space left on device" "$(fanfold -C "$c" status)"
lacks "no task failed" 'tasks ended: [^o]' fanfold -C "$c" explain work
rm -rf $(run_files "$c" work '*' '*/*/work')
touch "$tmp/mended"
ok "when there is room again, resume" fanfold -C "$c" resume
ok "... goes on" fanfold -C "$c" run
is "... to the same results" "0 1 2 3" "$(cd "$c" && echo $(fanfold -C . result work f | jq -r '.[]' | xargs cat))"
has "no try was charged" "task 2: ok, 1 try" "$(fanfold -C "$c" explain work 2)"

done_testing
