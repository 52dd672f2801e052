"""Other places and people for those of an export."""

import pytest

from core.standing.portable import Person
from core.standing.remap import Path, Remap
from core.turn import Principal, Visibility, Where
from tests.builders import ADA, BOB, HOME, a_place

HERE: Path = ("console", "local", "home")
NEW: Path = ("discord", "bot", "42")


@pytest.mark.parametrize(
    ("where", "places", "found"),
    [
        (HOME, {}, None),
        (HOME, {HERE: NEW}, ("42", "general", "general")),
        (a_place("general", "plan"), {HERE: NEW}, ("42", "general", "plan")),
        (HOME, {(*HERE, "general"): (*NEW, "7")}, ("42", "7", "7")),
        (HOME, {(*HERE, "general"): (*NEW, "7", "8")}, ("42", "7", "8")),
        (a_place("general", "plan"), {(*HERE, "general"): (*NEW, "7")}, ("42", "7", "plan")),
        (a_place("general", "plan"), {(*HERE, "general"): (*NEW, "7", "8")}, None),
        (a_place("general", "plan"), {(*HERE, "general", "plan"): (*NEW, "7", "8")}, ("42", "7", "8")),
        (a_place("general", "plan"), {(*HERE, "general", "plan"): (*NEW, "7")}, ("42", "7", "7")),
        (HOME, {HERE: ("x", "y", "z"), (*HERE, "general"): (*NEW, "7")}, ("42", "7", "7")),
        (HOME, {(*HERE, "ops"): (*NEW, "7")}, None),
    ],
)
def test_the_narrowest_mapping_of_a_place_wins(where, places, found) -> None:
    place = Remap(places).place(where)
    assert (place and (place.space, place.channel, place.conversation)) == found


def test_a_direct_message_moves_as_one() -> None:
    chat = Where("telegram", "bot", "5", "5", "5", Visibility.DIRECT)
    place = Remap({("telegram", "bot", "5"): ("telegram", "bot", "6")}).place(chat)
    assert place == Where("telegram", "bot", "6", "6", "6", Visibility.DIRECT)


def test_names_stay_with_what_stays() -> None:
    named = a_place("general", channel_name="General")
    assert Remap({(*HERE, "general"): (*HERE, "general")}).place(named) == named
    other = Remap({(*HERE, "general"): (*HERE, "ops")}).place(named)
    assert other is not None and other.channel_name == ""
    assert Remap(people={ADA: ADA}).person(Person(ADA, "Ada")) == Person(ADA, "Ada")
    assert Remap(people={ADA: BOB}).person(Person(ADA, "Ada")) == Person(BOB)
    assert Remap(people={ADA: BOB}).person(Person(Principal("a", "b", "c"))) is None
