#!/bin/sh
# 0121-unusual - what runs to its end and is seldom meant: check warns, and says what is usual
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/mistakes.sh"

# both EDIT: of INCAR and the fallback, which must agree
both() {
    sed -i "$1" INCAR INCAR.slow
}

# aluminium: silicon, of a metal.
aluminium() {
    silicon
    sed -i 's/^Si /Al /' "$c/initial.extxyz"
    printf '<PP_HEADER element="Al" functional="PBE" wfc_cutoff="3.5E+01"/>\n<PP_MESH/>\n' >"$c/pseudo/Al.UPF"
    sed -i 's/Si: Si.UPF/Al: Al.UPF/; s/\[Si\]/[Al]/' "$c/campaign.yaml"
    sed -i 's/ecutwfc = .*/ecutwfc = 40.0/; /^K_POINTS/,$d' "$c/pw.in"
    printf 'K_POINTS automatic\n4 4 4 0 0 0\n' >>"$c/pw.in"
}

# iron: of a magnetic one.
iron() {
    aluminium
    sed -i 's/^Al /Fe /' "$c/initial.extxyz"
    sed 's/"Al"/"Fe"/' "$c/pseudo/Al.UPF" >"$c/pseudo/Fe.UPF"
    sed -i 's/Al: Al.UPF/Fe: Fe.UPF/; s/\[Al\]/[Fe]/' "$c/campaign.yaml"
}

# --- INCAR ---

base=alloy
said "a cutoff a zero too long" "INCAR:4: ENCUT = 4500 is in eV, where 300 to 700 are usual" 'both "s/= 450/= 4500/"'
said "an SCF that ends early" "INCAR:6: EDIFF = 0.01 is in eV, and forces are rough then" 'both "s/1E-6/1E-2/"'
said "hot electrons" "INCAR:7: SIGMA = 2 is in eV, where 0.05 to 0.2 are usual" 'both "s/SIGMA = 0.2/SIGMA = 2/"'
said "low precision" "INCAR:5: PREC = Low has rough forces" 'both "s/Accurate/Low/"'
said "tetrahedra in a metal" "INCAR:7: ISMEAR = -5 has forces and stress that are wrong" 'both "s/ISMEAR = 1/ISMEAR = -5/"'
said "a meta-GGA that is spherical" "INCAR:14: METAGGA needs what is not spherical" \
    'both "/LASPH/d"; echo METAGGA = SCAN | tee -a INCAR >>INCAR.slow'
said "a GGA on potentials of LDA" "GGA = RP, and the potentials are of LDA" \
    'sed -i "s/= PE/= CA/" potcars/*/POTCAR; echo GGA = RP | tee -a INCAR >>INCAR.slow'
said "iron without spin" "Fe is magnetic, and there is no ISPIN" \
    'mv potcars/Mg potcars/Fe; sed -i s/Mg/Fe/ potcars/Fe/POTCAR data/* input.json
     sed -i "s/\[Al, Mg\]/[Al, Fe]/; s/Mg: Mg/Fe: Fe/" campaign.yaml'
said "smearing of metals for what is none" "ISMEAR = 1 is for metals, and no element is one" \
    'mv potcars/Al potcars/Si; mv potcars/Mg potcars/O; sed -i s/Al/Si/ potcars/Si/POTCAR; sed -i s/Mg/O/ potcars/O/POTCAR
     sed -i "s/Al3Mg/x/; s/Mg/O/g; s/Al/Si/g" campaign.yaml data/* input.json'

# --- pw.in, INPUT ---

base=aluminium
sound "a metal, as it should be"
said "a density that is cut" "ecutrho = 80 is less than 4 times ecutwfc, 40" \
    'sed -i "s/ecutwfc = .*/&\n  ecutrho = 80/" pw.in'
said "a cutoff below what is suggested" "ecutwfc = 20 Ry is below what a pseudopotential suggests, 35" \
    'sed -i "s/ecutwfc = 40/ecutwfc = 20/" pw.in'
said "a metal with fixed occupations" "all elements are metals, and occupations are fixed" \
    'sed -i "/smearing/d; /degauss/d" pw.in'
said "mixing of 700 per cent" "mixing_beta = 7 is a share" 'sed -i "s/mixing_beta = .*/mixing_beta = 7/" pw.in'
said "one point for a metal" "K_POINTS is one point, which is rough for metals" \
    'sed -i "/^K_POINTS/,\$d" pw.in; echo K_POINTS gamma >>pw.in'
said "... as a mesh" "K_POINTS is one point" 'sed -i "s/^4 4 4/1 1 1/" pw.in'
said "another functional than that of the potential" "input_dft = 'pz', and the pseudopotentials are of PBE" \
    "sed -i \"s/ibrav = 0/&, input_dft = 'pz'/\" pw.in"
said "a cell with a charge" "tot_charge = 1 is that of every frame" 'sed -i "s/ibrav = 0/&, tot_charge = 1/" pw.in'
base=iron
said "iron without nspin" "Fe is magnetic, and there is no nspin" true

base=abacus
said "a loose SCF of ABACUS" "scf_thr 1e-2 is of the density" 'sed -i s/1e-7/1e-2/ INPUT'
said "gamma alone for a metal" "gamma_only is one k-point, which is rough for metals" \
    'sed -i "s/Si/Al/g; s/, kpt: KPT//" campaign.yaml; sed -i "s/^Si/Al/" initial.extxyz
     sed s/Si/Al/ pseudo/Si.UPF >pseudo/Al.UPF; echo gamma_only 1 >>INPUT'
said "... and no smearing" "all elements are metals, and there is no smearing" \
    'sed -i "s/Si/Al/g" campaign.yaml; sed -i "s/^Si/Al/" initial.extxyz; sed s/Si/Al/ pseudo/Si.UPF >pseudo/Al.UPF'
said "... and no spin" "Ni is magnetic, and there is no nspin" \
    'sed -i "s/Si/Ni/g" campaign.yaml; sed -i "s/^Si/Ni/" initial.extxyz; sed s/Si/Ni/ pseudo/Si.UPF >pseudo/Ni.UPF'

# --- water.inp ---

# alloyed A ELECTRONS B ELECTRONS: the water becomes metals
alloyed() {
    sed -i "s/elements: .*/elements: [$1, $3]/" campaign.yaml
    sed -i "s/^H /$1 /; s/^O /$3 /" data/*.extxyz
    sed -i "s/KIND H/KIND $1/; s/KIND O/KIND $3/; s/PBE-q1/PBE-q$2/; s/PBE-q6/PBE-q$4/" water*.inp
}

base=water
said "a loose SCF of CP2K" "EPS_SCF 1.0E-2: forces are rough then" 'sed -i "s/EPS_SCF.*/EPS_SCF 1.0E-2/" water*.inp'
said "a charge of every frame" "CHARGE 1 is that of every frame" 'sed -i "s/&MGRID/CHARGE 1\n&/" water*.inp'
said "no functional" "there is no &XC_FUNCTIONAL" 'sed -i "/&XC$/,/&END XC$/d" water*.inp'
said "a metal by orbital transformation" "all elements are metals, and &OT needs a gap" \
    'alloyed Al 3 Mg 2'
said "... and a magnet without spin" "Fe is magnetic, and there is no UKS" \
    'alloyed Al 3 Fe 16'

done_testing
