#!/bin/sh
# 0374-sealed - what somebody changes in results that are there is told, and used by nobody
. "$abs_top_srcdir/tests/cli/tap.sh"

# sealed DIR ITERATIONS STAGES OPERATORS
sealed() {
    mkdir -p "$1"
    printf 'format: 1\ncampaign: sealed\nstop: {iterations: %s}\nstages:\n%s\noperators:\n%s\n' "$2" "$3" "$4" >"$1/campaign.yaml"
    printf 'format: 1\nprofiles: {here: {scheduler: local, node: {cores: 1}}}\n' >"$1/site.yaml"
}
# once_more DIR: the stop lies one iteration further.
once_more() {
    sed -i 's/iterations: 1/iterations: 2/' "$1/campaign.yaml"
}
# overwrite FILE TEXT: by somebody who may.
overwrite() {
    chmod u+w "$1" && printf '%s\n' "$2" >"$1"
}
digest() {
    sha256sum <"$1" | cut -d' ' -f1
}

add='  x.add:
    inputs: {n: {type: int}, after: {type: int, default: 0}}
    outputs: {v: {type: int}}
    script: '\''echo "{\"v\": $((n + after))}" >$outputs_params'\'

# --- outputs.json ---

c=$tmp/outputs
sealed "$c" 1 '  a: {uses: x.add, with: {n: 10}, when: iteration == 0}
  b: {uses: x.add, with: {n: 1, after: latest.a.v}}' "$add"
ok "a campaign runs" fanfold -C "$c" run
file=$c/a/x/iter/000000/outputs.json
is "outputs.json is read-only" 444 "$(stat -c %a "$file")"
was=$(digest "$file")
has "... and the journal has its digest" "\"outputs\":\"$was\"" "$(cat "$c"/.fanfold/journal/* | grep '"ev":"stage"' | grep '"a"')"
cp -p "$file" "$tmp/kept"
overwrite "$file" "$(sed 's/"v": 10/"v": 5000/' "$file")"
has "it was edited" 5000 "$(cat "$file")"
exits "verify finds it" 1 fanfold -C "$c" verify
has "... with both digests" "a/x/iter/000000/outputs.json: differs: its sha256 is $(digest "$file"), and was $was" "$out"
exits "result refuses it" 1 fanfold -C "$c" result a v --iteration 0
has "... and says what to do" "restore it, or run \`fanfold redo a --iteration 0\`" "$out"
once_more "$c"
exits "a stage that is bound to it fails" 1 fanfold -C "$c" run
has "... with the file and both digests" "$file: differs: its sha256 is $(digest "$file"), and was $was" "$out"
cp -rp "$c" "$tmp/other"
cp -p "$tmp/kept" "$file"
ok "the file is restored" fanfold -C "$c" retry
ok "... and the campaign goes on" fanfold -C "$c" run
is "... with what it held" 11 "$(fanfold -C "$c" result b v)"
c=$tmp/other
ok "redo makes it again" fanfold -C "$c" redo a --iteration 0 --yes
ok "... too" fanfold -C "$c" run
is "... and the campaign has right results" 11 "$(fanfold -C "$c" result b v)"
ok "... all of them" fanfold -C "$c" verify

# Conditions read it, too.
c=$tmp/condition
sealed "$c" 1 '  a: {uses: x.add, with: {n: 10}}
  b: {uses: x.add, with: {n: 1}, when: previous.a.v == 10}' "$add"
ok "a campaign with a condition" fanfold -C "$c" run
once_more "$c"
file=$c/a/x/iter/000000/outputs.json
cp -p "$file" "$tmp/kept"
overwrite "$file" "$(sed 's/"v": 10/"v": 5000/' "$file")"
exits "a condition is not decided by it" 5 fanfold -C "$c" advance
has "... which names it" "$file: differs: " "$out"
cp -p "$tmp/kept" "$file"
ok "once it is restored" fanfold -C "$c" run
is "... the stage runs" 1 "$(fanfold -C "$c" result b v)"

# --- artifacts ---

