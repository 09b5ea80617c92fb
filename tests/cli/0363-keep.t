#!/bin/sh
# 0363-keep - outputs that nothing needs any more are removed, and made again by redo
. "$abs_top_srcdir/tests/cli/tap.sh"

# make: a file and a tree from 3 tasks; sift: a list of files, and what collect makes.
kept_campaign() {
    mkdir -p "$1"
    cat >"$1/campaign.yaml" <<'END'
format: 1
campaign: kept
stages:
  make: {uses: t.make, with: {n: [1, 2, 3], before: {from: previous.make.tree, default: []}}}
  sift: {uses: t.sift, with: {big: make.big}}
  use: {uses: t.use, with: {parts: sift.parts, all: sift.all}}
stop: {iterations: 4}
operators:
  t.make:
    fan_out: [n]
    inputs: {n: {type: int}, before: {type: dir, list: true}}
    outputs:
      big: {type: file, keep: until_used}
      tree: {type: dir, keep: 2}
      note: {type: file, keep: 1}
    command:
      - [sh, -c, 'seq $1 1000 >out/big; mkdir -p out/tree/a/b; echo $1 >out/tree/a/b/c; chmod 555 out/tree/a out/tree', sh, "{n}"]
      - [sh, -c, 'echo $1 >out/note; echo $1 >>"$2/ran"', sh, "{n}", "{campaign}"]
  t.sift:
    inputs: {big: {type: file, list: true}}
    outputs:
      parts: {type: file, list: true, keep: until_used}
    collect: {outputs: {all: {type: file, keep: until_used}}, command: [sh, -c, 'cat work/x 2>/dev/null; echo all >out/all']}
    command: [sh, -c, 'mkdir out/parts; for f; do wc -l <"$f" >out/parts/$(wc -l <"$f"); done', sh, "{big}"]
  t.use:
    inputs: {parts: {type: file, list: true}, all: {type: file}}
    outputs: {sum: {type: file}}
    command: [sh, -c, 'cat "$@" >out/sum', sh, "{parts}", "{all}"]
END
}

# there DIR STAGE: what of its outputs is there, by iteration.
there() {
    (cd "$1/$2/t/iter" && find . -path '*/out/*' '(' -name big -o -name tree -o -name note \
        -o -name parts -o -name all ')' | sed 's|^./0*\([0-9]\)/.*/out|\1|' | LC_ALL=C sort |
        uniq -c | awk '{ print $2 "x" $1 }' | paste -sd ' ')
}

c=$tmp/c
kept_campaign "$c"
ok "check has nothing to say" fanfold -C "$c" check
ok "it runs to its end" fanfold -C "$c" run
is "what is kept for a time is there that long" "2/treex3 3/notex3 3/treex3" "$(there "$c" make)"
is "lists and what collect made are gone" "" "$(there "$c" sift)"
is "what is kept always is there" 4 "$(find "$c/use" -name sum | wc -l)"
is "nothing is left on its way out" "" "$(find "$c/.fanfold/removing" 2>&1 | grep -v 'No such file')"
is "the history has it, before and after" "1 1" \
    "$(cat "$c"/.fanfold/journal/* | jq -sr '[.[] | select(.iteration == 1 and .stage == "make")
        | select(.ev == "removing" or .ev == "removed") | select(.outputs.tree)]
        | [(map(select(.ev == "removing")) | length), (map(select(.ev == "removed")) | length)] | @tsv' | tr '\t' ' ')"
is "so has a file beside the results" '{"keep":"2","at":2,"bytes":6}' \
    "$(jq -c .outputs.tree "$c/make/t/iter/000000/removed.json")"
has "explain names it" "output 'tree': removed in iteration 3 (keep: 2); \`fanfold redo make --iteration 1\` makes it again" \
    "$(fanfold -C "$c" explain make --iteration 1)"
exits "result does, too" 1 fanfold -C "$c" result make big --iteration 1
has "... with what makes it again" "removed in iteration 1 (keep: until_used); \`fanfold redo make --iteration 1\` makes it again" "$out"
ok "... what is there is printed" fanfold -C "$c" result make note
ok "another process sees the same without the checkpoint" rm "$c/state.json"
ok "... and removes nothing twice" fanfold -C "$c" run
is "..." 9 "$(cat "$c"/.fanfold/journal/* | grep -c '"ev":"removing".*"stage":"make"')"

# --- redo ---

digest=$(results_digest "$c")
exits "a redo whose inputs are gone is refused" 1 fanfold -C "$c" redo sift --iteration 2
has "... and the one is named that will do" "fanfold redo make --iteration 0" "$out"
: >"$c/ran"
ok "it does" fanfold -C "$c" redo make --iteration 0 --yes
ok "... to the end" fanfold -C "$c" run
is "with the same results" "$digest" "$(results_digest "$c")"
is "what was removed was made again" 12 "$(wc -l <"$c/ran" | tr -d ' ')"
is "... and removed again" "2/treex3 3/notex3 3/treex3" "$(there "$c" make)"

