# train.sh ONCE SEED DIR PARAMS DATASET... - a "potential" is its seed
#
# Model 1 of the first iteration fails the first time, and leaves ONCE to
# remember it by.
set -e
once=$1 seed=$2 dir=$3 params=$4
shift 4
case $once in
*/failed.0.1) [ -e "$once" ] || { : >"$once" && exit 1; } ;;
esac
echo "$seed" >"$dir/potential"
n=0
for file; do
    while read -r a _; do
        [ "$a" != 2 ] || n=$((n + 1))
    done <"$file"
done
echo "{\"frames\": $n}" >"$params"
