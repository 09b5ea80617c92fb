# choose.sh SCALE SEED OUT POTENTIAL - two frames made of all they depend on
set -e
read -r potential <"$4/potential"
for sign in '' -; do
    echo 2
    echo 'Lattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3 pbc="T T T"'
    echo "Si 0 0 0"
    echo "O $1 ${sign}0.$((1000000 + ($2 + potential) % 1000000)) 0"
done >"$3"
