#!/bin/sh
# 0110-bad-input - files no campaign can be made of: exit 3, the place, what is
# wrong and what to do; nothing is created, nothing hangs
. "$abs_top_srcdir/tests/cli/tap.sh"

dir=$tmp/c

# LAMMPS need not be there to be named.
mkdir "$tmp/bin"
printf '#!/bin/sh\n' >"$tmp/bin/lmp"
chmod +x "$tmp/bin/lmp"
PATH=$PATH:$tmp/bin

# Begin again with the sound loop campaign.
fresh() {
    chmod -R u+rwX "$dir" 2>/dev/null
    rm -rf "$dir"
    loop_campaign "$dir"
    sed 's/^Si /Xx /' "$dir/initial.extxyz" >"$dir/xx.extxyz"
    printf '2\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3\nSi 0 0 0\n' >"$dir/cut.extxyz"
}

# refused WHAT PLACE WORDS: the files in $dir are; PLACE is campaign.yaml:L:C.
refused() {
    before=$(cd "$dir" && find . | sort)
    text=$(timeout 60 fanfold -C "$dir" check 2>&1)
    status=$?
    good=no
    [ $status -eq 3 ] && case $text in
    *"$dir/$2: "*"$3"*) good=yes ;;
    esac
    case $(printf '%s\n' "$text" | grep "^$dir/" | grep -v '; ') in
    ?*) good="a problem without remedy" ;;
    esac
    timeout 60 fanfold -C "$dir" run >/dev/null 2>&1
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
# What it takes to say no to 10 MB is bounded; the address space of a program
# with the address sanitizer is not, but what it really uses.
if grep -q __asan_init "$(command -v fanfold)"; then
    small() {
        ASAN_OPTIONS=$ASAN_OPTIONS:hard_rss_limit_mb=400 "$@"
    }
else
    small() {
        prlimit --as=200000000 "$@"
    }
