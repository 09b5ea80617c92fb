#!/bin/sh
# fit-linear.t - the trainer as a program, and its KIM model in LAMMPS
#
# Needs the build in $abs_top_builddir; without lmp the last tests are skipped.

source=${abs_top_srcdir:?}/examples/silicon
bin=${abs_top_builddir:?}/examples/silicon/bin
frames=$source/data/initial.extxyz
work=$(mktemp -d "${TMPDIR:-/tmp}/fanfold-test-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# One process without a network; KIM keeps its settings in $HOME.
export HOME="$work" OMPI_MCA_pml=ob1 OMPI_MCA_btl=self OMP_NUM_THREADS=1
n=0

echo 1..14

# result NAME STATUS: one line of TAP.
result ()
{
    n=$((n + 1))
    if [ "$2" -eq 0 ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
        sed 's/^/# /' said 2>/dev/null
    fi
}

# fit MEMBER MEMBERS NAME ARGUMENT...: train potential_NAME, params in NAME.json
fit ()
{
    member=$1 members=$2 name=$3
    shift 3
    "$bin/fit_linear" --member "$member" --members "$members" --seed 5 \
        --out "potential_$name" --params "$name.json" "$@" >said 2>&1
}

# number KEY FILE: the value of a key in one-line JSON.
number ()
{
    sed -n "s/.*\"$1\": \([-+.0-9e]*\).*/\1/p" "$2"
}

# refuse NAME PATTERN COMMAND...: exit status 2 and one line with PATTERN
refuse ()
{
    case=$1 pattern=$2
    shift 2
    "$@"
    [ $? -eq 2 ] && [ "$(wc -l <said)" -eq 1 ] \
        && grep -q "^fit_linear: $pattern" said
    result "$case" $?
}

fit 0 4 a "$frames" && [ "$(number frames a.json)" -eq 8 ] \
    && [ -s potential_a/linear.model ] \
    && cmp -s "$bin/libkim-api-portable-model.so" \
        potential_a/libkim-api-portable-model.so
result "a member is trained" $?

cp "$frames" elsewhere.extxyz
mkdir potential_b
fit 0 4 b elsewhere.extxyz \
    && cmp -s potential_a/linear.model potential_b/linear.model \
    && cmp -s a.json b.json
result "the same frames elsewhere give the same bytes" $?

fit 1 4 c "$frames" \
    && ! cmp -s potential_a/linear.model potential_c/linear.model
result "another member is another model" $?

# The first frame alone, and the rest: together what they were.
head -n 10 "$frames" >first.extxyz
tail -n +11 "$frames" >rest.extxyz
fit 0 4 d first.extxyz rest.extxyz \
    && cmp -s potential_a/linear.model potential_d/linear.model
result "files are read in the order given" $?

fit 0 4 e --held-out first.extxyz --held-out first.extxyz "$frames" \
    && cmp -s potential_a/linear.model potential_e/linear.model \
    && [ "$(number force_rms e.json)" != "$(number force_rms a.json)" ]
result "held-out frames judge and do not teach" $?

refuse "a missing file" "nowhere.extxyz:1: " fit 0 4 x nowhere.extxyz
sed '13s/Si/Ge/' "$frames" >other.extxyz
refuse "another element" "other.extxyz:13: " fit 0 4 x other.extxyz
refuse "frames without labels" ".*/held_out.extxyz:2: no energy=.*label" \
    fit 0 4 x "$source/data/held_out.extxyz"
refuse "no such member" "--member must lie in 0 ... 3" fit 4 4 x "$frames"
refuse "no frames" "no training frames" fit 0 4 x
refuse "an unknown option" "--colour: no such option" \
    fit 0 4 x --colour "$frames"
refuse "a bad number" "--ridge: '-1' is not a number" \
    fit 0 4 x --ridge -1 "$frames"

if ! command -v lmp >/dev/null; then
    echo "ok 13 - LAMMPS runs the model # SKIP no lmp"
    echo "ok 14 - LAMMPS and the trainer agree # SKIP no lmp"
    exit 0
fi

# All frames as a LAMMPS dump.
awk '
    NF == 1 { count = $1; next }
    /^Lattice/ {
        sub ("Lattice=\"", "")
        printf "ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n%d\n", frame++, count
        print "ITEM: BOX BOUNDS pp pp pp\n0", $1 "\n0", $1 "\n0", $1
        print "ITEM: ATOMS id type x y z"
        atom = 0
        next
    }
    { print ++atom, 1, $2, $3, $4 }' "$frames" >frames.dump
fit 0 1 all "$frames"
cat >rerun.in <<END
units metal
atom_style atomic
atom_modify map array sort 0 0.0
read_data $source/data/diamond.data
pair_style kim potential_all
pair_coeff * * Si
dump forces all custom 1 forces.dump id fx fy fz
dump_modify forces sort id format float %.17g
rerun frames.dump dump x y z box yes
END
lmp -in rerun.in -log none >said 2>&1
result "LAMMPS runs the model" $?

# The error of LAMMPS's forces must be the one the trainer reported.
awk 'FNR == NR && NF == 4 && /^[0-9]/ { f[++n] = $2; f[++n] = $3; f[++n] = $4 }
     FNR != NR && $1 == "Si" {
         for (c = 5; c <= 7; c++)
             sum += ($c - f[++m]) ^ 2
     }
     END {
         if (n == 0 || m != n)
             exit 1
         printf "%.17g\n", sqrt (sum / n)
     }' forces.dump "$frames" >rmse \
    && awk -v trained="$(number force_rmse all.json)" '{
        print "LAMMPS", $1, "trainer", trained
        exit !($1 > 0 && ($1 - trained) ^ 2 < (1e-9 * trained) ^ 2)
    }' rmse >said
result "LAMMPS and the trainer agree" $?
