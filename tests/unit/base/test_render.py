"""What is sent for a parcel: words, mentions, buttons."""

from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from adapters.base.buttons import Action, Press, decode
from adapters.base.render import GOAL_BUTTONS, post_of
from core.goals.objects import IntentObject, IntentType, Person
from core.services.notices import News, Notice, NoticeKind
from core.services.parcels import Parcel, Unreached
from core.standing.outcome import Reminder
from tests.builders import NOW, an_intent
from tests.fakes.platform import ADA, BOB, GROUP

FIRE = "0199e9c8-7c7a-7b30-8d31-0a1b2c3d4e5f"
ITEM = "0199e9c8-7c7a-7b30-8d31-0a1b2c3d4e60"


def a_row(number):
    ada = Person(ADA, "Ada")
    return IntentObject(
        FIRE, f"g-000{number}", "space", 1, 1, 1, IntentType.GOAL, f"Goal {number}", ada, ada, NOW, NOW, NOW
    )


def a_reminder(**fields):
    base = Reminder(
        FIRE, ITEM, "i-7k2m", "Confirm the rollback owner.", NOW, ADA, "Ada", BOB, "Bob", "launch", ("launch",),
        1, 3, NOW, NOW + timedelta(hours=1), 3, "m1",
    )  # fmt: skip
    return replace(base, **fields)


def post(content, to=GROUP):
    return post_of(Parcel((ITEM,), "k", 2, to, "m1", 1, NOW, "UTC", content), NOW, UTC)


def pressed(shown):
    return [[(button.label, decode(button.data)) for button in row] for row in shown.buttons]


def mentioned(shown):
    return [segment.who for line in shown.lines for segment in line.segments if segment.who is not None]


def test_a_reminder_has_its_template_and_four_buttons():
    shown = post(a_reminder())
    assert shown.lines[0].text.startswith("Reminder for @Ada: Confirm the rollback owner. (@Bob said *launch*)")
    assert (shown.to, shown.reply_to, len(shown.nonce)) == (GROUP, "m1", 22)
    assert pressed(shown) == [
        [("Done", Press(Action.DONE, FIRE)), ("Later", Press(Action.LATER, FIRE))],
        [("Mute here", Press(Action.MUTE, FIRE)), ("Why?", Press(Action.WHY, FIRE))],
    ]


def test_what_goes_to_a_person_tells_whose_words_it_holds_and_a_post_does_not():
    assert post(a_reminder(recipient=ADA, said_in=GROUP), ADA).about == GROUP
    assert post(a_reminder(said_in=GROUP)).about is None


def test_the_last_one_can_be_renewed():
    assert pressed(post(a_reminder(number=3)))[2:] == [[("Renew", Press(Action.RENEW, FIRE))]]


def test_the_creator_is_mentioned_when_somebody_else_said_it_and_who_said_it_never_is():
    assert mentioned(post(a_reminder())) == [ADA]
    assert mentioned(post(a_reminder(sender=ADA, sender_name="Ada"))) == []


def test_a_rule_that_is_about_to_end_can_be_kept_by_a_button():
    intent = an_intent(id=FIRE)
    shown = post(Notice((News(NoticeKind.EXPIRING, GROUP, intent), News(NoticeKind.REFUNDED, GROUP, intent))), ADA)
    assert pressed(shown) == [[("Keep i-7k2m 90 days", Press(Action.KEEP, FIRE))]]
    assert shown.to == ADA


@pytest.mark.parametrize(("questions", "answered"), [(6, 6), (7, 6)])
def test_a_notice_asks_so_many_questions_about_goals_by_buttons(questions, answered):
    rows = [a_row(number) for number in range(questions)]
    asked = (News(NoticeKind.GOAL_DEPENDENCY, GROUP, goals=(row,), other=rows[0], state="CANCELLED") for row in rows)
    found = post(Notice(tuple(asked)), ADA).buttons
    assert sum(len(row) for row in found) == 4 * answered == min(4 * questions, GOAL_BUTTONS)
    assert {len(row) for row in found} == {2}


@pytest.mark.parametrize(("name", "shown"), [("Bob", "@Bob"), ("", "@bob")])
def test_a_notice_names_people_as_they_were_last_seen(name, shown):
    news = News(NoticeKind.CANCELLED, GROUP, an_intent(), BOB, who_name=name)
    assert post(Notice((news,)), ADA).lines[0].text.startswith(f"{shown} cancelled your rule i-7k2m")


def test_t011_who_cannot_be_written_to_is_mentioned_and_nothing_else_is_said():
    shown = post(Unreached(ADA, "Ada"))
    assert [line.text for line in shown.lines] == [
        "@Ada: I have something to tell you and cannot write to you. Open a private chat with me."
    ]
    assert mentioned(shown) == [ADA] and shown.buttons == ()


def test_a_kind_without_words_is_a_defect():
    with pytest.raises(TypeError, match="no words for int"):
        post(7)
