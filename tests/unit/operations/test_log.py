"""The canonical form and the hash chain."""

from dataclasses import replace

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from core.operations.log import (
    GENESIS,
    MAX_INTEGER,
    Operation,
    OperationDraft,
    OpType,
    canonical,
    content_hash,
    seal,
    verify_chain,
)
from core.turn import ActorType


def a_draft(number: int = 1, **payload: object) -> OperationDraft:
    return OperationDraft(
        f"op-{number}",
        number,
        OpType.FIRED,
        "system",
        ActorType.SYSTEM_PROCESS,
        "home",
        "i",
        "standing_intent",
        payload,
    )


def a_chain(length: int) -> tuple[list[Operation], tuple[int, str]]:
    rows, previous = [], GENESIS
    for number in range(1, length + 1):
        rows.append(seal(a_draft(number, count=number), number, previous))
        previous = rows[-1].hash
    return rows, (length, previous)


def test_a_sound_chain_verifies_to_its_head():
    rows, head = a_chain(5)
    report = verify_chain("home", rows, head)
    assert (report.bad, report.rows, report.head) == (None, 5, head[1])


def test_an_empty_chain_verifies():
    assert verify_chain("home", [], (0, GENESIS)).bad is None
    assert verify_chain("home", [], (0, GENESIS)).why == ""


@pytest.mark.parametrize(
    "field, value",
    [
        ("payload", '{"count":4}'),
        ("ts", 99),
        ("actor_id", "mallory"),
        ("target_id", None),
        ("op_type", "DELIVERED"),
        ("hash", "f" * 64),
        ("prev_hash", "f" * 64),
        ("sequence_num", 7),
        ("id", "op-x"),
        ("namespace_id", "other"),
        ("policy_version", "x"),
        ("ts", 2**60),
    ],
)
def test_a_changed_field_is_found_in_its_row(field, value):
    rows, head = a_chain(5)
    rows[2] = replace(rows[2], **{field: value})
    report = verify_chain("home", rows, head)
    assert report.bad is not None
    assert report.bad.id in {rows[2].id, "op-3", "op-4"}
    assert report.rows == 2 or field == "hash"


def test_a_row_taken_out_of_the_middle_is_found():
    rows, head = a_chain(5)
    report = verify_chain("home", rows[:2] + rows[3:], head)
    assert report.bad == rows[3]


def test_rows_cut_off_at_the_end_are_found_by_the_head():
    rows, head = a_chain(5)
    report = verify_chain("home", rows[:4], head)
    assert report.bad == rows[3]
    assert "5" in report.why


def test_a_chain_emptied_altogether_is_found_by_the_head():
    _, head = a_chain(5)
    report = verify_chain("home", [], head)
    assert report.why


def test_integers_are_canonical_up_to_2_to_the_53_and_refused_beyond():
    assert canonical({"n": MAX_INTEGER}) == '{"n":9007199254740991}'
    with pytest.raises(ValueError, match="string"):
        canonical({"n": MAX_INTEGER + 1})
    with pytest.raises(ValueError, match="string"):
        canonical([-MAX_INTEGER - 1])


@pytest.mark.parametrize("value", [1.5, {"x": b"bytes"}, [object()], {1: "x"}])
def test_what_is_not_canonical_is_refused(value):
    with pytest.raises(TypeError):
        canonical(value)


def test_lists_objects_booleans_and_none_are_canonical():
    assert canonical({"b": [True, None, "ä"], "a": (1, 2)}) == '{"a":[1,2],"b":[true,null,"ä"]}'


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"])),
        st.integers(-MAX_INTEGER, MAX_INTEGER) | st.text(st.characters(exclude_categories=["Cs"])),
    )
)
def test_canonical_text_does_not_depend_on_the_order_of_keys(value):
    assert canonical(value) == canonical(dict(reversed(value.items())))


def test_the_content_hash_depends_on_text_and_salt_and_takes_lone_surrogates():
    hashes = {content_hash(salt, text) for salt in (b"a", b"b") for text in ("x", "y", "\ud800")}
    assert len(hashes) == 6


SIGNS = 'abc_:\x00\x1f"\\é🚀\ue000'
KEYS = st.one_of(st.text(SIGNS, max_size=3), st.sampled_from(["fire", "é", "\U00010000", "\uffff"]))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-MAX_INTEGER, MAX_INTEGER), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


@settings(max_examples=400)
@given(VALUES)
def test_the_short_way_writes_what_the_library_of_rfc_8785_writes(value):
    assert canonical(value) == rfc8785.dumps(value).decode()


@pytest.mark.parametrize("value", ["\ud800", {"a": ["\udfff"]}, {"\ud800": 1}])
def test_a_lone_surrogate_is_refused(value):
    with pytest.raises(ValueError):
        canonical(value)
