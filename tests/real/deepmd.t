#!/bin/sh
# deepmd - the real DeePMD-kit and its LAMMPS: a committee learns EMT's copper in two
# iterations (REAL_ITERATIONS), with a training that is killed on its way, and both kinds of
# lammps.explore judge the same trajectory alike
. "$abs_top_srcdir/tests/cli/tap.sh"

knows_deepmd() {
    printf 'units metal\nregion b block 0 9 0 9 0 9\ncreate_box 1 b\npair_style deepmd none.pb\n' >"$tmp/style.in"
    ! lmp -in "$tmp/style.in" -log none 2>&1 | grep -q 'Unrecognized pair style'
}

if ! /usr/bin/python3 -c 'import ase, numpy' 2>/dev/null; then
    not_here "ASE for /usr/bin/python3 (scripts/packages codes)"
    done_testing
fi

c=$tmp/copper
mkdir "$c"
cp "$abs_top_srcdir/examples/ase-worker/label.py" "$c"
/usr/bin/python3 - "$c" <<'END' || fail "the data are made"
import sys
import ase.io
import numpy as np
from ase.build import bulk
from ase.calculators.emt import EMT
from ase.calculators.singlepoint import SinglePointCalculator

draw = np.random.default_rng(3)
frames = []
for i in range(16):
    atoms = bulk("Cu", cubic=True, a=3.61 * (0.98 + 0.04 * i / 15)) * (2, 2, 2)
    atoms.positions += draw.normal(0, 0.04 + 0.01 * (i % 4), atoms.positions.shape)
    atoms.calc = EMT()
    atoms.calc = SinglePointCalculator(atoms, energy=atoms.get_potential_energy(),
                                       forces=atoms.get_forces(), stress=atoms.get_stress())
    frames.append(atoms)
ase.io.write(sys.argv[1] + "/initial.extxyz", frames, format="extxyz")
ase.io.write(sys.argv[1] + "/start.extxyz", frames[5], format="extxyz")
END
cat >"$c/input.json" <<'END'
{"model": {"type_map": ["Cu"],
           "descriptor": {"type": "se_e2_a", "sel": [60], "rcut_smth": 2.0, "rcut": 4.5,
                          "neuron": [4, 8], "axis_neuron": 2},
           "fitting_net": {"neuron": [16, 16]}},
 "learning_rate": {"type": "exp", "start_lr": 0.005, "stop_lr": 1e-5, "decay_steps": 20},
 "loss": {"type": "ener", "start_pref_e": 0.02, "limit_pref_e": 1, "start_pref_f": 1000,
          "limit_pref_f": 1},
 "training": {"training_data": {"batch_size": 1}, "numb_steps": 160, "disp_freq": 20,
              "save_freq": 40}}
END
cat >"$c/md.in" <<'END'
velocity all create ${temperature} 4711 mom yes
fix 1 all nve
timestep 0.002
run ${steps}
END
# dp, whose first training is killed behind its first checkpoint.
cat >"$c/dp-killed-once" <<'END'
#!/bin/sh
train=
case " $* " in *" train "*) train=yes ;; esac
if [ -n "$train" ] && mkdir "${0%/*}/killed" 2>/dev/null; then
    dp "$@" &
    pid=$!
    until ls model.ckpt-*.pt >/dev/null 2>&1; do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
    ls model.ckpt-*.pt >"${0%/*}/killed/behind"
    kill -KILL $pid
    wait $pid
    kill -KILL $$
fi
exec dp "$@"
END
chmod +x "$c/dp-killed-once"
cat >"$c/campaign.yaml" <<END
format: 1
campaign: copper
elements: [Cu]
seed: 11
models: 3
data: {initial: [initial.extxyz]}
stages:
  label:
    uses: ase.label
    with: {frames: previous.select.frames}
  train:
    uses: deepmd.train
    with: {input: input.json, backend: pt, dp: [$c/dp-killed-once]}
  explore:
    uses: lammps.explore
    with: {committee: deepmd, input: md.in, systems: start.extxyz,
           for_each: {temperature: [300, 900]}, steps: 100, dump_every: 10}
  again:
    uses: lammps.explore
    with: {committee: rerun, pair_style: "deepmd {potential}/graph.pth", pair_coeff: "* *",
           input: md.in, systems: start.extxyz,
           for_each: {temperature: [300, 900]}, steps: 100, dump_every: 10}
  select:
    uses: model_devi.select
    with: {levels: {force: [0.02, 5.0]}, pick: {quota: 4}}
  compare:
    uses: model_devi.select
    with: {trajectories: again.trajectory, forces: again.forces, deviations: [],
           frames_expected: again.frames_expected, system: again.system,
           levels: {force: [0.02, 5.0]}, pick: {quota: 4}}
