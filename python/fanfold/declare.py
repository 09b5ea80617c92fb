# SPDX-License-Identifier: BSD-3-Clause
"""The declaration that a function's annotations are.

usage: python3 -m fanfold.declare FILE:FUNCTION

Prints, as JSON, what `operators:` of campaign.yaml says of it, and which modules it imports
that this Python lacks.  The file is read and not run: nothing of it need be installed here.

    def train(model: Each[int], datasets: list[Frames], rate: float = 0.1, *,
              seed: int, potential: Output[File]) -> Errors

model is an input that is sliced, datasets and rate are inputs, potential an output; seed
(or iteration, task) is what the task is told, and the fields of Errors, a NamedTuple,
dataclass or TypedDict of the same file, are output parameters.
"""
import ast
import json
import os
import re
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Dict, List, Optional, Union

PARAMETERS = {
    "int": "int",
    "float": "float",
    "str": "string",
    "bool": "bool",
    "dict": "map",
    "Dict": "map",
    "Any": "any",
}
ARTIFACTS = {"File": "file", "Dir": "dir", "Frames": "frames", "Array": "npy"}
USES = ("seed", "task", "iteration")

_EXIT_MISTAKE = 3  # and not what Python exits with when it cannot run this

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]


class DeclarationError(Exception):
    """The annotations are no declaration; the text says where, and what to write."""


@dataclass
class Declaration:
    """What a function says of its operator."""

    doc: str = ""
    fan_out: List[str] = field(default_factory=list)
    inputs: Dict[str, Dict[str, Any]] = field(default_factory=dict)
    outputs: Dict[str, Dict[str, Any]] = field(default_factory=dict)
    reads: List[str] = field(default_factory=list)
    returned: List[str] = field(default_factory=list)  # those of outputs

    def to_json(self) -> Dict[str, Any]:
        """As the operator in campaign.yaml; what is empty is left out."""
        keys = ("doc", "fan_out", "inputs", "outputs", "reads")
        return {key: getattr(self, key) for key in keys if getattr(self, key)}


