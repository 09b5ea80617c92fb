#!/bin/sh
# 0410-lammps-label.t - the steps of lammps.label with the real lmp

potentials=/usr/share/lammps/potentials
if ! command -v lmp >/dev/null || [ ! -r $potentials/Si.sw ]; then
    echo '1..0 # SKIP there is no lmp, or not its potentials'
    exit 0
fi
. "$(dirname "$0")/engine.sh"
mkdir "$work/task"

# frame [NAME=VALUE ...]: eight atoms of diamond, out of their places, in a cell
# that is turned and strained; 'reflect' makes it left-handed, 'mixed' every
# other atom carbon, 'perfect' leaves all in place, 'dx' moves atom 1, 'xx' and
# 'xy' are strains, 'pbc' is its periodicity.
frame () {
    awk -v a=5.431 -v pbc='T T T' "$@" '
        function turn (x, y, z,    c, s) { # about z, then about x, then strain
            c = cos(0.7); s = sin(0.7); X = c * x - s * y; Y = s * x + c * y
            c = cos(0.4); s = sin(0.4); Z = s * Y + c * z; Y = c * Y - s * z
            X += xx * X + xy * Y
            return sprintf("%.15g %.15g %.15g", X, Y, Z) }
        BEGIN {
            srand(5)
            print 8
            printf("Lattice=\"%s %s %s\" Properties=species:S:1:pos:R:3 " \
                   "pbc=\"%s\" task=7\n", turn(a, 0, 0), turn(0.2, a, 0),
                   turn(0.1, 0.3, reflect ? -a : a), pbc)
            n = split("0 0 0 1 1 1 0 2 2 1 3 3 2 0 2 3 1 3 2 2 0 3 3 1", q)
            for (i = 1; i < n; i += 3) {
                for (k = 0; k < 3; k++)
                    p[k] = q[i + k] * a / 4 \
                           + (perfect ? 0 : 0.2 * (rand() - 0.5))
                if (i == 1)
                    p[0] += dx
                print (mixed && i % 2 ? "C" : "Si"), turn(p[0], p[1], p[2])
            } }'
}

# label ELEMENTS: the frame and the template of the standard input.
label () {
    rm -rf "$work/task"
    mkdir -p "$work/task/in"
    cat >"$work/template.in"
    cp "$work/frame.extxyz" "$work/task/in/frames.extxyz"
    cat >"$work/task/task.json" <<END
{"format": 1, "campaign": "silicon", "campaign_dir": "$work",
 "stage": "label", "code": "lammps", "iteration": 0, "task": 0, "seed": 1,
 "resources": {"ranks": 1, "cores": 1, "gpus": 0, "memory_bytes": 0,
  "walltime_s": 120},
 "launcher": [],
 "inputs": {"frames": "$work/task/in/frames.extxyz",
  "input": "$work/template.in", "lammps": ["lmp"], "elements": [$1],
  "files": ["$potentials/Si.sw", "$potentials/SiC.tersoff"]},
 "outputs": {"frame": "out/frame.extxyz"}}
END
    (cd "$work/task" && fanfold operator lammps.label run) >"$work/said" 2>&1
    status=$?
}

label_sw () {
    label '"Si"' <<'END'
pair_style sw
pair_coeff * * Si.sw ${elements}
END
}

# of NAME [N]: what the labels say: energy, force of an atom, number of the virial.
energy () {
    sed -n 's/.*energy=\([-0-9.e+]*\).*/\1/p' "$work/task/out/frame.extxyz"
}
virial () {
    sed -n 's/.*virial="\([^"]*\)".*/\1/p' "$work/task/out/frame.extxyz" |
        cut -d ' ' -f "$1"
}
forces () {
    sed 1,2d "$work/task/out/frame.extxyz" | awk '{ print $5, $6, $7 }'
}

# near A B TOLERANCE
near () {
    echo "$1 $2 $3" >>"$work/said"
    [ -n "$1" ] && awk -v a="$1" -v b="$2" -v t="$3" \
        'BEGIN { exit !(a - b < t && b - a < t) }'
}

frame -v perfect=1 -v a=5.431 >"$work/frame.extxyz"
# its cell is skewed; that of diamond is not
awk 'NR == 2 { $0 = "Lattice=\"5.431 0 0 0 5.431 0 0 0 5.431\" " \
                    "Properties=species:S:1:pos:R:3 pbc=\"T T T\"" }
     NR > 2 { split("0 0 0 1 1 1 0 2 2 1 3 3 2 0 2 3 1 3 2 2 0 3 3 1", q)
              i = 3 * (NR - 3)
              $0 = "Si " q[i + 1] * 5.431 / 4 " " q[i + 2] * 5.431 / 4 " " \
                   q[i + 3] * 5.431 / 4 }
     1' "$work/frame.extxyz" >"$work/diamond.extxyz"
cp "$work/diamond.extxyz" "$work/frame.extxyz"
label_sw
good=no
[ $status -eq 0 ] && near "$(energy)" $((-4336302 * 8))e-6 0.01 && good=yes
result 'Stillinger and Weber: -4.3363 eV an atom' $good

