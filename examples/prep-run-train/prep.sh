# prep.sh PARAMS DIRS RIDGE... - a name and a directory for each ridge; what all have
# in common is in task.json
set -e
params=$1 dirs=$2
shift 2
mkdir -p "$dirs"
names= n=0
number() {
    tr -d '\n' <task.json | sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p"
}
for ridge; do
    name=$(printf "m%02d-ridge-%s" "$n" "$ridge") # dirs come sorted by name
    n=$((n + 1))
    mkdir "$dirs/$name"
    printf -- '--radial2\n%s\n--radial3\n%s\n--rank\n%s\n--ridge\n%s\n' \
        "$(number radial2)" "$(number radial3)" "$(number rank)" "$ridge" \
        >"$dirs/$name/arguments"
    names="$names${names:+, }\"$name\""
done
printf '{"names": [%s]}\n' "$names" >"$params"
