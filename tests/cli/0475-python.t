#!/bin/sh
# 0475-python - the Python package: its own tests, operators, workers and campaigns by it
. "$abs_top_srcdir/tests/cli/tap.sh"

PATH=/usr/bin:$PATH
unset PYTHONPATH FANFOLD
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
package=$abs_top_srcdir/python
(cd "$abs_top_srcdir/tests/python" && PYTHONPATH=$package python3 -m unittest 2>&1) >"$tmp/said" ||
    echo failed >>"$tmp/said"
is "its own tests pass" OK "$(tail -1 "$tmp/said" | sed 's/ (.*//')"
sed 's/^/# /' "$tmp/said"
is "it is as old as the program" "$(fanfold --version | awk '{ print $2 }')" \
    "$(PYTHONPATH=$package python3 -c 'import fanfold; print(fanfold.__version__)')"

if command -v mypy >/dev/null; then
    ok "its types are right" sh -c "cd '$package' && mypy --cache-dir='$tmp/mypy' fanfold"
else
    not_here "mypy (scripts/packages)"
fi
if python3 -c 'import setuptools, wheel, pip' 2>/dev/null; then
    cp -R "$package" "$tmp/source"
    ok "it is a wheel" python3 -m pip -q wheel --no-build-isolation --no-deps -w "$tmp/wheel" \
        "$tmp/source"
    is "... with all that is installed" "$(cd "$package" && find fanfold -name '*.py' -o -name py.typed |
        LC_ALL=C sort)" "$(python3 -m zipfile -l "$tmp"/wheel/fanfold-*.whl |
        sed -n 's/^\(fanfold\/[^ ]*\) .*/\1/p' | LC_ALL=C sort)"
else
    not_here "pip, setuptools and wheel for /usr/bin/python3 (scripts/packages)"
fi

# --- operators and workers ---

c=$tmp/c
mkdir "$c"
cat >"$c/site.yaml" <<'END'
format: 1
profiles:
  here: {scheduler: local, node: {cores: 2}, limits: {poll: 0.05s, settle: 0.1s}}
END
cat >"$c/campaign.yaml" <<'END'
format: 1
campaign: python
seed: 5
stop: {iterations: 2}
stages:
  cut: {uses: test.cut, with: {text: "it's {a} \"text\""}}
  work: {uses: test.work, with: {n: cut.n}}
  serve: {uses: test.serve, with: {n: cut.n, add: {seven: 7}}}
history: {total: sum(work.square)}
functions:
  twice: {type: predict, uses: test.twice}
operators:
  test.cut:
    inputs: {text: {type: string}, base: {type: file, optional: true}}
    outputs: {n: {type: int, list: true}, text: {type: string}, paths: {type: any}}
    script: |
      #!/usr/bin/env python3
      # Not a word of task.json counts as the number of a task.
      import os
      from fanfold import task
      assert task.inputs.get("base") is None
      task.params(n=[1, 2, 3], text=task.inputs.text)
      task.params(paths=os.environ["PYTHONPATH"].split(":"))
  test.work:
    fan_out: [n]
    inputs: {n: {type: int}}
    outputs: {square: {type: int}, array: {type: file}}
    prepare:
      slices: {cut: {type: int}}
      script: |
        #!/usr/bin/env python3
        from fanfold import task
        task.slices(cut=[10 * n for n in task.inputs.n])
    command: [python3, "{campaign}/work.py"]
    collect:
      outputs: {square: {type: int, list: true}, all: {type: file}}
      script: |
        #!/usr/bin/env python3
        from fanfold import task
        task.params(square=task.stacked.square)
        with open(task.outputs.all, "w") as file:
            file.write(" ".join(open(path).read() for path in task.stacked.array))
  test.serve:
    fan_out: [n]
    inputs: {n: {type: int}, add: {type: map}}
    outputs: {sum: {type: int}, seeded: {type: bool}}
    reads: [seed]
    env: {PYTHONPATH: /mine}
    worker: [python3, "{campaign}/serve.py"]
  test.twice:
    inputs: {x: {type: float, list: true}, name: {type: string, default: none}}
    outputs: {y: {type: float, list: true}, frames: {type: frames}, name: {type: string}}
    command: [python3, "{campaign}/twice.py"]
END
cat >"$c/work.py" <<'END'
from fanfold import task
with open(task.outputs.array, "w") as file:
    file.write(str(task.inputs.cut))
task.params(square=task.inputs.n ** 2)
try:
    task.seed
except AttributeError as error:
    print(error)
