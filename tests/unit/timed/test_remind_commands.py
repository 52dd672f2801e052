"""What stands behind `/remind`."""

from datetime import timedelta

import pytest

from core.errors import InvalidInput, LimitExceeded
from core.limits import LIMITS
from core.timed.commands import Make, OneTimed, PutOff, TimedListing, parse_remind_command

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in 2h check the logs", Make("in 2h check the logs")),
        ("  @bob tomorrow at 9 to go  ", Make("@bob tomorrow at 9 to go")),
        ("in 2h check --all the logs --dm", Make("in 2h check --all the logs", True)),
        ("--dm in 2h look", Make("in 2h look", True)),
        ("cancel the order on Friday", Make("cancel the order on Friday")),
        ("show Dana the plan in 2h", Make("show Dana the plan in 2h")),
        ("list the groceries in 2h", Make("list the groceries in 2h")),
        ("again and again in 2h", Make("again and again in 2h")),
        ("", TimedListing()),
        ("list", TimedListing()),
        ("LIST --all --page 3", TimedListing(True, 3)),
        ("list --page 0", TimedListing(False, 1)),
        ("done is done in 2h", Make("done is done in 2h")),
        ("delete the old logs in 2h", Make("delete the old logs in 2h")),
        ("help Bob in 2h", Make("help Bob in 2h")),
        ("cancel 2 orders in 2h", Make("cancel 2 orders in 2h")),
        ("in 2h run it with --force now", Make("in 2h run it with --force now")),
        ("show r-7k2m", OneTimed("show", "r-7k2m")),
        ("Cancel R-7K2M", OneTimed("cancel", "R-7K2M")),
        ("done `r-7k2m`", OneTimed("done", "`r-7k2m`")),
        ("again r-7k2m 1h", PutOff("r-7k2m", HOUR)),
        ("snooze r-7k2m in 60 minutes", PutOff("r-7k2m", HOUR)),
    ],
)
def test_it_is_read(text, expected):
    assert parse_remind_command(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "cancel",
        "done r-7k2m r-8k3m",
        "again",
        "again r-7k2m",
        "snooze r-7k2m soon",
        "list --pgae 2",
        "list --page two",
        "in 2h look --dm --dm",
    ],
)
def test_what_cannot_be_is_refused_with_an_example(text):
    with pytest.raises(InvalidInput) as caught:
        parse_remind_command(text)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "sentence", "hint"),
    [
        ("cancel 1", "“1” is no name of a reminder", "/remind list"),
        ("done #2", "“#2” is no name of a reminder", "r-7k2m"),
        ("delete 2", "“2” is no name of a reminder", "r-7k2m"),
        ("cancel all", "“all” is no name of a reminder", "r-7k2m"),
        ("lsit", "no “lsit”", "Did you mean /remind list?"),
        ("cancle r-7k2m", "no “cancle”", "Did you mean /remind cancel?"),
        ("delete r-7k2m", "no “delete”", "Did you mean /remind cancel?"),
        ("pause r-7k2m", "no “pause”", "list, show, cancel, done, again, snooze"),
        ("edit `r-7k2m`", "no “edit”", "list, show, cancel, done, again, snooze"),
        ("frobnicate r-7k2m", "no “frobnicate”", "list, show, cancel, done, again, snooze"),
        ("help", "no “help”", "list, show, cancel, done, again, snooze"),
        ("list bob", "no “list bob”", "--all and --page"),
        ("in 2h look --dmm", "no option --dmm", "--dm"),
        ("in 2h look --every=2", "no option --every", "--dm"),
    ],
)
def test_t245_what_is_nearly_a_command_is_refused_with_those_that_there_are(text, sentence, hint):
    with pytest.raises(InvalidInput) as refused:
        parse_remind_command(text)
    assert sentence in refused.value.sentence
    assert hint in refused.value.hint


def test_a_command_has_at_most_so_many_characters():
    assert isinstance(parse_remind_command("x" * LIMITS.command_chars), Make)
    with pytest.raises(LimitExceeded):
        parse_remind_command("x" * (LIMITS.command_chars + 1))