# --- an edit that binds what is gone ---

e=$tmp/e
kept_campaign "$e"
ok "a campaign runs" fanfold -C "$e" run
sed -i 's/iterations: 4/iterations: 5/; s/all: sift.all}/all: sift.all, old: previous.make.big}/;
    s/all: {type: file}}$/all: {type: file}, old: {type: file, list: true}}/' "$e/campaign.yaml"
exits "an edit binds what was removed: check" 3 fanfold -C "$e" check
has "... with the line, and what to do" "campaign.yaml:6:" "$out"
has "..." "needs 'big' of stage 'make' in iteration 3, which was removed in iteration 3 (keep: until_used); \`fanfold redo make --iteration 3\` makes it again" "$out"
has "plan tells" "fanfold redo make --iteration 3" "$(fanfold -C "$e" plan)"
exits "run stops" 1 fanfold -C "$e" run
has "... and tells" "'big' of stage 'make' was removed in iteration" "$out"
ok "what was said is done" fanfold -C "$e" redo --iteration 0 --yes
ok "... it runs" fanfold -C "$e" run
is "what the new stage needs next is there" "4/bigx3" "$(there "$e" make | tr ' ' '\n' | grep big)"
sed -i 's/keep: until_used}$/keep: always}/; s/keep: 2/keep: 1/' "$e/campaign.yaml"
ok "another rule holds for what is there already" fanfold -C "$e" run
is "..." "4/treex3" "$(there "$e" make | tr ' ' '\n' | grep tree)"

# --- a driver that is replaced on the way ---

# It stands still before it removes a file, until the stage was made again there.
with_hooks
l=$tmp/late
kept_campaign "$l"
FANFOLD_LEASE_S=2
export FANFOLD_LEASE_S
FANFOLD_STOP_AT=remove.checked fanfold -C "$l" run >"$tmp/out" 2>&1 &
pid=$!
ok "a driver stands still before it removes a file" \
    until_is T sed 's/.*) //; s/ .*//' "/proc/$pid/stat"
lock=$(find "$l/.fanfold/lock" -name '[0-9]*' ! -name '*.free')
sed -i 's/"boot_id": "[^"]*"/"boot_id": "another"/' "$lock"
ok "another one takes over, removes it and goes on to the end" fanfold -C "$l" run
is "... and it is gone" "" "$(there "$l" make | tr ' ' '\n' | grep big)"
sed -i 's/keep: until_used}$/keep: always}/' "$l/campaign.yaml"
ok "it is made again, and kept" fanfold -C "$l" redo make --iteration 0 --yes
ok "... to the end" fanfold -C "$l" run
kill -CONT $pid
wait $pid
is "the first one wakes up and stops" 1 $?
is "... and removed nothing that is there now" "0/bigx3 1/bigx3 2/bigx3 3/bigx3" \
    "$(there "$l" make | tr ' ' '\n' | grep big | paste -sd ' ')"
unset FANFOLD_LEASE_S

# --- what check says ---

# said WHAT TEXT: of the campaign with what sed -e $edit makes of it.
said() {
    kept_campaign "$tmp/s"
    sed -i -e "$3" "$tmp/s/campaign.yaml"
    has "$1" "$2" "$(fanfold -C "$tmp/s" check 2>&1)"
}
said "all needs it for ever" "campaign.yaml:5:36: warning: stage 'sift' binds big of all iterations of stage 'make', so keep: until_used removes none of it; bind latest.make.big, or leave keep out" \
    's/big: make.big/big: all.make.big/; s/big: {type: file, list: true}}/big: {type: file, list: 2}}/'
said "nothing uses it" "output 'note' of stage 'make' has keep: until_used, and no stage binds it: it is kept" \
    's/note: {type: file, keep: 1}/note: {type: file, keep: until_used}/'
said "no iterations" "keep: expected always, until_used, or for how many iterations, 1 or more" 's/keep: 1/keep: 0/'
said "another word" "keep: expected always, until_used" 's/keep: 1/keep: never/'
said "a parameter" "keep: 'note' is a parameter, which takes no room; remove it" \
    's/note: {type: file, keep: 1}/note: {type: int, keep: 1}/'
said "training data" "output 'note' is training data, which stay; remove keep or publish" \
    's/note: {type: file, keep: 1}/note: {type: frames, keep: 1, publish: true}/'
said "a stage says it of an output that is not there" "keep: t.make has no output file 'bgi'; did you mean 'big'" \
    's/make: {uses: t.make,/make: {uses: t.make, keep: {bgi: 1},/'

# A stage's word counts more than the operator's.
s=$tmp/stage
kept_campaign "$s"
sed -i 's/make: {uses: t.make,/make: {uses: t.make, keep: {note: always, big: always, tree: 1},/' "$s/campaign.yaml"
ok "a stage says how long" fanfold -C "$s" run
is "... and that is how long" "0/bigx3 0/notex3 1/bigx3 1/notex3 2/bigx3 2/notex3 3/bigx3 3/notex3 3/treex3" "$(there "$s" make)"

done_testing
