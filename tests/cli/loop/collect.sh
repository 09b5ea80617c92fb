# collect.sh DATASET PARAMS - all labelled frames in one file
set -e
: > "$1"
n=0
for f in $(jq -r '.stacked.frame[] | select(. != null)' task.json); do
    cat "$f" >> "$1"
    n=$((n + 1))
done
echo "{\"labelled\": $n}" > "$2"
