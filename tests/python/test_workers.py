# SPDX-License-Identifier: BSD-3-Clause
"""A worker, spoken to as an agent does."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

WORKER = """
import fanfold
print("printed at the start")
import os, sys
from fanfold import TaskError, task, worker

def serve(given):
    print("printed by the task")
    os.system("echo a program; cat")
    assert given is task and os.getcwd() == os.path.realpath(task.directory)
    do = task.inputs.do
    if do == "report":
        task.progress(step=3, error=float("nan"))
    if do == "fatal":
        raise TaskError("no other try", kind="fatal")
    if do == "raise":
        raise RuntimeError("broken " + "x" * 2000)
    if do == "memory":
        raise MemoryError
    task.params(nth=len(do))

worker(serve, "test 1")
print("the end")
"""


class WorkerTest(unittest.TestCase):
    def speak(self, *tasks, marked=True):
        """What the worker wrote, message by message, and its log."""
        with tempfile.TemporaryDirectory() as directory:
            lines = [{"type": "hello", "protocol": 1, "unknown": 3}]
            for i, do in enumerate(tasks):
                place = os.path.join(directory, str(i))
                os.mkdir(place)
                with open(os.path.join(place, "task.json"), "w") as file:
                    json.dump({"inputs": {"do": do}, "outputs": {}}, file)
                lines.append({"type": "task", "task": i, "dir": place})
            lines.append({"type": "bye"})
            environment = dict(os.environ, **({"FANFOLD_WORKER": "1"} if marked else {}))
            done = subprocess.run(
                [sys.executable, "-c", WORKER],
                input="".join(json.dumps(line) + "\n" for line in lines),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                env=environment,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            left = [os.path.exists(f"{directory}/{i}/params.json") for i in range(len(tasks))]
            return done.stdout.splitlines(), done.stderr, left

    def test_messages(self):
        lines, log, left = self.speak("work", "report", "fatal")
        self.assertEqual(
            [json.loads(line) for line in lines],
            [
                {"type": "hello", "protocol": 1, "program": "test 1"},
                {"type": "result", "task": 0},
                {"type": "report", "task": 1, "report": {"step": 3, "error": None}},
                {"type": "result", "task": 1},
                {"type": "error", "task": 2, "kind": "fatal", "message": "no other try"},
            ],
        )
        self.assertEqual(left, [True, True, False])
        for printed in ("printed at the start", "printed by the task", "a program", "the end"):
            self.assertIn(printed, log)

    def test_exceptions(self):
        lines, log, _ = self.speak("raise", "memory")
        broken, memory = json.loads(lines[1]), json.loads(lines[2])
        self.assertEqual((broken["kind"], broken["bye"]), ("failed", True))
        self.assertEqual(broken["message"][:27], "RuntimeError: broken xxxxxx")
        self.assertLessEqual(len(broken["message"]), 500)
        self.assertEqual((memory["kind"], memory["bye"]), ("out_of_memory", True))
        self.assertIn("Traceback", log)

    def test_unmarked(self):
        """Started by another agent: what comes before worker() is printed as always."""
        lines, _, _ = self.speak("work", marked=False)
        self.assertEqual(lines[0], "printed at the start")
        self.assertEqual(json.loads(lines[-1]), {"type": "result", "task": 0})


if __name__ == "__main__":
    unittest.main()
