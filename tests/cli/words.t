#!/bin/sh
# words.t - words that were replaced do not come back; the glossary of
# doc/architecture.md has those that stand for them

# shellcheck source=tests/cli/tap.sh
. "${abs_top_srcdir:-$(dirname "$0")/../..}/tests/cli/tap.sh"
cd "${abs_top_srcdir:-$(dirname "$0")/../..}" || exit 1

# replaced WORD BY: no product file, manual or script has WORD (an extended
# regular expression), and the glossary has BY.
replaced() {
    is "'$1' is not used; say: $2" "" "$(grep -rniE --include='*.[ch]' \
        --include='*.md' --include='*.[157]' -- "$1" src scheduler-adapters \
        doc README.md HACKING.md | cut -c1-120)"
    case $3 in
    glossary) ok "... the glossary has '$2'" \
        grep -qE "^\|[^|]*\b$2\b" doc/architecture.md ;;
    esac
}

replaced 'wake-?ups?\b' 'dependency job' glossary
replaced '\b(stage|job)_orders?\b' 'manifest' glossary
replaced '\bleftovers?\b|\bstrays\b' 'orphan process' glossary
replaced '\btwins?\b|\blatecomers?\b' 'duplicate submission' glossary
replaced '\btall(y|ies)\b' 'histogram' -
replaced '\bdebris\b' 'stale files' -
replaced 'ha(s|ve) (its|their) word|no word (on|of)\b' 'outcome recorded' -
replaced 'nobody speaks|\blest\b|\bdeaf\b|\bburied\b|\bfarewell\b' 'plain words' -
replaced '\bmend(s|ed|ing)?\b' 'fix X, then run Y' -
replaced '\btroubles?\b' 'machine error' glossary
replaced 'struct node_room|engine_run\b' 'node_capacity, code_run' -
replaced '"[^"]*(; |or |^)correct (it|the|that|its|`)' 'what to do' -

replaced '\bobey(s|ed)?\b' 'the driver does it, carries it out' -
replaced '"[^"]*\b(nobody|somebody)\b' 'who: a driver, a program, a person' -
replaced '"[^"]*\b(task|input|stage|YAML|LAMMPS|VASP|check) wants\b' 'needs, takes' -
replaced 'said nothing"|asks? for more \(|is no kind of|nobody (replaces|seeds)' 'plain words' -
replaced 'it is told where|, but inputs, count|\band no object\b' 'plain words' -
replaced '"[^"]*%d tries' '1 try, 2 tries' -

# A word that comes back is seen.
mkdir -p "$tmp/src"
echo '/* the wake-up has its word */' >"$tmp/src/a.c"
is "... and would be found" 1 \
    "$(grep -rniE --include='*.[ch]' 'wake-?ups?\b' "$tmp/src" | wc -l)"

# A test that no list has is never run.
for t in "$abs_top_srcdir"/tests/cli/*.t; do
    grep -q "/${t##*/}\( \|\$\)" "$abs_top_srcdir/tests/local.mk" || echo "${t##*/}"
done >"$tmp/unlisted"
silent "every test is in tests/local.mk" cat "$tmp/unlisted"

done_testing
