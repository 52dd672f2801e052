"""What a button carries: short, and read back from whatever comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.base.buttons import DATA_BYTES, Action, Press, decode, encode, short_id

FIRE = "0199e9c8-7c7a-7b30-8d31-0a1b2c3d4e5f"
SHORT = len("d:") + 22


@pytest.mark.parametrize("action", Action)
def test_a_press_is_read_back(action):
    data = encode(Press(action, FIRE))
    assert decode(data) == Press(action, FIRE)
    assert len(data.encode()) == SHORT


@given(st.uuids(), st.sampled_from(Action), st.from_regex(r"[A-Za-z0-9_.-]{0,39}", fullmatch=True))
def test_any_press_that_fits_is_read_back(id_, action, detail):
    press = Press(action, str(id_), detail)
    assert decode(encode(press)) == press


def test_64_bytes_fit_and_65_do_not():
    room = DATA_BYTES - SHORT - len(":")
    fits = encode(Press(Action.LATER, FIRE, "x" * room))
    assert len(fits) == 64 and decode(fits) is not None
    assert decode(fits + "x") is None
    with pytest.raises(ValueError, match="no button"):
        encode(Press(Action.LATER, FIRE, "x" * (room + 1)))


@pytest.mark.parametrize("id_", ["", "fire-1", FIRE.upper(), FIRE.replace("-", ""), FIRE + "0"])
def test_only_a_uuid_has_a_short_form(id_):
    with pytest.raises(ValueError, match="no UUID"):
        short_id(id_)


@pytest.mark.parametrize("detail", ["a b", "ä", "a:b", "\n"])
def test_a_detail_that_would_not_be_read_back_is_refused(detail):
    with pytest.raises(ValueError, match="no button"):
        encode(Press(Action.DONE, FIRE, detail))


@given(st.text(max_size=80) | st.from_regex(r"[a-z]:[A-Za-z0-9_-]{20,24}(:.{0,50})?", fullmatch=True))
def test_garbage_is_no_press_or_one_that_is_written_the_same(data):
    press = decode(data)
    assert press is None or encode(press) == data


@pytest.mark.parametrize("data", ["", "d", "d:", f"z:{short_id(FIRE)}", f"d:{short_id(FIRE)}:", f"d:{'A' * 21}B"])
def test_near_misses_are_no_press(data):
    assert decode(data) is None
