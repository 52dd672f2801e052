"""The clock, the ids and the shifted clock."""

import zoneinfo
from datetime import UTC, datetime, timedelta

import pytest

from bots.runtime import ALPHABET, ShiftedClock, SystemClock, SystemIds, pin_zone_data


class Still:
    def now(self) -> datetime:
        return datetime(2030, 1, 1, tzinfo=UTC)


def test_the_clock_is_aware_and_in_utc() -> None:
    assert SystemClock().now().tzinfo is UTC


def test_ids_are_uuids_of_version_7_and_ascend() -> None:
    ids = SystemIds()
    made = [ids.uuid() for _ in range(1000)]
    assert made == sorted(set(made))
    assert all(len(one) == 36 and one[14] == "7" for one in made)


def test_a_salt_has_sixteen_bytes_and_is_never_the_same() -> None:
    ids = SystemIds()
    assert len({ids.salt() for _ in range(100)}) == 100
    assert len(ids.salt()) == 16


def test_a_handle_can_be_read_aloud() -> None:
    handle = SystemIds().handle("i", 4)
    assert handle.startswith("i-")
    assert len(handle) == 6
    assert len(set(ALPHABET)) == 32
    assert not set("ilou") & set(ALPHABET)
    letters = {letter for _ in range(500) for letter in SystemIds().handle("i", 8)[2:]}
    assert letters == set(ALPHABET)


def test_a_shifted_clock_moves_forward_and_back() -> None:
    clock = ShiftedClock(Still())
    assert clock.now() == Still().now()
    assert clock.shift(timedelta(hours=25)) == Still().now() + timedelta(hours=25)
    clock.shift(-timedelta(hours=1))
    assert clock.now() == Still().now() + timedelta(hours=24)
    assert clock.offset == timedelta(hours=24)


def test_a_shift_beyond_the_calendar_leaves_the_clock_where_it_is() -> None:
    clock = ShiftedClock(Still())
    for far in (timedelta.max, timedelta.min, timedelta(days=4_000_000)):
        with pytest.raises(OverflowError):
            clock.shift(far)
    assert clock.now() == Still().now()


def test_zone_rules_come_from_the_pinned_package() -> None:
    pin_zone_data()
    pin_zone_data()
    assert zoneinfo.TZPATH == ()
    assert zoneinfo.ZoneInfo("Europe/Berlin").utcoffset(datetime(2030, 7, 1)) == timedelta(hours=2)  # noqa: DTZ001
