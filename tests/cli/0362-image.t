#!/bin/sh
# 0362-image - commands in an image, by a container program of Debian: the same bytes,
# and what check says
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/image.sh"

site() { # DIR [LINES]
    cat >"$1/site.yaml" <<END
format: 1
profiles:
  here:
    scheduler: local
    node: {cores: 2, memory: 2GiB}
$2
END
}

# --- what check says, for which nothing has to run ---

c=$tmp/check
image_campaign "$c" pictures/fit.sif
site "$c"
mkdir "$c/pictures"
: >"$c/pictures/fit.sf"
exits "an image that is not there" 3 fanfold -C "$c" check
said=$(fanfold -C "$c" check 2>&1)
has "... is told where it is named, with what was meant" \
    "campaign.yaml:12:12: there is no image 'pictures/fit.sif'; did you mean '$c/pictures/fit.sf'?" "$said"
has "... and so is a container program that is not there" \
    "campaign.yaml:12:12: 'apptainer' is in no directory of PATH" "$said"
sed -i 's,pictures/fit.sif,docker://debian:12,' "$c/campaign.yaml"
is "an image of a registry is not looked for" 0 \
    "$(fanfold -C "$c" check 2>&1 | grep -c 'there is no image')"
site "$c" '    container: [sh, -c, "exec \"$@\"", "{image}"]'
ok "programs in an image are not looked for" sh -c \
    'sed "s/\[bash, -c/[nowhere, -c/" "$1/campaign.yaml" >"$1/new" && mv "$1/new" "$1/campaign.yaml" && fanfold -C "$1" check' sh "$c"

# --- a stage's image is in its place; it is part of the identity, container is not ---

identity() {
    fanfold -C "$1" run >/dev/null 2>&1
    jq -r .identity "$1"/fit/*/iter/000000/stage.json
}
differs() {
    if [ "$2" != "$3" ]; then pass "$1"; else fail "$1" "both are $2"; fi
}
for name in a b c d e; do
    c=$tmp/id$name
    mkdir "$c"
    site "$c" '    container: [sh, -c, "shift; exec \"$@\"", -, "{image}"]'
    echo one >"$c/one.sif"
    cat >"$c/campaign.yaml" <<END
format: 1
campaign: id
elements: [Si]
stop: {iterations: 1}
stages: {fit: {uses: test.fit}}
operators:
  test.fit:
    image: one.sif
    outputs: {n: {type: int}}
    script: echo '{"n":1}' >"\$outputs_params"
END
done
site "$tmp/idb" '    container: [sh, -c, "true; shift; exec \"$@\"", -, "{image}"]'
cp "$tmp/idc/one.sif" "$tmp/idc/two.sif"
sed -i 's/{uses: test.fit}/{uses: test.fit, image: two.sif}/' "$tmp/idc/campaign.yaml"
echo two >"$tmp/idd/one.sif"
sed -i 's/image: one.sif/env: {A: b}/' "$tmp/ide/campaign.yaml"
first=$(identity "$tmp/ida")
is "another container: the same identity" "$first" "$(identity "$tmp/idb")"
is "another name of the same image: the same" "$first" "$(identity "$tmp/idc")"
is "... which the stage has from itself" two.sif \
    "$(jq -r .image "$tmp"/idc/fit/*/iter/000000/stage.json)"
differs "another image of the same name" "$first" "$(identity "$tmp/idd")"
differs "no image" "$first" "$(identity "$tmp/ide")"

# --- in an image ---

if ! image_here; then
    not_here "commands in an image: ch-run (charliecloud) does not work here"
    done_testing
fi

c=$tmp/plain
image_campaign "$c"
site "$c"
ok "a campaign without an image" fanfold -C "$c" run

d=$tmp/inside
image_campaign "$d" ./image
site "$d" "$(image_site)"
image_make "$d/image"
ok "it checks with one" fanfold -C "$d" check
ok "... and runs in it" fanfold -C "$d" run
is "... to the same bytes" "$(image_results "$c")" "$(image_results "$d")"
is "... prepare, scripts, argvs and reports inside" \
    "4 made by hand,1 rank,report" \
    "$(printf '%s made by hand,%s rank,%s' "$(grep -c made "$d/inside")" "$(grep -c rank "$d/inside")" "$(grep -m 1 report "$d/inside")")"
is "... nothing of the other was" "" "$(cat "$c/inside" 2>/dev/null)"
has "the log has how it was started" "ch-run -w -t -b $d" "$(fanfold -C "$d" log fit 0)"
has "... with the variables of env set inside" "-- env 'GREETING=hello  \$5' bash -euo pipefail ./script" \
    "$(fanfold -C "$d" log fit 0)"

# The launcher stands before the container: each rank has its own.
e=$tmp/ranks
image_campaign "$e" ./image
site "$e" "$(image_site)
    launcher: [sh, -c, 'i=0; while [ \$i -lt \$0 ]; do \"\$@\" || exit; i=\$((i + 1)); done', '{ranks}']"
ln -s "$d/image" "$e/image"
sed -i 's/more: {uses: test.more,/more: {uses: test.more, task: {ranks: 2},/' "$e/campaign.yaml"
ok "a task of two ranks" fanfold -C "$e" run
is "... each in a container of its own" 2 "$(grep -c rank "$e/inside")"
is "... with the same bytes" "$(image_results "$c")" "$(image_results "$e")"

# A call of a function: its operator, its image and its $campaign are the caller's.
g=$tmp/caller
mkdir "$g"
site "$g" "$(image_site)"
ln -s "$d/image" "$g/image"
echo 'echo "{\"y\": $1}"' >"$g/work.sh"
cat >"$g/campaign.yaml" <<'END'
format: 1
campaign: caller
functions:
  fit: {type: predict, uses: test.fit}
operators:
  test.fit:
    image: image
    inputs: {x: {type: int}}
    outputs: {y: {type: int}}
    script: |
      cat /etc/image >>"$campaign/inside"
      bash "$campaign/work.sh" "$x" >"$outputs_params"
END
is "a function whose operator has a script and an image" '{"y":5}' \
    "$(fanfold -C "$g" call fit x=5 | tr -d ' \n')"
is "... runs in it" "made by hand" "$(cat "$g/inside")"

# Ended and killed like any command.
f=$tmp/slow
mkdir "$f"
site "$f" "$(image_site)"
ln -s "$d/image" "$f/image"
cat >"$f/campaign.yaml" <<'END'
format: 1
campaign: slow
elements: [Si]
stop: {iterations: 1}
stages:
  slow: {uses: test.slow, task: {walltime: 1s}, retry: {timeout: 1}}
  fails: {uses: test.fails, retry: {failed: 1}}
operators:
  test.slow:
    image: image
    outputs: {n: {type: int}}
    script: |
      while :; do :; done
  test.fails:
    image: image
    outputs: {n: {type: int}}
    script: |
      cat /nowhere
END
exits "a script in an image that takes too long" 1 fanfold -C "$f" run
has "... is ended" "timeout" "$(fanfold -C "$f" explain slow 0)"
ok "... and nothing of it is left" until_is "" pgrep -f "$f/image"
has "one that fails has its line" "at line 1: cat /nowhere; its last line: 'cat: /nowhere" \
    "$(fanfold -C "$f" explain fails 0)"

done_testing
