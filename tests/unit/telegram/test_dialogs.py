"""Open questions and prompts: bounded, personal, and out of date after a while."""

from datetime import timedelta

from adapters.base.asking import Asked
from adapters.base.contract import Post
from adapters.base.questions import KEPT_FOR, MOST
from adapters.telegram.dialogs import Dialogs
from adapters.telegram.mailbox import KEPT_FOR as MAIL_KEPT
from adapters.telegram.mailbox import MOST as MAIL_MOST
from adapters.telegram.mailbox import Mailbox
from core.wording.readback import Question

ASKED = Asked(Question((), ()), lambda choice: None)


def test_a_question_counts_for_a_while_and_is_answered_once(clock, ids):
    dialogs = Dialogs(clock, ids)
    question = dialogs.open(ASKED, None, 5)
    clock.advance(KEPT_FOR)
    assert dialogs.find(question.id) is question
    assert dialogs.close(question)
    assert not dialogs.close(question)
    late = dialogs.open(ASKED, None, 5)
    clock.advance(KEPT_FOR + timedelta(seconds=1))
    assert dialogs.find(late.id) is None


def test_of_too_many_questions_the_oldest_goes(clock, ids):
    dialogs = Dialogs(clock, ids)
    first = dialogs.open(ASKED, None, 5)
    for _ in range(MOST - 1):
        last = dialogs.open(ASKED, None, 5)
    assert dialogs.find(first.id) is first
    dialogs.open(ASKED, None, 5)
    assert dialogs.find(first.id) is None
    assert dialogs.find(last.id) is last


def test_leaving_closes_the_questions_of_that_person_in_that_chat_alone(clock, ids):
    dialogs = Dialogs(clock, ids)
    mine, elsewhere, theirs = (dialogs.open(ASKED, None, user) for user in (5, 5, 6))
    for question, chat in ((mine, -1), (elsewhere, -2), (theirs, -1)):
        question.chat = chat
    dialogs.prompt(-1, 5, str)
    assert dialogs.leave(-1, 5) == [mine]
    assert dialogs.find(elsewhere.id) is elsewhere
    assert dialogs.find(theirs.id) is theirs
    assert not dialogs.waits(-1, 5)


def test_a_prompt_takes_the_next_words_once_and_not_for_ever(clock, ids):
    dialogs = Dialogs(clock, ids)
    dialogs.prompt(-1, 5, str.upper)
    assert dialogs.waits(-1, 5)
    assert not dialogs.waits(-1, 6)
    assert dialogs.prompted(-1, 5).take("x") == "X"
    assert dialogs.prompted(-1, 5) is None
    dialogs.prompt(-1, 5, str)
    clock.advance(KEPT_FOR + timedelta(seconds=1))
    assert not dialogs.waits(-1, 5)
    assert dialogs.prompted(-1, 5) is None


def test_an_answer_waits_for_the_private_chat_and_only_the_newest(clock):
    mailbox = Mailbox(clock, "my_bot")
    assert mailbox.link == "https://t.me/my_bot?start=answer"
    for user in range(MAIL_MOST):
        mailbox.keep(user, Post(None, ()))
    mailbox.keep(0, post := Post(None, (), reply_to="1"))
    mailbox.keep(MAIL_MOST, Post(None, ()))
    assert mailbox.collect(0) is post
    assert mailbox.collect(0) is None
    assert mailbox.collect(1) is None
    clock.advance(MAIL_KEPT + timedelta(seconds=1))
    assert mailbox.collect(2) is None