END
cat >"$c/serve.py" <<'END'
import os
import fanfold
print("what an import prints")
def serve(task):
    assert os.environ["PYTHONPATH"].split(":")[0] == "/mine", os.environ["PYTHONPATH"]
    assert "FANFOLD_WORKER" not in os.environ
    task.progress(n=task.inputs.n)
    task.params(sum=task.inputs.n + task.inputs.add["seven"], seeded=task.seed > 0)
fanfold.worker(serve, "serve.py")
END
cat >"$c/twice.py" <<'END'
from fanfold import task
with open(task.outputs.frames, "w") as file:
    print('1\nProperties=species:S:1:pos:R:3 pbc="F F F"\nH 0 0 0', file=file)
task.params(y=[2 * x for x in task.inputs.x], name=task.inputs.name)
END
ok "a campaign of operators in Python runs" fanfold -C "$c" run
is "... text comes as it is" "it's {a} \"text\"" "$(fanfold -C "$c" result cut text)"
is "... prepare, tasks and collect have what they are given" "10 20 30" \
    "$(cat "$c/$(fanfold -C "$c" result work all)")"
is "... workers answer" "[8,9,10]" "$(fanfold -C "$c" result serve sum | jq -c .)"
has "... an undeclared seed is none" "write reads: [seed] in the operator" \
    "$(fanfold -C "$c" log work 0 --iteration 0)"
is "... and a script depends on nothing by accident" "[]" \
    "$(jq -c .uses "$c/cut/test/iter/000000/stage.json")"
is "the package is found behind all else" "$abs_top_builddir/python" \
    "$(fanfold -C "$c" result cut paths | jq -r '.[-1]')"
is "... and is in no identity" "" "$(grep -l "$abs_top_builddir/python" \
    "$c"/*/test/iter/*/stage.json "$c"/*/test/iter/*/slices.jsonl)"

# --- functions ---

f=$tmp/f
mkdir -p "$f/lib"
cp "$c/site.yaml" "$f"
cat >"$f/lib/fit.py" <<'END'
import time
from typing import Annotated, NamedTuple, Optional
from fanfold import Array, Each, Output
import helper

class Made(NamedTuple):
    sum: Annotated[float, "of all"]
    seeded: bool

def fit(n: Each[int], rate: float = 0.5, notes: Optional[str] = None, *, seed: int,
        square: Output[Array]) -> Made:
    """A sum: and more."""
    assert notes is None and isinstance(rate, float) and isinstance(square, Array)
    open(square, "wb").write(helper.npy)
    return Made(n + rate, seed > 0)
END
cat >"$f/lib/helper.py" <<'END'
header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}"
npy = b"\x93NUMPY\x01\x00\x76\x00" + header.ljust(117) + b"\n" + bytes(8)
END
# campaign BODY: a campaign of one operator.
campaign() {
    cat >"$f/campaign.yaml" <<'END'
format: 1
campaign: functions
seed: 3
stop: {iterations: 1}
stages: {fit: {uses: fit.fit, with: {n: 3, rate: 2}}}
operators:
END
    printf '%s\n' "$1" >>"$f/campaign.yaml"
}
declared="$(fanfold -C "$f" new --operator lib/fit.py:fit)"
is "a function becomes a declaration" '  fit.fit:
    doc: "A sum: and more."
    fan_out: [n]
    inputs:
      n: {type: int}
      rate: {type: float, default: 0.5}
      notes: {type: string, optional: true}
    outputs:
      square: {type: npy}
      sum: {type: float, doc: "of all"}
      seeded: {type: bool}
    reads: [seed]
    command: [python3, -m, fanfold.run, "{campaign}/lib/fit.py", fit]' "$declared"
campaign "$declared
    files: [lib/helper.py]"
is "... which checks" "functions: 1 stage, at most 1 iteration: no problems" \
    "$(fanfold -C "$f" check 2>&1 | sed 's/^f:/functions:/')"
ok "... and runs" fanfold -C "$f" run
is "... with what it returns" "[2,3,4] [true,true,true]" \
    "$(fanfold -C "$f" result fit | jq -c '.sum, .seeded' | xargs)"
cp "$f/lib/helper.py" "$tmp/helper.py"
sed -i '1i import no_such_module' "$f/lib/helper.py"
said="operator 'fit.fit': helper.py:1 imports no_such_module, which python3 of PATH does not have"
has "a module that its Python lacks is told" "$said" "$(fanfold -C "$f" check 2>&1)"
sed -i 's/command: \[python3/command: [\/usr\/bin\/python3/' "$f/campaign.yaml"
is "... not of another Python" "" "$(fanfold -C "$f" check 2>&1 | grep no_such_module)"
campaign "$declared
    files: [lib/helper.py]
    env: {PYTHONPATH: /mine}"
