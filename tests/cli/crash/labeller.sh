# labeller.sh DIR - a worker that "computes" frames one after the other (label.sh)
echo '{"type": "hello", "protocol": 1}'
while read -r line; do
    case $line in
    *'"type":"task"'*)
        task=${line#*'"task":'}
        task=${task%%[,\}]*}
        dir=${line#*'"dir":"'}
        dir=${dir%%'"'*}
        set -- "$1" "$dir/in/frames.extxyz" "$dir/out/frame.extxyz"
        sh "$1/label.sh" "$2" "$3" && echo "{\"type\": \"result\", \"task\": $task}"
        ;;
    *'"type":"bye"'*) exit ;;
    esac
done
