# train.sh ONCE RESTART SEED DIR PARAMS DATASET... - a "potential" is its seed
#
# Model 1 of the first iteration fails the first time, and leaves ONCE to
# remember it by.
set -e
once=$1 restart=$2 seed=$3 dir=$4 params=$5
shift 5
# What is gone on from is whole, and of no other task; else it fails for ever.
if [ "$restart" = true ]; then
    [ "$(cat step)" = "$seed" ] || exit 9
    [ ! -e checked ] || [ "$(cat checked/a checked/b)" = "$seed$seed" ] || exit 9
else
    [ ! -e step ] && [ ! -e checked ] || exit 9
    echo "$seed" >new && mv new step
    mkdir new && printf %s "$seed" >new/a && printf %s "$seed" >new/b && mv new checked
fi
case $once in
*/failed.0.1) [ -e "$once" ] || { : >"$once" && exit 1; } ;;
esac
echo "$seed" >"$dir/potential"
n=0
for file; do
    while read -r a _; do
        [ "$a" != 2 ] || n=$((n + 1))
    done <"$file"
done
echo "{\"frames\": $n}" >"$params"
