"""`/intent confirm` in the terminal: an imported rule sleeps until its creator has read it and said yes."""

import pytest

from adapters.console.world import ACCOUNT, PROVIDER, SPACE, principal
from core.limits import LIMITS
from core.services.portable import ImportIntents
from core.standing.intent import Status
from core.standing.portable_reading import parse
from core.standing.remap import Remap
from tests.fakes.console import Chat
from tests.fakes.documents import a_document, a_row

KEEP = Remap(
    {(PROVIDER, ACCOUNT, SPACE): (PROVIDER, ACCOUNT, SPACE)},
    {principal(name): principal(name) for name in ("ada", "bob")},
)


def bring(chat: Chat, **fields: object) -> str:
    """An imported rule of ada in #general; its handle."""
    row = a_row({"place.space": SPACE, **fields})
    [made] = ImportIntents(chat.ctx)(parse(a_document(row), LIMITS), KEEP)
    return made.handle


def test_a_yes_wakes_what_was_read(chat: Chat) -> None:
    handle = bring(chat)
    assert "Reminder" not in chat("/as bob", "the launch checklist", "/as ada")
    asked = chat(f"/intent confirm {handle}")
    assert "Confirm the rollback owner." in asked and "launch checklist" in asked and "does nothing until" in asked
    assert chat.rules()[0].status is Status.PENDING
    assert f"{handle} is armed." in chat("yes")
    assert "Reminder for @Ada" in chat("/as bob", "the launch checklist") or "Reminder" in chat("the launch checklist")


def test_a_no_leaves_it_waiting(chat: Chat) -> None:
    handle = bring(chat)
    before = chat.state()
    assert f"{handle} still waits for you." in chat(f"/intent confirm {handle}", "no")
    assert chat.state() == before


def test_it_is_listed_and_cannot_be_resumed(chat: Chat) -> None:
    handle = bring(chat)
    assert handle in chat("/intent list")
    assert "only its creator can wake it" in chat(f"/intent resume {handle}")
    assert "/intent confirm" in chat(f"/intent show {handle}")


@pytest.mark.parametrize("owner", [True, False])
def test_others_read_that_there_is_none(chat: Chat, owner: bool) -> None:
    handle = bring(chat)
    chat("/as bob", "hi", "/as ada")
    if owner:
        chat("/owner bob")
    before = chat.state()
    shown = chat("/as bob", f"/intent confirm {handle}")
    unknown = chat("/intent confirm i-zzzz")
    assert f"There is no rule {handle} here." in shown
    assert shown.replace(handle, "i-zzzz").splitlines()[-2:] == unknown.splitlines()[-2:]
    assert chat.state() == before


def test_a_creator_who_is_no_owner_any_more_cannot_say_yes(chat: Chat) -> None:
    handle = bring(chat, **{"creator.user": "bob"})
    assert "Only owners of this space" in chat("/as bob", f"/intent confirm {handle}", "/as ada")
    assert chat("/owner bob", "/as bob", f"/intent confirm {handle}", "yes").count("is armed") == 1


def test_a_rule_that_was_woken_already_says_so(chat: Chat) -> None:
    handle = bring(chat)
    chat(f"/intent confirm {handle}", "yes")
    assert "awake already" in chat(f"/intent confirm {handle}")