stop: {iterations: ${REAL_ITERATIONS:-2}}
history: {frames: max(train.frames), rmse_f: max(train.rmse_f), candidates: select.candidates,
          again: compare.candidates}
operators:
  ase.label:
    fan_out: [frames]
    inputs: {frames: {type: frames}}
    outputs: {frame: {type: frames}}
    worker: [/usr/bin/python3, "{campaign}/label.py", "ase.calculators.emt:EMT"]
    collect:
      outputs: {dataset: {type: frames, publish: true}}
      script: 'jq -r ".stacked.frame[] | select(. != null)" task.json | xargs cat >\$outputs_dataset'
END
cat >"$c/site.yaml" <<'END'
format: 1
profiles: {here: {scheduler: local, node: {cores: 2}}}
END
# Deviations of forces in dumps, by numpy, against the rows of DeePMD-kit's own file.
cat >"$tmp/compare.py" <<'END'
import glob
import sys
import numpy as np

def frames(path):
    """The last three columns of each frame of a dump, in the order of ids."""
    lines = open(path).read().split("\n")
    at = 0
    while at < len(lines) and lines[at].startswith("ITEM: TIMESTEP"):
        n = int(lines[at + 3])
        rows = np.array([line.split() for line in lines[at + 9:at + 9 + n]], float)
        yield rows[np.argsort(rows[:, 0]), -3:]
        at += 9 + n

worst, largest = 0, 0
deepmd, rerun = (glob.glob(sys.argv[1] + "/" + stage + "/lammps/iter/*/job/*/out")
                 for stage in ("explore", "again"))
assert len(deepmd) == len(rerun) > 0
for a, b in zip(sorted(deepmd), sorted(rerun)):
    ways = [np.array(list(frames(path + "/trajectory.dump"))) for path in (a, b)]
    assert np.abs(ways[0] - ways[1]).max() < 1e-9, "these are two trajectories: " + b
    rows = np.loadtxt(a + "/model_devi.out")
    forces = np.array([list(frames(path)) for path in sorted(glob.glob(b + "/forces/*"))])
    assert forces.shape[:2] == (3, len(rows)), forces.shape
    off = forces - forces.mean(axis=0)
    own = np.sqrt((off ** 2).sum(axis=3).mean(axis=0)).max(axis=1)
    worst = max(worst, np.abs(own - rows[:, 4]).max())
    largest = max(largest, own.max())
print("# deviations up to %.3g eV/angstrom, the two differ by %.1e at most" % (largest, worst))
sys.exit(not (worst < 1e-6 and largest > 1e-3))
END

history() {
    fanfold -C "$c" status --json | jq -c "[.history[]$1]"
}

ok "it passes check" fanfold -C "$c" check

missing= # of what a run needs
dp --version >/dev/null 2>&1 || missing="$missing, dp of DeePMD-kit"
if ! command -v lmp >/dev/null || ! knows_deepmd; then
    missing="$missing, a LAMMPS that knows pair_style deepmd"
fi
[ -x "$abs_top_builddir/fanfold-reduce" ] || missing="$missing, MPI"
if [ -n "$missing" ]; then
    not_here "real training and exploring with DeePMD-kit: no ${missing#, }"
    done_testing
fi

ok "it runs to its end" fanfold -C "$c" run
fanfold -C "$c" status | sed 's/^/# /'
is "each model has a curve to its last step" "160 160 160" "$(for k in 0 1 2; do
    tail -n 1 "$c/train/deepmd/iter/000000/job/00000$k/out/lcurve.out" | awk '{ print $1 }'
done | xargs)"
is "no two models are the same" 3 "$(sha256sum "$c"/train/deepmd/iter/000000/job/*/out/potential/graph.pth |
    awk '{ print $1 }' | sort -u | wc -l)"
ok "a training was killed behind a checkpoint" [ -s "$c/killed/behind" ]
has "... and went on from that" "model.ckpt-" "$(for k in 0 1 2; do
    fanfold -C "$c" log train $k --iteration 0 | grep -i 'resuming from'
done)"
ok "what was selected was labelled and trained on" \
    [ "$(history .frames | jq '.[-1] > .[0]')" = true ]
judged=$(/usr/bin/python3 "$tmp/compare.py" "$c" 2>&1)
is "both committees see the same deviations of the same trajectory" 0 $?
echo "$judged"
is "... and as many candidates" "$(history .candidates || echo none)" "$(history .again)"
is "all iterations were made" "${REAL_ITERATIONS:-2}" "$(history "" | jq length)"

done_testing
