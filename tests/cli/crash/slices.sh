# slices.sh ITERATION OUT - what to pick at
echo "{\"scale\": [1.25, 1.5]}" >"$2"
