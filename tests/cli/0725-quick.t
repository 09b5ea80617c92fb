#!/bin/sh
# 0725-quick - a training from local files in one call
. "$abs_top_srcdir/tests/cli/tap.sh"
. "$abs_top_srcdir/tests/cli/quick.sh"

FANFOLD_STORE=$tmp/store
export FANFOLD_STORE
quick_files "$tmp/q"
cd "$tmp/q" || exit 1

# --- the example ---

ok "a training from a directory" train --name line --algorithm trainer --dataset data/a --dataset data/b \
    --hyperparam epochs=50 --hyperparam verbose --output model --wait -- python3 train.py
is "... says which task, and that it is done" "done default line.1 a.1 b.1" \
    "$(jq -r '[.state, .project, .algorithm.id, .datasets[].id] | join(" ")' told)"
first=$(jq -r .task told)
is "... with these arguments" \
    "python3 train.py --dataset DIR/datasets/1/a DIR/datasets/1/b --epochs 50 --verbose" \
    "$(jq -r '.arguments | join(" ")' told | sed "s,$FANFOLD_STORE/quick/$first,DIR,g")"
ok "get brings what it made" fanfold quick get "$first" got
is "... the numbers of the example" "$(cat "$tmp/q/expected")" "$(cat got/weights.json)"
ok "... for its owner to write to" test -w got/weights.json
exits "... and replaces nothing" 3 fanfold quick get "$first" got
is "... " "$(cat expected)" "$(cat got/weights.json)"
ok "... but an empty directory" sh -c "mkdir empty && fanfold quick get $first empty"
is "list has it" "$first done default line.1" \
    "$(fanfold quick list --json | jq -r '.[] | [.task, .state, .project, .algorithm.id] | join(" ")')"
has "... also for people" "$first  done" "$(fanfold quick list)"
has "... with the time of this host" "+03:00" "$(TZ=XYZ-3 fanfold quick list)"
is "show tells where the result is" "$(cat expected)" \
    "$(cat "$(fanfold quick show "$first" | jq -r .result)"/weights.json)"
ok "its campaign.yaml is one" fanfold -C "$FANFOLD_STORE/quick/$first" check
has "... whose log is what it printed" "epoch 49: " \
    "$(fanfold -C "$FANFOLD_STORE/quick/$first" log train 0)"
silent "nothing is half made" ls "$FANFOLD_STORE/making"

# The README's commands, in one shell, with a store of their own.
awk '/^```sh/ { on = 1; next } /^```/ { on = 0 } on' README.md >commands.sh
ok "the README's commands run" env FANFOLD_STORE="$tmp/readme" sh -eu commands.sh
is "... and make what it says" "$(cat expected)" "$(cat result/weights.json)"

# --- arguments come as they are, or not at all ---

ok "arguments of several lines, and with breaks of Unicode" train --algorithm line.1 --wait -- \
    python3 -c 'import sys; print(ascii(sys.argv[1:]))' \
    "$(printf 'a\nb')" "$(printf 'c\nd\342\200\250e')" "$(printf 'x\302\205y')"
has "... are those of the program" "['a\\nb', 'c\\nd\\u2028e', 'x\\x85y']" \
    "$(fanfold -C "$FANFOLD_STORE/quick/$(jq -r .task told)" log train 0)"

# --- what is registered ---

registered() {
    (cd "$FANFOLD_STORE/records/$1" && ls)
}
files_kept() {
    find "$FANFOLD_STORE/contents" -type f | wc -l
}
n=$(files_kept)
cp -r data/a copy_of_a
tar -C data -czf a.tar.gz a
(cd data && python3 -m zipfile -c ../a.zip a)
for what in copy_of_a a.tar.gz a.zip a.1; do
    ok "the same content as $what" train --algorithm line.1 --dataset $what -- true
    is "... is the registered one" a.1 "$(jq -r '.datasets[0].id' told)"
done
is "... and there is one copy" "$n" "$(files_kept)"
ok "another content of that name" sh -c 'echo 1,2 >>copy_of_a/rows.csv; mkdir new; mv copy_of_a new/a'
ok "..." train --algorithm line.1 --dataset new/a --dataset a.1 -- true
is "... is version 2, beside which version 1 stays" "a.2 a.1" \
    "$(jq -r '[.datasets[].id] | join(" ")' told)"
is "... each with its path" "datasets/2/a datasets/1/a" \
    "$(jq -r '[.datasets[].path] | join(" ")' told)"
