#!/bin/sh
# 0116-site-mistakes - slips in site.yaml, in what files are called and in what programs
# are, which made jobs run elsewhere, or end without a word: check says what to do
. "$abs_top_srcdir/tests/cli/tap.sh"

c=$tmp/c

# fresh [LINE]: a campaign of one program, whose profile has the line, too.
fresh() {
    rm -rf "$c"
    mkdir "$c"
    printf '#!/bin/sh\necho here >"$1"\n' >"$c/make"
    chmod +x "$c/make"
    cat >"$c/campaign.yaml" <<-'EOF'
	format: 1
	campaign: small
	stages:
	  one: {uses: my.make}
	stop: {iterations: 1}
	operators:
	  my.make:
	    outputs: {file: {type: file}}
	    command: ["{campaign}/make", "{outputs.file}"]
	EOF
    printf 'format: 1\nprofiles:\n  here:\n    scheduler: %s\n    node: {cores: 4}\n' "${2:-local}" >"$c/site.yaml"
    [ -z "$1" ] || printf '    %s\n' "$1" >>"$c/site.yaml"
}

# says WHAT WORDS: check does of the campaign at hand.
says() {
    text=$(timeout 60 fanfold -C "$c" check 2>&1)
    case $text in
    *"$2"*) pass "$1" ;;
    *) fail "$1" "wanted: $2" "$text" ;;
    esac
}

# profile WHAT WORDS LINE [SCHEDULER]
profile() {
    fresh "$3" "$4"
    says "$1" "$2"
}

fresh
says "a campaign of one program" "no problems"
ok "... runs" fanfold -C "$c" run

profile "a launcher of so many ranks" "site.yaml:6:15: warning: launcher: nothing in it says how many ranks" \
    'launcher: [mpirun, -n, "16"]'
profile "a launcher of {ranks}" "no problems" 'launcher: [mpirun, -n, "{ranks}"]'
profile "a variable in setup" "setup: '\$PATH' stays as it is, since words are quoted" \
    'setup: [[export, "PATH=/opt/x/bin:$PATH"]]'
profile "modules that are taken away" "site.yaml:6:37: warning: setup: this takes away what was loaded before it" \
    'setup: [[module, load, lammps], [module, purge]]'
profile "... first" "no problems" 'setup: [[module, purge], [module, load, lammps]]'
profile "a GPU for all tasks" "setup: CUDA_VISIBLE_DEVICES: each task has GPUs of its own; remove it" \
    'setup: [[export, CUDA_VISIBLE_DEVICES=0]]'
profile "a variable of another name" "no problems" 'setup: [[export, CUDA_VISIBLE=0]]'
profile "a step of all cores" "launcher: srun without --exact takes all cores of the job" \
    'launcher: [srun, -n, "{ranks}"]' slurm
profile "... of some" "no problems" 'launcher: [srun, --exact, -n, "{ranks}"]' slurm
profile "a home directory in setup" "setup: '~' of '~/env.sh' stays as it is" 'setup: [[source, ~/env.sh]]'
profile "a home directory in env" "env: DP: '~' is not replaced; write the whole path" 'env: {DP: ~/dp}'
for directive in --mem=4G --nodes=2 '-n 16' --cpus-per-task=8 --gres=gpu:1 --time=10 -N2; do
    profile "a size of the job: $directive" "directives: '$directive' says otherwise than the tasks" \
        "directives: [\"$directive\"]" slurm
done
profile "... for PBS" "directives: '-l mem=4gb' says otherwise than the tasks" 'directives: ["-l mem=4gb"]' pbs
profile "another directive" "no problems" 'directives: [--constraint=icelake, --nodelist=n1]' slurm

# priority WHAT WORDS N SCHEDULER
priority() {
    fresh '' "$4"
    sed -i "s/my.make}/my.make, priority: $3}/" "$c/campaign.yaml"
    says "$1" "$2"
}

priority "a priority that few may ask for" "campaign.yaml:4:34: warning: priority: 5 is for Slurm's operators and administrators, others get 0; give other stages a priority below 0" 5 slurm
priority "... and one that all may" "no problems" -5 slurm
priority "... any, on PBS" "no problems" 5 pbs
priority "a priority where there is none" "priority: jobs of profile 'here' begin in the order in which they are submitted; remove it" -5 local
priority "... that is none" "no problems" 0 local

