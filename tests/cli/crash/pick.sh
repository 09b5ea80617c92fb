# pick.sh SCALE START WORKSPACE OUT POTENTIAL... - one frame made of all it depends
# on: the seed is another program's to tell
set -e
scale=$1 out=$4
until [ -s "$3/told" ]; do sleep 0.01; done
read -r seed <"$3/told"
read -r start <"$2"
shift 4
sum=$((seed + start))
for potential; do
    read -r p <"$potential/potential"
    sum=$(((sum + p) % 1000000))
done
{
    echo 2
    echo 'Lattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3 pbc="T T T"'
    echo "Si 0 0 0"
    echo "O $scale 0.$((1000000 + sum)) 0"
} >"$out"
