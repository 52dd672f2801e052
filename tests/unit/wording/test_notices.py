"""Notices in words."""

from datetime import UTC

import pytest

from core.services.notices import News, Notice, NoticeKind
from core.turn import Visibility
from core.wording.notices import notice_lines
from core.wording.shown import Clockface
from tests.builders import BOB, NOW, a_place, an_intent

FACE = Clockface(NOW, UTC)
OPS = a_place("ops", channel_name="ops")
ROW = an_intent()


def shown(*news, waiting=0):
    return [part.text for part in notice_lines(Notice(news, waiting), FACE, lambda person: person.user_id)]


@pytest.mark.parametrize(
    ("news", "lines"),
    [
        (
            News(NoticeKind.EXPIRING, OPS, ROW),
            [
                "i-7k2m was never needed so far and ends Sat 27 Feb 2027 10:00 UTC: Confirm the rollback owner.",
                "  [Keep 90 days]: /intent keep i-7k2m",
            ],
        ),
        (News(NoticeKind.CANCELLED, OPS, ROW, BOB), ["@bob cancelled your rule i-7k2m: Confirm the rollback owner."]),
        (
            News(NoticeKind.CANCELLED, OPS, ROW),
            ["An administrator cancelled your rule i-7k2m: Confirm the rollback owner."],
        ),
        (
            News(NoticeKind.CANCELLED, OPS, None, BOB, 3),
            ["@bob cancelled 3 of your rules. See them: /intent list --status cancelled"],
        ),
        (
            News(NoticeKind.REFUNDED, OPS, ROW),
            ["A reminder of i-7k2m could not be delivered and does not count: Confirm the rollback owner."],
        ),
        (
            News(NoticeKind.LEFT, OPS, None, BOB, 1),
            [
                "@bob left or is no owner any more. Rules of theirs that are paused now: 1."
                " See them: /intent list --status paused"
            ],
        ),
        (News(NoticeKind.WATCHED, OPS, ROW, BOB), ["A rule of @bob watches what you say in #ops (i-7k2m)."]),
        (
            News(NoticeKind.REVIEW, OPS, handle="a-7k2m", text="improve the checklist"),
            [
                "It is time to look at a-7k2m again: Improve the checklist.",
                "  Another day: /aspire review a-7k2m 90d    Reached or given up: /aspire done a-7k2m",
            ],
        ),
        (
            News(NoticeKind.REVIEW, OPS, handle="a-7k2m"),
            [
                "It is time to look at a-7k2m again: (see its file)",
                "  Another day: /aspire review a-7k2m 90d    Reached or given up: /aspire done a-7k2m",
            ],
        ),
        (
            News(NoticeKind.IMPORTED, OPS, None, None, 2),
            ["2 imported rules wait for your yes. See them: /intent list --status paused"],
        ),
        (
            News(NoticeKind.IMPORTED, OPS, None, None, 1),
            ["1 imported rule waits for your yes. See it: /intent list --status paused"],
        ),
    ],
)
def test_each_kind_has_its_words(news, lines):
    assert shown(news) == lines


def test_what_waits_is_counted():
    news = News(NoticeKind.LEFT, OPS, None, BOB, 1)
    assert shown(news, waiting=1)[-1] == "1 more notice waits for the next time."
    assert shown(news, waiting=2)[-1] == "2 more notices wait for the next time."


def test_erased_words_are_not_there():
    [line] = shown(News(NoticeKind.CANCELLED, OPS, an_intent(description=""), BOB))
    assert line == "@bob cancelled your rule i-7k2m: (its words were erased)"


def test_a_private_channel_is_not_named_to_somebody_who_may_not_know_it():
    vault = a_place("vault", channel_name="vault", visibility=Visibility.PRIVATE)
    [line] = shown(News(NoticeKind.WATCHED, vault, ROW, BOB))
    assert line == "A rule of @bob watches what you say in a private channel (i-7k2m)."
