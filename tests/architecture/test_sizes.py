"""Files and functions stay small."""

import ast

import pytest

from tests.architecture.sources import PACKAGES, ROOT, modules, tracked

pytestmark = pytest.mark.thorough

FILE_LINES = 400
FUNCTION_LINES = 60
# One entry a line, and nothing else: length is no complexity there.
TABLES = ("core/catalogue/",)
COLUMNS = ("storage/migrations/versions/",)


def test_no_file_is_longer_than_400_lines() -> None:
    long = {}
    for name in tracked():
        if name.suffix == ".py" and name.parts[0] in PACKAGES and not name.as_posix().startswith(TABLES):
            lines = len((ROOT / name).read_text(encoding="utf-8").splitlines())
            if lines > FILE_LINES:
                long[str(name)] = lines
    assert long == {}


def test_no_function_is_longer_than_60_lines() -> None:
    long = {}
    for name, tree in modules():
        if name.as_posix().startswith(COLUMNS):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.lineno + 1
                if lines > FUNCTION_LINES:
                    long[f"{name}:{node.name}"] = lines
    assert long == {}


def test_every_module_and_public_function_says_what_it_does() -> None:
    silent = []
    for name, tree in modules():
        if not ast.get_docstring(tree) and tree.body:
            silent.append(str(name))
        for node in tree.body:
            public = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            if public and not node.name.startswith("_") and not ast.get_docstring(node):
                silent.append(f"{name}:{node.name}")
    assert silent == []