frame >"$work/frame.extxyz"
label_sw
good=no
[ $status -eq 0 ] && grep -q 'task=7' "$work/task/out/frame.extxyz" &&
    cut -d ' ' -f 2-4 "$work/frame.extxyz" | sed 1,2d >"$work/places" &&
    sed 1,2d "$work/task/out/frame.extxyz" | cut -d ' ' -f 2-4 |
        cmp -s - "$work/places" && good=yes
result 'a cell in any orientation: positions stay as they were' $good
e=$(energy) w_xx=$(virial 1) w_xy=$(virial 2) w_yx=$(virial 4)
forces >"$work/forces"

# slope BEFORE AFTER STEP: the derivative of the energy.
slope () {
    awk -v a="$1" -v b="$2" -v h="$3" 'BEGIN { printf("%.9g", (b - a) / 2 / h) }'
}

frame -v xx=-1e-4 >"$work/frame.extxyz"
label_sw
low=$(energy)
frame -v xx=1e-4 >"$work/frame.extxyz"
label_sw
good=no
near "$(slope "$low" "$(energy)" -1e-4)" "$w_xx" 1e-3 &&
    ! near "$w_xx" 0 0.5 && good=yes
result 'the virial is minus the slope along a strain' $good

frame -v xy=-1e-4 >"$work/frame.extxyz"
label_sw
low=$(energy)
frame -v xy=1e-4 >"$work/frame.extxyz"
label_sw
good=no
near "$(slope "$low" "$(energy)" -1e-4)" "$w_xy" 1e-3 &&
    near "$w_xy" "$w_yx" 1e-9 && ! near "$w_xy" 0 0.1 && good=yes
result '... and along a shear' $good

# atom 1 moves along the first row of the rotation
frame -v dx=-1e-4 >"$work/frame.extxyz"
label_sw
low=$(energy)
frame -v dx=1e-4 >"$work/frame.extxyz"
label_sw
along=$(awk 'NR == 1 { print $1 * cos(0.7) + $2 * cos(0.4) * sin(0.7) \
                             + $3 * sin(0.4) * sin(0.7) }' "$work/forces")
good=no
near "$(slope "$low" "$(energy)" -1e-4)" "$along" 1e-3 && good=yes
result 'forces are minus the slope along a move' $good

frame -v reflect=1 >"$work/frame.extxyz"
label_sw
good=no
[ $status -eq 0 ] && [ -n "$(energy)" ] && good=yes
result 'a left-handed cell' $good

# --- two elements ---

label_tersoff () {
    label "$1" <<'END'
pair_style tersoff # of Si and C
pair_coeff * * SiC.tersoff ${elements}
END
}

frame -v mixed=1 -v a=4.4 >"$work/frame.extxyz"
label_tersoff '"Si", "C"'
e=$(energy)
forces >"$work/forces"
good=no
[ $status -eq 0 ] && near "$e" -49 10 && good=yes
result 'two elements' $good

label_tersoff '"C", "Si", "Ge"'
good=no
[ $status -ne 0 ] && tail -n 1 "$work/said" | grep -q 'LAMMPS exited' && good=yes
result 'an element that the potential lacks' $good

label_tersoff '"C", "Si"'
good=no
[ $status -eq 0 ] && near "$e" "$(energy)" 1e-8 &&
    forces | awk '
        function off (a, b) { return a - b > 1e-8 || b - a > 1e-8 }
        NR == FNR { x[NR] = $1; y[NR] = $2; z[NR] = $3; next }
        off(x[FNR], $1) || off(y[FNR], $2) || off(z[FNR], $3) { exit 1 }
        ' "$work/forces" - && good=yes
result 'the order of elements says nothing about atoms' $good

label_tersoff '"Si"'
good=no
[ $status -eq 3 ] && tail -n 1 "$work/said" |
    grep -q "atom 1: 'C' is not among the elements" && good=yes
result 'an element that is not among them' $good

# --- what is refused, what fails ---

frame -v pbc='T T F' >"$work/frame.extxyz"
label_sw
good=no
[ $status -eq 3 ] && tail -n 1 "$work/said" |
    grep -q 'the frame does not repeat along c' && good=yes
result 'a frame that does not repeat' $good

frame >"$work/frame.extxyz"
label '"Si"' <<'END'
pair_style sw
pair_coeff * * Si.sw Si
run 100
END
good=no
[ $status -eq 3 ] && tail -n 1 "$work/said" |
    grep -q "template.in:3: 'run' is filled in by Fanfold" && good=yes
result 'a template that runs' $good

label '"Si"' <<'END'
pair_style sw
pair_coeff * * nosuch.sw Si
END
good=no
[ $status -eq 3 ] && tail -n 1 "$work/said" |
    grep -q 'ERROR.*nosuch.sw.*Last command: pair_coeff' && good=yes
result "LAMMPS's own message" $good

label '"Si"' <<'END'
pair_style sw
pair_coeff * * Si.sw Si
displace_atoms all move 0.1 0 0
END
good=no
[ $status -eq 3 ] && tail -n 1 "$work/said" |
    grep -q 'LAMMPS moved atom 1: it is at (.*sent at (.*; remove what' && good=yes
result 'a template that moves atoms' $good

label '"Si"' <<'END'
pair_style zero 5.0
pair_coeff * *
change_box all x scale 1.01 remap
END
good=no
[ $status -eq 3 ] && tail -n 1 "$work/said" |
    grep -q 'used another cell: a is (' && good=yes
result 'a template that changes the box' $good

done_testing
