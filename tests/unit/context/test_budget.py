"""What a text costs: by script, by kind, by an exact tokeniser."""

import pytest

from core.context.budget import Exactly, Kind, estimate, line_of
from core.context.bundle import Flag
from core.errors import LimitExceeded
from core.limits import LIMITS
from tests.builders_bundle import a_risk_row, a_row, built


@pytest.mark.parametrize(
    ("text", "kind", "tokens"),
    [
        ("", Kind.TEXT, 0),
        ("a", Kind.TEXT, 1),
        ("a" * 21, Kind.TEXT, 5),
        ("a" * 22, Kind.TEXT, 6),
        ("é" * 42, Kind.TEXT, 10),
        ("я" * 42, Kind.TEXT, 10),
        ("a" * 7, Kind.JSON, 2),
        ("a" * 8, Kind.JSON, 3),
        ("a" * 6, Kind.CODE, 2),
        ("a" * 7, Kind.CODE, 3),
        ("発売日", Kind.TEXT, 2),
        ("発売日に", Kind.TEXT, 3),
        ("출시", Kind.TEXT, 2),
        ("。、", Kind.TEXT, 2),
        ("مرحبا", Kind.TEXT, 3),
        ("שלום", Kind.TEXT, 2),
        ("発売日", Kind.CODE, 2),
        ("a" * 21 + "発" * 3, Kind.TEXT, 7),
    ],
)
def test_characters_cost_by_script_and_are_rounded_up_once(text: str, kind: Kind, tokens: int) -> None:
    assert estimate(text, kind) == tokens


def test_tags_cost_as_code_does() -> None:
    assert estimate("<goal>") == estimate("<goal>", Kind.CODE) == 2
    assert estimate("a < b and b > c") == estimate("a + b and b + c")


def test_lines_add_up_to_the_whole() -> None:
    lines = [line_of(("<a>", Kind.CODE), ("word " * n, Kind.TEXT), ("</a>", Kind.CODE)) for n in range(9)]
    assert estimate("\n".join(line.text for line in lines) + "\n") == -(-sum(line.parts for line in lines) // 42)


@pytest.mark.parametrize(("budget", "flag"), [(199, Flag.BUDGET_ERROR), (200, None), (0, Flag.BUDGET_ERROR)])
def test_a_budget_below_the_least_is_an_empty_block_with_a_flag(budget: int, flag: Flag | None) -> None:
    made = built([a_risk_row()], budget=budget)
    assert (made.metadata.flag, bool(made.block)) == (flag, flag is None)
    assert LIMITS.bundle_least == 200


def test_a_budget_above_the_most_is_an_error() -> None:
    assert built([a_row()], "API?", budget=LIMITS.bundle_most).block
    with pytest.raises(LimitExceeded) as refusal:
        built([a_row()], budget=LIMITS.bundle_most + 1)
    assert refusal.value.details["name"] == "bundle_most"


class Letters:
    """One token a character, and one more for every line break: a whole costs more than its lines."""

    def count(self, text: str) -> int:
        return len(text) + 9 * text.count("\n") * (text.count("\n") > 1)


@pytest.mark.parametrize("risks", [1, 3, 40])
def test_an_exact_tokeniser_bounds_the_block_even_where_a_whole_costs_more_than_its_parts(risks: int) -> None:
    for budget in range(200, 700, 23):
        rows = [a_risk_row(n) for n in range(risks)]
        made = built(rows, budget=budget, meter=Exactly(Letters()))
        assert Letters().count(made.block) <= budget
        assert made.metadata.tokens == Letters().count(made.block)
        assert len(made.items) == risks


class Greedy:
    """No model has this one: a hundred tokens a character."""

    def count(self, text: str) -> int:
        return 100 * len(text)


def test_a_tokeniser_that_leaves_no_room_for_a_critical_risk_is_told() -> None:
    made = built([a_risk_row()], meter=Exactly(Greedy()))
    assert (made.block, made.items, made.metadata.flag) == ("", (), Flag.BUDGET_ERROR)
