# audit.sh PARAMS COUNT... - how many frames all potentials were trained with
set -e
params=$1
shift
total=0
for count; do
    total=$((total + count))
done
echo "{\"total\": $total}" >"$params"
