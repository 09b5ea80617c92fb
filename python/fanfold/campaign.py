# SPDX-License-Identifier: BSD-3-Clause
"""A campaign as a Python object: what `fanfold ... --json` says of it."""
import json
import os
import subprocess
import time
import warnings
from typing import Any, Dict, List, Optional, Union

from . import _json
from .artifact import Array, Artifact, Dir, File, Frames

_ARTIFACTS = {"file": File, "dir": Dir, "frames": Frames, "path": Artifact}
_OVER = ("done", "failed", "paused")
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.1, 10.0


class FanfoldError(Exception):
    """A command of Fanfold failed: the text is what it said, STATUS its exit status
    (fanfold(1), EXIT STATUS)."""

    def __init__(self, message: str, status: int):
        super().__init__(message)
        self.status = status


class Campaign:
    """The campaign in DIRECTORY.

    Each method runs the program that the variable FANFOLD names, else `fanfold` of PATH,
    and raises FanfoldError where that fails.  Nothing is remembered from one call to the
    next.
    """

    def __init__(self, directory: Union[str, "os.PathLike[str]"] = "."):
        self.directory = os.path.abspath(directory)

    def __repr__(self) -> str:
        return f"Campaign({self.directory!r})"

    def _run(self, *words: str) -> str:
        program = os.environ.get("FANFOLD", "fanfold")
        try:
            done = subprocess.run(
                [program, "-C", self.directory, *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            )
        except OSError as error:
            raise FanfoldError(
                f"{program} cannot be run: {error.strerror}; put it on PATH, or name it by "
                "the variable FANFOLD",
                127,
            ) from error
        if done.returncode != 0:
            said = done.stderr.strip() or f"{program} {words[0]} ended with {done.returncode}"
            raise FanfoldError(said, done.returncode)
        return done.stdout

    def status(self) -> Dict[str, Any]:
        """What `fanfold status --json` prints: state, iteration, stages, history ..."""
        status: Dict[str, Any] = json.loads(self._run("status", "--json"))
        return status

    @property
    def history(self) -> Dict[str, List[Any]]:
        """The history of closed iterations as columns, "iteration" the first; None where
        there is no value.  pandas.DataFrame(campaign.history) is a table of it."""
        rows = self.status()["history"]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return {name: [row.get(name) for row in rows] for name in names}

    def result(
        self, stage: str, name: Optional[str] = None, iteration: Optional[int] = None
    ) -> Any:
        """The output NAME of STAGE in ITERATION (None: the current one), or all outputs,
        by name.

        Arrays are NumPy's, other artifacts their absolute paths (frames: read()), of a
        stage with several tasks a list of them, None for tasks that failed.
        """
        words = ["result", "--json", stage]
        if iteration is not None:
            words += ["--iteration", str(iteration)]
        return self._named(self._outputs(self._run(*words)), stage, name)

    def call(self, function: str, **inputs: Any) -> Dict[str, Any]:
        """Call FUNCTION with INPUTS, wait for its end, and return its outputs by name, as
        result() does.  Relative paths are seen from the working directory."""
        arguments = [f"{name}={_json.dumps(value)}" for name, value in inputs.items()]
        return self._outputs(self._run("call", "--json", function, *arguments))

    def wait(self, timeout_s: Optional[float] = None) -> Dict[str, Any]:
        """Wait until the campaign is done, failed or paused, and return its status;
        TimeoutError after TIMEOUT_S.  It does not drive the campaign, and warns once if no
        driver does."""
        end_s = None if timeout_s is None else time.monotonic() + timeout_s
        wait_s, warned = _FIRST_WAIT_S, False
        while True:
            status = self.status()
            if status["state"] in _OVER:
                return status
            if status["state"] != "running" and not status.get("chain") and not warned:
                warnings.warn(f"no driver runs; `fanfold -C {self.directory} run` does")
                warned = True
            if end_s is not None and time.monotonic() + wait_s > end_s:
                raise TimeoutError(f"{self.directory} is {status['state']} after {timeout_s} s")
            time.sleep(wait_s)
            wait_s = min(1.5 * wait_s, _LONGEST_WAIT_S)

    def _named(self, outputs: Dict[str, Any], stage: str, name: Optional[str]) -> Any:
        if name is None:
            return outputs
        if name not in outputs:
            raise KeyError(f"stage '{stage}' has no output '{name}': {', '.join(outputs)}")
        return outputs[name]

    def _outputs(self, text: str) -> Dict[str, Any]:
        printed = json.loads(text)
        types = printed["types"]
        return {
            name: self._typed(types.get(name, ""), value)
            for name, value in printed["outputs"].items()
        }

    def _typed(self, kind: str, value: Any) -> Any:
        if isinstance(value, list):
            return [self._typed(kind, item) for item in value]
        if not isinstance(value, str) or kind not in (*_ARTIFACTS, "npy"):
            return value
        path = os.path.join(self.directory, value)
        return Array(path).read() if kind == "npy" else _ARTIFACTS[kind](path)
