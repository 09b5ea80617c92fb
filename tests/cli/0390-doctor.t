#!/bin/sh
# 0390-doctor - what is wrong with this site, for the local scheduler
. "$abs_top_srcdir/tests/cli/tap.sh"

# How many findings of grade $1 there are, and what those on subject $2 say.
count() {
    jq "[.findings[] | select(.grade == \"$1\")] | length" "$tmp/out"
}
says() {
    jq -r ".findings[] | select(.subject == \"$1\") | .text + \"; \" + .advice" "$tmp/out"
}

mkdir "$tmp/empty"
fanfold -C "$tmp/empty" doctor --json >"$tmp/out"
is "without a site file this machine is looked at" 0 $?
is "... and nothing is bad" 0 "$(count bad)"
has "... its file system" "renaming, fsync" "$(says 'data space')"
silent "nothing is left" ls -A "$tmp/empty"

c=$tmp/site
mkdir "$c"
printf 'format: 1\nprofiles:\n  here: {scheduler: local, launcher: [nosuchrun]}\n' >"$c/site.yaml"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "a probe job runs here" 0 $?
has "... and its report is seen" "ran on $(uname -n)" "$(says "profile 'here': node")"
has "... a launcher that is not there" "no nosuchrun on PATH" "$(says "profile 'here': launcher")"
is "... is a warning" 1 "$(count warning)"
is "nothing is left" "site.yaml" "$(ls -A "$c")"
is "... nor in the spool" "" "$(ls "$FANFOLD_SPOOL" | grep -v cores)"

# The PATH of jobs is where it is looked for.
mkdir "$tmp/launchers"
printf '#!/bin/sh\n' >"$tmp/launchers/nosuchrun"
chmod +x "$tmp/launchers/nosuchrun"
printf 'format: 1\nprofiles:\n  here: {scheduler: local, launcher: [nosuchrun], env: {PATH: "%s:/usr/bin:/bin"}}\n' \
    "$tmp/launchers" >"$c/site.yaml"
fanfold -C "$c" doctor --json >"$tmp/out"
has "a launcher that is on the PATH of jobs" "$tmp/launchers/nosuchrun" "$(says "profile 'here': launcher")"

# setup that fails: no report, and the job's last words.
printf 'format: 1\nprofiles:\n  here: {scheduler: local, setup: [[sh, -c, "echo no module; exit 3"]], limits: {visibility: 0.1s}}\n' >"$c/site.yaml"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "setup fails: bad" 1 $?
has "... with what the job said" "the job said: no module" "$(says "profile 'here': probe job")"
has "... and what to do" '`setup`' "$(says "profile 'here': probe job")"
is "nothing is left" "site.yaml" "$(ls -A "$c")"

# MPS is looked for where jobs run.
printf 'format: 1\nprofiles:\n  here: {scheduler: local, gpu_sharing: mps}\n' >"$c/site.yaml"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "no MPS: bad" 1 $?
has "... naming its program" "no nvidia-cuda-mps-control" "$(says "profile 'here': MPS")"
mkdir "$tmp/mps"
printf '#!/bin/sh\n' >"$tmp/mps/nvidia-cuda-mps-control"
chmod +x "$tmp/mps/nvidia-cuda-mps-control"
PATH=$tmp/mps:$PATH fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "MPS is there" 0 $?
has "... which is said" "is on PATH on" "$(says "profile 'here': MPS")"

# A spool that can be none.
: >"$tmp/foreign"
printf 'format: 1\nprofiles:\n  here: {scheduler: local, spool: %s/foreign}\n' "$tmp" >"$c/site.yaml"
fanfold -C "$c" doctor --json >"$tmp/out"
is "a spool that is a file: bad" 1 $?
has "... naming the key" '`spool:`' "$(says 'local scheduler: spool')"