fi
# megabytes UNIT PLACE: of opened and never closed UNITs.
megabytes() {
    fresh
    yes -- "$1" | tr -d '\n' | head -c 10000000 >"$dir/campaign.yaml"
    refused "10 MB of '$1'" "campaign.yaml:1:$2" "nested deeper than 64; use fewer levels"
    exits "... in little memory" 3 small fanfold -C "$dir" check
    fresh
    yes -- "$1" | tr -d '\n' | head -c 10000000 >"$dir/site.yaml"
    refused "10 MB of '$1' for a site" "site.yaml:1:$2" "nested deeper than 64"
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
refused "a link to itself" campaign.yaml "Too many levels of symbolic links"

fresh
printf 'format: 1\nprofiles: {a\303\050: {scheduler: local}}\n' >"$dir/site.yaml"
refused "a site that is not UTF-8" site.yaml:2:14 "save the file as UTF-8 text"
fresh
rm "$dir/site.yaml"
mkdir "$dir/site.yaml"
refused "a directory for a site" site.yaml "put a file of YAML text there"
edited "a tab" campaign.yaml:13:1 "a tab where YAML takes spaces; replace it" '13s/^    /\t/'
site "a tab in the site" site.yaml:3:1 "a tab where YAML takes spaces; replace it" '3s/^  /\t/'

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
has "... and says so" "campaign.yaml: cannot open '$dir/campaign.yaml': Permission denied; make it readable" "$out"
chmod 644 "$dir/campaign.yaml"
chmod 0 "$dir/site.yaml"
# shellcheck disable=SC2086 # a list of words
exits "an unreadable site: exit 3" 3 $as_nobody "$tmp/fanfold" -C "$dir" check
has "... and says so" "Permission denied; make it readable" "$out"

# --- keys ---

edited "an unknown key" campaign.yaml:13:5 "did you mean 'uses'" '13s/uses/use/'
edited "an unknown operator" campaign.yaml:10:11 "did you mean 'toy.label'" '10s/toy.label/toy.lable/'
edited "an unknown output" campaign.yaml:16:24 "did you mean 'potential'" '16s/train.potential/train.potentiel/'
edited "a key given twice" campaign.yaml:5:1 "key 'models' was given before, in line 4; remove one" \
    '4s/.*/models: 2/'
edited "a list for a mapping" campaign.yaml:8:9 "write a mapping" '8s/.*/stages: []/; 9,19d'
edited "a mapping for a name" campaign.yaml:2:11 "campaign: got a mapping" '2s/loop/{a: b}/'
edited "a newer format" campaign.yaml:1:9 "use a newer fanfold" '1s/1/2/'
edited "stages that wait for each other" campaign.yaml:12:3 \
    "'train' needs 'select' needs 'explore' needs 'train'; let one of them take previous." \
    '13s/$/\n    with: {datasets: select.frames}/'
site "a key of the site given twice" site.yaml:6:5 "key 'node' was given before, in line 5; remove one" \
    '5s/$/\n    node: {cores: 3}/'
site "a list for the profiles" site.yaml:2:11 "write a mapping" '2s/.*/profiles: []/; 3,$d'
site "a profile without a scheduler" site.yaml:3:3 "names no scheduler; add scheduler:" '4d'
site "a site of a newer format" site.yaml:1:9 "use a newer fanfold" '1s/1/2/'
site "a bracket that is not closed" site.yaml:7:1 "begins in line 5; close the list with ']'" '5s/2}/[/'
site "no such default profile" site.yaml:2:18 "did you mean 'here'" '1s/$/\ndefault_profile: ther/'
site "a command that is one string" site.yaml:5:12 "there is no shell to split words" \
    '4s/$/\n    setup: module load x/'
site "an unknown placeholder" site.yaml:5:24 "unknown placeholder '{rank}'; there is {ranks}" \
    '4s/$/\n    launcher: [mpirun, "{rank}"]/'
site "a relative spool" site.yaml:5:12 "is not an absolute path; write" '4s/$/\n    spool: spool/'

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
edited "an element that is none" campaign.yaml:3:12 "is no chemical symbol" '3s|Si|Sisisisisi|'
edited "more elements than there are" campaign.yaml:3:11 "at most 256" \
    "3s|Si|Si$(seq -s '' -f ', E%g' 300)|"
edited "an element with a line break" campaign.yaml:3:12 "line break" '3s|Si|"S\\ni"|'
site "a profile with a space" site.yaml:3:3 "'he re' cannot be" 's|here:|"he re":|'
site "a profile that is ../" site.yaml:3:3 "'../here' cannot be" 's|here:|../here:|'
site "a profile with a quote" site.yaml:3:3 "'it's' cannot be" "s|here:|it's:|"
site "a profile with a line break" site.yaml:3:3 "'a?b' cannot be" 's|here:|"a\\nb":|'
site "an unknown scheduler" site.yaml:4:16 "unknown scheduler 'slrum'" 's|: local|: slrum|'
site "an unknown key of the site" site.yaml:6:26 "did you mean 'settle'" 's|settle|setle|'

site "a launcher in one text" site.yaml:6:15 "'mpirun -n {ranks}' is one text; write a list, [mpirun, -n, \"{ranks}\"]" \
    '5s|$|\n    launcher: "mpirun -n {ranks}"|'
edited "a quote that is left open" campaign.yaml:3:12 "the quotes that open here are closed in line" \
    '3s|Si|"Si|; $s|$|\nmore: "x"|'
edited "atoms of no element" campaign.yaml:6:18 "has atoms 'Xx', which is no chemical symbol; write the element there" \
    '6s|initial.extxyz|xx.extxyz|'
edited "a file that is cut off" campaign.yaml:6:18 "complete that frame, or remove it" '6s|initial.extxyz|cut.extxyz|'

# --- what is taken, with a warning ---

fresh
sed -i 's/^    node: .*/&\n    partition:/' "$dir/site.yaml"
has "a key without its value" "warning: key 'partition' of profile 'here' has no value and does nothing; write one, or remove the key" \
    "$(fanfold -C "$dir" check 2>&1)"
fresh
sed -i 's/ 0.1 0 0$/ 23.06 0 0/; s/ -0.1 0 0$/ -23.06 30 0/' "$dir/initial.extxyz"
has "labels in kcal/mol" "warning: data.initial: the forces of 'initial.extxyz' are " "$(fanfold -C "$dir" check 2>&1)"
has "... and what that may mean" "which is much for eV/A; convert labels of kcal/mol or Hartree" \
    "$(fanfold -C "$dir" check 2>&1)"

# Each component counts: 15 eV/A on the average is the limit.
for force in 14.9 15.1; do
    fresh
    sed -i "s/ 0.1 0 0\$/ $force -$force $force/; s/ -0.1 0 0\$/ -$force $force -$force/" \
        "$dir/initial.extxyz"
    is "forces of $force" "$(echo "$force" | sed -n 's/15.1/are 15.1 on the average/p')" \
        "$(fanfold -C "$dir" check 2>&1 | grep -o 'are 1[0-9.]* on the average')"
done
for what in energy=nan energy=inf; do
    fresh
    sed -i "s/energy=[^ ]*/$what/" "$dir/initial.extxyz"
    has "labels with $what" "no number; remove the frame" "$(fanfold -C "$dir" check 2>&1)"
    exits "... are an error" 3 fanfold -C "$dir" check
done

# --- numbers and units ---

edited "a seed that is too large" campaign.yaml:4:7 "whole number" '4s|7|99999999999999999999|'
edited "no iterations" campaign.yaml:21:60 "from 1 to" '21s|iterations: 6|iterations: 0|'
edited "a negative number of tries" campaign.yaml:14:21 "whole number from 1" \
    '13s|$|\n    retry: {failed: -1}|'
fresh
rm "$dir/site.yaml"
sed -i '13s|$|\n    task: {memory: 4000TiB}|' "$dir/campaign.yaml"
refused "more memory than this machine has" campaign.yaml:14:20 "a task needs 3.9 PiB of memory and a node has"
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

edited "a directory without data" campaign.yaml:6:18 "has no type.raw" '6s|initial.extxyz|.|'
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
    with: {pick: {quota: 1}, levels: {force: [0.2, 0.8]}}
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
if [ -x "$abs_top_builddir/fanfold-reduce" ]; then
    ok "built-in operators, as they should be" fanfold -C "$dir" check
else
    has "built-in operators want what they start" "there is no program" \
        "$(fanfold -C "$dir" check 2>&1)"
fi
built_in '13s/0.2, 0.8/0.8, 0.2/'
refused "levels that are crossed" campaign.yaml:13:46 "low is 0.8 and high 0.2; write 0 <= low <= high"
built_in '13s/force/forec/'
refused "levels misspelt" campaign.yaml:13:39 "levels of model_devi.select has no input 'forec'; did you mean 'force'"
built_in '13s/quota: 1/quota: -1/'
refused "a negative quota" campaign.yaml:13:26 "pick: quota: -1 is less than 0; write 0 or more"
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

# --- the command line ---

# told WHAT STATUS WORDS ARGUMENT...: with these arguments, in one line of
# printable text, and nothing is created.
told() {
    what=$1
    want=$2
    words=$3
    shift 3
    before=$(cd "$tmp" && find . | sort)
    text=$(cd "$tmp" && fanfold "$@" 2>&1 >/dev/null)
    got=$?
    case $text in
    *"$words"*) ;;
    *) got="$got without the words" ;;
    esac
    case $(printf '%s' "$text" | tr -d '\n[:print:]') in
    ?*) got="$got, unprintable" ;;
    esac
    [ "$(printf '%s\n' "$text" | wc -l)" -le 2 ] || got="$got, in many lines"
    [ "$before" = "$(cd "$tmp" && find . | sort)" ] || got="$got, something was created"
    is "$what" "$want" "$got"
}

