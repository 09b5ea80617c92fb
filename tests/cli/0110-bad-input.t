#!/bin/sh
# 0110-bad-input - files no campaign can be made of: exit 3, the place, what is
# wrong and what to do; nothing is created, nothing hangs
. "$abs_top_srcdir/tests/cli/tap.sh"

dir=$tmp/c

# Begin again with the sound loop campaign.
fresh() {
    chmod -R u+rwX "$dir" 2>/dev/null
    rm -rf "$dir"
    loop_campaign "$dir"
}

# refused WHAT PLACE WORDS: the files in $dir are; PLACE is campaign.yaml:L:C.
refused() {
    before=$(cd "$dir" && find . | sort)
    text=$(timeout 10 fanfold -C "$dir" check 2>&1)
    status=$?
    good=no
    [ $status -eq 3 ] && case $text in
    *"$dir/$2: "*"$3"*) good=yes ;;
    esac
    case $(printf '%s\n' "$text" | grep "^$dir/" | grep -v '; ') in
    ?*) good="a problem without remedy" ;;
    esac
    timeout 10 fanfold -C "$dir" run >/dev/null 2>&1
    [ $? -eq 3 ] || good="run does not refuse"
    [ "$before" = "$(cd "$dir" && find . | sort)" ] || good="something was created"
    if [ "$good" = yes ]; then
        pass "$1"
    else
        fail "$1" "wanted: $2: ... $3" "exit $status, $good" "$text"
    fi
}

# edited WHAT PLACE WORDS SED-SCRIPT: of a campaign.yaml.
edited() {
    fresh
    sed -i "$4" "$dir/campaign.yaml"
    refused "$1" "$2" "$3"
}

# site WHAT PLACE WORDS SED-SCRIPT: of a site.yaml.
site() {
    fresh
    sed -i "$4" "$dir/site.yaml"
    refused "$1" "$2" "$3"
}

# --- not even YAML text ---

fresh
: >"$dir/campaign.yaml"
refused "an empty file" campaign.yaml "is empty; begin it with format: 1"
fresh
echo '# nothing yet' >"$dir/campaign.yaml"
refused "only a comment" campaign.yaml "is empty"
fresh
: >"$dir/site.yaml"
refused "an empty site file" site.yaml "is empty"
# megabytes UNIT PLACE: of opened and never closed UNITs.
megabytes() {
    fresh
    yes -- "$1" | tr -d '\n' | head -c 10000000 >"$dir/campaign.yaml"
    refused "10 MB of '$1'" "campaign.yaml:1:$2" "nested deeper than 64; use fewer levels"
}
megabytes '[' 65
megabytes '{' 65
megabytes '- ' 129
megabytes '? ' 129
fresh
yes 'a: ' | tr -d '\n' | head -c 10000000 >"$dir/campaign.yaml"
refused "10 MB of 'a: '" campaign.yaml:1:5 "mapping values are not allowed"
fresh
head -c 17000000 /dev/zero >"$dir/campaign.yaml"
refused "17 MB of anything" campaign.yaml "more than 16777216 bytes"
fresh
printf 'format: 1\ncampaign: a\303\050\n' >"$dir/campaign.yaml"
refused "not UTF-8" campaign.yaml:2:13 "save the file as UTF-8 text"
fresh
printf 'format: 1\ncampaign: "a\\0b"\n' >"$dir/campaign.yaml"
refused "a NUL character" campaign.yaml:2:11 "NUL"
fresh
rm "$dir/campaign.yaml"
mkdir "$dir/campaign.yaml"
refused "a directory" campaign.yaml "s a directory; put a file of YAML text there"
fresh
rm "$dir/campaign.yaml"
mkfifo "$dir/campaign.yaml"
refused "a pipe" campaign.yaml "is a pipe; put a file"
fresh
rm "$dir/campaign.yaml"
ln -s /dev/zero "$dir/campaign.yaml"
refused "a device without end" campaign.yaml "more than"
fresh
rm "$dir/campaign.yaml"
ln -s campaign.yaml "$dir/campaign.yaml"
refused "a link to itself" campaign.yaml "no such file"

