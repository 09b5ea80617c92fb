#!/bin/sh
# tap.t - a test file that does not run to its last line has failed

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
abs_top_srcdir=${abs_top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
export abs_top_srcdir

# run_lines LINE...: a test file of these lines; what it prints in $tmp/printed.
run_lines() {
    {
        echo '. "$abs_top_srcdir/tests/cli/tap.sh"'
        printf '%s\n' "$@"
    } >"$tmp/file.t"
    sh "$tmp/file.t" >"$tmp/printed" 2>/dev/null
}

# stops WHAT LINE...: such a file fails, and says where it ended.
stops() {
    what=$1
    shift
    run_lines "$@"
    is "$what: it fails" 1 "$?"
    has "... and says so" "not ok 2 - the file runs to its last line" \
        "$(cat "$tmp/printed")"
    is "... with a plan that counts it" "1..2" "$(tail -1 "$tmp/printed")"
}

run_lines 'ok one true' done_testing
is "a file that ends as it should is good" 0 "$?"
is "... and counts what it ran" "1..1" "$(tail -1 "$tmp/printed")"
run_lines 'ok one false' done_testing
is "a failed test fails the file" 1 "$?"
# What prints nothing because it failed shows nothing.
for line in 'silent one false' 'silent one echo x' 'lacks one x false' 'lacks one x echo x' \
    'lacks one x sh -c "echo y; exit 3"'; do
    run_lines "$line" done_testing
    is "'$line' fails" 1 "$?"
done
for line in 'silent one true' 'lacks one x true' 'lacks one x echo y'; do
    run_lines "$line" done_testing
    is "'$line' passes" 0 "$?"
done
stops "exit 1" 'ok one true' 'exit 1' done_testing
stops "exit 0" 'ok one true' 'exit 0' done_testing
stops "no last line" 'ok one true'
stops "a variable that is not set" 'ok one true' 'set -u' ': "$nothing"' \
    done_testing
stops "a syntax error" 'ok one true' 'if true; fi' done_testing
stops "a signal" 'ok one true' 'kill -TERM $$' done_testing

done_testing