fresh
line_break='a
fanfold: b'
told "a command misspelt" 2 "did you mean 'check'" chekc
told "a command that is none" 2 "there is no command 'frobnicate'; try 'fanfold --help'" frobnicate
told "a command of other programs" 2 "there is no command 'stop'; see \`fanfold pause\` or \`fanfold cancel\`" stop
told "... and another one" 2 "there is no command 'kill'; see \`fanfold cancel\`" kill
told "a command with a line break" 2 "there is no command 'a?fanfold: b'" "$line_break"
told "a command that is ../" 2 "there is no command '../run'" ../run
told "an argument too many" 2 "usage: fanfold check; try 'fanfold check --help'" check now
told "an argument too few" 2 "usage: fanfold skip STAGE; try" skip
told "a directory in place of a command" 2 "directory write fanfold -C $dir COMMAND" "$dir" run
told "... and after one" 2 "directory write fanfold -C $dir run" run "$dir"
told "-C after the command" 2 "-C stands before the command: fanfold -C DIR status" status -C "$dir"
told "an unknown option" 2 "try 'fanfold status --help'" -C "$dir" status --josn
told "an option without its value" 2 "try 'fanfold --help'" -C
for command in skip retry explain log result; do
    told "$command: a stage misspelt" 2 "there is no stage 'la bel'; did you mean 'label'?" \
        -C "$dir" $command 'la bel'
    told "$command: a stage with a line break" 2 \
        "there is no stage 'a?fanfold: b'; there is label, train, explore, select" \
        -C "$dir" $command "$line_break"
    told "$command: a stage that is ../" 2 "there is no stage '../x'; there is" -C "$dir" $command ../x
    told "$command: a stage with a quote" 2 "there is no stage 'it's'; there is" -C "$dir" $command "it's"
done
told "plan: a stage that is ../" 2 "there is no stage '../label'; did you mean 'label'?" \
    -C "$dir" plan --script ../label
told "a task that is no number" 2 "TASK: 'x 1'; write a whole number" -C "$dir" explain label 'x 1'
told "a task that is too large" 2 "TASK: '99999999999999'; write a whole number" \
    -C "$dir" log label 99999999999999
told "an iteration that is no number" 2 "--iteration: '1e3'; write a whole number" \
    -C "$dir" result label --iteration 1e3
told "a directory that is not there" 3 "there is no such file; write one with 'fanfold new'" \
    -C "$tmp/no where/../x" check
told "a directory that is a file" 3 "is a file; name its directory with -C" -C "$dir/campaign.yaml" check
told "a site that is not there" 3 "nowhere.yaml: there is no such file; name another one with --site" \
    -C "$dir" --site nowhere.yaml check
told "a site that is a directory" 3 "put a file of YAML text there" -C "$dir" --site "$dir" check

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

done_testing
