#!/bin/sh
# 0375-witness - programs that are edited while their stage runs
. "$abs_top_srcdir/tests/cli/tap.sh"
FANFOLD_STORE=$tmp/store
export FANFOLD_STORE

# witnessed DIR: one stage of two tasks, one after the other, whose program waits for
# DIR/go where DIR/hold is, and one that uses what it made.
witnessed() {
    mkdir -p "$1/bin"
    cat >"$1/campaign.yaml" <<'END'
format: 1
campaign: witnessed
stages: {first: {uses: x.first}, run: {uses: x.run, with: {i: [0, 1], n: first.n}}, sum: {uses: x.sum, with: {v: run.v}}}
stop: {iterations: 1}
operators:
  x.first: {outputs: {n: {type: int}}, script: 'echo "{\"n\": 1}" >$outputs_params'}
  x.run:
    fan_out: [i]
    inputs: {i: {type: int}, n: {type: int}}
    outputs: {v: {type: string}, f: {type: file}}
    files: [lib.sh]
    command: ["{campaign}/bin/p.sh", "{i}", "{outputs.params}", "{outputs.f}", "{campaign}"]
  x.sum:
    inputs: {v: {type: string, list: true}}
    outputs: {all: {type: string}}
    script: echo "{\"all\":\"$(echo $v)\"}" >$outputs_params
END
    cat >"$1/bin/p.sh" <<'END'
#!/bin/sh
. "$4/lib.sh"
if [ -e "$4/hold" ] && [ "$1" = 0 ]; then touch "$4/begun"; until [ -e "$4/go" ]; do sleep 0.05; done; fi
echo "{\"v\": \"$version-$1\"}" >"$2"
echo "$version" >"$3"
END
    chmod +x "$1/bin/p.sh"
    echo 'version=v1' >"$1/lib.sh"
    printf 'format: 1\nprofiles: {here: {scheduler: local, node: {cores: 1}}}\n' >"$1/site.yaml"
}
started() {
    run_cat "$1" "$2" 000000 '*/*/results-*' | grep -c '"start"'
}

# --- steady ---

steady=$tmp/steady
witnessed "$steady"
ok "a campaign runs" fanfold -C "$steady" run
lacks "nothing of it is unsteady" unsteady fanfold -C "$steady" status
is "what was seen is beside its outputs: programs, and files:" "bin/p.sh lib.sh" \
    "$(jq -r '.files | keys | join(" ")' "$steady/run/x/iter/000000/witness.json")"
is "... with their digests" "$(sha256sum <"$steady/lib.sh" | cut -d' ' -f1)" \
    "$(jq -r '.files["lib.sh"]' "$steady/run/x/iter/000000/witness.json")"
is "... what jobs were set up with" '[] []' "$(jq -c '.setup, .env' "$steady/run/x/iter/000000/witness.json" | paste -sd' ')"
is "... and in stage.json before it ran" "$(jq -cS '.files' "$steady/run/x/iter/000000/witness.json")" \
    "$(jq -cS .witness.files "$steady"/run/x/iter/000000/stage.json)"
is "... and of what it is beside" "$(sha256sum <"$steady/run/x/iter/000000/outputs.json" | cut -d' ' -f1)" \
    "$(jq -r .outputs "$steady/run/x/iter/000000/witness.json")"
witnessed "$tmp/again"
echo "reuse_from: ['$steady']" >>"$tmp/again/campaign.yaml"
ok "an equal campaign that names it" fanfold -C "$tmp/again" run
is "... takes its results" 0 "$(started "$tmp/again" run)"
witnessed "$tmp/setup"
sed -i 's/cores: 1}/&, setup: [[true]], env: {A: b}/' "$tmp/setup/site.yaml"
ok "a campaign with a setup" fanfold -C "$tmp/setup" run --no-reuse
is "... tells it" '[["true"]] ["A=b"]' "$(jq -c '.setup, .env' "$tmp/setup/run/x/iter/000000/witness.json" | paste -sd' ')"

# --- a program is edited while its stage runs ---

