#!/bin/sh
# 0421-lammps-systems - lammps.explore from a POSCAR, extended XYZ and a LAMMPS data
# file, with the real LAMMPS: the start of each trajectory is what the file has
. "$abs_top_srcdir/tests/cli/tap.sh"

stock=/usr/share/lammps/potentials
if ! command -v lmp >/dev/null || [ ! -r $stock/Si.sw ]; then
    not_here "there is no lmp, or not the potentials it comes with"
    done_testing
fi
OMPI_MCA_btl=self OMPI_MCA_pml=ob1
export OMPI_MCA_btl OMPI_MCA_pml

c=$tmp/c
mkdir -p "$c/confs/a"
cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$c"
cp $stock/Si.sw "$c/one.sw"
sed 's/2\.1683/2.2/' $stock/Si.sw >"$c/two.sw"
cat >"$c/md.in" <<'END'
velocity all create 300 ${seed}
fix 1 all nve
run ${steps}
END
# Two atoms in the primitive cell of diamond, whose vectors are in nobody's axes.
cat >"$c/confs/a/POSCAR" <<'END'
silicon
5.43
0.0 0.5 0.5
0.5 0.0 0.5
0.5 0.5 0.0
Si
2
Direct
0 0 0
0.25 0.25 0.25
END
cat >"$c/two.extxyz" <<'END'
2
Lattice="0 2.715 2.715 2.715 0 2.715 2.715 2.715 0" Properties=species:S:1:pos:R:3 pbc="T T T"
Si 0 0 0
Si 1.3575 1.3575 1.3575
2
Lattice="1 0 0 0 1 0 0 0 1" Properties=species:S:1:pos:R:3
Si 0 0 0
Si 0.5 0.5 0.5
END
cp "$abs_top_srcdir/examples/silicon/data/diamond.data" "$c"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: systems
elements: [Si]
stop: {iterations: 1}
stages:
  explore:
    uses: lammps.explore
    with:
      input: md.in
      systems: {xyz: two.extxyz, data: diamond.data, poscar: confs/*/POSCAR}
      steps: 4
      dump_every: 2
      potentials: [one.sw, two.sw]
      pair_style: sw
      pair_coeff: "* * {potential} {elements}"
END
ok "check" fanfold -C "$c" check
ok "run" fanfold -C "$c" run
is "all have their frames" "[3,3,3]" "$(fanfold -C "$c" result explore frames | jq -c .)"

# first N: of task N the atoms and the determinant of the cell, at the start.
first() {
    awk 'NR == 4 { n = $1 } NR >= 6 && NR <= 8 && NF == 3 { d[NR] = $2 - $1; t[NR] = $3; skew = 1 }
         NR >= 6 && NR <= 8 && NF == 2 { d[NR] = $2 - $1 }
         NR == 8 { if (skew) {
             lo = 0; hi = 0
             if (t[6] < lo) lo = t[6]; if (t[7] < lo) lo = t[7]; if (t[6] + t[7] < lo) lo = t[6] + t[7]
             if (t[6] > hi) hi = t[6]; if (t[7] > hi) hi = t[7]; if (t[6] + t[7] > hi) hi = t[6] + t[7]
             d[6] -= hi - lo; d[7] -= t[8] < 0 ? -t[8] : t[8] }
             printf "%d %.4f\n", n, d[6] * d[7] * d[8] / n; exit }' \
        "$c"/explore/lammps/iter/000000/job/"$1"/out/trajectory.dump
}
is "the first frame, turned: two atoms, the volume of each" "2 20.0129" "$(first 000000)"
is "the POSCAR: the same" "2 20.0129" "$(first 000002)"
is "the data file: what it has" 8 "$(first 000001 | cut -d ' ' -f 1)"
forces=$c/explore/lammps/iter/000000/job/000000/out/forces/000.dump
ok "at the start nothing pulls at the atoms of a crystal" awk '
    /ITEM: ATOMS/ { inside = 1; next } /TIMESTEP/ && inside { exit }
    inside { for (k = 3; k <= 5; k++) if ($k > 1e-9 || $k < -1e-9) bad = 1 }
    END { exit bad }' "$forces"

# refused WHAT SYSTEMS SAYS
refused() {
    sed "s#systems: .*#systems: $2#" "$c/campaign.yaml" >"$tmp/new"
    mkdir -p "$tmp/bad"
    cp -R "$c"/md.in "$c"/*.sw "$c"/*.extxyz "$c"/*.data "$c"/site.yaml "$tmp/bad"
    cp "$tmp/new" "$tmp/bad/campaign.yaml"
    exits "$1" 3 fanfold -C "$tmp/bad" check
    has "... and says why" "$3" "$out"
}

printf '1\npbc="F F F"\nSi 0 0 0\n' >"$c/free.extxyz"
refused "a molecule without a cell" free.extxyz "systems.free: '$tmp/bad/free.extxyz': its first frame is not periodic"
printf '1\nLattice="5 0 0 0 5 0 0 0 5"\nGe 0 0 0\n' >"$c/ge.extxyz"
refused "an element that is none of the campaign's" ge.extxyz "atom 1 is Ge, which is none of the elements"
: >"$c/none.extxyz"
refused "an empty file" none.extxyz "systems.none: "
printf '3\nLattice="5 0 0 0 5 0 0 0 5"\nSi 0 0 0\n' >"$c/cut.extxyz"
refused "a file that ends within a frame" cut.extxyz "systems.cut: "

done_testing
