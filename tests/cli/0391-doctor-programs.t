#!/bin/sh
# 0391-doctor-programs - doctor --probe tries the programs of a campaign's stages: the
# backend of dp, the pair styles of LAMMPS, and whether the others are there.  dp and the
# LAMMPS with DeePMD-kit are stand-ins, which print what DeePMD-kit 3.1.3 and its plugin
# for LAMMPS print.
. "$abs_top_srcdir/tests/cli/tap.sh"

# says SUBJECT: grade, text and advice of the finding.
says() {
    jq -r --arg s "profile 'here': $1" '.findings[] | select(.subject == $s) |
        .grade + ": " + .text + "; " + .advice' "$tmp/out"
}

# dp: what is imported decides; `dp --version` and `dp -h` work without any of it.
mkdir "$tmp/dp-bin"
cat >"$tmp/dp-bin/dp" <<'END'
#!/bin/sh
backend=tensorflow
case $1 in --pt) backend=torch; shift ;; --jax) backend=jax; shift ;; --tf) shift ;; esac
case $1 in
--version) echo "DeePMD-kit v3.1.3"; exit 0 ;;
-h | "") echo "usage: dp [-h] [-b {jax,tensorflow,pytorch,paddle}] [--version] {train,freeze} ..."; exit 0 ;;
train) ;;
*) echo "dp: error: argument command: invalid choice: '$1'" >&2; exit 2 ;;
esac
case " $backend $DP_HAS " in
" jax "*)
    echo "Traceback (most recent call last):" >&2
    echo "  File \"/usr/lib/python3/dist-packages/deepmd/backend/jax.py\", line 65, in entry_point_hook" >&2
    echo "    raise NotImplementedError" >&2
    echo "NotImplementedError" >&2
    exit 1 ;;
*" $backend "*"$backend "*) ;;
*)
    echo "Traceback (most recent call last):" >&2
    echo "  File \"/usr/lib/python3/dist-packages/deepmd/main.py\", line 1046, in main" >&2
    echo "ModuleNotFoundError: No module named '$backend'" >&2
    exit 1 ;;
esac
echo "[2026-11-21 02:13:26,755] DEEPMD INFO    DeePMD version: 3.1.3" >&2
echo "[2026-11-21 02:13:26,756] DEEPMD INFO    Backend:           PyTorch" >&2
echo "[2026-11-21 02:13:26,756] DEEPMD INFO    Computing Device:  CPU" >&2
if [ ! -e "$2" ]; then
    echo "Traceback (most recent call last):" >&2
    echo "  File \"/usr/lib/python3/dist-packages/deepmd/pt/entrypoints/main.py\", line 327, in train" >&2
    echo "FileNotFoundError: [Errno 2] No such file or directory: '$2'" >&2
    exit 1
fi
END
# lmp: deepmd is a plugin, which LAMMPS looks for where LAMMPS_PLUGIN_PATH says.
mkdir "$tmp/lmp-bin" "$tmp/deepmd_lmp"
: >"$tmp/deepmd_lmp/dpplugin.so"
cat >"$tmp/lmp-bin/lmp" <<'END'
#!/bin/sh
echo "LAMMPS (4 Feb 2025)"
styles="adp agni airebo eam/alloy hybrid hybrid/overlay kim lj/cut table zbl"
if [ -n "$LAMMPS_PLUGIN_PATH" ] && [ -e "$LAMMPS_PLUGIN_PATH/dpplugin.so" ]; then
    echo "Loaded 6 plugins from $LAMMPS_PLUGIN_PATH"
    styles="adp agni airebo deepmd deepspin eam/alloy hybrid hybrid/overlay kim lj/cut table zbl"
fi
while read -r word rest; do
    case $word in
    info) [ "$rest" = "styles pair" ] || exit 1
        printf '\n%s\nPrinted on Mon Nov 23 16:56:30 2026\n\nStyles information:\n\nPair styles:\n\n' \
            Info-Info-Info-Info-Info-Info-Info-Info-Info-Info-Info
        for s in $styles; do printf '%-16s' "$s"; done
        printf '\n\n\n\nInfo-Info-Info-Info-Info-Info-Info-Info-Info-Info-Info\n\n' ;;
    *) echo "ERROR: Unknown command: $word $rest (src/input.cpp:314)"; exit 1 ;;
    esac
done <"$2"
END
chmod +x "$tmp/dp-bin/dp" "$tmp/lmp-bin/lmp"

c=$tmp/copper
mkdir "$c"
for name in start initial; do
    printf '2\nLattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3:forces:R:3 energy=-1\nCu 0 0 0 0 0 0\nCu 2 2 1.9 0 0 0\n' >"$c/$name.extxyz"
done
cp "$c/initial.extxyz" "$c/more.extxyz"
cat >"$c/input.json" <<'END'
{"model": {"descriptor": {"type": "se_e2_a", "sel": [60], "rcut_smth": 2.0, "rcut": 4.5},
           "fitting_net": {"neuron": [16, 16]}},
 "learning_rate": {"type": "exp", "start_lr": 0.005, "stop_lr": 1e-5, "decay_steps": 20},
 "loss": {"type": "ener"}, "training": {"numb_steps": 160, "disp_freq": 20, "save_freq": 40}}
