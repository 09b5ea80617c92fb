#!/bin/sh
# 0378-programs - an operator that runs from a copy of its programs
. "$abs_top_srcdir/tests/cli/tap.sh"
FANFOLD_STORE=$tmp/store
export FANFOLD_STORE

# copied DIR [BODY]: two tasks, one after the other, whose program waits for DIR/go where
# DIR/hold is, prepare and collect that are run from bin, too.
copied() {
    body="command: ['{campaign}/bin/p.sh', '{i}', '{outputs.params}', '{outputs.f}', '$1']"
    body=${2:-$body}
    mkdir -p "$1/bin/sub" "$1/lib"
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: copied
stages: {run: {uses: x.run}}
stop: {iterations: 1}
operators:
  x.run:
    programs: bin
    files: [lib]
    fan_out: [i]
    prepare: {command: [sh, "{campaign}/bin/prepare.sh", "{outputs.slices}"], slices: {i: {type: int}}}
    collect: {command: [sh, "{campaign}/bin/collect.sh", "{outputs.params}"], outputs: {all: {type: string}}}
    outputs: {v: {type: string}, f: {type: file}}
    $body
END
    sed -i '/fan_out/d' "$1/campaign.yaml"
    echo 'echo "{\"i\": [0, 1]}" >"$1"' >"$1/bin/prepare.sh"
    echo '. "$(dirname "$0")/../lib/lib.sh"; echo "{\"all\": \"$version\"}" >"$1"' >"$1/bin/collect.sh"
    cat >"$1/bin/p.sh" <<'END'
#!/bin/sh
. "$(dirname "$0")/sub/name.sh"
. "$(dirname "$0")/../lib/lib.sh"
if [ -e "$4/hold" ] && [ "$1" = 0 ]; then touch "$4/begun"; until [ -e "$4/go" ]; do sleep 0.05; done; fi
echo "{\"v\": \"$name-$version-$1\"}" >"$2"
echo "$version" >"$3"
END
    chmod +x "$1/bin/p.sh"
    echo 'name=n1' >"$1/bin/sub/name.sh"
    echo 'version=v1' >"$1/lib/lib.sh"
    printf 'format: 1\nprofiles: {here: {scheduler: local, node: {cores: 1}}}\n' >"$1/site.yaml"
}
copies() {
    ls "$1/.fanfold/programs"
}

# --- edited while it runs ---

c=$tmp/edited
copied "$c"
ok "check has nothing to say" fanfold -C "$c" check
has "plan tells what is copied" "  copied  5 files of bin and what files: names" "$(fanfold -C "$c" plan)"
touch "$c/hold"
fanfold -C "$c" run >"$tmp/said" 2>&1 &
pid=$!
ok "the first of two tasks runs" until_ok test -e "$c/begun"
echo 'name=n2' >"$c/bin/sub/name.sh"
echo 'version=v2' >"$c/lib/lib.sh"
sed -i 's/all/wrong/' "$c/bin/collect.sh"
sed -i 's/-\$version/-wrong/' "$c/bin/p.sh"
rm "$c/hold"
touch "$c/go"
wait $pid
is "its programs are edited meanwhile: the campaign goes on" 0 $?
is "... with what they were" '["n1-v1-0","n1-v1-1"]' "$(fanfold -C "$c" result run v | jq -c .)"
is "... collect, too" '"v1"' "$(jq -c .outputs.all "$c/run/x/iter/000000/outputs.json")"
lacks "... and is steady" unsteady fanfold -C "$c" status
at=.fanfold/programs/$(copies "$c")
is "there is one copy" 1 "$(copies "$c" | wc -l)"
is "... of programs and files: in their places" "bin/collect.sh bin/p.sh bin/prepare.sh bin/sub/name.sh lib/lib.sh" \
    "$(cd "$c/$at" && find . -type f | sort | sed 's|^\./||' | paste -sd' ')"
is "... which are read-only" "444 555" "$(cd "$c/$at" && stat -c %a bin/sub/name.sh bin/p.sh | paste -sd' ')"
is "stage.json names it" "$at" "$(jq -r .programs "$c/run/x/iter/000000/stage.json")"
has "explain shows the text that ran" "$at/bin/p.sh" "$(cd "$c" && fanfold explain run/x/iter/000000/job/000000/out/f)"
ok "verify compares the copy, and not what was edited" fanfold -C "$c" verify

# --- edited between two stages ---

ok "the stage is made again" fanfold -C "$c" redo run
exits "... by what the programs are now" 1 fanfold -C "$c" run
is "... of which there is another copy" 2 "$(copies "$c" | wc -l)"
sed -i 's/wrong/all/' "$c/bin/collect.sh"
sed -i 's/-wrong/-$version/' "$c/bin/p.sh"
ok "they are edited back but for two" fanfold -C "$c" redo run
ok "... and run" fanfold -C "$c" run
is "... as they are now" '["n2-v2-0","n2-v2-1"]' "$(fanfold -C "$c" result run v | jq -c .)"
echo 'name=n1' >"$c/bin/sub/name.sh"
echo 'version=v1' >"$c/lib/lib.sh"
ok "as they were first" fanfold -C "$c" redo run
ok "... they run" fanfold -C "$c" run
is "... from the copy that is there" 3 "$(copies "$c" | wc -l)"

# --- damaged ---

