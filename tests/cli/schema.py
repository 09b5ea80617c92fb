"""schema.py - does what is printed or written fit its JSON Schema?

usage: schema.py json DIR FILE ...       one value in each file; that of SCHEMA.x.json fits
                                         DIR/SCHEMA.schema.json
       schema.py yaml SCHEMA FILE ...    one document, by YAML's core schema
       schema.py strict SCHEMA ...       are the schemas themselves sound and strict?

Prints a line for each file that does not fit.  Exits 0 if all could be judged.
"""

import json
import os
import re
import sys
from functools import lru_cache

import jsonschema
import yaml

LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
INT = re.compile(r"[-+]?(0|[1-9][0-9]*)$")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?$")
WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}


def plain_value(node):
    """A node as a value: plain scalars by the core schema, as Fanfold reads them."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: plain_value(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain_value(item) for item in node.value]
    if node.style:  # quoted, or a block
        return node.value
    if node.value in WORDS:
        return WORDS[node.value]
    if INT.match(node.value):
        return int(node.value)
    return float(node.value) if FLOAT.match(node.value) else node.value


def read_yaml(path):
    with open(path, encoding="utf-8") as file:
        return plain_value(yaml.compose(file, Loader=LOADER))


def read_json(path):
    """Exactly one value."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def judge(validator, path, value):
    error = jsonschema.exceptions.best_match(validator.iter_errors(value))
    if error:
        where = "/".join(str(part) for part in error.absolute_path)
        print(f"{path}: {where}: {error.message[:200]}")


def lax(schema, where=""):
    """Objects that say neither what they have nor what else they may have."""
    if isinstance(schema, list):
        for i, part in enumerate(schema):
            yield from lax(part, f"{where}/{i}")
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("properties"), dict):
        if "additionalProperties" not in schema and "history" not in where:
            yield f"{where}: additionalProperties is missing"
        for key, part in schema["properties"].items():
            text = part.get("description", "")
            if not text.endswith((".", "?")):
                yield f"{where}/{key}: no description of a sentence"
            if len(text) > 240:
                yield f"{where}/{key}: its description is long"
    for key, part in schema.items():
        if key == "allOf":  # conditions on what is described elsewhere
            continue
        yield from lax(part, f"{where}/{key}")


def main(kind, schema, *paths):
    if kind == "strict":
        for path in (schema, *paths):
            value = read_json(path)
            jsonschema.Draft202012Validator.check_schema(value)
            for line in lax(value):
                print(f"{path}: {line}")
        return
    validator_of = lru_cache(
        lambda file: jsonschema.Draft202012Validator(read_json(file)))
    for path in paths:
        file = schema
        if kind == "json":
            file = f"{schema}/{os.path.basename(path).split('.')[0]}.schema.json"
        validator = validator_of(file)
        try:
            value = read_json(path) if kind == "json" else read_yaml(path)
        except (ValueError, OSError, yaml.YAMLError) as error:
            print(f"{path}: {' '.join(str(error).split())}")
        else:
            judge(validator, path, value)


if __name__ == "__main__":
    main(*sys.argv[1:])
