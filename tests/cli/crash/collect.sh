# collect.sh OUT - the frames of all tasks in one file
set -e
files=$(sed -n "/\"stacked\"/,\$ s/.*\"\(\/.*\)\".*/\1/p" task.json)
for file in $files; do
    while read -r line; do
        echo "$line"
    done <"$file"
done >"$1"
