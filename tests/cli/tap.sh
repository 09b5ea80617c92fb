# tap.sh - what the command-line tests share; sourced
#
# A test is `ok "what must hold" COMMAND...` or `is "what" EXPECTED ACTUAL`.
# The last line of every file is `done_testing`: a file that ends anywhere else,
# be it by `exit`, by a syntax error or by a signal, has failed.
# Every test file has a private directory $tmp, removed at the end, and a
# private spool for the local scheduler.
# shellcheck shell=sh

tap_n=0
tap_failed=0
tap_done=no
tmp=$(mktemp -d "${TMPDIR:-/tmp}/fanfold-test.XXXXXX")
FANFOLD_SPOOL=$tmp/spool
export FANFOLD_SPOOL
unset FANFOLD_SITE XDG_CONFIG_HOME XDG_DATA_HOME
# Jobs have the environment of a login; by these of ours codes would add up in another
# order here than there.
unset OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS OMP_NUM_THREADS
HOME=$tmp
FANFOLD_STORE=none # of which tests of the store have their own
export HOME FANFOLD_STORE
umask 022 # check has a warning of files that others can write

# tap_end [STATUS]: that of the file, where a trap did something else first.
tap_end() {
    tap_status=${1:-$?}
    [ $tap_done = yes ] ||
        fail "the file runs to its last line" "it ended with status $tap_status"
    echo "1..$tap_n"
    # What a failed test left running must not outlive it.
    pkill -KILL -f "$tmp" 2>/dev/null
    rm -rf "$tmp"
    exit $((tap_failed > 0))
}
trap tap_end EXIT
trap 'exit 143' HUP INT TERM # with what EXIT does

# The one way to end a file; early only where the rest cannot be shown here, after
# saying so with `not_here`.
done_testing() {
    tap_done=yes
    exit 0
}

# run_files DIR STAGE ITERATION PATTERN: run files of the generations that are in
# force, where STAGE and ITERATION may be patterns
run_files() {
    for tap_manifest in "$1"/$2/*/iter/$3/stage.json; do
        tap_run=$(sed -n 's/^ *"generation": \([0-9]*\),*$/\1/p' "$tap_manifest" 2>/dev/null) &&
            [ "$tap_run" ] && (
            cd "$1/.fanfold/run/$(printf '%06d' "$tap_run")" 2>/dev/null &&
                for tap_file in $4; do
                    [ ! -e "$tap_file" ] || echo "$PWD/$tap_file"
                done
        )
    done
}

# run_cat DIR STAGE ITERATION PATTERN: what these hold.
run_cat() {
    run_files "$@" | xargs -r cat
}

pass() {
    tap_n=$((tap_n + 1))
    echo "ok $tap_n - $1"
}

fail() {
    tap_n=$((tap_n + 1))
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_n - $1"
    shift
    for line in "$@"; do
        printf '%s\n' "$line" | sed 's/^/# /'
    done
}

# ok WHAT COMMAND...: it exits 0.
ok() {
    what=$1
    shift
    if out=$("$@" 2>&1); then
        pass "$what"
    else
        fail "$what" "$* exited $?" "$out"
    fi
}

# exits WHAT STATUS COMMAND...
exits() {
    what=$1
    want=$2
    shift 2
    out=$("$@" 2>&1)
    got=$?
    if [ "$got" -eq "$want" ]; then
        pass "$what"
    else
        fail "$what" "$* exited $got instead of $want" "$out"
    fi
}

# is WHAT EXPECTED ACTUAL
is() {
    if [ "$2" = "$3" ]; then
        pass "$1"
    else
        fail "$1" "expected: $2" "got:      $3"
    fi
}

# silent WHAT COMMAND...: it exits 0 and prints nothing.
silent() {
    what=$1
    shift
    if printed=$("$@"); then
        is "$what" "" "$printed"
    else
        fail "$what" "$* exited $?" "$printed"
    fi
}

# lacks WHAT PATTERN COMMAND...: it exits 0, and no line of what it prints has the
# pattern of grep.
lacks() {
    what=$1
    pattern=$2
    shift 2
    if ! printed=$("$@" 2>&1); then
        fail "$what" "$* failed" "$printed"
    elif found=$(printf '%s\n' "$printed" | grep -e "$pattern"); then
        fail "$what" "there is '$pattern' in: $found"
    else
        pass "$what"
    fi
}

# has WHAT TEXT-EXPECTED-IN TEXT
has() {
    case $3 in
    *"$2"*) pass "$1" ;;
    *) fail "$1" "expected in: $2" "$3" ;;
    esac
}

# not_here WHAT: this machine lacks what it takes to show that.  scripts/test lists
# such lines at its end.
not_here() {
    echo "# not here: $1"
}

# until_ok COMMAND...: wait for it to succeed, which is another's doing.  Only what
# went wrong takes so long that this gives up, minutes later.
until_ok() {
    looked=0
    until "$@" >/dev/null 2>&1; do
        looked=$((looked + 1))
        [ $looked -lt 3000 ] || return 1
        if [ $looked -lt 10 ]; then sleep 0.02; else sleep 0.1; fi
    done
}

# catches_term PID: is that fanfold by now, and does it catch SIGTERM?  The shell that
# was forked to become it caught that, too.
catches_term() {
    grep -q '^Name:.*fanfold' "/proc/$1/status" \
        && grep -Eq '^SigCgt:.*[4-7c-f][0-9a-f]{3}$' "/proc/$1/status"
}

# until_is WORDS COMMAND...: ... to print just these.
until_is() {
    until_ok prints "$@"
}

prints() {
    words=$1
    shift
    [ "$("$@" 2>/dev/null)" = "$words" ]
}

# From here on `fanfold` is the program that stops where FANFOLD_STOP_AT says and whose
# lease lasts FANFOLD_LEASE_S (base/point.h); the one that is installed knows neither.
with_hooks() {
    PATH=$abs_top_builddir/tests/hooks:$PATH
    ok "the program with the hooks of tests is there" test -x "$abs_top_builddir/tests/hooks/fanfold"
}

# Permissions mean nothing to root.  From here on `as_nobody COMMAND...` is a
# user whom they bind, with a copy of the program and a home at $tmp/nobody.
become_nobody() {
    chmod 755 "$tmp"
    mkdir "$tmp/bin" "$tmp/nobody"
    cp "$(command -v fanfold)" "$tmp/bin"
    PATH=$tmp/bin:$PATH
    FANFOLD_SPOOL=$tmp/nobody/spool
    HOME=$tmp/nobody
    user=
    if [ "$(id -u)" -eq 0 ]; then
        user="setpriv --reuid=nobody --regid=65534 --clear-groups"
    fi
    give_to_nobody "$tmp/nobody"
}

as_nobody() {
    $user "$@"
}

give_to_nobody() {
    [ -z "$user" ] || chown -R nobody "$1"
}

# A campaign that learns nothing but goes the whole loop, in $1.
loop_campaign() {
    mkdir -p "$1"
    cp "$abs_top_srcdir"/tests/cli/loop/* "$1"
    chmod -R u+w "$1"
}

# Digest of everything results are made of (times live elsewhere).
results_digest() {
    (cd "$1" && find dataset -type f | sort | xargs sha256sum &&
        find . -name outputs.json -not -path './.fanfold/*' | sort | xargs cat) | sha256sum
}

state_of() {
    fanfold -C "$1" status --json | jq -r .state
}
