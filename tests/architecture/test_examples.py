"""The examples of the documentation are the files that tests run."""

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

PAGE = ROOT / "docs" / "embed.md"
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))
BLOCK = re.compile(r"^( *)```python\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_the_page_quotes_the_example_word_for_word(example: Path) -> None:
    page = PAGE.read_text()
    assert f"```python\n{example.read_text()}```" in page
    assert f"(examples/{example.name})" in page


def test_every_block_of_python_on_the_page_can_be_compiled() -> None:
    blocks = BLOCK.findall(PAGE.read_text())
    assert len(blocks) == len(EXAMPLES) + 4
    for indent, block in blocks:
        text = "\n".join(line.removeprefix(indent) for line in block.splitlines())
        compile(text, "block", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