is "... nor where the operator says where modules are" "" \
    "$(fanfold -C "$f" check 2>&1 | grep no_such_module)"
cp "$tmp/helper.py" "$f/lib/helper.py"
campaign "$(printf %s "$declared" | sed 's/command: \(.*\)fanfold.run/worker: \1fanfold.serve/')
    files: [lib/helper.py]"
w=$tmp/w
mkdir "$w"
cp -R "$f/lib" "$f/campaign.yaml" "$w"
sed 's/limits: {/limits: {elements: 1, /' "$c/site.yaml" >"$w/site.yaml"
ok "as a worker it is the same" fanfold -C "$w" check
ok "... and runs" fanfold -C "$w" run
is "... several tasks by one process" true "$(cat "$w"/fit/fit/iter/000000/job/*/out/result.json |
    jq -s 'map(.run.worker.tasks_before) | max >= 1')"
campaign "$(printf %s "$declared" | sed 's/rate: .*/rate: {type: int, default: 7}/; s/ sum:/ sun:/
    s/reads: .*/reads: [task]/')"
fanfold -C "$f" check >"$tmp/said" 2>&1
is "what differs is a problem" 3 $?
for text in "operator 'fit.fit' and lib/fit.py:fit: input 'rate': type is \"int\" here and \"float\"" \
    "output 'sun' is declared here, and the function has none" \
    "output 'sum' of the function is not declared here" "write reads: [seed]"; do
    has "... named: $text" "$text" "$(cat "$tmp/said")"
done
campaign "$(printf %s "$declared" | sed 's|\[python3|[/usr/bin/python3|')"
sed -i 's/n: Each\[int\]/n: Each[complex]/' "$f/lib/fit.py"
has "no type is one" "lib/fit.py:10: 'complex' is no type of an input or output; write int" \
    "$(fanfold -C "$f" check 2>&1)"
exits "... nor is it for new" 1 fanfold -C "$f" new --operator lib/fit.py:fit
exits "a function that is not there" 1 fanfold -C "$f" new --operator lib/fit.py:fat
exits "what is no FILE:FUNCTION" 2 fanfold -C "$f" new --operator lib/fit.py
mkdir "$tmp/bin"
for program in sed dirname; do ln -s "$(command -v $program)" "$tmp/bin"; done
has "without Python nothing is compared, and that is said" \
    "warning: operator 'fit.fit' is not compared with lib/fit.py:fit: cannot run 'python3'" \
    "$(PATH=$tmp/bin "$abs_top_builddir/fanfold" -C "$f" check 2>&1)"

# --- campaigns ---

cat >"$tmp/ask.py" <<'END'
import sys
from fanfold import Campaign, FanfoldError, Frames
c = Campaign(sys.argv[1])
assert c.status()["state"] == c.wait()["state"] == "done"
assert c.history["iteration"] == [0, 1] and c.history["total"] == [14, 14], c.history
assert c.result("work", "square", iteration=0) == [1, 4, 9]
assert set(c.result("cut")) >= {"n", "text", "paths"}
made = c.call("twice", x=[1, 2.5], name="array")
assert made["y"] == [2, 5] and made["name"] == "array", made
assert isinstance(made["frames"], Frames) and open(made["frames"]).readline() == "1\n", made
for wrong, text in ((lambda: c.result("wrok"), "work"), (lambda: c.call("twice"), "x: is not given"),
                    (lambda: c.result("cut", iteration=9), "9")):
    try:
        wrong()
        raise SystemExit("it is no error")
    except FanfoldError as error:
        assert text in str(error) and error.status > 0, error
try:
    c.result("cut", "m")
    raise SystemExit("it is no error")
except KeyError as error:
    assert "text" in str(error)
END
silent "a campaign answers in Python" env PYTHONPATH="$package" python3 "$tmp/ask.py" "$c"
cat >"$tmp/wait.py" <<'END'
import sys, warnings
from fanfold import Campaign
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    try:
        Campaign(sys.argv[1]).wait(timeout_s=0.3)
    except TimeoutError as error:
        print(len(said), error)
END
mkdir "$tmp/new"
cp "$c"/*.yaml "$c"/*.py "$tmp/new"
is "... and is waited for, though nobody drives it" "1 $tmp/new is not begun after 0.3 s" \
    "$(PYTHONPATH=$package python3 "$tmp/wait.py" "$tmp/new" 2>&1)"
has "FANFOLD names the program" "/nowhere/fanfold cannot be run" \
    "$(FANFOLD=/nowhere/fanfold PYTHONPATH=$package python3 "$tmp/ask.py" "$c" 2>&1)"

done_testing
