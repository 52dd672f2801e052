"""What operations tell of a row."""

from dataclasses import fields, replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.recorded import recorded_standing, recorded_timed, standing_change
from core.operations.log import canonical
from core.operations.recorded import differences, name_hash, with_changes, with_new
from core.standing.intent import ChannelScope, CooldownPer, Deliver, Priority, Status
from core.text.analyse import TextOptions
from core.timed.reminder import TimedStatus
from core.timed.when import Resolution, When
from storage.types import shown
from tests.builders import BOB, NOW, a_timed, an_intent

LATER = NOW + timedelta(microseconds=1)
RULES = (
    an_intent(),
    an_intent(
        handle="i-9999", namespace_id="away", space=11, channel=12, conversation=13, creator=BOB, creator_name="Bob",
        channel_scope=ChannelScope.SPACE, watches=BOB, watches_name="Bob", status=Status.DONE, created_at=NOW,
        armed_at=None, expires_at=NOW, max_fires=4, cooldown=timedelta(microseconds=1), priority=Priority.LOW,
        options=TextOptions("de", False, True), on_edits=True, fire_count=1, last_fired_at=NOW, last_fire_id="fire",
        source_message_id="17", renewed_from="other", cooldown_per=CooldownPer.SENDER, except_in=(3,),
        deliver=Deliver.PLACE, deliver_to=3, expiry_asked_at=NOW, unconfirmed=True, goal_id="goal", goal_closed=True,
        version=2,
    ),
)  # fmt: skip
REMINDERS = (
    a_timed(),
    a_timed(
        handle="r-9999", namespace_id="away", space=11, channel=12, conversation=13, creator=BOB, creator_name="Bob",
        target=BOB, target_name="Bob", when=When(NOW.replace(tzinfo=None), "UTC", Resolution.MINUTE), created_at=LATER,
        due_at=NOW, status=TimedStatus.DONE, for_all=True, direct=True, fired=1, last_due_at=NOW, acknowledged_at=NOW,
        outbox_id="item", source_message_id="17", reply_to="17", snoozed_from="other", fire_id="fire", version=2,
    ),
)  # fmt: skip


def told_by(recorded, rows):
    """Fields of a row of which a change is not told, and those that do not differ in the two rows."""
    one, other = rows
    names = [field.name for field in fields(one)]
    alike = {name for name in names if getattr(one, name) == getattr(other, name)}
    changed = {name: replace(one, **{name: getattr(other, name)}) for name in names if name not in alike}
    return alike, {name for name, row in changed.items() if not differences(recorded(one), recorded(row))}


def test_a_change_of_any_field_of_a_rule_is_told():
    """But for its id, which is the operation's target, the store's own key, and words, told by content id and hash."""
    assert told_by(recorded_standing, RULES) == ({"id", "key", "description", "entries", "description_id"}, set())


def test_a_change_of_any_field_of_a_reminder_is_told():
    assert told_by(recorded_timed, REMINDERS) == ({"id", "key", "text", "text_id"}, set())


@pytest.mark.parametrize(
    "when",
    [
        {"zone": "Europe/Paris"},
        {"rule": "FREQ=DAILY"},
        {"resolution": Resolution.DAY},
        {"local": NOW.replace(tzinfo=None, fold=1)},
    ],
)
def test_a_change_of_any_part_of_a_time_is_told(when):
    old = REMINDERS[1]
    assert differences(recorded_timed(old), recorded_timed(replace(old, when=replace(old.when, **when))))


@pytest.mark.parametrize("options", [("de", True, False), ("en", False, False), ("en", True, True)])
def test_a_change_of_any_way_to_compare_words_is_told(options):
    old = RULES[0]
    assert differences(recorded_standing(old), recorded_standing(replace(old, options=TextOptions(*options))))


def test_what_is_recorded_is_canonical_and_holds_no_words_or_names():
    row = an_intent(creator_name="Ada Lovelace", watches_name="Bob")
    told = canonical(recorded_standing(row, [("c-1", "hash")])) + canonical(recorded_timed(a_timed(), [("c-2", "h")]))
    for word in ("Ada Lovelace", "Bob", "rollback", "launch", "logs"):
        assert word not in told
    assert '"words":[["c-1","hash"]]' in told


def test_only_what_the_payload_does_not_tell_stands_under_fields():
    assert with_new({"a": 1, "b": 2, "to": "x"}, {"a": 1, "b": 3, "c": None}) == {
        "a": 1, "b": 2, "to": "x", "fields": {"b": 3, "c": None},
    }  # fmt: skip
    old, new = {"status": "armed", "a": 1, "b": 2, "c": 3}, {"status": "done", "a": 2, "b": 2, "c": 4}
    payload = {"from": "armed", "to": "done", "a": [1, 2]}
    assert with_changes(payload, old, new) == {**payload, "fields": {"c": [3, 4]}}
    assert with_changes({"from": "armed", "to": "armed"}, old, new)["fields"]["status"] == ["armed", "done"]


def test_a_change_that_is_none_is_told_as_none():
    row = an_intent()
    assert standing_change({"why": "gone"}, row, row) == {"why": "gone", "fields": {}}


def test_a_cooldown_in_seconds_is_told_again_to_the_microsecond():
    old, new = an_intent(cooldown=timedelta(seconds=1)), an_intent(cooldown=timedelta(seconds=1.5))
    assert standing_change({"cooldown": [1, 1]}, old, new)["fields"] == {"cooldown": [1_000_000, 1_500_000]}


@given(st.text(st.characters(codec=None)))
def test_a_name_counts_as_the_store_keeps_it(name):
    assert name_hash("row", name) == name_hash("row", shown(name))
    assert (name_hash("row", name) == "") == (name == "")


def test_the_same_name_in_two_rows_has_two_hashes():
    assert name_hash("one", "Ada") != name_hash("two", "Ada")
