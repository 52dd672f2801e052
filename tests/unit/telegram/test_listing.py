"""Buttons that turn the pages of a list carry what is wanted."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.listing import DATA_BYTES, page_buttons, read_data
from core.goals.objects import IntentState, IntentType
from core.goals.typed import GoalListing
from core.services.read_goals import GoalPage
from core.services.read_intents import Page
from core.standing.intent import Status
from core.standing.typed import Listing
from core.turn import Visibility, Where
from tests.builders import NOW

OPS = Where("telegram", "99", "-1001234567890", "-1001234567890", "-1001234567890")


def buttons(wanted=None, number=2, total=25, where=OPS):
    return [button for row in page_buttons(where, wanted or Listing(), Page((), total, number, 10)) for button in row]


def test_a_page_in_the_middle_has_a_button_to_both_sides():
    assert [button.label for button in buttons()] == ["‹ Newer", "Older ›"]
    assert [button.label for button in buttons(number=1)] == ["Older ›"]
    assert [button.label for button in buttons(number=3)] == ["‹ Newer"]
    assert buttons(number=1, total=10) == []


def test_a_button_tells_place_filter_and_page_again():
    topic = Where("telegram", "99", OPS.space, OPS.channel, "77")
    wanted = Listing("night: launch", (Status.DONE, Status.EXPIRED), 2)
    where, read = read_data(buttons(wanted, where=topic)[1].data, "99", 5)
    assert (where.channel, where.conversation, where.visibility) == (OPS.channel, "77", Visibility.PUBLIC)
    assert read == Listing("night: launch", (Status.DONE, Status.EXPIRED), 3)


def test_a_list_in_a_private_chat_stays_there():
    direct = Where("telegram", "99", "5", "5", "5", Visibility.DIRECT)
    where, _ = read_data(buttons(where=direct)[0].data, "99", 5)
    assert where == direct


def test_pages_of_goals_carry_their_kinds_and_states():
    wanted = GoalListing((IntentType.RISK, IntentType.GOAL), (IntentState.EXPIRED,), text="night: launch")
    page = GoalPage((), 25, 2, 10, NOW)
    [[before, after]] = page_buttons(OPS, wanted, page)
    assert read_data(after.data, "99", 5) == (OPS, replace(wanted, page=3))
    assert len(before.data.encode()) <= DATA_BYTES


def test_t189_a_filter_of_two_byte_letters_fits_into_64_bytes_or_has_no_button():
    empty = len(buttons()[0].data.encode())
    fits = "ж" * ((DATA_BYTES - empty) // 2)
    assert len(buttons(Listing(fits))) == 2
    assert len(buttons(Listing(fits + "жж"))) == 0


@given(st.text(max_size=70))
def test_whatever_comes_back_is_read_or_refused(data):
    read_data(data, "99", 5)
    read_data(f"page:{data}", "99", 5)


@given(st.lists(st.sampled_from(["1", "-1", "", "a", "pa", "x:y", "9" * 30]), min_size=5, max_size=5))
def test_fields_that_no_button_has_are_refused_or_a_list(fields):
    found = read_data("page:" + ":".join(fields), "99", 5)
    assert found is None or found[1].page >= 1
