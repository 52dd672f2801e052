"""Whatever is typed behind `/goal`: a clear refusal, the store unchanged; never a traceback."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.limits import LIMITS
from core.services.read_goals import ListGoals, Wanted
from core.turn import ADMIN


def rows(chat):
    found = ListGoals(chat.ctx)(ADMIN, None, Wanted(everything=True), size=1_000).rows
    return {row.handle: row for row in found}


LONG = "x" * (LIMITS.goal_chars + 1)
REFUSED = {
    "an unknown handle": "show g-0000",
    "an unknown handle to wait for": "add x --depends g-0000",
    "a text of 501 letters": f"add {LONG}",
    "a note of 1001 letters": f"add x --note {'y' * (LIMITS.goal_note_chars + 1)}",
    "21 criteria": "add x --criteria " + ";".join(map(str, range(LIMITS.goal_criteria + 1))),
    "a criterion of 1001 letters": f"add x --criteria {'y' * (LIMITS.goal_criterion_chars + 1)}",
    "a deadline in the past": "add x --due 2020-01-01",
    "a deadline that is too far": "add x --due in 40 years",
    "a deadline that repeats": "add x --due every friday",
    "a deadline that is none": "add x --due whenever",
    "an owner whom nobody knows": "add x --owner @zoe",
    "a stakeholder whom nobody knows": "add x --with @zoe",
    "NUL": "add x\0y",
    "an escape sequence": "add \x1b[31mred",
    "a lone surrogate": "add x\udcffy",
    "a lone surrogate in a note": "add x --note \udcff",
    "zero-width characters only": "add \u200b\u200d",
    "a million letters": f"add {'y' * 1_000_000}",
    "a link to a rule that is not there": "link g-0000 i-0000",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_it_is_refused_with_a_reason_and_the_store_is_as_it_was(chat, text):
    before = chat.state(), rows(chat)
    shown = chat(f"/goal {text}")
    assert shown.startswith("│ ✗ ") and len(shown.splitlines()) == 2 and len(shown) < 2_000
    assert (chat.state(), rows(chat)) == before


@pytest.mark.parametrize(
    "text",
    [
        "x" * LIMITS.goal_chars,
        f"x --note {'y' * LIMITS.goal_note_chars}",
        "x --criteria " + ";".join(map(str, range(LIMITS.goal_criteria))),
        f"x --criteria {'y' * LIMITS.goal_criterion_chars}",
        "x --due in 5 years",
        "[red]**x**[/red] {y}",
    ],
)
def test_what_just_fits_is_kept(chat, text):
    assert "is saved" in chat(f"/goal add {text}") and len(rows(chat)) == 1


VERBS = [
    "add",
    "done",
    "edit",
    "list",
    "answer",
    "depends",
    "link",
    "search",
    "supersede",
    "HANDLE",
    "RULE",
    "on",
    "{x}",
]
OPTIONS = [
    "--due",
    "--type",
    "type:goal",
    "--owner",
    "with:@ada",
    "--off",
    "--of",
    "--note",
    "--page",
    "--",
    "“x",
    "\n",
]
VALUES = ["friday", "risk", "@ada", "keep", "replace", "none", "\udcff", "0", "g-", "**", "\0"]
PARTS = st.sampled_from([*VERBS, *OPTIONS, *VALUES])


@pytest.mark.thorough
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(words=st.lists(PARTS, max_size=8))
def test_any_goal_can_be_typed(chat, words):
    known = next(iter(rows(chat)), "g-0000")
    text = " ".join(words).replace("HANDLE", known).replace("RULE", "i-0000")
    assert chat(f"/goal {text}")
    chat(f"/propose {text}", "no", f"/risk {text}", "yes")
