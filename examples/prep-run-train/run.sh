# run.sh FIT_LINEAR SEED PARAMS FRAMES... - train with the arguments that lie here
set -e
fit=$1 seed=$2 params=$3
shift 3
# shellcheck disable=SC2046 # one argument a line, and none has a blank
"$fit" --member 0 --members 1 --seed "$seed" --out model --params all.json \
    $(cat arguments) "$@"
printf '{"force_rmse": %s}\n' \
    "$(sed -n 's/.*"force_rmse": *\([-+.0-9e]*\).*/\1/p' all.json)" >"$params"