fresh
mv "$c/site.yaml" "$c/site.yml"
says "a site.yml" "site.yml: a file of this name is not read; rename it to site.yaml"
fresh
mv "$c/campaign.yaml" "$c/campaign.yml"
says "a campaign.yml" "there is no such file; rename '$c/campaign.yml'"
fresh
sed -i 's#^stages#data: {initial: [~/initial.extxyz]}\nelements: [Si]\n&#' "$c/campaign.yaml"
says "a home directory in data" "'~' and variables are not replaced: write the whole path"

# --- programs that the system cannot start ---

fresh
sed -i 1d "$c/make"
says "a script without its first line" "campaign.yaml:9:15: '$c/make' is a text without a first line #!PROGRAM"
chmod +x "$c/make"
fresh
sed -i 's/$/\r/' "$c/make"
says "a script of Windows" "ends with a carriage return, as on Windows; run \`dos2unix\` on it"
fresh
sed -i '1s#.*#\#!/opt/conda/bin/python#' "$c/make"
says "a script for what is not here" "names the program '/opt/conda/bin/python', which is not there"
fresh
sed -i 's#command: .*#command: [[sh, -c, "sed 1d {campaign}/make >mine; chmod +x mine"], [./mine, "{outputs.file}"]]#' \
    "$c/campaign.yaml"
has_no_line() {
    fanfold -C "$c" run 2>&1 | grep -q "has no first line that names one; write #!/bin/sh"
}
ok "... which a command made is told when it is to start" has_no_line

fresh
sed -i '1s#.*#\#!/usr/bin/env python3.99#' "$c/make"
says "... by env" "has env look for 'python3.99', which is in no directory of PATH"

# --- ranks that nobody counts ---

fresh
sed -i 's#\["{campaign}/make"#[mpirun, -n, "4", "{campaign}/make"#' "$c/campaign.yaml"
says "a launcher in a command" "nothing is known of those that mpirun starts here; write \"{launcher}\""
sed -i 's#mpirun, -n, "4"#mpirun, -n, "{ranks}"#' "$c/campaign.yaml"
says "... with the task's ranks" "no problems"
fresh
printf 'units metal\n' >"$c/md.in"
cat >"$c/campaign.yaml" <<-'EOF'
	format: 1
	campaign: small
	elements: [Si]
	stages:
	  one: {uses: lammps.label, with: {frames: a.extxyz, input: sw.in, lammps: [mpirun, -n, "2", sh]}}
	stop: {iterations: 1}
EOF
printf '1\nLattice="9 0 0 0 9 0 0 0 9" pbc="T T T" Properties=species:S:1:pos:R:3\nSi 0 0 0\n' >"$c/a.extxyz"
printf 'pair_style sw\npair_coeff * * Si.sw Si\n' >"$c/sw.in"
says "a launcher before a code" "lammps: a task has the cores of its ranks, and nothing is known of those that mpirun starts"
sed -i 's/uses: lammps.label,/& task: {ranks: 2},/' "$c/campaign.yaml"
says "... that the profile starts, too" "mpirun starts ranks, and so does the profile's launcher, 2 times"

# --- what commands are given ---

has "a file for a directory" "'$c/campaign.yaml' is a file; name its directory with -C" \
    "$(fanfold -C "$c/campaign.yaml" check 2>&1)"
has "a campaign.yaml for an argument" "campaign.yaml is read where it lies; write fanfold run" \
    "$(fanfold run campaign.yaml 2>&1)"

# --- units of what has none ---

printf '1\nLattice="9 0 0 0 9 0 0 0 9" pbc="T T T" Properties=species:S:1:pos:R:3\nSi 0 0 0\n' >"$tmp/a.xyz"
has "units of a file that has its own" "is no file of LAMMPS (extxyz), and is in eV and angstrom; leave --units out" \
    "$(fanfold convert --units real "$tmp/a.xyz" "$tmp/b.xyz" 2>&1)"
ok "... which is not converted" [ ! -e "$tmp/b.xyz" ]

done_testing
