"""Questions that wait for an answer: what their buttons carry, for how long, and how many."""

from datetime import timedelta

import pytest

from adapters.base import questions as module
from adapters.base.asking import Asked
from adapters.base.buttons import decode
from adapters.base.collected import CollectedDesk
from adapters.base.fired import PUT_OFFS, OnlyOnce
from adapters.base.questions import ASK, ID_CHARS, KEPT_FOR, MOST, Questions
from core.services.context import Context
from core.wording.readback import Choice, Question
from tests.builders import HOME, an_owner

ASKED = Asked(Question((), (Choice.YES, Choice.NO)), lambda _choice: None)
MOMENT = timedelta(microseconds=1)


@pytest.fixture
def desk(sqlite_store, clock, ids):
    return CollectedDesk(Context(sqlite_store, clock, ids), HOME, an_owner())


@pytest.fixture
def questions(clock, ids):
    return Questions(clock, ids)


def test_each_button_of_a_question_leads_back_to_it_and_its_choice(questions, desk):
    first, second = (questions.open(ASKED, desk, user) for user in (1, 2))
    for question in (first, second):
        assert [one.label for one in question.buttons()] == [Choice.YES.label, Choice.NO.label]
        found = [questions.of_data(one.data) for one in question.buttons()]
        assert found == [(question, 0), (question, 1)]
        assert all(decode(one.data) is None for one in question.buttons()), "it is no button of a reminder"


@pytest.mark.parametrize("end", ["", ":", ":2", ":-1", ":x", ":²", ":0:1:2", ":99999999999999999999"])
def test_data_that_no_button_has_lead_nowhere_or_to_a_choice_that_there_is(questions, desk, end):
    question = questions.open(ASKED, desk, 1)
    found = questions.of_data(f"{ASK}:{question.id}{end}")
    assert found is None or found == (question, 0)
    assert (found is not None) is (end == ":0:1:2")


@pytest.mark.parametrize("data", ["", "ask", "ask:", "ask::0", "ask:000000000000:0", "told:"])
def test_a_question_that_was_never_asked_is_over(questions, desk, data):
    questions.open(ASKED, desk, 1)
    assert questions.of_data(data) is None


def test_a_question_counts_up_to_its_end_and_not_after_it(questions, desk, clock):
    question = questions.open(ASKED, desk, 1)
    data = question.buttons()[0].data
    clock.advance(KEPT_FOR)
    assert questions.of_data(data) == (question, 0)
    clock.advance(MOMENT)
    assert questions.of_data(data) is None
    assert not questions.close(question)


def test_a_question_is_answered_by_the_first_alone(questions, desk):
    question = questions.open(ASKED, desk, 1)
    assert [questions.close(question) for _ in range(2)] == [True, False]
    assert questions.of_data(question.buttons()[0].data) is None


@pytest.mark.parametrize("over", [0, 1])
def test_as_many_as_fit_are_kept_and_of_one_more_the_oldest_goes(questions, desk, monkeypatch, over):
    assert MOST == 1_000
    monkeypatch.setattr(module, "MOST", 3)
    opened = [questions.open(ASKED, desk, 1) for _ in range(3 + over)]
    kept = [questions.find(one.id) is not None for one in opened]
    assert kept == [False] * over + [True] * 3
    assert all(len(one.id) == ID_CHARS for one in opened)


@pytest.mark.parametrize("over", [0, 1])
def test_a_second_tap_is_known_up_to_the_bound(over):
    once = OnlyOnce()
    assert all(once.first(number) for number in range(PUT_OFFS + over))
    assert once.first(0) is bool(over)
    assert not once.first(PUT_OFFS + over - 1)
