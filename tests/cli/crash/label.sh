# label.sh FRAME OUT - "compute" energy and forces of one frame
while read -r a b c d rest; do
    case $a in
    Lattice*) echo 'Lattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3:forces:R:3 energy=-2.25 pbc="T T T"' ;;
    Si | O) echo "$a $b $c $d $b 0 0" ;;
    *) echo "$a" ;;
    esac
done <"$1" >"$2"
