# SPDX-License-Identifier: BSD-3-Clause
"""Artifacts: files and directories that tasks are given, and leave.

An artifact is its path: a str, which every library takes.  The classes are also the
annotations of a function that declares an operator (fanfold.declare).
"""
import os
from typing import Annotated, Any, List, TypeVar

T = TypeVar("T")

# An input that is sliced: the task sees one item of the list (`fan_out`).
Each = Annotated[T, "fan_out"]

# An artifact that the function writes, and not one that it reads.
Output = Annotated[T, "output"]


class Artifact(str):
    """The path of a file or a directory."""

    def read(self) -> Any:
        """An array (.npy), else all frames, a list of ase.Atoms, read by ASE."""
        return _load(self) if self.endswith(".npy") else _read_frames(self)

    def one(self) -> Any:
        """The only frame, an ase.Atoms; ValueError where there is another number."""
        frames = _read_frames(self)
        if len(frames) != 1:
            raise ValueError(f"{self} has {len(frames)} frames, not 1; see read()")
        return frames[0]

    def write(self, content: Any) -> None:
        """Write an array (.npy), else frames of ASE, one or a list, as extended XYZ."""
        if self.endswith(".npy"):
            _save(self, content)
        else:
            _ase_io().write(str(self), content, format="extxyz")


class File(Artifact):
    """A file."""


class Dir(Artifact):
    """A directory."""


class Frames(Artifact):
    """A file of frames, extended XYZ."""

    def read(self) -> List[Any]:
        """All frames, a list of ase.Atoms."""
        return _read_frames(self)


class Array(Artifact):
    """A file of NumPy, whatever its name ends in."""

    def read(self) -> Any:
        """The array."""
        return _load(self)

    def write(self, content: Any) -> None:
        """Write an array."""
        _save(self, content)


def _load(path: str) -> Any:
    import numpy

    return numpy.load(str(path), allow_pickle=False)


def _save(path: str, content: Any) -> None:
    import numpy

    with open(path, "wb") as file:  # numpy.save adds .npy to a name
        numpy.save(file, content, allow_pickle=False)


def _read_frames(path: str) -> List[Any]:
    return list(_ase_io().read(str(path), index=":", format="extxyz"))


def _ase_io() -> Any:
    try:
        import ase.io
    except ImportError as error:
        raise ImportError(
            "frames are read by ASE, which this Python does not have: install ase there, "
            "or open the path with what you have"
        ) from error
    return ase.io


def artifacts_in(value: Any) -> Any:
    """The JSON value with an Artifact in the place of each absolute path."""
    if isinstance(value, str):
        return Artifact(value) if os.path.isabs(value) else value
    if isinstance(value, list):
        return [artifacts_in(item) for item in value]
    if isinstance(value, dict):
        return {key: artifacts_in(item) for key, item in value.items()}
    return value