mkdir a.1
ok "an ID wins over a directory" train --algorithm line.1 --dataset a.1 -- true
is "..." a.1 "$(jq -r '.datasets[0].id' told)"
exits "an unknown ID, and nothing there" 3 train --algorithm line.1 --dataset b.7 -- true
has "... says what is missing, and what there is" \
    "there is no dataset 'b.7' in the store (there are a.1, a.2, b.1), and nothing at '$tmp/q/b.7'" "$(cat said)"

echo '# changed' >>trainer/train.py
ok "a changed algorithm of the same name" train --name line --algorithm trainer -- true
is "... is version 2" line.2 "$(jq -r .algorithm.id told)"
ok "one that is executable now" chmod +x trainer/train.py
ok "... runs as a program" train --name line --algorithm trainer --wait --output x -- sh -c 'test -x train.py && touch x/y'
sed -i '1i#!/usr/bin/python3' trainer/train.py

for i in 1 2 3 4 5; do
    cp -r trainer "t$i"
    echo "# $i" >>"t$i/train.py"
    fanfold quick --name race --algorithm "t$i" -- true >"race$i" 2>&1 &
done
wait
is "five at once with one name are five versions" "race.1 race.2 race.3 race.4 race.5" \
    "$(cat race? | jq -r .algorithm.id | sort | paste -sd' ')"
cp -r trainer same
echo '# same' >>same/train.py
for i in 1 2 3; do
    fanfold quick --name same --algorithm same --dataset data/b -- true >"race$i" 2>"race$i.said" &
done
wait
is "three at once with one content are one" same.1 \
    "$(cat race1 race2 race3 | jq -r .algorithm.id | sort -u)"
is "... of three tasks" 3 "$(cat race1 race2 race3 | jq -r .task | sort -u | wc -l)"

