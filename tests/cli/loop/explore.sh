# explore.sh TEMPERATURE SEED OUT POTENTIAL... - find two frames
set -e
t=$1 seed=$2 out=$3
awk -v t="$t" -v s="$seed" 'BEGIN { for (i = 1; i <= 2; i++) {
    print 2; print "Lattice=\"5 0 0 0 5 0 0 0 5\" Properties=species:S:1:pos:R:3 pbc=\"T T T\""
    print "Si 0 0 0"; printf "O %.6f 0 0\n", 1 + i / 10 + (s % 1000) / 10000 + t / 10000 } }' > "$out"
