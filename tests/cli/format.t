#!/bin/sh
# format.t - every C file is as .clang-format says, and shellcheck is content

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
cd "${abs_top_srcdir:-$(dirname "$0")/../..}" || exit 1

case $(clang-format --version 2>/dev/null) in
*"version 14."*)
    find src scheduler-adapters tests examples -name '*.[ch]' \
        -not -path '*/corpus/*' >"$tmp/files"
    is "C files were found" yes "$([ "$(wc -l <"$tmp/files")" -gt 500 ] && echo yes)"
    xargs -n 40 clang-format --dry-run -Werror <"$tmp/files" 2>"$tmp/said"
    is "clang-format changes nothing; run 'clang-format -i' on" "" \
        "$(sed -n 's/:[0-9]*:[0-9]*: error: code should be clang-formatted.*//p' "$tmp/said" | sort -u)"
    # What is not as it should be is seen.
    cp .clang-format "$tmp" && echo 'int f(int a){return a;}' >"$tmp/a.c"
    exits "... and would, if there were something" 1 \
        clang-format --dry-run -Werror "$tmp/a.c"
    ;;
*) not_here "clang-format 14, by which files are formatted" ;;
esac

if command -v shellcheck >/dev/null; then
    is "shellcheck has nothing to say of the scripts" "" \
        "$(grep -lE '^#!.*/(env )?(ba)?sh' scripts/* tests/scratch-dir |
            xargs shellcheck -S warning -f gcc 2>&1)"
else
    not_here "shellcheck"
fi

done_testing
