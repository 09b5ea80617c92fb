#!/bin/sh
# 0901-help - commands in groups, parts of the manual, a pager, completion
. "$abs_top_srcdir/tests/cli/tap.sh"

# --- help ---

# Each command that people call is in one group; those of jobs are in none.
fanfold --help | sed -n '/^Every day:/,/^`fanfold/s/^  \([a-z]*\) .*/\1/p' >"$tmp/listed"
sed -n '/^#define COMMANDS/,/COMMAND (complete)/s/^ *COMMAND (\([a-z]*\)).*/\1/p' \
    "$abs_top_srcdir/src/commands/command.h" | grep -v '^complete$' | sort >"$tmp/known"
is "help has each command once" "$(cat "$tmp/known")" "$(sort "$tmp/listed")"
for page in $(cd "$abs_top_srcdir/doc" && grep -l '^\.Sh COMMANDS' -- *.1); do
    sed -n 's/^\.It Cm \([a-z]*\).*/\1/p' "$abs_top_srcdir/doc/$page" | uniq >"$tmp/page"
    cat "$tmp/page" >>"$tmp/pages"
    is "... and $page has those it has in its order" "$(grep -xFf "$tmp/page" "$tmp/listed")" \
        "$(cat "$tmp/page")"
done
is "... all together each once" "$(cat "$tmp/known")" "$(sort "$tmp/pages")"
is "... and below its titles" "$(fanfold --help | sed -n 's/^\([A-Z][a-z ]*\):$/\1/p')" \
    "$(sed -n '/^\.Sh COMMANDS/,/^\.Sh OUTPUT/s/^\.Ss //p' "$abs_top_srcdir/doc/fanfold.1")"
has "a command's part of the manual" "advance [--json] [--quiet]" "$(fanfold help advance)"
lacks "... has nothing of the next one's" "Submit what can be" fanfold help advance
is "... and no more than 80 columns" "" "$(fanfold help plan | sed 1d | grep -E '.{81}')"

# --- on a terminal ---

# on_terminal COMMAND...: what it shows on one of 10 lines and 60 columns; keys typed
# are $keys.
on_terminal() {
    keys=${keys-} python3 - "$@" <<'END'
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 60, 0, 0))
os.write(fd, os.environ["keys"].encode())
shown = b""
while True:
    try:
        got = os.read(fd, 65536)
    except OSError:
        break
    if not got:
        break
    shown += got
sys.stdout.write(shown.decode(errors="replace").replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
}
TERM=xterm
export TERM
cat >"$tmp/counts" <<END
#!/bin/sh
sed 's/^/paged: /'
echo "with \$LESS"
END
chmod +x "$tmp/counts"
PAGER=$tmp/counts
export PAGER
unset LESS
has "on a terminal the pager reads what is printed" "paged: Usage: fanfold pause" \
    "$(on_terminal fanfold help pause)"
has "... and less would end where all fits" "with FRX" "$(on_terminal fanfold help pause)"
LESS=i
export LESS
has "... unless LESS says other" "with i" "$(on_terminal fanfold help pause)"
unset LESS
printf '#!/bin/sh\ncat\n' >"$tmp/reads"
chmod +x "$tmp/reads"
is "... lines as wide as the terminal" "" \
    "$(PAGER=$tmp/reads on_terminal fanfold help advance | sed 1d | grep -E '.{61}')"
loop_campaign "$tmp/json"
ok "... but those of JSON" sh -c 'jq . >/dev/null' <<END
$(PAGER=$tmp/reads on_terminal fanfold -C "$tmp/json" plan --json)
END
is "PAGER=cat: none" "Usage: fanfold pause [--json]" \
    "$(PAGER=cat on_terminal fanfold help pause | sed -n 1p)"
is "PAGER empty: none" "Usage: fanfold pause [--json]" \
    "$(PAGER='' on_terminal fanfold help pause | sed -n 1p)"
is "TERM=dumb: none" "Usage: fanfold pause [--json]" \
    "$(TERM=dumb on_terminal fanfold help pause | sed -n 1p)"
is "no terminal: none" "Usage: fanfold pause [--json]" "$(fanfold help pause | sed -n 1p)"
on_terminal fanfold help no-such-command >/dev/null
is "the status is the command's" 2 $?
PAGER='sed 1q' on_terminal fanfold help plan >"$tmp/left"
is "one that is left early is no failure" "Usage: fanfold plan" \
    "$(sed -n '1s/^\(Usage: fanfold plan\).*/\1/p' "$tmp/left")"
unset PAGER

# --- completion ---

loop_campaign "$tmp/c"
cd "$tmp/c" || exit
# offers WORD...: what may stand at the last of them.
offers() {
    fanfold complete -- "$@" | xargs
}
is "commands" "status store" "$(offers st)"
is "options" "--keys" "$(offers status --k)"
is "global options" "--site" "$(offers --s)"
is "stages" "explore label select train" "$(offers explain '' | tr ' ' '\n' | sort | xargs)"
is "... of the directory that -C names" "train" "$(cd / && offers -C "$tmp/c" explain tr)"
is "templates" "deepmd-vasp" "$(offers new --template deepmd-v)"
is "words of a list" "gc" "$(offers store g)"
is "nothing where nobody knows" "" "$(offers import dpgen '')"
is "nothing in a directory without a campaign" "" "$(cd / && offers explain '' 2>/dev/null)"
is "a shell that is not known" "fanfold: there is no shell 'powershell'; there is bash, zsh, fish" \
    "$(fanfold completion powershell 2>&1)"

has "bash completes" "explain train" "$(bash -c '
    eval "$(fanfold completion bash)"
    COMP_WORDS=(fanfold explain tr) COMP_CWORD=2
    _fanfold fanfold tr explain
    echo "explain ${COMPREPLY[0]}"')"
if command -v fish >/dev/null; then
    has "fish completes" "train" "$(fish -c '
        fanfold completion fish | source
        complete -C "fanfold explain tr"')"
else
    not_here "fish, whose completion is tried"
fi
if command -v zsh >/dev/null; then
    ok "zsh reads its own" sh -c 'fanfold completion zsh | zsh -n /dev/stdin'
else
    not_here "zsh, whose completion is read"
fi

done_testing
