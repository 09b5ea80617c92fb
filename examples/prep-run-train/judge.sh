# judge.sh PARAMS NAME... ERROR... - which name has the least error
set -e
params=$1
shift
best=$(printf '%s\n' "$@" | awk -v half=$(($# / 2)) '
    NR <= half { name[NR] = $0; next }
    NR == half + 1 || $1 + 0 < least { least = $1 + 0; at = NR - half }
    END { print name[at] }')
printf '{"best": "%s"}\n' "$best" >"$params"
