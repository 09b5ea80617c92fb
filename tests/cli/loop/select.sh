# select.sh ITERATION DIR PARAMS FOUND... - nothing is left after iteration 2
set -e
iteration=$1 dir=$2 params=$3
shift 3
mkdir -p "$dir"
if [ "$iteration" -lt 2 ]; then
    cat "$@" > "$dir/found.extxyz"
    left=$(($# * 2))
    proceed=true
else
    left=0
    proceed=false
fi
echo "{\"left\": $left, \"proceed\": $proceed}" > "$params"