# Interrupted while the job waits: it is taken back.
printf 'format: 1\nprofiles:\n  here: {scheduler: local, setup: [[sleep, "1000"]]}\n' >"$c/site.yaml"
fanfold -C "$c" doctor --probe >"$tmp/out" 2>&1 &
pid=$!
until_ok pgrep -f "$FANFOLD_SPOOL/.*"
kill -INT $pid
wait $pid
is "interrupted: says so" 130 $?
is "... nothing is left" "site.yaml" "$(ls -A "$c")"
is "... nothing runs" "" "$(pgrep -f "$FANFOLD_SPOOL")"

# The words of the command.
exits "an unknown profile is refused" 2 fanfold -C "$c" doctor nosuch
has "... saying which there are" "there is here" "$(fanfold -C "$c" doctor nosuch 2>&1)"
exits "a bad duration too" 2 fanfold -C "$c" doctor --timeout soon
echo 'format: 2' >"$c/site.yaml"
exits "a site file that is wrong" 3 fanfold -C "$c" doctor

# --- probe: what a node is like ---

printf 'format: 1\nprofiles:\n  here: {scheduler: local}\n' >"$c/site.yaml"
HWLOC_XMLFILE=$abs_top_srcdir/tests/fixtures/hwloc/8-gpus.xml
export HWLOC_XMLFILE
ok "probe asks a node" fanfold -C "$c" probe here
is "... beside the site file" "here-node.xml site.yaml" "$(ls -A "$c" | xargs)"
printf 'format: 1\nprofiles:\n  here: {scheduler: local, %s}\n' \
    "$(fanfold -C "$c" probe here --json | jq -r .site)" >"$c/site.yaml"
is "... the line for the profile is right" "32 0000:81:00.0 1" \
    "$(fanfold -C "$c" probe here --json |
        jq -r '"\(.node.cores) \(.node.gpus[7].address) \(.node.gpus[7].numa[0])"')"
out=$(fanfold -C "$c" probe here --output "$tmp/other.xml")
has "for people: NUMA nodes" "NUMA 1: 16 cores, CPUs 32-63, 476.8 GiB" "$out"
has "... GPUs by their addresses" "GPU 0000:81:00.0, NUMA 1, NVIDIA H200" "$out"
has "... and where it is" "topology: $tmp/other.xml" "$out"
is "... places tasks as the node's own" "$(fanfold plan --node "$HWLOC_XMLFILE" --task gpus=1)" \
    "$(fanfold plan --node "$tmp/other.xml" --task gpus=1)"
fanfold -C "$c" probe here --share >"$tmp/shared.xml"
is "shared without names of this machine" 0 \
    "$(grep -c -e HostName -e UUID "$tmp/shared.xml")"
is "... it places tasks, too" "$(fanfold plan --node "$HWLOC_XMLFILE" --task gpus=1)" \
    "$(fanfold plan --node "$tmp/shared.xml" --task gpus=1)"
unset HWLOC_XMLFILE
is "nothing else is left" "here-node.xml site.yaml" "$(ls -A "$c" | xargs)"
exits "an unknown profile" 2 fanfold -C "$c" probe nosuch
exits "no place for the file" 1 fanfold -C "$c" probe here --output "$tmp/none/x.xml"
has "... says what to do" "give --output a place" \
    "$(fanfold -C "$c" probe here --output "$tmp/none/x.xml" 2>&1)"
printf 'format: 1\nprofiles:\n  here: {scheduler: local, setup: [["false"]], limits: {visibility: 0.1s}}\n' >"$c/site.yaml"
exits "a job that fails" 1 fanfold -C "$c" probe here
has "... is told" "the job ran and wrote nothing" "$(fanfold -C "$c" probe here 2>&1)"
echo 'format: 2' >"$c/site.yaml"

become_nobody
mkdir "$tmp/nobody/readonly"
chmod 555 "$tmp/nobody/readonly"
give_to_nobody "$tmp/nobody"
as_nobody fanfold -C "$tmp/nobody/readonly" doctor --json >"$tmp/out"
is "a directory that cannot be written: bad" 1 $?
has "... and what to do" "make the campaign's directory writable" "$(says 'data space')"

done_testing
