# image.sh - an image made by hand of this machine's own programs, and what runs a
# command in it; sourced
#
# image_here     does Charliecloud work here?
# image_make DIR the image: bash, cat, env, mkdir and mv, nothing else
# image_site     lines of a profile, `container:` with ch-run
# shellcheck shell=sh

# Charliecloud wants to know whose container it is.
USER=${USER:-$(id -un)}
export USER

image_make() {
    mkdir -p "$1/bin" "$1/etc" "$1/dev" "$1/proc" "$1/sys" "$1/tmp" "$1/usr"
    : >"$1/etc/passwd"
    : >"$1/etc/group"
    : >"$1/etc/hosts"
    : >"$1/etc/resolv.conf"
    for program in bash cat env mkdir mv; do
        path=$(bash -c "type -P $program")
        cp -L "$path" "$1/bin/$program"
        ldd "$path" | grep -o '/[^ )]*' | while read -r library; do
            mkdir -p "$1/$(dirname "$library")"
            [ -e "$1/$library" ] || cp -L "$library" "$1/$library"
        done
    done
    echo made by hand >"$1/etc/image"
}

# -w: where the campaign's directory is to be seen a directory is made.
image_site() {
    echo '    container: [ch-run, -w, -t, -b, "{campaign}", -b, "{workspace}", -c, "{dir}", "{image}", --]'
}

image_here() {
    command -v ch-run >/dev/null 2>&1 || return 1
    image_make "$tmp/probe" && ch-run "$tmp/probe" -- cat /etc/image >/dev/null 2>&1
}

# image_campaign DIR [IMAGE]: a stage with everything that runs commands: prepare, a
# script, argvs of several ranks, a group, collect.  With IMAGE (a path) it has an
# `image:`, and what it makes is the same.
image_campaign() {
    mkdir -p "$1"
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: image
elements: [Si]
seed: 7
stop: {iterations: 1}
stages:
  fit: {uses: test.fit, with: {words: [one, "two words", "\$(three)"]}}
  more: {uses: test.more, with: {files: fit.out}}
  group: {uses: test.group}
operators:
  test.fit:
${2:+    image: $2}
    env: {GREETING: "hello  \$5"}
    inputs: {words: {type: string, list: true}}
    prepare:
      slices: {word: {type: string}}
      script: |
        {
          comma=
          echo -n '{"word": ["'
          while read -r word; do echo -n "\$comma\$word"; comma='","'; done
          echo '"]}'
        } <"\$words_list" >"\$outputs_slices"
        if [ -e /etc/image ]; then cat /etc/image >>"\$campaign/inside"; fi
    outputs: {out: {type: file}}
    script: |
      mkdir deep
      cd deep
      echo "\$GREETING|\$word|\$seed|\$cores|\$task|\$FANFOLD_TASK" >text
      read -r text <text
      echo "\${text%|*}" >"\$outputs_out"
      if [ -e /etc/image ]; then cat /etc/image >>"\$campaign/inside"; fi
    collect:
      outputs: {all: {type: file}}
      command: [bash, -c, 'cat "\$0"/fit/*/iter/*/job/*/out/out >"\$1"', "{campaign}", "{outputs.all}"]
  test.more:
${2:+    image: $2}
    inputs: {files: {type: file, list: true}}
    outputs: {out: {type: file}}
    command:
      - [bash, -c, 'cat "\$@" >out/out', -, "{files}"]
      - ["{launcher}", bash, -c, 'if [ -e /etc/image ]; then echo rank >>"\$0/inside"; fi', "{campaign}"]
  test.group:
${2:+    image: $2}
    outputs: {out: {type: file}}
    group:
      setup: [bash, -c, 'echo setup >"\$0/setup"', "{workspace}"]
      report: {every: 0.1s, command: [bash, -c, 'echo "{}"; if [ -e /etc/image ]; then echo report >>"\$0/inside"; fi', "{campaign}"]}
      programs:
        one:
          script: |
            until [ -e "\$workspace/two" ]; do :; done
            cat "\$workspace/setup" "\$workspace/two" >"\$outputs_out"
        two: {command: [bash, -c, 'echo two >"\$0/new"; mv "\$0/new" "\$0/two"', "{workspace}"]}
END
}

# What a campaign made, in files.
image_results() {
    (cd "$1" && find fit more group -path '*out/*' -type f ! -name result.json |
        sort | xargs sha256sum)
}