chmod u+w "$c/$at/lib/lib.sh"
echo 'version=bad' >"$c/$at/lib/lib.sh"
exits "verify tells that the copy was edited" 1 fanfold -C "$c" verify
has "... which file" "$at/lib/lib.sh: differs" "$out"
ok "a stage is to run from it" fanfold -C "$c" redo run
exits "... and does not" 1 fanfold -C "$c" run
has "... since it is damaged" "'$at/lib/lib.sh' is not what was copied" "$out$(fanfold -C "$c" status)"
rm -r "${c:?}/$at"
ok "it is removed, as is said" fanfold -C "$c" retry
ok "... made again" fanfold -C "$c" run
is "... and used" '["n1-v1-0","n1-v1-1"]' "$(fanfold -C "$c" result run v | jq -c .)"
touch "$c/$at/bin/added.sh"
ok "a file is put into the copy" fanfold -C "$c" redo run
exits "... which is not used then" 1 fanfold -C "$c" run
has "... and named" "'$at/bin/added.sh' is not what was copied" "$out$(fanfold -C "$c" status)"

# --- scripts, groups, workers ---

c=$tmp/script
copied "$c" 'script: |
      here="$campaign/bin"
      . "${campaign}"/lib/lib.sh
      . $here/sub/name.sh
      echo "{\"v\": \"$here $version\"}" >$outputs_params; echo 1 >$outputs_f'
ok "a script" fanfold -C "$c" run
is "... runs from the copy" "$c/.fanfold/programs/$(copies "$c")/bin v1" "$(fanfold -C "$c" result run v | jq -r '.[0]')"
c=$tmp/group
copied "$c" 'group: {programs: {a: {command: ["{campaign}/bin/p.sh", "{i}", "{outputs.params}", "{outputs.f}", /]}}}'
sed -i 's|echo "\$version" >|echo "$0" >|' "$c/bin/p.sh"
ok "a group" fanfold -C "$c" run
is "... runs from the copy" "$c/.fanfold/programs/$(copies "$c")/bin/p.sh" "$(cat "$c/run/x/iter/000000/job/000000/out/f")"

# --- what is wrong ---

c=$tmp/bad
copied "$c"
cp "$c/campaign.yaml" "$tmp/good.yaml"
bad() {
    sed "$2" "$tmp/good.yaml" >"$c/campaign.yaml"
    exits "$1: check refuses it" 3 fanfold -C "$c" check
    has "... and says why" "$3" "$out"
}
bad "a directory that is not there" 's/programs: bin/programs: none/' "there is no directory 'none'"
bad "a file" 's|programs: bin|programs: bin/p.sh|' "'bin/p.sh' is a file"
bad "the campaign" 's/programs: bin/programs: ./' "is no directory below the campaign's"
bad "one outside" 's|programs: bin|programs: /usr/bin|' "is no directory below the campaign's"
bad "where results are" 's/programs: bin/programs: .fanfold/' "is where Fanfold keeps what it makes"
bad "files outside" 's|files: \[lib\]|files: [/etc/passwd]|' "has no place in the copy"
bad "nothing runs from it" 's|programs: bin|programs: lib|; s|files: .lib.|files: []|' "nothing would be run from the copy"
open_by() {
    bad "by $1" "s#'{i}', '{outputs.params}'#&, '$1'#" "by '$1' files are read that may be edited"
}
open_by '{campaign}'
open_by '--root={campaign}'
open_by '{campaign}/'
open_by '{campaign}/./bin'
open_by '{campaign}/a/../bin'
open_by '{campaign}/data//x'
open_by '{campaign}/{i}'
open_by '{campaign}/l{i}'
bad "to prepare" 's#"{outputs.slices}"#&, "{campaign}"#' "by '{campaign}' files are read that may be edited"
mkdir -p "$c/src/bin"
touch "$c/src/bin/x"
bad "above them" "s#files: .lib.#files: [src/bin]#; s#'{i}',#&'{campaign}/src',#" "by '{campaign}/src' files"
rm -r "$c/src"
copied "$c" 'script: cd "$campaign" && . lib/lib.sh'
exits "a script that works in the campaign" 3 fanfold -C "$c" check
has "... is refused" "by '\$campaign' files are read" "$out"
copied "$c" 'script: x=${campaign%/}/lib; . $campaign/lib/lib.sh'
exits "one that computes its path" 3 fanfold -C "$c" check
copied "$c" 'script: . $campaign/lib/lib.sh; cat "$campaign/data/x" "${campaign}"/data/y ${campaign}/library'
ok "other files are named as ever" fanfold -C "$c" check
copied "$c"
touch "$c/data"
sed -i "s#'{i}',#&'{campaign}/data', '{campaign}/bin', '{campaign}/dir/{i}', '{{campaign}}',#" "$c/campaign.yaml"
exits "... by commands, too" 0 fanfold -C "$c" check
copied "$c"
ln -s /etc/passwd "$c/bin/out"
bad "a link that leaves the campaign" 's/x/x/' "'bin/out' is a link that leaves the campaign"
rm "$c/bin/out"
truncate -s 65M "$c/bin/data"
bad "too much" 's/x/x/' "at most 10000 files and 64.0 MiB are"
rm "$c/bin/data"
sed 's/{run: {uses: x.run}}/{bin: {uses: x.run}}/' "$tmp/good.yaml" >"$c/campaign.yaml"
exits "a stage of its name: check refuses it" 3 fanfold -C "$c" check
has "... and says why" "results of stage 'bin' lie below 'bin'" "$out"

done_testing
