"""What options of a slash command are made into: whatever stands in one of them stays in it."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from adapters.discord import composing
from core.aspirations.commands import parse_aspire_command
from core.errors import InvalidInput
from core.standing.intent import ChannelScope, CooldownPer, Deliver, Priority, Status
from core.standing.typed import CancelAll, History, Listing, Mute, One, Preview, Why
from core.text.commonwords import STOP_WORDS
from core.timed.asked import parse_remind
from core.timed.commands import Make, OneTimed, PutOff, TimedListing, parse_remind_command
from core.turn import PlaceKind

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
NASTY = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(["=>", "->", "::", "--max 9", "--anyone", "—edits", '"', "'", "\n", "x", "go live", "- a"]),
        max_size=8,
    ).map(" ".join),
).filter(str.strip)
EVERYTHING = {
    "who": "anyone",
    "cooldown": "2h",
    "max": 3,
    "expires": "30d",
    "scope": "thread",
    "per": "sender",
    "except": "<#5> #ops",
    "deliver": "<#9>",
    "priority": "high",
    "exact": True,
    "edits": True,
}


@example('"go live', 'x" y --max 9')
@example("a => b --max 9", '"quoted"')
@given(NASTY, NASTY)
def test_words_and_text_of_a_new_rule_arrive_as_they_were_given(words, text):
    found = composing.add(words, text, EVERYTHING)(UTC)
    draft = found.draft
    assert (draft.triggers, draft.description) == (words.strip(), text.strip())
    assert (draft.max_fires, draft.anyone, draft.cooldown) == (3, True, timedelta(hours=2))
    assert (found.except_in, found.deliver_to, found.person) == (("<#5>", "#ops"), "<#9>", "")


@given(NASTY, NASTY)
def test_words_and_text_of_a_change_arrive_as_they_were_given(words, text):
    found = composing.edit("i-7k2m", words, text, {"max": 4})(UTC)
    change = found.change
    assert (change.triggers, change.description, change.max_fires) == (words.strip(), text.strip(), 4)
    assert (change.cooldown, change.anyone, change.expires_in) == (None, None, None)


@given(NASTY)
def test_a_value_never_becomes_another_option(value):
    for name in ("cooldown", "expires", "per", "priority"):
        with pytest.raises(InvalidInput):
            composing.add("a", "b", {name: f"x {value} --max 9"})(UTC)


def test_every_option_of_a_rule_is_understood():
    draft = composing.add("a", "b", EVERYTHING)(UTC).draft
    assert draft.expires_in == timedelta(days=30)
    assert draft.channel_scope is ChannelScope.CONVERSATION
    assert draft.cooldown_per is CooldownPer.SENDER
    assert draft.deliver is Deliver.PLACE
    assert draft.priority is Priority.HIGH
    assert draft.on_edits
    assert not draft.word_forms


def test_a_person_who_was_picked_is_named_as_discord_does():
    assert composing.add("a", "b", {"only_from": "<@12>"})(UTC).person == "<@12>"


def test_only_one_can_say_whose_words_count():
    with pytest.raises(InvalidInput, match="whose words count"):
        composing.add("a", "b", {"who": "anyone", "only_from": "<@12>"})(UTC)


def test_a_day_is_read_in_the_zone_of_the_space():
    zone = timezone(timedelta(hours=9))
    wanted = composing.add("a", "b", {"expires": "2027-05-01 10:00"})
    assert wanted(zone).draft.expires_at == datetime(2027, 5, 1, 1, tzinfo=UTC)
    assert wanted(UTC).draft.expires_at == datetime(2027, 5, 1, 10, tzinfo=UTC)


def test_flags_are_taken_back_in_a_change_only():
    change = composing.edit("i-7k2m", "", "", {"exact": False, "edits": False})(UTC).change
    assert (change.word_forms, change.on_edits) == (True, False)
    draft = composing.add("a", "b", {"exact": False, "edits": False})(UTC).draft
    assert (draft.word_forms, draft.on_edits) == (True, False)


def test_exceptions_are_taken_away_by_a_word():
    assert composing.edit("i-7k2m", "", "", {"except": "none"})(UTC).except_in == ()
    assert composing.edit("i-7k2m", "", "", {})(UTC).except_in is None


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (composing.one("pause", " `i-7k2m` "), One("pause", "i-7k2m")),
        (composing.one("show", "i-7k2m --all"), One("show", "i-7k2m--all")),
        (composing.cancel("i-7k2m", ""), One("cancel", "i-7k2m")),
        (composing.cancel("", "<@12>"), CancelAll("<@12>")),
        (composing.listing("", "", False, 1), Listing()),
        (composing.listing("--all --page 3", "", False, 2), Listing("--all --page 3", page=2)),
        (composing.listing("", "", True, 1), Listing("", ())),
        (composing.listing("", "paused", True, 1), Listing("", (Status.PENDING,))),
        (composing.why("", "i-7k2m and more"), Why("", "i-7k2m and more")),
        (composing.why("i-7k2m", "hello"), Why("i-7k2m", "hello")),
        (composing.history("i-7k2m", 2), History("i-7k2m", 2)),
        (composing.preview("i-7k2m", "", "", {}), Preview("i-7k2m")),
        (composing.mute("", "", "2h", off=False), Mute(PlaceKind.CHANNEL, "", timedelta(hours=2))),
        (composing.mute("", "thread", "", off=True), Mute(PlaceKind.CONVERSATION, off=True)),
        (composing.mute("i-7k2m", "", "", off=False), Mute(handle="i-7k2m")),
    ],
)
def test_each_verb_asks_for_what_was_chosen(wanted, found):
    assert wanted(UTC) == found


@pytest.mark.parametrize(
    "wanted",
    [
        composing.cancel("", ""),
        composing.cancel("i-7k2m", "<@12>"),
        composing.preview("i-7k2m", "launch", "", {}),
        composing.mute("i-7k2m", "thread", "", off=False),
        composing.mute("i-7k2m", "", "2h", off=False),
    ],
)
def test_options_that_exclude_each_other_are_refused(wanted):
    with pytest.raises(InvalidInput) as refusal:
        wanted(UTC)
    assert refusal.value.hint


def test_a_rule_can_be_tried_without_a_text():
    tried = composing.preview("", "launch --max 9", "", {"who": "anyone"})(UTC).add.draft
    assert (tried.triggers, tried.anyone, bool(tried.description)) == ("launch --max 9", True, True)


# reminders by the clock


def reminder(text):
    return parse_remind(text, NOW, "UTC", ZoneInfo)


@example('call "Bob" --dm at 5 tomorrow')
@example("@bob to list")
@given(NASTY)
def test_the_text_of_a_reminder_arrives_as_it_was_given(text):
    assume(not all(mark in text for _, mark in composing._QUOTES))
    made = parse_remind_command(composing.remind_me("in 2h", text, "", False))
    assert isinstance(made, Make)
    assert not made.direct
    found = reminder(made.text)
    assert (found.text, found.person) == (text.strip(), "")
    assert found.when.local == datetime(2027, 3, 1, 14)  # noqa: DTZ001 - wall time


@given(st.text(max_size=40))
def test_a_time_never_becomes_another_part(time):
    try:
        made = parse_remind_command(composing.remind_me(time, "check", "", False))
        found = reminder(made.text)
    except InvalidInput:
        return
    assert (found.text, found.person, made.direct) == ("check", "", False)


@pytest.mark.parametrize("time", ["in 2h steal the cookies", "in 2h --dm", "", '"', "—dm in 2h", "tomorrow to"])
def test_what_is_more_than_a_time_is_refused(time):
    with pytest.raises(InvalidInput, match="time"):
        composing.remind_me(time, "check", "", False)


@pytest.mark.parametrize("time", ["list", "@bob in 2h", "show r-7k2m", "purple", "9"])
def test_what_is_no_time_is_refused_and_no_other_command(time):
    with pytest.raises(InvalidInput, match="is no time"):
        composing.remind_me(time, "check", "", False)


@pytest.mark.parametrize("time", ["in 2h", "tomorrow 9:00", "every weekday at 9:30", "at 5 o'clock", "2027-05-01"])
def test_a_time_is_read_as_in_a_sentence(time):
    made = parse_remind_command(composing.remind_me(time, "check", "", True))
    assert made.direct
    assert reminder(made.text).when == reminder(f"{time} to check").when


def test_somebody_else_is_named_as_discord_does():
    made = parse_remind_command(composing.remind_me("in 2h", "check", "<@123>", False))
    assert reminder(made.text).person == "<@123>"


def test_a_text_with_every_quote_there_is_is_refused():
    with pytest.raises(InvalidInput):
        composing.remind_me("in 2h", "\"“”«»「」‘’'", "", False)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (composing.remind_one("show", "r-7k2m"), OneTimed("show", "r-7k2m")),
        (composing.remind_one("cancel", "the order on Friday"), OneTimed("cancel", "r-theorderonFriday")),
        (composing.remind_one("done", "`r-7k2m`"), OneTimed("done", "r-7k2m")),
        (composing.remind_one("snooze", "r-7k2m", "in 1h"), PutOff("r-7k2m", timedelta(hours=1))),
        (composing.listed(True, 2), TimedListing(True, 2)),
        (composing.listed(False, 1), TimedListing()),
    ],
)
def test_each_verb_of_reminders_asks_for_what_was_chosen(text, found):
    assert parse_remind_command(text) == found


# the rest


def aspire(text):
    return parse_aspire_command(text, NOW, UTC)


@given(NASTY.filter(lambda text: not text.strip().endswith(")")))
def test_the_text_of_an_aspiration_arrives_as_it_was_given(text):
    assert aspire(composing.aspire_add(text, "")).text == text.strip()
    dated = aspire(composing.aspire_add(text, "(2027-05-01)"))
    assert (dated.text, str(dated.review)) == (text.strip(), "2027-05-01")


def test_each_verb_of_aspirations_asks_for_what_was_chosen():
    assert aspire(composing.aspire_one("done", "a-7k2m 2027-05-01")).handle == "a-7k2m2027-05-01"
    review = aspire(composing.aspire_one("review", "a-7k2m", "2027-05-01"))
    assert (review.handle, str(review.review)) == ("a-7k2m", "2027-05-01")
    assert aspire(composing.listed(True, 2)).page == 2


def test_settings_are_shown_or_set():
    assert composing.setting("", "") == "settings"
    assert composing.setting("zone", "") == "settings zone"
    assert composing.setting("zone", " Europe/Berlin ") == "settings zone Europe/Berlin"
    with pytest.raises(InvalidInput, match="which setting"):
        composing.setting("", "zone UTC")


@given(st.text(max_size=300))
def test_key_words_are_words_of_the_text_and_short(text):
    found = composing.key_words(text, lambda word: None)
    assert len(found) <= 100
    assert len(found.split()) <= 4
    assert all(word in text.casefold() or word in text.lower() or not text.isascii() for word in found.split())


def test_the_rarest_words_are_offered_in_their_order():
    ranks = {"the": 1, "move": 900, "server": 3_000, "friday": 1_500, "we": 10}
    text = "We move the rollback server on-call Friday the rollback"
    assert composing.key_words(text, ranks.get, 3) == "rollback server on-call"


def test_words_that_stand_everywhere_are_offered_only_where_there_are_no_others():
    ranks = {"look": STOP_WORDS, "plan": STOP_WORDS + 1, "again": 1}
    assert composing.key_words("look at the plan again", {"at": 2, "the": 3, **ranks}.get) == "plan"
    assert composing.key_words("look again", ranks.get) == "look again"
