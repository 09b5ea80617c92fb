#!/bin/sh
# 0558-batch-campaign.t - a campaign picks away from what it labelled before, by
# features that operators of the user make

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
LC_ALL=C
export LC_ALL
if ! command -v fanfold-reduce >/dev/null; then
    not_here "the reducer, built without MPI"
    done_testing
fi
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_orte_tmpdir_base=$tmp
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_orte_tmpdir_base
mkdir "$tmp/c" && cd "$tmp/c" || exit 1

# The same eight frames in every iteration, each a candidate; their features are
# the task, times ten, and the step.
cat >toy.py <<'END'
import re, struct, sys

def npy(path, rows):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 3), }" % len(rows)
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        for task, step in rows:
            file.write(struct.pack("<3f", 10 * task, step, 1))

if sys.argv[1] == "explore":
    number, dump, deviations, latent = int(sys.argv[2]), *sys.argv[3:]
    with open(dump, "w") as dump, open(deviations, "w") as rows:
        rows.write("#       step max_devi_v min_devi_v avg_devi_v max_devi_f min_devi_f avg_devi_f\n")
        for step in 1, 2, 3, 4:
            rows.write("%d 0 0 0 0.5 0.1 0.2\n" % step)
            dump.write("ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n"
                       "0 9\n0 9\n0 9\nITEM: ATOMS id type x y z\n1 1 %d %d 0\n" % (step, number, step))
    npy(latent, [(number, step) for step in (1, 2, 3, 4)])
    open("params.json", "w").write('{"frames_expected": 4, "system": "all"}')
else:
    text = "".join(open(path).read() for path in sys.argv[3:])
    npy(sys.argv[2], [(int(t), int(s)) for t, s in re.findall(r"task=(\d+) step=(\d+)", text)])
END
cat >campaign.yaml <<'END'
format: 1
campaign: batches
elements: [Si]
stages:
  describe: {uses: toy.describe, publish: false}
  explore: {uses: toy.explore, publish: false}
  select:
    uses: model_devi.select
    with:
      forces: []
      deviations: explore.deviations
      levels: {force: [0.2, 0.8]}
      pick: {quota: 3, how: fps, pool: all}
      features: {frames: explore.latent, labelled: all.describe.latent, scale: standard}
stop: {iterations: 3}
operators:
  toy.explore:
    fan_out: [number]
    inputs:
      script: {type: file, default: toy.py}
      number: {type: int, from: models}
    outputs: {trajectory: {type: file}, deviations: {type: file}, latent: {type: npy, dtype: f4, shape: [any, 3]},
              frames_expected: {type: int}, system: {type: string}}
    command: [[python3, "{script}", explore, "{number}", "{outputs.trajectory}", "{outputs.deviations}", "{outputs.latent}"]]
  toy.describe:
    inputs:
      script: {type: file, default: toy.py}
      frames: {type: frames, list: true, from: previous.select.frames}
    outputs: {latent: {type: file}}
    command: [[python3, "{script}", describe, "{outputs.latent}", "{frames}"]]
models: 2
END
cat >site.yaml <<'END'
format: 1
profiles:
  here:
    scheduler: local
    node: {cores: 2}
    limits: {poll: 0.05s, settle: 0.05s, visibility: 0.2s}
END
ok "the campaign is fit" fanfold check
ok "and runs" fanfold run
picked () {
    sed -n 's/.*task=\([0-9]*\) step=\([0-9]*\) .*/\1.\2/p' \
        select/model_devi/iter/00000"$1"/job/*/out/frames/*.extxyz | xargs
}
is "corners at first, which one is the first by chance" 3 "$(picked 0 | wc -w)"
is "what is left later" "3 2" "$(picked 1 | wc -w) $(picked 2 | wc -w)"
is "each frame once" "0.1 0.2 0.3 0.4 1.1 1.2 1.3 1.4" \
    "$({ picked 0; picked 1; picked 2; } | tr ' ' '\n' | sort | xargs)"
is "the constant is named" '{"all":[2]}' \
    "$(fanfold result select dropped_features --iteration 1 | jq -c .)"

sed -i 's/how: fps/how: random/' campaign.yaml
has "features that nothing looks at are refused" "does not look at features" "$(fanfold check 2>&1)"

done_testing