# Content that is gone.
forget_content() {
    rm -rf "$FANFOLD_STORE"/contents/*"$(jq -r .sha256 "$FANFOLD_STORE/records/datasets/$1.json")"*
}
forget_content b.1
ok "content that is gone, from the directory" train --algorithm line.1 --dataset data/b -- true
has "... is registered anew, with a warning" "warning: the content of dataset 'b.1' is gone" "$(cat said)"
is "..." b.1 "$(jq -r '.datasets[0].id' told)"
forget_content b.1
ok "... by its ID, where the directory is as it was" train --algorithm line.1 --dataset b.1 -- true
has "... with a warning" "warning: the content of dataset 'b.1' is gone" "$(cat said)"
forget_content b.1
mv data/b data/elsewhere
exits "... but not where that is gone, too" 3 train --algorithm line.1 --dataset b.1 -- true
has "..." "'$tmp/q/data/b', of which it was made, is not what it was" "$(cat said)"
mv data/elsewhere data/b

# --- models, earlier tasks, projects ---

echo 1 >weights.pt
exits "a local model needs an algorithm" 3 train --model weights.pt -- true
has "..." "the model 'weights.pt' is not registered, so it needs an algorithm; add --algorithm" "$(cat said)"
ok "... with one" train --algorithm line.1 --model weights.pt --wait --output o -- \
    sh -c 'cp "$2" o/seen' sh
is "... its path is passed" "--model DIR/models/1/weights.pt" \
    "$(jq -r '.arguments[4:] | join(" ")' told | sed "s,$FANFOLD_STORE/quick/[a-z0-9]*,DIR,g")"
ok "a registered one brings the algorithm it was used with" train --model weights.pt.1 -- true
is "..." line.1 "$(jq -r .algorithm.id told)"
ok "... and is tied to a new one" train --model weights.pt.1 --algorithm line.2 -- true
ok "..." train --model weights.pt.1 -- true
is "..." line.2 "$(jq -r .algorithm.id told)"

ok "a training goes on from an earlier one" train --algorithm line.1 --dataset a.1 \
    --pretrain "$first" --output model --wait --hyperparam epochs=1 --hyperparam rate=0 -- python3 train.py
second=$(jq -r .task told)
is "... which it was told the output of" "DIR/pretrain/$first/model" \
    "$(jq -r '.arguments[5]' told | sed "s,$FANFOLD_STORE/quick/$second,DIR,")"
fanfold quick get "$second" again
is "... and with no rate it stays" "$(cat expected)" "$(cat again/weights.json)"
exits "no such task" 3 train --algorithm line.1 --pretrain nosuch -- true
exits "one that keeps nothing" 3 train --algorithm line.1 --pretrain "$(jq -r .task race1)" -- true
has "..." "keeps no output" "$(cat said)"
ok "a project of one's own" train --algorithm line.1 --project mine -- true
is "... is made once" "default.json mine.json" "$(registered projects | paste -sd' ')"

# --- arguments, environment, needs ---

ok "names, prefix and delimiter" train --algorithm line.1 --dataset a.1 --dataset-name data.root \
    --prefix ++ --delimiter = --hyperparam lr=1 --hyperparam 'text={x} $y;' --wait --output o -- \
    sh -c 'printf "%s\n" "$@" "$MASTER_ADDR $NNODES $NODE_RANK $NPROC_PER_NODE" "$MASTER_PORT" >o/said' sh
task=$(jq -r .task told)
fanfold quick get "$task" said.d
is "... reach the command as they are" "++data.root=DIR/datasets/1/a|++lr=1|++text={x} \$y;|127.0.0.1 1 0 1" \
    "$(head -4 said.d/said | sed "s,$FANFOLD_STORE/quick/$task,DIR," | paste -sd'|')"
ok "... with a port" test "$(tail -1 said.d/said)" -ge 20000
ok "needs of the task" train --algorithm line.1 --task memory=64MiB --task walltime=5m --procs-per-node 1 -- true
has "... are the campaign's" "memory: 64MiB" "$(cat "$FANFOLD_STORE/quick/$(jq -r .task told)/campaign.yaml")"
ok "a task" train --algorithm line.1 --output o --wait -- sh -c 'mkdir -p o && date +%N >o/when'
earlier=$(jq -r .directory told)
ok "... and the same once more" train --algorithm line.1 --output o --wait -- sh -c 'mkdir -p o && date +%N >o/when'
is "... is not run again" "$earlier" "$(jq -r .reused told)"
ok "a task that is to run in any case" train --algorithm line.1 --no-reuse -- true
has "... says so in its campaign" "reuse: false" "$(cat "$(jq -r .directory told)/campaign.yaml")"
ok "the task works in a copy of the tree" train --algorithm line.1 --wait --output o -- \
    sh -c 'echo >>train.py && rm -r train.py && cp "$0" o 2>/dev/null; ls >o/ls'
ok "... and the registered one stays" train --algorithm line.1 --wait --output o -- test -s train.py

# The site: --site, that of -C, that of the user; the task keeps it.
mkdir -p site/dir user/fanfold
cat >site/site.yaml <<'END'
format: 1
store: ../elsewhere
profiles: {near: {scheduler: local}, far: {scheduler: slurm}}
END
sed 's/near/mine/; /^store/d' site/site.yaml >user/fanfold/site.yaml
ok "a site with a store" train_at site/site.yaml quick --profile near --algorithm trainer -- true
dir=$(jq -r .directory told)
is "... is where the task is" "$tmp/q/elsewhere/quick" "${dir%/*}"
ok "... whose profiles it keeps" fanfold -C "$dir" check
has "... and the store's whole path" "store: \"$tmp/q/elsewhere\"" "$(cat "$dir/site.yaml")"
exits "another profile" 3 train_at site/site.yaml quick --profile gpu --algorithm trainer -- true
has "... is told with those that there are" "there is no profile 'gpu' in site.yaml; there is near, far" "$(cat said)"
ok "the site of the campaign in -C" sh -c 'fanfold -C site quick --profile near --algorithm trainer -- true'
exits "the user's own" 3 env XDG_CONFIG_HOME="$tmp/q/user" fanfold quick --profile x --algorithm line.1 -- true
has "..." "there is mine, far" "$out"

# An image, by the container program of the profile; its file is named as seen from here.
cat >box <<END
#!/bin/sh
echo "\$*" >>$tmp/boxed
shift
exec "\$@"
END
chmod +x box
{
    echo "format: 1"
    echo "profiles: {boxed: {scheduler: local, container: [$tmp/q/box, '{image}']}}"
} >boxed.yaml
echo image >torch.sif
ok "in an image" train_at boxed.yaml quick --algorithm line.1 --dataset a.1 --image torch.sif \
    --wait -- python3 train.py
has "... runs the command" "$tmp/q/torch.sif env --chdir=tree MASTER_ADDR=127.0.0.1 MASTER_PORT=" "$(cat "$tmp/boxed")"
exits "an image that is not there" 3 train_at boxed.yaml quick --algorithm line.1 --image nosuch.sif -- true
has "... is named" "there is no image '$tmp/q/nosuch.sif'" "$(cat said)"

# --- what is refused ---

# refused STATUS TEXT ARGUMENT...
refused() {
    n_tasks=$(ls "$FANFOLD_STORE/quick" | wc -l)
    want=$1
    text=$2
    shift 2
    exits "refused: $*" "$want" fanfold quick "$@"
    has "... with its reason" "$text" "$out"
    is "... and no task is made" "$n_tasks" "$(ls "$FANFOLD_STORE/quick" | wc -l)"
}
out=
refused 2 "write \`fanfold quick [OPTIONS] -- COMMAND"
refused 2 "write \`fanfold quick [OPTIONS] -- COMMAND" --
refused 2 "write \`fanfold quick [OPTIONS] -- COMMAND" --algorithm line.1 true
refused 2 "write \`fanfold quick [OPTIONS] -- COMMAND" show
refused 3 "is not UTF-8 text" --algorithm line.1 -- python3 train.py "$(printf 'x\377')"
refused 3 "is not UTF-8 text" --algorithm line.1 --hyperparam "$(printf 'x=\377')" -- python3 train.py
refused 2 "--prefix '-': write --, +, ++ or none" --algorithm line.1 --prefix - -- true
refused 2 "--delimiter ''" --algorithm line.1 --delimiter '' -- true
refused 2 "'=3' has no name" --algorithm line.1 --hyperparam =3 -- true
refused 2 "'a' is a flag once" --algorithm line.1 --hyperparam a --hyperparam a=1 -- true
refused 2 "--name 'a b'" --algorithm line.1 --name 'a b' -- true
refused 2 "--project '../x'" --algorithm line.1 --project ../x -- true
refused 2 "nodes: 'x'" --algorithm line.1 --nodes x -- true
refused 2 "--nodes 0" --algorithm line.1 --nodes 0 -- true
refused 2 "--procs-per-node 5000" --algorithm line.1 --procs-per-node 5000 -- true
refused 2 "--task 'ranks=2'" --algorithm line.1 --task ranks=2 -- true
refused 2 "--task 'cores='" --algorithm line.1 --task cores= -- true
refused 3 "there is no profile 'gpu' in site.yaml; there is local" --algorithm line.1 --profile gpu -- true
refused 3 "nothing says what is to run" -- true
refused 3 "is what a path is passed by" --algorithm line.1 --dataset a.1 --hyperparam dataset=x -- true
refused 3 "train.py' is neither a directory nor an archive" --algorithm trainer/train.py -- true
refused 3 "--nodes 2: the jobs of profile 'local' run on this machine alone" --algorithm line.1 --nodes 2 -- true
refused 3 "cores" --algorithm line.1 --task cores=many -- true
for path in /x ../x a/../x . ''; do
    refused 3 "--output '$path'" --algorithm line.1 --output "$path" -- true
done
mkdir -p outs/full/x outs/none
echo >outs/full/file
ln -s none outs/link
refused 3 "'full': that directory" --algorithm outs --output full -- true
refused 3 "'file' of outs.1 is a file" --algorithm outs --output full/file -- true
refused 3 "'link' of outs.1 is a link" --algorithm outs --output link -- true
refused 3 "'link' of outs.1 is a link" --algorithm outs --output link/below -- true
ok "an empty directory, and one that is not there, will do" train --algorithm outs --output none -- true
ok "..." train --algorithm outs --output none/deep/er -- true
mkdir links
ln -s /etc links/out
refused 3 "'$tmp/q/links/out' is a link to '/etc', out of the directory" --algorithm links -- true
rm links/out
mkfifo links/pipe
refused 3 "is neither file, directory nor link" --algorithm line.1 --dataset links -- true
exits "get of no task" 3 fanfold quick get nosuch
exits "show of no task" 3 fanfold quick show ../records
rm -rf "${FANFOLD_STORE:?}/quick/$second"
exits "one whose directory is gone" 3 fanfold quick show "$second"
has "... is known all the same" "the directory of task '$second' is gone" "$out"

# --- hostile archives ---

python3 hostile.py
for row in $hostile; do
    archive=${row%%:*}
    text=$(echo "${row#*:}" | tr _ ' ')
    refused 3 "$text" --algorithm line.1 --dataset "hostile/$archive" -- true
    has "... naming the entry" "$archive: entry " "$out"
done
ok "nothing was written elsewhere" test ! -e "$tmp/evil" -a ! -e "$tmp/store/evil" -a ! -e evil
head -c 90 a.tar.gz >cut.tar.gz
refused 3 "cut.tar.gz: truncated" --algorithm line.1 --dataset cut.tar.gz -- true
echo hello >text.zip
refused 3 "text.zip" --algorithm line.1 --dataset text.zip -- true
: >nothing.tar
refused 3 "nothing.tar" --algorithm line.1 --dataset nothing.tar -- true
ok "an archive as the algorithm" sh -c 'tar -C trainer -czf pack.tgz . && fanfold quick --algorithm pack.tgz -- true >told'

# libarchive is loaded for an archive only.
mkdir damaged
: >damaged/libarchive.so.13
LD_LIBRARY_PATH=$PWD/damaged${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
refused 3 "cannot load libarchive, which unpacks archives: $PWD/damaged/libarchive.so.13: file too short; install it, or unpack the archive and give the directory" \
    --algorithm pack.tgz -- true
ok "a directory needs no libarchive" fanfold quick --algorithm trainer -- true
unset LD_LIBRARY_PATH

# --- git ---

if command -v git >/dev/null; then
    git config --global user.email someone@example.org
    git config --global user.name Someone
    git config --global init.defaultBranch main
    mkdir -p repo/sub
    (cd repo && git init -q && cp ../trainer/train.py sub && echo "# git" >>sub/train.py && echo 1 >other &&
        git add . && git commit -qm one && git tag first)
    ok "an algorithm in git" train --name g --algorithm repo/sub -- true
    is "... is the commit checked out" "$(git -C repo rev-parse HEAD)" "$(jq -r .algorithm.revision told)"
    echo '# two' >>repo/sub/train.py
    echo 2 >repo/other
    exits "a changed tree is refused" 3 train --name g --algorithm repo/sub -- true
    has "... with the way out" "has changes that are not committed ( M sub/train.py); commit them, or say --commit" "$(cat said)"
    ok "... committed with --commit" train --name g --algorithm repo/sub --commit --description "two of them" -- true
    is "... and the description" "two of them" "$(git -C repo log -1 --format=%s)"
    is "... nothing else is" " M other" "$(git -C repo status --porcelain)"
    is "... it is version 2" "g.2 $(git -C repo rev-parse HEAD)" \
        "$(jq -r '.algorithm | [.id, .revision] | join(" ")' told)"
    ok "an earlier commit" train --name g --algorithm repo/sub --git-ref first -- true
    is "... is version 1" "g.1 $(git -C repo rev-parse first)" \
        "$(jq -r '.algorithm | [.id, .revision] | join(" ")' told)"
    is "... and the work tree is untouched" "# two" "$(tail -1 repo/sub/train.py)"
    echo new >repo/sub/untracked
    refused 3 "?? sub/untracked" --algorithm repo/sub -- true
    rm repo/sub/untracked
    refused 3 "there is no commit 'nosuch'" --algorithm repo/sub --git-ref nosuch -- true
    refused 3 "there is no commit '--help'" --algorithm repo/sub --git-ref=--help -- true
    refused 3 "is in no git work tree; drop --git-ref" --algorithm trainer --git-ref main -- true
    refused 3 "is in no git work tree; drop --commit" --algorithm trainer --commit -- true
    refused 3 "is registered as it is; drop --commit" --algorithm line.1 --commit -- true
    refused 3 "is a file and no git work tree" --algorithm pack.tgz --git-ref main -- true
    git init -q bare.d
    refused 3 "nothing is committed yet" --algorithm bare.d -- true
else
    not_here "git"
fi

# --- killed, resumed ---

ok "a training that nobody waits for" train --algorithm line.1 --dataset a.1 --output model \
    --hyperparam epochs=50 -- python3 train.py
ok "... is driven to its end by resume, with all others" fanfold quick resume
is "... " "done" "$(fanfold quick list --json | jq -r '[.[].state] | unique | join(" ")')"
exits "a training that fails" 1 train --algorithm line.1 --wait --output x -- \
    sh -c 'echo Traceback; echo "ValueError: no data" >&2; exit 1'
failed=$(jq -r .task told)
is "... says so" "failed" "$(jq -r .state told)"
has "... and with which words" "; its last line: 'ValueError: no data'" "$(jq -r .why told)"
has "... for people, too" "$failed: failed: stage 'train'" "$(cat said)"
is "... with what it printed before" "local/node_0: Traceback local/node_0: ValueError: no data" \
    "$(grep '^local/node_0: [TV]' said | xargs)"
has "... and the command that shows all of it" "see \`fanfold -C $FANFOLD_STORE/quick/$failed log train\`" "$(cat said)"
exits "... get tells it, too" 1 fanfold quick get "$failed" x
has "..." "ValueError: no data" "$(fanfold quick get "$failed" x 2>&1)"
exits "it cannot be gone on from" 3 train --algorithm line.1 --pretrain "$failed" -- true
has "..." "task '$failed' is failed; --pretrain takes one that is done: name another one" "$(cat said)"
exits "this machine is one node" 3 train --algorithm line.1 --nodes 2 -- true
has "... for which there is an option" \
    "--nodes 2: the jobs of profile 'local' run on this machine alone; name one of a cluster with --profile" "$(cat said)"

done_testing