made='  t.make:
    outputs: {d: {type: dir}, f: {type: file}}
    script: mkdir $outputs_d; echo 1 >$outputs_d/x; echo 1 >$outputs_f
  t.evil: {inputs: {d: {type: dir}}, outputs: {o: {type: file}}, script: '\''eval "$EVIL"; echo >$outputs_o'\''}
  t.use:
    inputs: {d: {type: dir}, f: {type: file}, after: {type: file, optional: true}}
    outputs: {o: {type: file}}
    script: cat $d/* $f >$outputs_o'
stages='  make: {uses: t.make, when: iteration == 0}
  use: {uses: t.use, with: {d: latest.make.d, f: latest.make.f}}'
c=$tmp/whole
sealed "$c" 1 "$stages" "$made"
ok "a stage uses what another one made" fanfold -C "$c" run
once_more "$c"
out_dir=make/t/iter/000000/job/000000/out
# damaged WHAT WORDS COMMAND: a copy of the campaign in which that was done to
# make's `out` goes on; when all is put back, and when that is made again, it does.
damaged() {
    c=$tmp/changed
    cp -rp "$tmp/whole" "$c"
    chmod -R u+w "$c/$out_dir"
    (cd "$c/$out_dir" && eval "$3")
    exits "$1: who uses it is told" 1 fanfold -C "$c" run
    has "... which file" "$2" "$out"
    has "... and what to do" "\`fanfold redo make --iteration 0\`" "$out"
    exits "... verify names it, too" 1 fanfold -C "$c" verify
    cp -rp "$c" "$tmp/redone"
    rm -r "${c:?}/$out_dir"
    cp -rp "$tmp/whole/$out_dir" "$c/$out_dir"
    ok "... it is restored" fanfold -C "$c" retry
    ok "... and the campaign goes on" fanfold -C "$c" run
    ok "... redo makes it again" fanfold -C "$tmp/redone" redo make --iteration 0 --yes
    ok "... and goes on, too" fanfold -C "$tmp/redone" run
    ok "... with nothing wrong" fanfold -C "$tmp/redone" verify
    rm -rf "$c" "$tmp/redone"
}
one=$(echo 1 | sha256sum | cut -d' ' -f1)
two=$(echo 2 | sha256sum | cut -d' ' -f1)
damaged "a file was edited" "$out_dir/f' differs: its sha256 is $two, and was $one" "echo 2 >f"
damaged "a file of a directory" "$out_dir/d/x' differs: its sha256 is $two, and was $one" "echo 2 >d/x"
damaged "a file was added" "$out_dir/d/new' was added: its sha256 is $two" "echo 2 >d/new"
damaged "a file was taken away" "$out_dir/d/x' was taken away: its sha256 was $one" "rm d/x"
damaged "an artifact was taken away" "$out_dir/f" "rm f"

# What looks as it did is not read, unless that is asked for.
c=$tmp/looks
cp -rp "$tmp/whole" "$c"
chmod u+w "$c/$out_dir/f"
touch -r "$c/$out_dir/f" "$tmp/time"
echo 2 >"$c/$out_dir/f"
touch -r "$tmp/time" "$c/$out_dir/f"
cp -rp "$c" "$tmp/always"
ok "an edit that hides is not seen" fanfold -C "$c" run
sed -i 's/^stop:/verify: always\n&/' "$tmp/always/campaign.yaml"
exits "... but with verify: always" 1 fanfold -C "$tmp/always" run
has "... it is" "$out_dir/f' differs: its sha256 is $two, and was $one" "$out"
c=$tmp/touched
cp -r "$tmp/whole" "$c"
touch "$c/$out_dir/f" "$c/$out_dir/d/x"
ok "other times of the same contents are no difference" fanfold -C "$c" run
sed -i 's/^stop:/verify: sometimes\n&/' "$c/campaign.yaml"
exits "a word that verify: does not know" 3 fanfold -C "$c" check
has "... is told" "verify: there is no 'sometimes'" "$out"

# What collect made.
c=$tmp/collected
sealed "$c" 1 '  make: {uses: t.all, when: iteration == 0}
  use: {uses: t.use, with: {d: latest.make.d, f: latest.make.f}}' '  t.all:
    outputs: {n: {type: int}}
    script: echo "{\"n\":1}" >$outputs_params
    collect:
      outputs: {d: {type: dir}, f: {type: file}}
      script: mkdir -p $outputs_d; echo 1 >$outputs_d/x; echo 1 >$outputs_f
'"$(printf '%s\n' "$made" | sed -n '/t.use/,$p')"
ok "collect makes a directory" fanfold -C "$c" run
once_more "$c"
echo 2 >"$c/make/t/iter/000000/out/d/new"
exits "a file is added to it" 1 fanfold -C "$c" run
has "... and is told" "make/t/iter/000000/out/d/new' was added: its sha256 is $two" "$out"

# A task that adds to what it was given is found by its agent.
c=$tmp/evil
sealed "$c" 1 '  make: {uses: t.make}
  evil: {uses: t.evil, with: {d: make.d}}' "$made"
EVIL='echo 2 >$d/new'
export EVIL
exits "a task adds a file to an input" 1 fanfold -C "$c" run
has "... and fails of it" "$out_dir/d/new' was added while task 0 ran here" "$out"
EVIL=:
ok "when it does so no more" fanfold -C "$c" retry
exits "... the file is still there" 1 fanfold -C "$c" run
has "... and is not taken for an input" "input 'd': '$c/$out_dir/d/new' was added: its sha256 is $two; restore it, or run \`fanfold redo make --iteration 0\`" "$out"
rm -f "$c/$out_dir/d/new"
ok "once it is gone" fanfold -C "$c" retry
ok "... the campaign runs" fanfold -C "$c" run

# --- before the stage's end ---

# Two tasks, the first of which waits for the results of the second to be changed.
late='  t.late:
    fan_out: [m]
    inputs: {m: {type: int}}
    outputs: {f: {type: file}, v: {type: int}}
    script: |
      echo 1 >$outputs_f
      echo "{\"v\": $m}" >$outputs_params
      if [ $m = 1 ]; then
        touch ../ready
        until [ -e $campaign/go ]; do sleep 0.05; done
      fi'
# changed WHAT WORDS COMMAND
changed() {
    c=$tmp/late
    sealed "$c" 1 '  late: {uses: t.late, with: {m: [1, 2]}}' "$late"
    sed -i 's/cores: 1/cores: 2/' "$c/site.yaml"
    fanfold -C "$c" run >"$tmp/said" 2>&1 &
    pid=$!
    result=$c/late/t/iter/000000/job/000001/out/result.json
    ok "a task is done while another one runs" until_ok test -e "$result"
    (cd "${result%/*}" && chmod u+w ./* && eval "$3")
    touch "$c/go"
    wait $pid
    is "$1: the stage does not end" 1 $?
    has "... the file is named" "$2" "$(cat "$tmp/said")"
    has "... and what to do" "restore it, or run \`fanfold redo late --iteration 0\`" "$(cat "$tmp/said")"
    ok "redo" fanfold -C "$c" redo late --iteration 0 --yes
    ok "... makes it again" fanfold -C "$c" run
    is "... with right results" "[1,2]" "$(fanfold -C "$c" result late v | jq -c .)"
    rm -r "$c"
}
changed "an artifact was edited" "late/t/iter/000000/job/000001/out/f' differs: its sha256 is $two, and was $one" "echo 2 >f"
changed "parameters in result.json were edited" "late/t/iter/000000/job/000001/out/result.json differs: its sha256 is" \
    "sed -i 's/\"v\": 2/\"v\": 3/' result.json"

# An input that was changed while the task was queued: what it read is not what the
# stage was prepared with.
c=$tmp/queued
sealed "$c" 1 '  make: {uses: t.make}
  use: {uses: t.use, profile: late, with: {d: make.d, f: make.f}}' "$made"
printf 'default_profile: here\n' >>"$c/site.yaml"
sed -i "s|^profiles: {|&late: {scheduler: local, node: {cores: 1}, setup: [[sh, -c, 'touch $c/waits; until [ -e $c/go ]; do sleep 0.05; done']]}, |" "$c/site.yaml"
fanfold -C "$c" run >"$tmp/said" 2>&1 &
pid=$!
ok "a job is about to begin" until_ok test -e "$c/waits"
echo 2 >"$c/$out_dir/d/new"
touch "$c/go"
wait $pid
is "an input was changed before the task began: its stage fails" 1 $?
has "... the file is named" "input 'd': '$c/$out_dir/d/new' was added" "$(cat "$tmp/said")"
ok "... the task had read it" grep -q 2 "$c/use/t/iter/000000/job/000000/out/o"
cp -rp "$c" "$tmp/removed"
rm "$tmp/removed/$out_dir/d/new"
ok "once the file is gone retry begins anew" fanfold -C "$tmp/removed" retry
ok "... and the campaign runs" fanfold -C "$tmp/removed" run
is "... with the input as it was" "1 1" "$(paste -sd' ' "$tmp/removed/use/t/iter/000000/job/000000/out/o")"
ok "... all of it" fanfold -C "$tmp/removed" verify
ok "redo makes both again" fanfold -C "$c" redo make --iteration 0 --yes
ok "... and the campaign runs" fanfold -C "$c" run
is "... with the input as it was" "1 1" "$(paste -sd' ' "$c/use/t/iter/000000/job/000000/out/o")"

# --- calls ---

functions='  t.fit:
    inputs: {d: {type: dir}}
    outputs: {d: {type: dir}}
    script: cp -r $d $outputs_d; chmod -R u+w $outputs_d; echo 1 >>$outputs_d/x
  t.look: {inputs: {d: {type: dir}}, outputs: {n: {type: int}}, script: '\''echo "{\"n\":1}" >$outputs_params'\''}'
c=$tmp/called
sealed "$c" 1 '  make: {uses: t.make}' "$made
$functions
functions:
  fit: {type: train, uses: t.fit, with: {d: {from: latest.fit.d, default: ./start}}}
  look: {type: predict, uses: t.look, with: {d: latest.make.d}}"
mkdir "$c/start"
echo 1 >"$c/start/x"
ok "a campaign with functions" fanfold -C "$c" run
ok "a function is called" fanfold -C "$c" call fit
ok "... and again" fanfold -C "$c" call fit
made_call=calls/fit/000001/fit/t/iter/000000/job/000000/out/d
is "... which went on from it" "1 1 1" "$(paste -sd' ' "$c/$made_call/x")"
echo 2 >"$c/$made_call/new"
exits "what a call made was changed: the next one" 1 fanfold -C "$c" call fit
has "... is told" "call 1 of 'fit': '$c/calls/fit/000001/" "$out"
has "... the file" "/out/d/new' was added: its sha256 is $two" "$out"
rm "$c/$made_call/new"
ok "... once it is as it was" fanfold -C "$c" call fit
ok "another function takes what a stage made" fanfold -C "$c" call look
echo 2 >"$c/$out_dir/d/new"
exits "... but not when that was changed" 1 fanfold -C "$c" call look
has "... which it tells" "'$c/$out_dir/d/new' was added: its sha256 is $two; restore it, or run \`fanfold redo make --iteration 0\`" "$out"

# --- inputs that a task changes ---

copies='  t.make:
    outputs: {d: {type: dir}, f: {type: file}}
    script: |
      mkdir -p $outputs_d/sub
      echo 1 >$outputs_d/sub/x; ln -s sub/x $outputs_d/link; cp /bin/sh $outputs_d/run
      echo 1 >$outputs_f
  t.edit:
    inputs:
      d: {type: dir, copy: true}
      f: {type: file, list: true, copy: true}
      g: {type: file, copy: true}
    outputs: {said: {type: file}}
    script: |
      cp -r "$d/." .
      echo 2 >>sub/x; echo 3 >>link; rm run
      echo 4 >>"$d/sub/x"; echo 5 >>"$d/link"; "$d/run" -c true
      for one in $f $g; do echo 6 >>"$one"; basename "$one"; cat "$one"; done >list
      cat sub/x "$d/sub/x" list >$outputs_said'
become_nobody
c=$tmp/nobody/copies
sealed "$c" 1 '  make: {uses: t.make}
  edit: {uses: t.edit, with: {d: make.d, f: [make.f, make.f], g: given}}' "$copies"
echo 7 >"$c/given"
give_to_nobody "$c"
ok "an ordinary user's task changes copies of its inputs" as_nobody fanfold -C "$c" run
is "... which hold what the inputs did" "1 2 3 1 4 5 f 1 6 f 1 6 given 7 6" \
    "$(paste -sd' ' "$c/edit/t/iter/000000/job/000000/out/said")"
ok "... and the inputs are as they were" as_nobody fanfold -C "$c" verify
is "... all of them" "1 7" "$(cat "$c/make/t/iter/000000/job/000000/out/d/sub/x" "$c/given" | paste -sd' ')"
sed -i 's/, copy: true//' "$c/campaign.yaml"
ok "without copies" as_nobody fanfold -C "$c" redo edit --yes
exits "... it cannot" 1 as_nobody fanfold -C "$c" run
has "... as the log says" "Permission denied" "$out$(as_nobody fanfold -C "$c" log edit 0)"
sed -i 's/d: {type: dir}}/d: {type: dir}, n: {type: int, copy: true}}/; s/^  t.edit:/&\n    doc: x/; s/      d: {type: dir}$/&\n      n: {type: int, copy: true}/' "$c/campaign.yaml"
exits "a parameter has no copy" 3 as_nobody fanfold -C "$c" check
has "... which is told" "copy: 'n' is a parameter, which is no file; remove it" "$out"

done_testing
