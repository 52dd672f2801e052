"""Words shown to people come from the catalogue, and the catalogue holds no others."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from core import errors
from core.catalogue.en import MESSAGES
from tests.architecture.sources import modules

pytestmark = pytest.mark.thorough

CATALOGUE = "core/catalogue/"
SAYERS = {"say", "line", "lines", "template"}
# Which positional arguments of a call people read; errors read the first two.
READ = {"print_line": (0,), "print_error": (0, 1), "Check": (2, 3), "BadLine": (0,)}
READ |= {
    name: (0, 1)
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.RemembrancerError)
}
FIELD = r"[a-z0-9_.]+"


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def choices(node: ast.expr) -> Iterator[ast.expr]:
    """What an expression can be: both sides of a conditional one."""
    if isinstance(node, ast.IfExp):
        yield from choices(node.body)
        yield from choices(node.orelse)
    else:
        yield node


def written_out(node: ast.expr, names: dict[str, list[ast.expr]]) -> bool:
    """Whether an expression is, or is put together from, a text of its own; `names` are the variables in sight."""
    if isinstance(node, ast.Name):
        return any(written_out(value, {}) for value in names.get(node.id, ()))
    return any(
        isinstance(one, ast.JoinedStr | ast.BinOp) or (isinstance(one, ast.Constant) and one.value != "")
        for one in choices(node)
    )


def sentences(tree: ast.Module) -> Iterator[str]:
    """Every place of a module where people would read a text that is not the catalogue's."""
    yield from _sentences(tree, {})
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            names: dict[str, list[ast.expr]] = {}
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    names.setdefault(node.targets[0].id, []).append(node.value)
            yield from _sentences(function, names)


def _sentences(tree: ast.AST, names: dict[str, list[ast.expr]]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (places := READ.get(called(node))):
            read = [node.args[place] for place in places if place < len(node.args)]
            read += [keyword.value for keyword in node.keywords if keyword.arg in {"sentence", "hint"}]
            if any(written_out(argument, names) for argument in read):
                yield f"{node.lineno}: {called(node)}"


def pattern(node: ast.JoinedStr) -> str:
    """A regular expression for what an f-string can be."""
    return "".join(re.escape(part.value) if isinstance(part, ast.Constant) else FIELD for part in node.values)


def outside() -> Iterator[tuple[Path, ast.Module]]:
    """Every module but the catalogue's own."""
    return ((name, tree) for name, tree in modules() if not name.as_posix().startswith(CATALOGUE))


def said() -> Iterator[tuple[str, ast.expr, ast.Call]]:
    """Every call that takes a key: where, the key, the call."""
    for name, tree in outside():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and called(node) in SAYERS and node.args:
                for key in choices(node.args[0]):
                    yield f"{name}:{node.lineno}", key, node


def test_nobody_reads_a_sentence_that_is_not_in_the_catalogue() -> None:
    found = {str(name): list(sentences(tree)) for name, tree in modules()}
    assert {name: places for name, places in found.items() if places} == {}


def test_every_key_that_is_said_is_there() -> None:
    for where, key, _ in said():
        if isinstance(key, ast.Constant):
            assert key.value in MESSAGES, f"{where}: {key.value}"
        elif isinstance(key, ast.JoinedStr):
            assert any(re.fullmatch(pattern(key), known) for known in MESSAGES), f"{where}: {ast.unparse(key)}"


def test_every_field_of_a_text_is_filled_in() -> None:
    for where, key, call in said():
        given = {keyword.arg for keyword in call.keywords}
        if isinstance(key, ast.Constant) and None not in given:
            wanted = {name.split(".")[0] for _, name, _, _ in Formatter().parse(MESSAGES[key.value]) if name}
            assert wanted <= given, f"{where}: {key.value} wants {wanted - given}"


def test_every_key_is_used() -> None:
    names, patterns = set(), set()
    for _, tree in outside():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.add(node.value)
            elif isinstance(node, ast.JoinedStr) and "." in pattern(node):
                patterns.add(pattern(node))
    # "x.{name}" names a family of keys; "{key}.hint" belongs to the key that it is made of
    families = [re.compile(one) for one in patterns if re.match(r"[a-z_]+\\\.", one)]
    unused = []
    for key in MESSAGES:
        base = key.removesuffix(".hint") if f"{FIELD}\\.hint" in patterns else key
        if not {key, base} & names and not any(family.fullmatch(key) for family in families):
            unused.append(key)
    assert unused == []


def test_no_text_stands_under_two_keys() -> None:
    twice = {text for text, count in Counter(MESSAGES.values()).items() if count > 1}
    assert {key: text for key, text in MESSAGES.items() if text in twice} == {}


@pytest.mark.parametrize(
    "source",
    [
        "raise StorageError('It is full.', say('x.hint'))",
        "raise errors.NotFound(say('x'), f'See {y}.')",
        "raise ConfigError(say('x'), hint='Look.')",
        "raise InvalidInput('a' + b)",
        "raise InvalidInput('one' if x else say('y'))",
        "def f():\n    hint = 'Look.'\n    raise InvalidInput(say('x'), hint)",
        "print_line(f'{count} done.')",
        "yield Check('disk', State.OK, 'it is full')",
    ],
)
def test_a_sentence_that_is_written_out_is_found(source: str) -> None:
    assert list(sentences(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "raise StorageError(say('x'), say('x.hint'), kind='standing intent')",
        "raise ConfigError(error.sentence, '')",
        "raise ValueError('a defect')",
        "yield Check('disk', State.OK, say('x'))",
    ],
)
def test_what_the_catalogue_says_is_left_alone(source: str) -> None:
    assert not list(sentences(ast.parse(source)))