# root reads everything; nobody may not even enter the build directory.
fresh
chmod 0 "$dir/campaign.yaml"
as_nobody=
if [ "$(id -u)" -eq 0 ]; then
    as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
    chmod 755 "$tmp"
fi
cp "$(command -v fanfold)" "$tmp/fanfold"
# shellcheck disable=SC2086 # a list of words
exits "an unreadable file: exit 3" 3 $as_nobody "$tmp/fanfold" -C "$dir" check
has "... and says so" "Permission denied; make it readable" "$out"

# --- words that are none ---

edited "a line break in a name cannot forge a problem" campaign.yaml:9:3 \
    "'la?b.c:1:1: x' cannot be the name" '9s|label|"la\\nb.c:1:1: x"|'
has "... it is one line" 1 "$(fanfold -C "$dir" check 2>&1 | grep -c 'b.c:1:1: x')"
edited "a stage with a space" campaign.yaml:9:3 "'la bel' cannot be" '9s|label|"la bel"|'
edited "a stage with a quote" campaign.yaml:9:3 "'la'bel' cannot be" "9s|label|la'bel|"
edited "a stage that is ../" campaign.yaml:9:3 "'../label' cannot be" '9s|label|../label|'
edited "a campaign that is ../" campaign.yaml:2:11 "'../x' cannot be" '2s|loop|../x|'
edited "a campaign with a space" campaign.yaml:2:11 "'a b' cannot be" '2s|loop|a b|'
edited "a campaign with a quote" campaign.yaml:2:11 "'it's' cannot be" "2s|loop|it's|"
edited "a campaign with a line break" campaign.yaml:2:11 "line break" '2s|loop|"a\\nb"|'
edited "an operator with ../" campaign.yaml:27:3 "'toy/../x'" '27s|toy.label|toy/../x|'
edited "an input with a space" campaign.yaml:30:7 "'fra mes' cannot be" '30s|frames:|"fra mes":|'
edited "an output with a quote" campaign.yaml:32:7 "cannot be" "32s|frame:|\"fr'ame\":|"
edited "an output above out/" campaign.yaml:32:35 "is no name below out/" \
    '32s|{type: frames}|{type: frames, path: a/../../x}|'
edited "an output that is absolute" campaign.yaml:32:35 "is no name below out/" \
    '32s|{type: frames}|{type: frames, path: /tmp/x}|'
edited "an element that is none" campaign.yaml:3:12 "is no element" '3s|Si|Sisisisisi|'
edited "more elements than there are" campaign.yaml:3:11 "at most 256" \
    "3s|Si|Si$(seq -s '' -f ', E%g' 300)|"
edited "an element with a line break" campaign.yaml:3:12 "line break" '3s|Si|"S\\ni"|'
site "a profile with a space" site.yaml:3:3 "'he re' cannot be" 's|here:|"he re":|'
site "an unknown scheduler" site.yaml:4:16 "unknown scheduler 'slrum'" 's|: local|: slrum|'
site "an unknown key of the site" site.yaml:6:26 "did you mean 'settle'" 's|settle|setle|'

# --- numbers and units ---

edited "a seed that is too large" campaign.yaml:4:7 "whole number" '4s|7|99999999999999999999|'
edited "no iterations" campaign.yaml:21:60 "from 1 to" '21s|iterations: 6|iterations: 0|'
edited "a negative number of tries" campaign.yaml:14:21 "whole number from 1" \
    '13s|$|\n    retry: {failed: -1}|'
edited "a walltime in no unit" campaign.yaml:14:22 "such as 90s" \
    '13s|$|\n    task: {walltime: 1 week}|'
edited "a retry with no factor" campaign.yaml:14:43 "write x2" \
    '13s|$|\n    retry: {timeout: {tries: 3, walltime: y2}}|'
