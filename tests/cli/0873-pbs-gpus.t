#!/bin/sh
# 0873-pbs-gpus - a PBS that counts ngpus and tells no job which: elements that run at
# one time on a node have devices of their own, and give them back
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/pbs.sh"

fake_up ncpus=4 ngpus=4 job_history_enable=True

# Of eight devices that hwloc sees PBS counts four.
c=$tmp/c
mkdir "$c"
cat >"$c/site.yaml" <<END
format: 1
profiles:
  here:
    scheduler: pbs
    node: {cores: 4, gpus: 4}
    env: {HWLOC_XMLFILE: $abs_top_srcdir/tests/fixtures/hwloc/8-gpus.xml}
    setup: [[export, FANFOLD_SPOOL=$tmp/node]]
    limits: {poll: 0.5s, settle: 2s, visibility: 10s}
END
cat >"$c/see.sh" <<'END'
echo "$CUDA_VISIBLE_DEVICES" >"$1/seen-$2"
until [ -e "$1/seen-a" ] && [ -e "$1/seen-b" ]; do sleep 0.1; done
printf '{"seen": "%s"}' "$CUDA_VISIBLE_DEVICES" >"$3"
END
cat >"$c/campaign.yaml" <<END
format: 1
campaign: gpus
elements: [Si]
stages:
  a: {uses: test.see, with: {name: a}}
  b: {uses: test.see, with: {name: b}}
  after: {uses: test.after, with: {a: a.seen, b: b.seen}}
stop: {iterations: 1}
operators:
  test.see:
    inputs: {name: {type: string}}
    outputs: {seen: {type: string}}
    task: {cores: 1, gpus: 2, walltime: 2m}
    command: [sh, "{campaign}/see.sh", "{campaign}", "{name}", "{outputs.params}"]
  test.after:
    inputs: {a: {type: string}, b: {type: string}}
    outputs: {all: {type: string}}
    task: {cores: 1, gpus: 4, walltime: 2m}
    command: [sh, -c, 'printf "{{\"all\": \"%s\"}}" "\$CUDA_VISIBLE_DEVICES" >"\$1"', sh, "{outputs.params}"]
END
ok "two elements with two GPUs each, at one time" fanfold -C "$c" run
is "... have four devices" 4 \
    "$(for s in a b; do fanfold -C "$c" result $s seen; done | tr ',' '\n' | sort -u | grep -c .)"
is "... which the next one gets" 4 \
    "$(fanfold -C "$c" result after all | tr ',' '\n' | sort -u | grep -c .)"
is "... that PBS told nobody" "" "$(run_files "$c" '*' '*' '*/*/script' | xargs -r grep -rh CUDA_VISIBLE)"

done_testing
