# train.sh MODEL SEED DIR PARAMS DATASET... - a "potential" is its seed
set -e
model=$1 seed=$2 dir=$3 params=$4
shift 4
echo "$model $seed" > "$dir/potential"
cat "$@" | awk 'NF == 1 { n++ } END { printf "{\"frames\": %d}", n }' > "$params"