class _Reader:
    """Reads one function of a file."""

    def __init__(self, path: str, tree: ast.Module):
        self.path = path
        self.tree = tree

    def error(self, node: ast.AST, text: str) -> DeclarationError:
        line = getattr(node, "lineno", 1)
        return DeclarationError(f"{self.path}:{line}: {text}")

    def find(self, kind: Any, name: str) -> Optional[Any]:
        for node in self.tree.body:
            if isinstance(node, kind) and node.name == name:
                return node
        return None

    # --- types ---

    def read_type(self, node: ast.expr, port: Dict[str, Any]) -> None:
        """Add what the annotation says: type, list, optional, and the marks "each" and
        "output"."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = ast.parse(node.value, mode="eval").body
        if isinstance(node, ast.Subscript):
            self.read_generic(node, port)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            self.read_union(node, [node.left, node.right], port)
        else:
            name = _last_name(node)
            kind = PARAMETERS.get(name) or ARTIFACTS.get(name)
            if kind is None:
                raise self.no_type(node)
            port["type"] = kind

    def read_generic(self, node: ast.Subscript, port: Dict[str, Any]) -> None:
        name = _last_name(node.value)
        inner = node.slice
        items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if name in ("Each", "Output"):
            port[name] = True
            self.read_type(inner, port)
        elif name == "Optional":
            port["optional"] = True
            self.read_type(inner, port)
        elif name == "Union":
            self.read_union(node, items, port)
        elif name in ("list", "List", "Sequence"):
            port["list"] = port.get("list", 0) + 1
            self.read_type(inner, port)
        elif name == "Annotated":
            self.read_type(items[0], port)
            for extra in items[1:]:
                self.read_extra(extra, port)
        elif name in ("dict", "Dict"):
            port["type"] = "map"
        else:
            raise self.no_type(node)

    def read_union(self, node: ast.AST, items: List[ast.expr], port: Dict[str, Any]) -> None:
        types = [item for item in items if not _is_none(item)]
        if len(types) != 1 or len(items) != 2:
            raise self.no_type(node)
        port["optional"] = True
        self.read_type(types[0], port)

    def read_extra(self, node: ast.expr, port: Dict[str, Any]) -> None:
        """Of Annotated: a text is `doc`, a dict has further keys of the port."""
        try:
            value = ast.literal_eval(node)
        except ValueError:
            value = None
        if isinstance(value, str):
            port["doc"] = value
        elif isinstance(value, dict):
            port.update(value)
        else:
            raise self.error(
                node,
                f"'{ast.unparse(node)}': in Annotated write a text, or keys of the port "
                'such as {"from": "models"}',
            )

    def no_type(self, node: ast.AST) -> DeclarationError:
        return self.error(
            node,
            f"'{ast.unparse(node)}' is no type of an input or output; write int, float, str, "
            "bool, dict, Any, File, Dir, Frames, Array, list[...], Optional[...], Each[...] "
            "or Output[...]",
        )

    def port(self, node: Optional[ast.expr], owner: ast.AST, name: str) -> Dict[str, Any]:
        if node is None:
            raise self.error(owner, f"'{name}' has no annotation; write '{name}: TYPE'")
        port: Dict[str, Any] = {}
        self.read_type(node, port)
        if port.get("list") == 1:
            port["list"] = True
        return {"type": port.pop("type"), **port}

    # --- the function ---

    def add_default(self, node: ast.expr, name: str, port: Dict[str, Any]) -> None:
        try:
            value = ast.literal_eval(node)
        except ValueError:
            raise self.error(
                node, f"the default of '{name}' is computed; write its value"
            ) from None
        if value is None:
            port["optional"] = True
        else:
            port["default"] = list(value) if isinstance(value, tuple) else value

    def add_argument(
        self, argument: ast.arg, default: Optional[ast.expr], made: Declaration
    ) -> None:
        name = argument.arg
        if name in USES:
            made.reads.append(name)
            return
        port = self.port(argument.annotation, argument, name)
        each, output = port.pop("Each", False), port.pop("Output", False)
        if output and port["type"] not in ARTIFACTS.values():
            raise self.error(argument, f"output '{name}' is no artifact; return it")
        if each and default is not None:
            raise self.error(argument, f"'{name}' is sliced, so it has no default here")
        if each:
            made.fan_out.append(name)
        if default is not None:
            self.add_default(default, name, port)
        (made.outputs if output else made.inputs)[name] = port

    def read_arguments(self, function: Function, made: Declaration) -> None:
        arguments = function.args
        for several in (arguments.vararg, arguments.kwarg, *arguments.posonlyargs):
            if several is not None:
                raise self.error(
                    several, f"'{several.arg}': inputs are given by name; write 'NAME: TYPE'"
                )
        first = len(arguments.args) - len(arguments.defaults)
        for i, argument in enumerate(arguments.args):
            default = arguments.defaults[i - first] if i >= first else None
            self.add_argument(argument, default, made)
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
            self.add_argument(argument, default, made)

    def read_return(self, function: Function, made: Declaration) -> None:
        node = function.returns
        if node is None or _is_none(node):
            return
        name = node.value if isinstance(node, ast.Constant) else _last_name(node)
        fields = self.find(ast.ClassDef, str(name))
        if fields is None:
            raise self.error(
                node,
                f"'{ast.unparse(node)}': write the name of a NamedTuple, dataclass or "
                "TypedDict of this file, with a field for each output parameter, or None",
            )
        for item in fields.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                output = item.target.id
                made.outputs[output] = self.port(item.annotation, item, output)
                made.returned.append(output)


def _last_name(node: ast.AST) -> str:
    """"Frames" of Frames and of fanfold.Frames."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def declaration(path: str, name: str) -> Declaration:
    """What the function NAME of the Python file at PATH says; DeclarationError."""
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read(), path)
    except OSError as error:
        raise DeclarationError(f"{path}: {error.strerror}") from None
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise DeclarationError(f"{path}:{line}: no Python: {error}") from None
    reader = _Reader(path, tree)
    function = reader.find((ast.FunctionDef, ast.AsyncFunctionDef), name)
    if function is None:
        names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        raise DeclarationError(
            f"{path}: no function '{name}' (there are: {', '.join(names) or 'none'})"
        )
    made = Declaration()
    doc = ast.get_docstring(function)
    made.doc = doc.splitlines()[0] if doc else ""
    reader.read_arguments(function, made)
    reader.read_return(function, made)
    return made


def operator_name(path: str, function: str) -> str:
    """FILE.FUNCTION, in letters that names have."""
    stem = os.path.splitext(os.path.basename(path))[0]
    words = [re.sub("[^a-z0-9_]", "_", word.lower()) for word in (stem, function)]
    return ".".join(word if word[:1].isalpha() else "f" + word for word in words)


def _imported(node: ast.stmt) -> List[str]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
    return [name.partition(".")[0] for name in names]


def absent_modules(path: str) -> Dict[str, str]:
    """The modules that this Python lacks, each with the FILE:LINE that imports it first.

    Looked at are imports that are run in any case, of the file at PATH and of those beside
    it that it imports.
    """
    directory = os.path.dirname(path)
    files = [path]
    absent: Dict[str, str] = {}
    for file in files:
        try:
            with open(file, encoding="utf-8") as text:
                body = ast.parse(text.read(), file).body
        except (OSError, SyntaxError, ValueError):
            continue  # told where it is run
        for node in body:
            for name in _imported(node):
                beside = os.path.join(directory, name)
                if os.path.exists(beside + ".py"):
                    files += [beside + ".py"] if beside + ".py" not in files else []
                elif not os.path.exists(beside) and name not in sys.modules and not find_spec(name):
                    absent.setdefault(name, f"{os.path.basename(file)}:{node.lineno}")
    return absent


def main() -> int:
    path, _, function = sys.argv[1].rpartition(":") if len(sys.argv) == 2 else ("", "", "")
    if not path or not function:
        print("usage: python3 -m fanfold.declare FILE:FUNCTION", file=sys.stderr)
        return 2
    try:
        made = declaration(path, function)
    except DeclarationError as error:
        print(error, file=sys.stderr)
        return _EXIT_MISTAKE
    print(
        json.dumps(
            {
                "name": operator_name(path, function),
                "operator": made.to_json(),
                "absent": absent_modules(path),
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