END
cat >"$c/md.in" <<'END'
velocity all create ${temperature} 4711
fix 1 all nve
run ${steps}
END
printf 'pair_style eam/alloy\npair_coeff * * %s/Cu.eam ${elements}\n' "$c" >"$c/eam.lmp"
: >"$c/Cu.eam"
campaign() {
    cat >"$c/campaign.yaml" <<END
format: 1
campaign: copper
elements: [Cu]
models: 2
data: {initial: [initial.extxyz]}
stages:
  train: {uses: deepmd.train, with: {input: input.json, backend: ${1:-pt}}}
  explore: {uses: lammps.explore, with: {committee: deepmd, input: md.in, systems: start.extxyz,
            for_each: {temperature: [300]}, steps: 100, dump_every: 10}}
  select: {uses: model_devi.select, with: {levels: {force: [0.1, 0.3]}, pick: {quota: 2}}}
  label: {uses: lammps.label, with: {frames: previous.select.frames, input: eam.lmp}}
stop: {iterations: 1}
END
}
# site SETUP ENV: what jobs of the profile have around them; not what doctor has.
site() {
    printf 'format: 1\nprofiles:\n  here: {scheduler: local, setup: [%s], env: {%s}, limits: {visibility: 1s}}\n' \
        "$1" "$2" >"$c/site.yaml"
}
load="[export, DP_HAS=torch]"
campaign
site "$load" "PATH: '$tmp/dp-bin:$tmp/lmp-bin:$PATH', LAMMPS_PLUGIN_PATH: $tmp/deepmd_lmp"
ok "the campaign is good" fanfold -C "$c" check

fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "all that the stages need is there" 0 $?
is "... the backend, as setup loads it" \
    "good: dp has the backend pt, 3.1.3, CPU; " "$(says "dp of stage 'train'")"
is "... the pair style of the plugin" \
    "good: LAMMPS (4 Feb 2025) has pair_style deepmd; " "$(says "lammps of stage 'explore'")"
is "... the one of a template" \
    "good: LAMMPS (4 Feb 2025) has pair_style eam/alloy; " "$(says "lammps of stage 'label'")"
silent "nothing is left" find "$c" -name '.fanfold' -o -name 'trial*'
fanfold -C "$c" doctor --json >"$tmp/out"
is "without --probe they are named" 0 $?
has "... as not tried" "good: lmp, dp: not tried; fanfold doctor --probe" "$(says 'programs of stages')"

# What is missing.
site '["true"]' "PATH: '$tmp/dp-bin:$tmp/lmp-bin:$PATH'"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "a backend that is missing: bad" 1 $?
has "... named" "bad: there is no PyTorch for dp (No module named 'torch'); write backend: tf" \
    "$(says "dp of stage 'train'")"
has "... and the plugin" "bad: this LAMMPS has no pair_style deepmd; let env of the profile set LAMMPS_PLUGIN_PATH" \
    "$(says "lammps of stage 'explore'")"
has "... what the same LAMMPS has is good" "good: LAMMPS (4 Feb 2025) has pair_style eam/alloy" \
    "$(says "lammps of stage 'label'")"
campaign tf
fanfold -C "$c" doctor --probe --json >"$tmp/out"
has "each backend is asked for itself" "bad: there is no TensorFlow for dp" "$(says "dp of stage 'train'")"
campaign jax
fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "an error that is dp's own has its advice" \
    'bad: NotImplementedError; name another `dp` or `backend` in the stage, or let setup of the profile load one that works' \
    "$(says "dp of stage 'train'")"

campaign
site "$load" "PATH: '/usr/bin:/bin', LAMMPS_PLUGIN_PATH: $tmp/deepmd_lmp"
sed -i 's/backend: pt/backend: pt, dp: [nosuch-dp]/' "$c/campaign.yaml"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
is "a program that is not there: bad" 1 $?
has "... named" "nosuch-dp" "$(says "dp of stage 'train'")"
has "... with what to do" "let setup of the profile load it (module load ...)" "$(says "dp of stage 'train'")"

# A loader of libraries that fails; a program that ends before it says anything.
campaign
printf '#!/bin/sh\necho "lmp: error while loading shared libraries: liblammps.so.0: cannot open shared object file: No such file or directory" >&2\nexit 127\n' >"$tmp/lmp-bin/lmp"
printf '#!/bin/sh\nexit 0\n' >"$tmp/dp-bin/dp"
site "$load" "PATH: '$tmp/dp-bin:$tmp/lmp-bin:$PATH'"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
has "a library that is missing" "exited with status 127: lmp: error while loading shared libraries: liblammps.so.0" \
    "$(says "lammps of stage 'explore'")"
has "a program that is no dp" "warning: dp did not look for the input" "$(says "dp of stage 'train'")"
printf '#!/nosuch/python3\n' >"$tmp/dp-bin/dp"
fanfold -C "$c" doctor --probe --json >"$tmp/out"
has "a program whose interpreter is missing" "bad: " "$(says "dp of stage 'train'")"

# A campaign with problems: the site is looked at, and that is said.
sed -i 's/deepmd.train/deepmd.trian/' "$c/campaign.yaml"
fanfold -C "$c" doctor --json >"$tmp/out"
has "a campaign with problems" "its stages are not looked at" "$(jq -r '.findings[].text' "$tmp/out")"

# The real LAMMPS, which has no DeePMD-kit here, or has it.
if command -v lmp >/dev/null; then
    campaign
    site '["true"]' "PATH: '$PATH'"
    fanfold -C "$c" doctor --probe --json >"$tmp/out"
    echo 'pair_style deepmd none' >"$tmp/style.in"
    if lmp -in "$tmp/style.in" -log none 2>&1 | grep -q 'Unrecognized pair style'; then
        has "the real LAMMPS lacks it" "bad: this LAMMPS has no pair_style deepmd" \
            "$(says "lammps of stage 'explore'")"
    else
        has "the real LAMMPS has it" "has pair_style deepmd" "$(says "lammps of stage 'explore'")"
    fi
    has "... and has what Debian builds" "good: LAMMPS (" "$(says "lammps of stage 'label'")"
else
    not_here "LAMMPS (scripts/packages codes)"
fi

done_testing
