# slices.sh ITERATION OUT - what to pick at, and where to start
mkdir out/starts
echo "1$1" >out/starts/low
echo "2$1" >out/starts/high
echo '{"scale": [1.25, 1.5], "start": ["starts/low", "starts/high"]}' >"$2"
