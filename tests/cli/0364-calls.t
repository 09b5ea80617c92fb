#!/bin/sh
# 0364-calls - functions that are called: arguments, results, turns, then
. "$abs_top_srcdir/tests/cli/tap.sh"

# npy FILE DTYPE N BYTES: an array [N] of zeros of so many bytes each.
npy() {
    printf "\223NUMPY\001\000\166\000%-117s\n" \
        "{'descr': '<$2', 'fortran_order': False, 'shape': ($3,), }" >"$1"
    head -c $(($3 * $4)) /dev/zero >>"$1"
}

# campaign DIR: `fit` counts on from the last call; with a file `hold` it waits until
# that is gone, with a file `fail` it fails.  `told` is what `then:` wrote.
campaign() {
    mkdir -p "$1/start" "$1/bin"
    echo 0 >"$1/start/n"
    npy "$1/four.npy" f4 4 4
    npy "$1/five.npy" i4 5 4
    npy "$1/labels.npy" i4 4 4
    npy "$1/reals.npy" f8 4 8
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
    cat >"$1/bin/fit" <<'END'
#!/bin/sh
while [ -e "$1/hold" ]; do sleep 0.02; done
[ ! -e "$1/fail" ] || { echo "no fit today" >&2; exit 1; }
mkdir "$3"
echo $(($(cat "$2/n") + 1)) >"$3/n"
printf '{"loss": 0.5, "n": %d}' "$(cat "$3/n")" >"$4"
END
    cat >"$1/bin/tell" <<'END'
#!/bin/sh
echo "$FANFOLD_FUNCTION $FANFOLD_CALL $FANFOLD_EVENT_ID $(jq -c .n)" >>told
[ ! -e then-fails ] || { echo "nobody listens"; exit 1; }
END
    chmod +x "$1"/bin/*
    cat >"$1/campaign.yaml" <<'END'
format: 1
campaign: called
seed: 7
functions:
  fit:
    type: train
    uses: mlp.fit
    retry: {failed: 1}
    with: {model: {from: latest.fit.model, default: ./start}}
    then: ["{campaign}/bin/tell"]
  score:
    type: predict
    uses: mlp.score
    with: {model: latest.fit.model}
operators:
  mlp.fit:
    inputs:
      images: {type: npy, dtype: f4, shape: [batch]}
      labels: {type: npy, dtype: i4, shape: [batch]}
      model: {type: dir}
      rate: {type: float, default: 0.1}
      title: {type: string, optional: true}
    outputs: {n: {type: int}, model: {type: dir}, loss: {type: float}}
    command: ["{campaign}/bin/fit", "{campaign}", "{model}", "{outputs.model}",
      "{outputs.params}"]
  mlp.score:
    fan_out: [scale]
    inputs:
      model: {type: dir}
      scale: {type: int}
      pause: {type: duration, default: 0s}
    outputs: {score: {type: int}}
    command: [sh, -c, 'sleep "$4"; echo "{\"score\": $(($1 * $(cat "$2/n")))}" >"$3"', sh,
      "{scale}", "{model}", "{outputs.params}", "{pause}"]
END
}

# --- a call, and another one ---

c=$tmp/c
campaign "$c"
cd "$c" || exit 1
ok "a campaign of functions alone is good" fanfold check
has "... which check says" "called: 2 functions: no problems" "$out"
ok "plan lists them" fanfold plan
has "... with what they are called with" \
    "fanfold call fit images=npy(f4,[batch]) labels=npy(i4,[batch]) [rate=float] [title=string]" \
    "$out"
has "... and what latest. is" "model <- latest.fit.model" "$out"
exits "there is nothing to run" 1 fanfold run
has "... but to call" 'call one: `fanfold call fit`' "$out"
exits "score sees no model yet" 1 fanfold call score scale='[1]'
has "... which is said" "no call of 'fit' is done that made a 'model'" "$out"
ok "nothing was made" test ! -e calls

fanfold call fit images=four.npy labels=labels.npy >"$tmp/first" 2>"$tmp/err"
is "a call prints its outputs in their order, and nothing else" \
    '{"n":1,"model":"calls/fit/000000/fit/mlp/iter/000000/job/000000/out/model","loss":0.5}' \
    "$(jq -c . "$tmp/first")$(cat "$tmp/err")"
is "... which are there" 1 "$(cat "$(jq -r .model "$tmp/first")/n")"
mkdir "$tmp/e" # whose name is as long as the campaign's
cp four.npy "$tmp/e/mine.npy"
(cd "$tmp/e" && fanfold -C "$c" call fit images=mine.npy labels="$c/labels.npy" \
    rate=1e-3 title='"0.10"') >"$tmp/second"
is "another one goes on from it, with files of another directory" 2 "$(jq .n "$tmp/second")"
is "its site is the campaign's" ../../../site.yaml "$(readlink calls/fit/000001/site.yaml)"
is "what latest. was is written down" '{"function":"fit","call":0}' \
    "$(jq -c .campaign.call.latest.model calls/fit/000001/config/iter/000000/config.json)"
is "... text stays text" '"0.10"' \
    "$(jq -c .campaign.stages.fit.with.title.literal calls/fit/000001/config/iter/000000/config.json)"
is "the seed goes on, too" 8 "$(sed -n 's/^seed: //p' calls/fit/000001/campaign.yaml)"
ok "all commands work there" fanfold -C calls/fit/000001 check
is "... also status" done "$(fanfold -C calls/fit/000001 status --json | jq -r .state)"
is "result tells it again" "$(cat "$tmp/second")" "$(fanfold result fit --call 1)"
is "... or one output" 0.5 "$(fanfold result fit loss --call 1)"
fanfold call score scale='[1, 10]' >"$tmp/score"
is "a function with slices stacks" '{"score":[2,20]}' "$(jq -c . "$tmp/score")"
mv "$c" "$tmp/moved"
c=$tmp/moved
cd "$c" || exit 1
fanfold call fit images=four.npy labels=labels.npy >"$tmp/third"
is "a campaign that was moved goes on" 3 "$(jq .n "$tmp/third")"

# --- arguments ---

# refused WHAT TEXT ARGUMENT...
refused() {
    what=$1
    text=$2
    shift 2
    exits "$what" 3 fanfold call "$@"
    is "... which is said" "fanfold: $text" "$out"
}
find calls | sort >"$tmp/before"
refused "an argument is missing" \
    "labels: is not given, and function 'fit' needs it (npy(i4,[batch])); add labels=VALUE" \
    fit images=four.npy
refused "another dtype" \
    "labels: expected npy(i4,[batch]), got npy(f8,[4]); see operator 'mlp.fit'" \
    fit images=four.npy labels=reals.npy
refused "another size" \
    "stage 'fit': size 'batch' is 4 in input 'images' and 5 in input 'labels'; bind arrays that agree" \
    fit images=four.npy labels=five.npy
refused "no such file" "images: no such file 'for.npy'; see operator 'mlp.fit'" \
    fit images=for.npy labels=labels.npy
refused "no number" "rate: expected float, got 'fast'; write a number" \
    fit images=four.npy labels=labels.npy rate=fast
refused "a name that there is not" "lables: function 'fit' has no such input; did you mean 'labels'?" \
    fit images=four.npy lables=labels.npy
refused "another such" \
    "x: function 'fit' has no such input; there is images, labels, rate, title" \
    fit images=four.npy labels=labels.npy x=1
refused "what with: binds" \
    "model: with: of function 'fit' binds it; remove it there if whoever calls is to say it" \
    fit images=four.npy labels=labels.npy model=start
refused "an argument twice" "rate: was given before; remove one of them" \
    fit images=four.npy labels=labels.npy rate=1 rate=2
refused "a word that is none" "'four.npy' is no argument; write NAME=VALUE" fit four.npy
refused "an empty one" "rate: nothing is given; write rate=VALUE, or rate='\"\"' for text without letters" \
    fit images=four.npy labels=labels.npy rate=
refused "a list that is none" "scale: expected list of int, got 'x'; write a list, [a, b, ...]" \
    score scale=x
exits "YAML that is none" 3 fanfold call score "scale=[1"
exits "a function that there is not" 2 fanfold call fits
is "... with the nearest" "fanfold: there is no function 'fits'; did you mean 'fit'?" "$out"
is "nothing was created" "$(cat "$tmp/before")" "$(find calls | sort)"
mkdir "$tmp/none"
sed 's/^functions:/stop: {iterations: 1}\nstages: {a: {uses: mlp.score, with: {model: .\/start, scale: 1}}}\nx:/' \
    campaign.yaml | sed '/^x:/,/latest.fit.model}$/d' >"$tmp/none/campaign.yaml"
mkdir "$tmp/none/start"
exits "a campaign without functions" 2 fanfold -C "$tmp/none" call fit
has "... says so" "the campaign has no functions; add functions:" "$out"

# --- in turn, or side by side ---

cp -r "$c" "$tmp/turns"
cd "$tmp/turns" || exit 1
rm -rf calls told
touch hold
is "an asynchronous call prints its number" 0 "$(fanfold call fit images=four.npy labels=labels.npy --async)"
exits "it has no result yet" 5 fanfold result fit --call 0
exits "... nor soon" 5 fanfold result fit --call 0 --wait --timeout 0.1s
exits "one behind it is refused" 4 fanfold call fit images=four.npy labels=labels.npy --async
has "... with what to do" 'fanfold result fit --call 0 --wait' "$out"
has "status counts it" '"running": 1' "$(fanfold status --json)"
fanfold call fit images=four.npy labels=labels.npy >"$tmp/behind" 2>&1 &
behind=$!
rm hold
wait $behind
is "one that waits for its result drives it first, and goes on from it" 2 "$(jq .n "$tmp/behind")"
is "the other is done, too" 1 "$(fanfold result fit n --call 0)"
fanfold -C calls/fit/000001 redo fit >/dev/null 2>&1
fanfold -C calls/fit/000001 pause >/dev/null 2>&1
exits "behind one that somebody paused is no way" 4 fanfold call fit images=four.npy labels=labels.npy
has "... which is said" "call 1 of 'fit' is paused" "$out"
fanfold -C calls/fit/000001 resume >/dev/null
ok "result drives what is left" fanfold result fit --call 1 --wait

numbers=$(for i in 1 2 3 4; do fanfold call score scale=1 --async & done; wait)
is "predictions run side by side, each with a number of its own" "0 1 2 3" \
    "$(echo "$numbers" | sort -n | tr '\n' ' ' | sed 's/ $//')"
for i in 0 1 2 3; do
    is "... and a result" '[0]' "$(fanfold result score score --call $i --wait | jq -c .)"
done
for i in 1 2 3; do fanfold call fit images=four.npy labels=labels.npy >"$tmp/at-once.$i" 2>&1 & done
wait
is "trainings that are called at once come one after another" "3 4 5" \
    "$(jq .n "$tmp"/at-once.* | sort -n | tr '\n' ' ' | sed 's/ $//')"

# --- failures, and what is run then ---

touch fail
exits "a call fails" 1 fanfold call fit images=four.npy labels=labels.npy
has "... with the last line of its task" "no fit today" "$out"
has "... and what to do" '`fanfold -C calls/fit/000005 log fit --failed`' "$out"
is "result says the same" "$out" "$(fanfold result fit --call 5 2>&1)"
has "status counts it" "function fit (train): 6 calls: 5 done, 1 failed" "$(fanfold status)"
rm fail
is "latest. passes it over" 6 "$(fanfold call fit images=four.npy labels=labels.npy | jq .n)"
ok "it can be tried again" fanfold -C calls/fit/000005 retry
is "... and has its result" 6 "$(fanfold result fit n --call 5 --wait)"

is "then was told every call once" "0 1 2 3 4 5 6" \
    "$(awk '{ print $2 }' told | sort -n | tr '\n' ' ' | sed 's/ $//')"
is "... each by a name of its own" 7 "$(awk '{ print $3 }' told | sort -u | wc -l)"
rm told
touch then-fails
ok "what is run then fails, and the call does not" fanfold call fit images=four.npy labels=labels.npy
has "... which is told" "warning: call 7 of 'fit' is done, but what is to be run then failed" "$out"
has "... with its last line" "nobody listens" "$out"
has "status tells it" "1 done, but what is run then failed" "$(fanfold status)"
has "... that of the call, too" "then: failed: " "$(fanfold -C calls/fit/000007 status)"
rm then-fails
ok "whoever asks for the result runs it again" fanfold result fit --call 7
is "... with the same name" "2 1" "$(awk '{ n++; ids[$3] } END { print n, length(ids) }' told)"
ok "and never again" fanfold -C calls/fit/000007 run
is "... as the file shows" 2 "$(wc -l <told)"

# A driver that is told to end does not wait for a program that it runs itself.
# interrupted WHAT PIDS COMMAND...: while the program runs that writes to PIDS.
interrupted() {
    what=$1
    pids=$2
    shift 2
    "$@" >"$tmp/interrupted" 2>&1 &
    driver=$!
    until_ok sh -c "test -s $pids || ! kill -0 $driver"
    kill -TERM $driver
    wait $driver
    is "$what: the driver ends" 130 $?
    ok "... and so does the program" until_ok sh -c "! kill -0 $(cat "$pids")"
    rm "$pids"
}
mkdir "$tmp/slow"
cd "$tmp/slow" || exit 1
cat >campaign.yaml <<'END'
format: 1
campaign: slow
functions:
  said: {type: train, uses: my.say, then: [sh, -c, "echo x >>told; test -e quick || { echo $$ >told.pid; exec sleep 1000; }"]}
  made: {type: train, uses: my.make}
operators:
  my.say:
    outputs: {n: {type: int}}
    command: [sh, -c, 'echo "{\"n\": 1}" >params.json']
  my.make:
    prepare:
      slices: {n: {type: int}}
      command: [sh, -c, 'test -e "$1/quick" || { echo $$ >"$1/made.pid"; exec sleep 1000; }; echo "{\"n\": [1]}" >"$2"', sh, "{campaign}", "{outputs.slices}"]
    outputs: {m: {type: int}}
    command: [sh, -c, 'echo "{\"m\": 1}" >params.json']
END
interrupted "told to end while then: runs" told.pid fanfold call said
has "... says so" "interrupted" "$(cat "$tmp/interrupted")"
interrupted "told to end while prepare: runs" made.pid fanfold call made
touch quick
ok "the next driver of that call" fanfold -C calls/said/000000 run
is "... runs it again" 2 "$(wc -l <told)"
ok "... prepares that one" fanfold -C calls/made/000000 run
is "... which is no failed try" 1 "$(fanfold result made --call 0 | jq -c '.m[0]')"

# --- what is written into the call's campaign.yaml is read as the same ---

mkdir "$tmp/texts"
cd "$tmp/texts" || exit 1
cat >campaign.yaml <<'END'
format: 1
campaign: texts
functions: {say: {type: predict, uses: my.say}}
operators:
  my.say:
    inputs: {s: {type: string, default: d}, l: {type: string, list: true, default: []}}
    outputs: {o: {type: string}}
    command:
      - python3
      - -c
      - |
        import sys, json
        json.dump({"o": sys.argv[2]}, open(sys.argv[1], "w"))
      - "{outputs.params}"
      - "{s}"
END
ok "a list with a short item before one of several lines" fanfold check
# says WHAT JSON: the argument comes back.
says() {
    is "$1" "$2" "$(fanfold call say s="$2" | jq -c .o)"
}
says "plain text" '"x y"'
says "several lines" '"a\nb\n"'
is "U+2028 is text and ends no line" "$(printf '"a\\nb\342\200\250#gone"')" \
    "$(fanfold call say 's="a\nb\u2028#gone"' | jq -c .o)"
is "... nor begins a key" "$(printf '"\342\200\250defaults: {task: {cores: 2}}"')" \
    "$(fanfold call say 's="\u2028defaults: {task: {cores: 2}}"' | jq -c .o)"
is "U+0085 is text" "$(printf '"x\302\205y"')" "$(fanfold call say 's="x\u0085y"' | jq -c .o)"
ok "a list of a word and a mapping is an argument" fanfold call say l='["x", "a\nb"]'

# --- a function with steps ---

mkdir "$tmp/steps"
cd "$tmp/steps" || exit 1
cat >campaign.yaml <<'END'
format: 1
campaign: steps
functions:
  fit:
    type: train
    uses: my.train
    with: {start: {from: latest.fit.total, default: 1}}
    steps: {run: {retry: {failed: 1}}}
    then: [sh, -c, "cat >told"]
operators:
  my.train:
    inputs: {n: {type: int}, start: {type: int}}
    steps:
      prep: {uses: my.prep, with: {n: inputs.n}}
      run: {uses: my.run, with: {i: prep.items, start: inputs.start}}
    outputs: {total: run.total, items: prep.items}
  my.prep:
    inputs: {n: {type: int}}
    outputs: {items: {type: int, list: true}}
    command: [sh, -c, 'echo "{\"items\": [2, $1]}" >params.json', sh, "{n}"]
  my.run:
    inputs: {i: {type: int, list: true}, start: {type: int}}
    outputs: {total: {type: int}}
    command: [sh, -c, 'n=0; for i; do n=$((n + i)); done; echo "{\"total\": $n}" >params.json',
      sh, "{start}", "{i}"]
END
ok "its operators are checked" fanfold check
is "it is called like any other" '{"total":6,"items":[2,3]}' "$(fanfold call fit n=3 | jq -c .)"
is "... again, from what it made" '{"total":13,"items":[2,5]}' "$(fanfold call fit n=5 | jq -c .)"
is "... which then was told" 13 "$(jq .total told)"

# --- of a stage ---

# The second task of `make` fails, and there is one iteration, 0.
mkdir "$tmp/stage"
cd "$tmp/stage" || exit 1
cat >campaign.yaml <<'END'
format: 1
campaign: stage
stop: {iterations: 1}
stages:
  make: {uses: my.make, with: {n: [1, 2, 3]}, success: 0.6, retry: {failed: 1}}
functions:
  sum: {type: predict, uses: my.sum, with: {all: latest.make.m}}
operators:
  my.make:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {m: {type: int}}
    command: [sh, -c, '[ "$1" != 2 ] && echo "{\"m\": $1}" >params.json', sh, "{n}"]
  my.sum:
    inputs: {all: {type: int, list: true}}
    outputs: {given: {type: string}}
    command: [sh, -c, 'echo "{\"given\": \"$*\"}" >params.json', sh, "{all}"]
END
exits "a stage that is not done yet has nothing" 1 fanfold call sum
ok "a campaign of one iteration" fanfold run
is "what a function gets of it, without the hole of the failed task" '{"given":"1 3"}' \
    "$(fanfold call sum | jq -c .)"
is "... of iteration 0" '{"stage":"make","iteration":0}' \
    "$(jq -c .campaign.call.latest.all calls/sum/000000/config/iter/000000/config.json)"

done_testing
