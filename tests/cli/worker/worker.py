# worker.py - a worker that does as it is told: by its argument at its start, by the
# input `do` of each task
import json
import os
import subprocess
import sys
import time

out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def say(**message):
    print(json.dumps(message), file=out, flush=True)


def stay():
    while True:
        time.sleep(1000)


def misbehave(task, what):
    """What takes no answer, or a wrong one."""
    if what == "die":
        os.kill(os.getpid(), 9)
    elif what == "die-last":  # when tasks 0 and 1 are done
        job = os.path.join(os.path.dirname(os.path.abspath(__file__)), "work/test/iter/000000/job")
        while not all(os.path.exists(f"{job}/00000{n}/out") for n in (0, 1)):
            time.sleep(0.01)
        os.kill(os.getpid(), 9)
    elif what == "exit":
        sys.exit(0)
    elif what == "exit-7":
        sys.exit(7)
    elif what == "stall":
        stay()
    elif what == "stall-once":
        mark = os.path.join(os.path.dirname(__file__), "stalled")
        if os.path.exists(mark):
            return False
        open(mark, "w").close()
        stay()
    elif what == "deaf":
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        stay()
    elif what == "garbage":
        print("loading\x1b[2J the model", file=out, flush=True)
        stay()
    elif what == "huge":
        print('{"type": "result", "pad": "' + 70000 * "x" + '"}', file=out, flush=True)
        stay()
    elif what == "endless":
        while True:
            out.write(10000 * "x")
    elif what == "wrong-task":
        say(type="result", task=task["task"] + 1)
        stay()
    elif what == "hello-again":
        say(type="hello", protocol=1)
        stay()
    elif what == "half":
        out.write('{"type": "result"')
        out.flush()
        os._exit(1)
    elif what == "mute":
        os.close(out.fileno())
        stay()
    elif what == "memory":
        hoard = bytearray(200 << 20)
        time.sleep(1000 + len(hoard))
    elif what in ("failed", "fatal", "bad_input", "bad_output", "out_of_memory"):
        say(type="error", task=task["task"], kind=what, message="so it is: " + what)
    else:
        return False
    return True


def work(task, count):
    """The result; what comes behind it may be wrong."""
    told = json.load(open(task["dir"] + "/task.json"))
    what = told["inputs"]["do"]
    print("this is task", task["task"])
    if misbehave(task, what):
        return
    for i in range(2000 if what == "reports" else 1):
        say(type="report", task=task["task"], report={"step": i})
    if what == "orphan":
        subprocess.Popen(["sleep", "1000"])
    with open(task["dir"] + "/out/text", "w") as f:
        f.write("task %s seed %s here %s\n" % (told["task"], told["seed"],
                                               os.environ.get("GREETING")))
    params = {"pid": os.getpid(), "nth": count}
    with open(task["dir"] + "/params.json", "w") as f:
        json.dump(params if what != "no-params" else {}, f)
    if what == "result-and-exit":
        say(type="result", task=task["task"])
        sys.exit(3)
    say(type="result", task=task["task"], unknown={"key": []}, bye=what == "bye")
    if what == "result-twice":
        say(type="result", task=task["task"])
    if what == "closes-input":
        os.close(0)
        stay()


start = sys.argv[1] if len(sys.argv) > 1 else ""
if start == "slow":
    stay()
if start == "no-hello":
    sys.exit(1)
if start == "early":
    say(type="result", task=0)
say(type="hello", protocol=2 if start == "newer" else 1, program="worker.py 1",
    anything=["else"])
if start == "hello-and-exit":
    sys.exit(0)
count = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "task":
        count += 1
        work(message, count)
    elif message["type"] == "bye":
        print("bye", file=open(sys.argv[2], "a") if len(sys.argv) > 2 else sys.stderr)
        break
