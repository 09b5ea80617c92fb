#!/bin/sh
# 0336-lists - lists as files, for those that no argv has room for
. "$abs_top_srcdir/tests/cli/tap.sh"

# campaign DIR ITEMS ARGUMENT: stage `many` makes a list of so many words of 200
# bytes in `collect`; `use` has ARGUMENT as $1 of a script.
campaign() {
    mkdir -p "$1"
    cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$1"
    cat >"$1/campaign.yaml" <<END
format: 1
campaign: lists
elements: [Si]
stop: {iterations: 1}
stages:
  many: {uses: test.many}
  use: {uses: test.use, with: {words: many.words}}
operators:
  test.many:
    collect:
      outputs: {words: {type: string, list: true}}
      command: [sh, "{campaign}/make.sh", $2]
    command: ["true"]
  test.use:
    inputs: {words: {type: string, list: true}}
    outputs: {lines: {type: int}, last: {type: string}}
    command: [sh, "{campaign}/use.sh", "$3"]
END
    cat >"$1/make.sh" <<'END'
{
    printf '{"words": ['
    seq -f "\"word %.0f$(printf '%0190d' 0)\"" "$1" | paste -sd,
    printf ']}'
} >params.json
END
    cat >"$1/use.sh" <<'END'
echo "it is $1"
printf '{"lines": %d, "last": "%s"}' "$(wc -l <"$1")" "$(tail -n 1 "$1" | cut -c 1-10)" >params.json
END
}

c=$tmp/file
campaign "$c" 20000 '{@words}'
ok "20,000 items as a file" fanfold -C "$c" run
is "... which has one of them a line" 20000 "$(fanfold -C "$c" result use lines)"
is "... in order" "word 20000" "$(fanfold -C "$c" result use last)"
has "... in the task's directory" "/in/words.list" "$(fanfold -C "$c" log use)"
silent "... of which nothing is left" find "$c/.fanfold" -name '*.list'

# What does not fit says what to write, and is not tried again.
c=$tmp/arguments
campaign "$c" 40000 '{words}' # 8 MB: Linux never takes more than 6 MiB
exits "40,000 items as arguments" 1 fanfold -C "$c" run
why=$(fanfold -C "$c" explain use 0)
has "... are too long" "command 'sh' cannot be started: its arguments have" "$why"
has "... with the remedy" \
    "'{words}' is 40000 of them: write {@words}, the path of a file that has one of them a line" "$why"
has "... and one try" "task 0: bad_input, 1 try" "$why"

# A change of the list is a change of the result.
c=$tmp/identity
campaign "$c" 3 '{@words}'
ok "a short list" fanfold -C "$c" run
is "... is a file, too" 3 "$(fanfold -C "$c" result use lines)"
sed -i 's/make.sh", 3/make.sh", 4/' "$c/campaign.yaml"
ok "redo of what makes it" fanfold -C "$c" redo many
ok "... and on" fanfold -C "$c" run
is "... runs what has it as a file" 4 "$(fanfold -C "$c" result use lines)"

# Collect, groups, numbers, lists in lists and slices have such files as well.
c=$tmp/everywhere
mkdir "$c"
cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$c"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: lists
elements: [Si]
stop: {iterations: 1}
stages:
  work: {uses: test.work, with: {numbers: [1, 2.5], pairs: [[1, 2], [3]]}}
  group: {uses: test.group, with: {numbers: [7, 8]}}
operators:
  test.work:
    fan_out: [pairs]
    inputs:
      numbers: {type: float, list: true}
      pairs: {type: int, list: true}
    outputs: {seen: {type: string}}
    command: [sh, -c, "echo '{\"seen\": \"'$(cat {@pairs} {@numbers} | paste -sd' ')'\"}' >params.json"]
    collect:
      outputs: {n: {type: int}}
      command: [sh, -c, 'echo "{\"n\": $(wc -l <$1)}" >params.json', sh, "{@numbers}"]
  test.group:
    inputs: {numbers: {type: int, list: true}}
    group:
      programs:
        one: {command: [cp, "{@numbers}", "{campaign}/grouped"]}
END
ok "everywhere" fanfold -C "$c" run
is "... slices" '["1 2 1 2.5","3 1 2.5"]' \
    "$(fanfold -C "$c" result work seen | jq -c .)"
is "... collect" 2 "$(fanfold -C "$c" result work n)"
is "... a group" "7 8" "$(xargs <"$c/grouped")"

# check knows how long a list may become.
c=$tmp/check
mkdir "$c"
cp "$abs_top_srcdir/tests/cli/loop/site.yaml" "$c"
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: lists
elements: [Si]
models: 1000
stop: {iterations: 60}
stages:
  label: {uses: test.label}
  last: {uses: test.last, with: {words: all.label.x}}
operators:
  test.label:
    fan_out: [m]
    inputs: {m: {type: int, from: models}}
    outputs: {x: {type: string}}
    command: ["true"]
  test.last:
    inputs: {words: {type: list}}
    command: [echo, "{words}"]
END
has "a list that grows is warned of" \
    "warning: input 'words' of stage 'last' may have 60000 items, which are too many for the arguments of a command; write {@words} in place of {words}" \
    "$(fanfold -C "$c" check 2>&1)"
sed -i 's/"{words}"/"{@words}"/' "$c/campaign.yaml"
lacks "... and not as a file" 'may have' fanfold -C "$c" check

done_testing
