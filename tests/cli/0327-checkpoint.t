#!/bin/sh
# 0327-checkpoint - a try that was cut short goes on where the last one was
. "$abs_top_srcdir/tests/cli/tap.sh"

# campaign DIR STEP [OPERATOR]: one task of six steps.  What happens in a step
# tells $STEP, a piece of sh that knows $n, its number; what the next one begins
# with is in md.restart.
campaign() {
    mkdir -p "$1"
    printf '%s' "$2" >"$1/step"
    cat >"$1/program" <<-'EOF'
	#!/bin/sh
	echo "$3" >>"$1/restarts"
	echo $PPID >"$1/agent"
	n=0
	[ "$3" = false ] || n=$(cat md.restart)
	jq -r .restart task.json >>"$1/told"
	while [ "$n" -lt 6 ]; do
	    n=$((n + 1))
	    echo "$n" >next && mv next md.restart
	    echo "step $n" >>"$1/steps"
	    . "$1/step"
	done
	printf '{"steps": %d}' "$n" >"$2"
	EOF
    chmod +x "$1/program"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
    cat >"$1/campaign.yaml" <<-EOF
	format: 1
	campaign: checkpoint
	elements: [Si]
	stages: {md: {uses: toy.md}}
	stop: {iterations: 1}
	operators:
	  toy.md:
	    checkpoint: [md.restart]
	    outputs: {steps: {type: int}, log: {type: file, optional: true}}
	    task: {walltime: 2s}
	    command: [$1/program, $1, "{outputs.params}", "{restart}"]
	EOF
}

# walltimes DIR: of a task, in each attempt
walltimes() {
    run_files "$1" md '000000' '0*/000000/job.json' | xargs -r jq .task.walltime_s | xargs
}

# three times out, at steps 2, 3 and 5
c=$tmp/timeouts
campaign "$c" 'case $n in
    2|3) exec sleep 9 ;;
    5) fanfold -C "$1" explain md 0 >"$1/explained"; exec sleep 9 ;;
    esac'
echo 'md: {uses: toy.md, retry: {timeout: {tries: 2, walltime: x2}}}' >"$tmp/stage"
sed -i "s/stages: .*/stages: {$(cat "$tmp/stage")}/" "$c/campaign.yaml"
ok "three timeouts, where a second one would be too many" fanfold -C "$c" run
is "... each try went on" "false true true true" "$(xargs <"$c/restarts")"
is "... which task.json told, too" "false true true true" "$(xargs <"$c/told")"
is "... and no step was done twice" "step 1 step 2 step 3 step 4 step 5 step 6" \
    "$(xargs <"$c/steps")"
has "one try is charged" "task 0: ok, 1 try" "$(fanfold -C "$c" explain md 0)"
is "the walltime stays" "2 2 2 2" "$(walltimes "$c")"
has "explain said so" "continues from a checkpoint of try 2 (md.restart, 2 B)" \
    "$(cat "$c/explained")"
is "what these tries used is not lost" "true 0" \
    "$(fanfold -C "$c" status --json | jq -r '.used | "\(.core_hours > 0) \(.lost.core_hours)"')"
silent "no checkpoint is left" run_files "$c" md 000000 'checkpoint/*'
is "replayed, the journal tells the same" "ok, 1 try" \
    "$(rm "$c/state.json"; fanfold -C "$c" explain md 0 | sed -n 's/^task 0: //p')"

# it does not get further: the first try is free, then two are charged
c=$tmp/stuck
campaign "$c" '[ $n -lt 2 ] || exec sleep 9'
sed -i "s/stages: .*/stages: {$(cat "$tmp/stage")}/; s/md.restart\]/md.restart, other]/" \
    "$c/campaign.yaml"
sed -i 's/n=$((n + 1))/n=2/' "$c/program"
exits "a task that gets no further fails" 1 fanfold -C "$c" run
has "... after the tries it has" "task 0: timeout, 2 tries" "$(fanfold -C "$c" explain md 0)"
is "... what they used is lost" true \
    "$(fanfold -C "$c" status --json | jq '.used.lost.core_hours > 0')"
is "... and one that was not charged" "false true true" "$(xargs <"$c/restarts")"
is "... with more walltime once it was" "2 2 4" "$(walltimes "$c")"

# a signal breaks it off each time at the same place: from what it left it is tried once
c=$tmp/broken
campaign "$c" '[ $n -lt 2 ] || kill -9 $$'
sed -i 's/stages: .*/stages: {md: {uses: toy.md, retry: {failed: 3}}}/' "$c/campaign.yaml"
sed -i 's/n=$((n + 1))/n=2/' "$c/program"
exits "a program that is always killed there" 1 fanfold -C "$c" run
has "... fails after the tries it has" "task 0: failed, 3 tries" "$(fanfold -C "$c" explain md 0)"
is "... which begin anew where the checkpoint led to nothing" "false true false" "$(xargs <"$c/restarts")"

# the agent is killed: nobody logs an end
c=$tmp/killed
campaign "$c" 'case $n in 2|4) kill -9 "$(cat "$1/agent")"; exec sleep 9;; esac'
sed -i 's/walltime: 2s/walltime: 60s/' "$c/campaign.yaml"
ok "agents that are killed" fanfold -C "$c" run
is "... leave their files, too" "false true true" "$(xargs <"$c/restarts")"
has "... and charge nothing" "task 0: ok, 1 try" "$(fanfold -C "$c" explain md 0)"

# a failure is one: the next try begins anew
c=$tmp/failed
campaign "$c" '[ $n != 3 ] || [ "$(wc -l <"$1/restarts")" != 2 ] || exit 1
    [ $n != 2 ] || [ "$(wc -l <"$1/restarts")" != 1 ] || exec sleep 9'
ok "a try that goes on and fails" fanfold -C "$c" run
is "... begins anew" "false true false" "$(xargs <"$c/restarts")"
has "... and is charged" "task 0: ok, 2 tries" "$(fanfold -C "$c" explain md 0)"

# a person cancels and goes on
c=$tmp/cancelled
campaign "$c" 'if [ $n = 2 ]; then fanfold -C "$1" cancel >/dev/null; exec sleep 9; fi'
sed -i 's/walltime: 2s/walltime: 60s/' "$c/campaign.yaml"
ok "a task is cancelled" fanfold -C "$c" run
has "... status says what it will go on from" \
    "md: task 0 continues from a checkpoint of try 1 (md.restart, 2 B)" "$(fanfold -C "$c" status)"
fanfold -C "$c" resume >/dev/null
ok "... and after resume" fanfold -C "$c" run
is "... it goes on" "false true" "$(xargs <"$c/restarts")"

c=$tmp/wrong
campaign "$c" ''
sed -i 's/\[md.restart\]/[md.restart, \/tmp\/x, ..\/y]/' "$c/campaign.yaml"
exits "patterns that leave the directory" 3 fanfold -C "$c" check
has "... are named" "checkpoint: '../y' is no pattern of files in the task's working directory" \
    "$out"

done_testing
