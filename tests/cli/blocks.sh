# blocks.sh - the code blocks of a document, run one by one; sourced after tap.sh
#
# split_blocks FILE DIR  its fenced blocks that name a language, in order: DIR/01.sh ...
# run_block FILE DIR     one of sh runs in DIR; another one, whose first line is the
#                        name of a file, as in "# mine/train.py", is that file in DIR
# shellcheck shell=sh

split_blocks() {
    mkdir -p "$2"
    awk -v dir="$2" '
        /^```[a-z]/ { on = 1; name = sprintf ("%s/%02d.%s", dir, ++n, substr ($0, 4)); next }
        /^```/ { on = 0 }
        on { print > name }' "$1"
}

run_block() {
    first=$(head -1 "$1")
    case $1 in
    *.sh)
        ok "$(printf %.50s "$first") ..." sh -c 'cd "$2" && sh -eu "$1"' sh "$1" "$2"
        ;;
    *)
        file=$(printf '%s\n' "$first" | sed -n 's/^# \([a-z][a-z/._-]*\)$/\1/p')
        mkdir -p "$2/$(dirname "$file")"
        ok "the block is a file: $first" cp "$1" "$2/$file"
        ;;
    esac
}
