# train.sh SEED DIR PARAMS DATASET... - a "potential" is its seed
set -e
seed=$1 dir=$2 params=$3
shift 3
echo "$seed" >"$dir/potential"
n=0
for file; do
    while read -r a _; do
        [ "$a" != 2 ] || n=$((n + 1))
    done <"$file"
done
echo "{\"frames\": $n}" >"$params"
