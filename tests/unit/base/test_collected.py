"""One act that turns out to need something of the platform: it is asked for once, and the act begins again."""

import asyncio
from dataclasses import replace

import pytest

from adapters.base.collected import (
    LOOK_UPS,
    SHOWN,
    CollectedDesk,
    HistoryWanted,
    NameWanted,
    ReachWanted,
    bare_name,
    work,
)
from core.errors import InvalidInput
from core.services.context import Context
from core.wording.lines import Line, Mood, Segment
from core.wording.readback import Choice, Question
from tests.builders import BOB, HOME, a_turn, an_owner

SAID = Line((Segment("said"),))


class Platform:
    """Knows bob, reaches everybody, and gives back one message; writes down what it was asked."""

    def __init__(self, *known, reached=True, said=()):
        self.known, self.reached, self.said = known, reached, said
        self.asked = []

    async def look_up(self, desk, name):
        self.asked.append(name)
        if name in self.known:
            desk.people[name] = BOB, name.title()

    async def reaches(self, desk):
        self.asked.append("reach?")
        return self.reached

    async def read_back(self, desk):
        self.asked.append("history?")
        return self.said


@pytest.fixture
def desk(sqlite_store, clock, ids):
    return CollectedDesk(Context(sqlite_store, clock, ids), replace(HOME, provider="discord"), an_owner())


async def here(act, /):
    return act()


def worked(desk, act, platform):
    return asyncio.run(work(desk, act, here, platform))


def test_a_name_is_looked_up_once_and_the_act_begins_again(desk):
    platform, begun = Platform("bob"), []

    def act():
        begun.append(desk.lines[:])
        desk.private(SAID)
        return desk.person("@Bob"), desk.person("bob")

    assert worked(desk, act, platform) == ((BOB, "Bob"), (BOB, "Bob"))
    assert platform.asked == ["bob"]
    assert begun == [[], []], "what was said before it began again is forgotten"
    assert desk.take() == [SAID]


def test_a_name_that_nobody_has_is_asked_for_once_and_refused(desk):
    platform = Platform()
    with pytest.raises(InvalidInput) as refused:
        worked(desk, lambda: desk.person(f"@{'x' * (SHOWN + 1)}"), platform)
    assert platform.asked == ["x" * (SHOWN + 1)]
    assert "x" * SHOWN in refused.value.sentence and "x" * (SHOWN + 1) not in refused.value.sentence
    assert "choose the name that Discord offers" in refused.value.hint


@pytest.mark.parametrize("name", ["", " ", "@", "\u2060"])
def test_no_name_at_all_is_looked_up_by_nobody(desk, name):
    platform = Platform()
    with pytest.raises(InvalidInput):
        worked(desk, lambda: desk.person(name), platform)
    assert platform.asked == []


@pytest.mark.parametrize("reached", [True, False])
def test_whether_somebody_can_be_written_to_is_asked_once(desk, reached):
    platform = Platform(reached=reached)
    assert worked(desk, lambda: (desk.unreached(), desk.unreached()), platform) == (not reached, not reached)
    assert platform.asked == ["reach?"]


def test_what_was_said_is_asked_for_once_where_the_platform_keeps_it(desk):
    desk.keeps_history = True
    turns = (a_turn(),)
    platform = Platform(said=turns)
    assert worked(desk, lambda: (desk.history(), desk.history()), platform) == (turns, turns)
    assert platform.asked == ["history?"]


def test_what_may_not_be_read_is_not_asked_for_again(desk):
    desk.keeps_history = True
    platform = Platform(said=None)
    assert worked(desk, lambda: (desk.history(), desk.history()), platform) == (None, None)
    assert platform.asked == ["history?"]


def test_a_platform_without_a_history_is_not_asked(desk):
    platform = Platform()
    assert worked(desk, desk.history, platform) is None
    assert platform.asked == []


def test_one_act_may_need_all_three(desk):
    desk.keeps_history = True
    platform = Platform("bob")
    worked(desk, lambda: (desk.history(), desk.person("bob"), desk.unreached()), platform)
    assert platform.asked == ["history?", "bob", "reach?"]


def test_what_an_act_refuses_or_breaks_on_is_raised_as_it_is(desk):
    def act():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        worked(desk, act, Platform())


def test_so_many_names_are_looked_up_for_one_act(desk):
    names = [f"p{number}" for number in range(LOOK_UPS)]
    platform = Platform(*names)
    assert len(worked(desk, lambda: [desk.person(name) for name in names], platform)) == LOOK_UPS
    assert platform.asked == names


def test_one_name_more_is_not(desk):
    names = [f"p{number}" for number in range(LOOK_UPS + 1)]
    platform = Platform(*names)
    with pytest.raises(NameWanted):
        worked(desk, lambda: [desk.person(name) for name in names], platform)
    assert platform.asked == names[:LOOK_UPS]


@pytest.mark.parametrize("wanted", [ReachWanted(), HistoryWanted(), NameWanted("x")])
def test_an_act_that_never_has_enough_ends(desk, wanted):
    platform = Platform()

    def act():
        raise wanted

    with pytest.raises(type(wanted)):
        worked(desk, act, platform)
    assert len(platform.asked) == LOOK_UPS


# what is collected


def test_what_is_taken_is_no_more(desk):
    desk.ask(Question((SAID,), (Choice.YES, Choice.NO)))
    assert desk.question is not None
    assert desk.take() == [SAID]
    assert (desk.take(), desk.question) == ([], None)


def test_a_name_is_the_same_with_and_without_what_a_mention_puts_around_it():
    assert [bare_name(name) for name in ("@bob", " bob ", "\u2060@bob", "@\u2060bob")] == ["bob"] * 4


# places


def test_a_place_is_found_by_name_with_and_without_its_sign(desk):
    desk.places = lambda: {"ops": HOME}
    assert desk.place("#Ops") == desk.place(" ops ") == HOME
    with pytest.raises(InvalidInput) as refused:
        desk.place("#" + "y" * (SHOWN + 1))
    assert "y" * (SHOWN + 1) not in refused.value.sentence
    assert "Name a channel of this server" in refused.value.hint


def test_a_forum_takes_no_reminder_and_may_be_left_out(desk):
    forum = replace(HOME, channel_name="questions")
    desk.forums = lambda: {"questions": forum}
    assert desk.place("#questions", posting=False) == forum
    with pytest.raises(InvalidInput, match="is a forum"):
        desk.place("#questions")


def test_a_channel_goes_before_a_forum_of_its_name(desk):
    desk.places, desk.forums = (lambda: {"ops": HOME}), (lambda: {"ops": replace(HOME, channel="9")})
    assert desk.place("ops") == desk.place("ops", posting=False) == HOME


def test_a_try_is_said_here_and_now_by_who_asks(desk):
    desk.private(Line((Segment("x"),), Mood.GOOD))
    turn = desk.turn("hello")
    assert (turn.where, turn.text.text, turn.sender) == (desk.where, "hello", desk.who.principal)
    assert turn.sent_at == turn.received_at == desk.now()