c=$tmp/edited
witnessed "$c"
touch "$c/hold"
fanfold -C "$c" run >"$tmp/said" 2>&1 &
pid=$!
ok "the first of two tasks runs" until_ok test -e "$c/begun"
was=$(sha256sum <"$c/lib.sh" | cut -d' ' -f1)
echo 'version=v2' >"$c/lib.sh"
now=$(sha256sum <"$c/lib.sh" | cut -d' ' -f1)
rm "$c/hold"
touch "$c/go"
wait $pid
is "a file of the program is edited meanwhile: the campaign goes on" 0 $?
is "... with what the program made" '["v1-0","v2-1"]' "$(fanfold -C "$c" result run v | jq -c .)"
says="unsteady: 'lib.sh' changed while it ran: its sha256 is $now, and was $was; its results count here, and nothing else takes them"
has "run says so" "$says" "$(cat "$tmp/said")"
has "status, too" "run: $says" "$(fanfold -C "$c" status)"
has "... in JSON" "'lib.sh' changed while it ran" "$(fanfold -C "$c" status --json | jq -r '.stages[] | select(.name == "run") | .unsteady')"
has "explain, too" "$says" "$(fanfold -C "$c" explain run)"
has "the journal has it" "\"unsteady\":\"'lib.sh' changed while it ran" "$(cat "$c"/.fanfold/journal/* | grep '"ev":"stage"' | grep '"run"')"
has "what lies there tells it without the journal" "'lib.sh' changed while it ran" \
    "$(jq -r .unsteady "$c/run/x/iter/000000/witness.json")"
made=run/x/iter/000000/job/000001/out/f
has "explain of a file it made, too" "unsteady          'lib.sh' changed while it ran" "$(cd "$c" && fanfold explain $made)"
has "... in JSON" "'lib.sh' changed while it ran" \
    "$(cd "$c" && fanfold explain --json $made | jq -r '.. | objects | select(.stage? == "run") | .witness.unsteady? // empty')"
exits "verify tells that the program is another" 1 fanfold -C "$c" verify
has "... which" "lib.sh: differs: its sha256 is $now, and was $was" "$out"
ok "verify knows what lies beside outputs" fanfold -C "$steady" verify run/x/iter/000000/witness.json run/x/iter/000000/seen.json
witnessed "$tmp/v1"
echo "reuse_from: ['$c']" >>"$tmp/v1/campaign.yaml"
ok "a campaign with the program as it was" fanfold -C "$tmp/v1" run
is "... takes nothing of it" '["v1-0","v1-1"]' "$(fanfold -C "$tmp/v1" result run v | jq -c .)"

# The program as it was when the stage was prepared: what was replaced has its identity.
cp -rp "$c" "$tmp/back"
echo 'version=v1' >"$tmp/back/lib.sh"
ok "what is before it is done again" fanfold -C "$tmp/back" redo first
ok "... and the campaign runs" fanfold -C "$tmp/back" run
is "... takes nothing back" '["v1-0","v1-1"]' "$(fanfold -C "$tmp/back" result run v | jq -c .)"
lacks "... and is steady" unsteady fanfold -C "$tmp/back" status

# --- an input directory is edited while the job waits ---

c=$tmp/queued
mkdir -p "$c/d"
echo 5 >"$c/d/x"
cat >"$c/campaign.yaml" <<'Y'
format: 1
campaign: queued
stages: {c: {uses: u.c, with: {d: d}}}
stop: {iterations: 1}
operators:
  u.c:
    inputs: {d: {type: dir}}
    outputs: {s: {type: int}}
    command: [sh, -c, 'echo "{\"s\": $(cat $1/x)}" > $0', "{outputs.params}", "{d}"]
Y
cat >"$c/site.yaml" <<Y
format: 1
profiles: {l: {scheduler: local, node: {cores: 1}, setup: [[sh, "$c/wait.sh"]]}}
Y
echo "until [ -e $c/go ]; do sleep 0.02; done" >"$c/wait.sh"
ok "a job waits" fanfold -C "$c" submit
echo 777 >"$c/d/x"
touch "$c/go"
ok "its input directory is edited, which has no copy: it goes on" fanfold -C "$c" run
has "... and is unsteady" "c: unsteady: 'd' changed while it ran" "$(fanfold -C "$c" status)"
is "... which is said once" 1 "$(fanfold -C "$c" status | grep -o "'d' changed" | wc -l)"

done_testing