site "a unit of time that is none" site.yaml:6:20 "such as 90s" 's|poll: 0.2s|poll: 2 weeks|'
site "a negative time" site.yaml:6:20 "more than 0" 's|poll: 0.2s|poll: -1s|'
site "a unit of memory that is none" site.yaml:5:30 "such as 512MiB" 's|cores: 2|cores: 2, memory: 4 gigs|'
site "too many cores for a number" site.yaml:5:19 "whole number" 's|cores: 2|cores: 99999999999|'
site "a negative number of cores" site.yaml:5:19 "whole number" 's|cores: 2|cores: -2|'

# --- paths ---

edited "a directory for a file" campaign.yaml:6:18 "not a regular file" '6s|initial.extxyz|.|'
edited "a path that leads nowhere" campaign.yaml:6:18 "no such file '../nowhere/x'" \
    '6s|initial.extxyz|../nowhere/x|'
fresh
mkfifo "$dir/pipe"
sed -i '6s|initial.extxyz|pipe|' "$dir/campaign.yaml"
refused "a pipe for a file" campaign.yaml:6:18 "not a regular file"

# --- what only the operator knows ---

# built_in STAGES: a campaign of built-in operators.
built_in() {
    fresh
    printf 'run ${steps}\n' >"$dir/md.in"
    cat >"$dir/campaign.yaml" <<END
format: 1
campaign: built-in
elements: [Si]
stop: {iterations: 1}
stages:
  train:
    uses: toy.train
  explore:
    uses: lammps.explore
    with: {input: md.in, steps: 40, dump_every: 20, systems: {a: a.data}}
  select:
    uses: model_devi.select
    with: {quota: 1, force: {low: 0.2, high: 0.8}}
operators:
  toy.train:
    fan_out: [model]
    inputs: {model: {type: int, from: models}}
    outputs: {potential: {type: dir}}
    command: [mkdir, "{outputs.potential}"]
END
    cat >"$dir/a.data" <<END
one atom

1 atoms
1 atom types
0 5 xlo xhi
0 5 ylo yhi
0 5 zlo zhi

Atoms # atomic

1 1 0 0 0
END
    sed -i "$1" "$dir/campaign.yaml"
}

built_in ''
ok "built-in operators, as they should be" fanfold -C "$dir" check
built_in '13s/0.2/0.8/; 13s/0.8}/0.2}/'
refused "levels that are crossed" campaign.yaml:13:29 "low is 0.8 and high 0.2; write 0 <= low <= high"
built_in '13s/low/lo/'
refused "levels misspelt" campaign.yaml:13:29 "unknown key 'lo'"
built_in '13s/quota: 1/quota: -1/'
refused "a negative quota" campaign.yaml:13:19 "quota: -1 is less than 0; correct it"
built_in '10s/every: 20/every: 41/'
refused "no frame in the whole MD" campaign.yaml:10:49 "no frame is written in 40 steps"
built_in '10s/a.data/b.data/'
refused "a system that is not there" campaign.yaml:10:62 "b.data"
built_in '10s/a.data/md.in/'
refused "a system that is something else" campaign.yaml:10:62 "md.in:"
built_in '10s|{a: a.data}|{../a: a.data}|'
refused "a system named ../" campaign.yaml:10:62 "'../a' is no good as a name"
built_in ''
rm "$dir/a.data"
mkfifo "$dir/a.data"
refused "a system that is a pipe" campaign.yaml:10:62 "is a pipe"
built_in ''
echo 'run 100' >"$dir/md.in"
refused "an MD of another length" campaign.yaml:10:19 'does not use ${steps}'

# --- names that are odd but legal ---

# The loop's own scripts split at spaces.
odd="$tmp/a b'c\"d
e"
loop_campaign "$odd"
cat >"$odd/collect.sh" <<'END'
eval "set -- \"$1\" \"$2\" $(jq -r '[.stacked.frame[] | select(. != null)] | @sh' task.json)"
out=$1 params=$2
shift 2
cat "$@" >"$out"
echo "{\"labelled\": $#}" >"$params"
END
ok "a directory with spaces, quotes and a line break" fanfold -C "$odd" run
is "... is no hindrance" "done" "$(state_of "$odd")"
