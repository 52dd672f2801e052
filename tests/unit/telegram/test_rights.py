"""Who may decide: asked from Telegram, for an act each time."""

from datetime import timedelta

import pytest

from adapters.base.contract import RetryLater
from adapters.telegram import rights as module
from adapters.telegram.rights import MOST_REMEMBERED, REMEMBERED, Rights
from core.turn import Principal
from tests.fakes.telegram import errors


def asked(kit):
    return sum(call.method == "getChatMember" for call in kit.world.calls)


def owns(kit, who="ada", place="group", fresh=True):
    principal = kit.people[who] if isinstance(who, str) else who
    return kit.run(kit.adapter.rights.is_owner(principal, kit.places[place], fresh))


async def nobody_moves(old: int, new: int) -> None:
    """No chat of these tests has another id."""
    raise AssertionError((old, new))


def test_every_act_asks_afresh_and_showing_asks_once_a_minute(kit, clock):
    assert owns(kit) and owns(kit)
    assert asked(kit) == 2
    clock.advance(REMEMBERED - timedelta(microseconds=1))
    kit.owner_no_more()
    assert owns(kit, fresh=False)
    assert asked(kit) == 2
    clock.advance(timedelta(microseconds=1))
    assert not owns(kit, fresh=False)
    assert asked(kit) == 3


def test_what_is_known_counts_for_its_person_and_chat_alone(kit):
    assert owns(kit)
    assert not owns(kit, "bob", fresh=False)
    assert owns(kit, place="threads", fresh=False)
    assert asked(kit) == 3


def test_a_clock_that_was_set_back_makes_nothing_known_for_longer(kit, clock):
    assert owns(kit)
    clock.advance(timedelta(hours=-1))
    kit.owner_no_more()
    assert not owns(kit, fresh=False)


def test_a_change_in_a_chat_makes_it_forget_that_chat_alone(kit):
    assert owns(kit) and owns(kit, place="threads")
    kit.adapter.rights.forget(kit.places["group"])
    owns(kit, place="threads", fresh=False)
    assert asked(kit) == 2
    owns(kit, fresh=False)
    assert asked(kit) == 3


def test_as_many_answers_as_fit_are_known_and_one_more_makes_it_begin_anew(kit, monkeypatch):
    assert MOST_REMEMBERED == 10_000
    monkeypatch.setattr(module, "MOST_REMEMBERED", 2)
    owns(kit, "ada"), owns(kit, "bob")
    owns(kit, "ada", fresh=False), owns(kit, "bob", fresh=False)
    assert asked(kit) == 2
    owns(kit, "bot")
    owns(kit, "bot", fresh=False)
    assert asked(kit) == 3
    owns(kit, "ada", fresh=False)
    assert asked(kit) == 4


@pytest.mark.parametrize("status", ["creator", "administrator"])
def test_who_administers_a_chat_decides_there(kit, status):
    kit.world.sets(kit.cast.group, kit.cast.bob, status)
    assert owns(kit, "bob")


@pytest.mark.parametrize("status", ["member", "restricted", "left", "kicked"])
def test_nobody_else_does(kit, status):
    kit.world.sets(kit.cast.group, kit.cast.bob, status)
    assert not owns(kit, "bob")
    member = kit.run(kit.adapter.rights.is_member(kit.people["bob"], kit.places["group"]))
    assert member is (status in {"member", "restricted"})


def test_where_the_bot_is_no_more_nobody_decides(kit):
    kit.world.sets(kit.cast.group, kit.cast.bot, "kicked")
    assert not owns(kit)


def test_where_telegram_is_silent_it_says_so_after_its_tries(kit, monkeypatch):
    async def at_once(_seconds):
        return None

    monkeypatch.setattr("adapters.telegram.sending.asyncio.sleep", at_once)
    kit.world.faults.fail("getChatMember", errors.internal(), times=3)
    with pytest.raises(RetryLater):
        owns(kit)


@pytest.mark.parametrize("own_direct", [True, False])
def test_in_a_direct_message_it_is_a_setting_and_nobody_is_asked(kit, clock, own_direct):
    ada, place = kit.people["ada"], kit.places["direct"]
    rights = Rights(kit.bot, kit.adapter.account, clock, (), own_direct, nobody_moves)
    assert kit.run(rights.is_owner(ada, place)) is own_direct
    assert not kit.run(rights.is_owner(kit.people["bob"], place))
    assert kit.run(rights.is_member(ada, place)) and not kit.run(rights.is_member(kit.people["bob"], place))
    assert asked(kit) == 0


def test_an_operator_is_one_by_id_and_owns_nothing(kit, clock):
    bob = kit.people["bob"]
    rights = Rights(kit.bot, kit.adapter.account, clock, [bob], False, nobody_moves)
    user = kit.event("plain").effective_user
    actor = kit.run(rights.actor(user, kit.places["group"]))
    assert (actor.principal, actor.is_operator, actor.is_owner, actor.name) == (bob, True, False, "bob")


def test_the_owners_of_a_chat_are_its_administrators_that_are_people(kit):
    kit.world.sets(kit.cast.group, kit.cast.bot, "administrator")
    assert kit.run(kit.adapter.rights.owners(kit.places["group"])) == (kit.people["ada"],)
    kit.world.sets(kit.cast.group, kit.cast.bot, "left")
    assert kit.run(kit.adapter.rights.owners(kit.places["group"])) == ()


def test_a_person_that_nobody_knows_owns_nothing(kit):
    assert not owns(kit, Principal("telegram", kit.adapter.account, "1"))
