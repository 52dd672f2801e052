"""The role that decides beside who manages a server: a setting of Discord alone."""

import pytest

from core.errors import InvalidInput
from core.settings import DECLARATIONS, OFF, Setting, read, settings_of

ROLE = "owner_role"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("123", "123"), ("<@&123>", "123"), ("1" * 20, "1" * 20), *((word, OFF) for word in ("off", "Off", "no", "none"))],
)
def test_a_role_is_kept_by_its_id_however_it_is_written(typed, kept):
    assert read(ROLE, typed, "discord") == (Setting.OWNER_ROLE, kept)


@pytest.mark.parametrize("typed", ["", "@Moderators", "<@123>", "<@&>", "1" * 21, "12 3", "１２３", "<@&1> x", "-1"])
def test_what_is_no_role_is_refused_with_an_example(typed):
    with pytest.raises(InvalidInput) as refused:
        read(ROLE, typed, "discord")
    assert "is no role" in refused.value.sentence
    assert "@Moderators" in refused.value.hint


@pytest.mark.parametrize("provider", ["telegram", "console", ""])
def test_another_platform_does_not_have_it(provider):
    with pytest.raises(InvalidInput) as refused:
        read(ROLE, "123", provider)
    assert ROLE not in refused.value.hint
    assert Setting.OWNER_ROLE not in settings_of(provider)


def test_discord_has_every_setting_and_the_others_all_but_that_one():
    assert set(settings_of("discord")) == set(Setting)
    assert set(settings_of("telegram")) == set(Setting) - {Setting.OWNER_ROLE}


@pytest.mark.parametrize("provider", ["discord", "telegram"])
def test_what_all_platforms_have_is_read_alike(provider):
    assert read("zone", "Europe/Berlin", provider) == (Setting.ZONE, "Europe/Berlin")
    assert read("fold_accents", "on", provider) == (Setting.FOLD_ACCENTS, True)


def test_nobody_decides_by_a_role_unless_it_is_said():
    assert DECLARATIONS[Setting.OWNER_ROLE].default == OFF
