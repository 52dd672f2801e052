"""The read-back and the reminder, in words."""

from dataclasses import replace
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.limits import LIMITS
from core.services.create_intent import Proposal
from core.standing.intent import ChannelScope, CooldownPer, Deliver, Priority
from core.standing.outcome import Reminder
from core.standing.saidlimits import Unread
from core.standing.triggers import also_fires_on, parse_entries
from core.text.analyse import TextOptions
from core.turn import TurnKind, Visibility, machine
from core.wording.lines import Mood, joined, line
from core.wording.readback import Choice, Heard, changed, comma_question, read_back
from core.wording.reminders import reminder_line
from core.wording.shown import (
    Clockface,
)
from core.wording.words import closed, entry_note, entry_words
from tests.builders import ADA, BOB, NOW, a_draft, a_place

OPS = a_place("ops", channel_name="ops")
FACE = Clockface(NOW, UTC)


def a_proposal(where=OPS, **fields):
    draft = a_draft(**fields)
    options = TextOptions("en", draft.word_forms)
    entries = parse_entries(draft.triggers, options, anyone=draft.anyone)
    also = tuple((entry.source, words) for entry in entries if (words := also_fires_on(entry, options)))
    warnings = tuple(warning for entry in entries for warning in entry.warnings)
    until = NOW + timedelta(days=90)
    return Proposal(draft, draft.description, entries, also, warnings, until, options, where, ADA, "ada", NOW)


def texts(question):
    return [shown.text for shown in question.lines]


@pytest.mark.parametrize("kind", [TurnKind.BOT, TurnKind.WEBHOOK])
def test_a_bot_or_a_webhook_is_named_as_one_with_its_least_quiet_time(kind):
    named = a_proposal(anyone=False, sender=machine(kind, "console", "local", "17"), sender_name="CI")
    assert texts(read_back(named, UTC))[0] == f"Listens to the {kind} CI alone."
    nameless = a_proposal(anyone=False, sender=machine(kind, "console", "local", "17"))
    assert texts(read_back(nameless, UTC))[0] == f"Listens to the {kind} 17 alone."


def test_the_whole_read_back_of_the_launch_checklist():
    question = read_back(a_proposal(anyone=False), UTC)
    assert texts(question) == [
        "Only when you say it.",
        "Words: launch checklist (both words, in any order)",
        "Where: #ops, threads included",
        "The reminder will be posted publicly in #ops.",
        "Reminder: Confirm the rollback owner.",
        "For: @ada",
        "Also fires on other forms, such as launched",
        "3 reminders at most, quiet for 24 h after each, until Sun 28 Feb 2027 10:00 UTC.",
    ]
    assert [choice.label for choice in question.choices] == [
        "Yes, save it",
        "Anyone here",
        "Exact words only",
        "No",
    ]


@pytest.mark.parametrize(
    "fields, first, offered",
    [
        ({"anyone": False}, "Only when you say it.", Choice.ANYONE),
        ({"anyone": False, "sender": ADA}, "Only when you say it.", Choice.ANYONE),
        ({"anyone": False, "sender": BOB, "sender_name": "bob"}, "Only when @bob says it.", Choice.ANYONE),
        ({"anyone": True}, "When anyone says it, you included.", Choice.ONLY_ME),
    ],
)
def test_it_leads_with_whose_words_count(fields, first, offered):
    question = read_back(a_proposal(**fields), UTC)
    assert texts(question)[0] == first
    assert offered in question.choices


def test_the_surprising_word_is_strong():
    head = read_back(a_proposal(anyone=False), UTC).lines[0]
    assert [segment.text for segment in head.segments if segment.strong] == ["you"]


def test_an_assumption_is_said():
    assert "named nobody" in texts(read_back(a_proposal(), UTC, Heard(named_nobody=True)))[0]


def test_every_read_back_says_who_is_reminded():
    assert "For: @ada" in texts(read_back(a_proposal(anyone=False, sender=BOB, sender_name="bob"), UTC))
    [said] = [text for text in texts(read_back(a_proposal(), UTC, Heard(for_all=True))) if "For:" in text]
    assert said.startswith("For: @ada alone (a rule reminds the person who makes it")


@pytest.mark.parametrize(
    "triggers, wanted",
    [
        ("zebra", "Other forms of these words count too (as deploys and deployed do for deploy)."),
        ("pricing", "Also fires on other forms, such as price, prices"),
        ('"go live"', ""),
        ("回滚负责人", ""),
        ("🚀", ""),
        ("roll-back", "Other forms of these words count too (as deploys and deployed do for deploy)."),
    ],
)
def test_word_forms_are_said_and_can_be_switched_off_whenever_they_count(triggers, wanted):
    question = read_back(a_proposal(triggers=triggers), UTC)
    said = [text for text in texts(question) if "forms" in text]
    assert said == ([wanted] if wanted else [])
    assert (Choice.EXACT in question.choices) == bool(wanted)
    exact = read_back(a_proposal(triggers=triggers, word_forms=False), UTC)
    assert [text for text in texts(exact) if "forms" in text] == ["Exact words only, no other forms of them."]
    assert Choice.EXACT not in exact.choices


@pytest.mark.parametrize(
    "triggers, word",
    [("the", "the"), ("what is", "what"), ("launch the", ""), ("zebra", ""), ('"the"', "the"), ("to be; zebra", "be")],
)
def test_words_that_stand_in_almost_every_message_are_warned_about(triggers, word):
    said = [text for text in texts(read_back(a_proposal(triggers=triggers), UTC)) if "almost every" in text]
    assert said == ([f"Look closely: “{word}” is in almost every message."] if word else [])


@pytest.mark.parametrize("kind", list(Unread))
def test_what_looked_like_a_limit_is_flagged(kind):
    shown = read_back(a_proposal(), UTC, Heard(unread=((kind, "until Friday"),))).lines[-1]
    assert shown.mood is Mood.WARNING and "“until Friday”" in shown.text


@pytest.mark.parametrize(
    "where, scope, wanted",
    [
        (OPS, ChannelScope.SPACE, "posted publicly, in the channel where it is said"),
        (
            replace(OPS, conversation="t", conversation_name="plan"),
            ChannelScope.CONVERSATION,
            "the thread plan in #ops only",
        ),
        (
            replace(OPS, visibility=Visibility.PRIVATE),
            ChannelScope.CHANNEL,
            "nothing of it leaves that channel",
        ),
        (
            replace(OPS, visibility=Visibility.PRIVATE),
            ChannelScope.SPACE,
            "the private channel #ops, threads included",
        ),
        (replace(OPS, visibility=Visibility.DIRECT), ChannelScope.CHANNEL, "Only you will see the reminder."),
        (OPS, ChannelScope.ANYWHERE, "everywhere that Remembrancer listens"),
    ],
)
def test_where_it_listens_and_is_posted_is_said(where, scope, wanted):
    shown = "\n".join(texts(read_back(a_proposal(where, channel_scope=scope), UTC)))
    assert wanted in shown


def test_several_entries_stand_on_lines_of_their_own():
    shown = texts(read_back(a_proposal(triggers='launch\n"go live"; deploy -staging'), UTC))
    assert shown[1:5] == [
        "Words, any of these:",
        "  - launch",
        '  - "go live" (exactly this phrase)',
        "  - deploy -staging (unless staging is there too)",
    ]


def test_what_is_not_the_default_is_said_and_a_warning_stands_out():
    draft = {"word_forms": False, "on_edits": True, "priority": Priority.HIGH, "triggers": "rоllback"}
    question = read_back(a_proposal(**draft), UTC)
    shown = texts(question)
    assert {
        "Exact words only, no other forms of them.",
        "Edited messages count too.",
        "Priority: high",
    } <= set(shown)
    assert [shown.mood for shown in question.lines][-1] is Mood.WARNING
    assert Choice.EXACT not in question.choices


@pytest.mark.parametrize(
    "fields, wanted",
    [
        ({"max_fires": 1}, "One reminder at most, and not after Sun 28 Feb 2027 11:00 CET."),
        (
            {"cooldown": timedelta(0)},
            "3 reminders at most, with no quiet time between them, until Sun 28 Feb 2027 11:00 CET.",
        ),
        (
            {"cooldown": timedelta(hours=2)},
            "3 reminders at most, quiet for 2 h after each, until Sun 28 Feb 2027 11:00 CET.",
        ),
    ],
)
def test_budget_and_end_are_echoed_in_the_readers_zone(fields, wanted):
    assert wanted in texts(read_back(a_proposal(**fields), ZoneInfo("Europe/Berlin")))


def test_a_choice_changes_the_draft():
    named = a_draft(anyone=False, sender=BOB, sender_name="bob")
    assert changed(named, Choice.ANYONE) == a_draft()
    assert changed(named, Choice.ONLY_ME) == a_draft(anyone=False)
    assert changed(named, Choice.EXACT).word_forms is False
    assert changed(named, Choice.YES) is named


def test_commas_are_asked_about():
    question = comma_question(("red green",), ("red", "green"))
    assert question.choices == (Choice.TOGETHER, Choice.EITHER, Choice.NO)
    assert "either: red | green" in texts(question)


@pytest.mark.parametrize(
    "entry, note",
    [
        ("launch", ""),
        ("launch checklist", "both words, in any order"),
        ("a b c", "all 3 words, in any order"),
        ('"go live"', "exactly this phrase"),
        ("deploy -staging", "unless staging is there too"),
        ("--force", ""),
    ],
)
def test_an_entry_is_put_into_words(entry, note):
    assert entry_note(entry) == note
    assert entry_words(entry).startswith(entry)


@pytest.mark.parametrize(
    "text, shown",
    [
        ("Confirm", "Confirm."),
        ("Confirm.", "Confirm."),
        ("Why?", "Why?"),
        ("🚀", "🚀"),
        ("(x)", "(x)"),
        ("", ""),
        ("回滚", "回滚."),
        ("confirm the owner", "Confirm the owner."),
        ("look, then leap", "Look, then leap."),
        ("iOS is frozen", "iOS is frozen."),
        ("v2 is out!", "v2 is out!"),
    ],
)
def test_a_reminder_ends_in_a_full_stop_once(text, shown):
    assert closed(text) == shown


def a_reminder(**fields):
    base = {
        "fire_id": "f", "outbox_id": "o", "handle": "i-7k2m", "description": "Confirm the rollback owner",
        "created_at": NOW, "creator": ADA, "creator_name": "ada", "sender": BOB, "sender_name": "bob",
        "entry": "launch checklist", "terms": ("launch", "checklist"), "number": 1, "max_fires": 3,
        "fired_at": NOW, "quiet_until": NOW + timedelta(hours=28, minutes=5), "conversation": 3, "reply_to": "m",
    }  # fmt: skip
    return Reminder(**(base | fields))


def test_the_reminder_is_the_template():
    assert reminder_line(a_reminder(), NOW, UTC).text == (
        "Reminder for @ada: Confirm the rollback owner. (@bob said *launch checklist*)"
        " · 1 of 3 · quiet until Tue 14:05 · i-7k2m"
    )


def test_the_last_reminder_says_so():
    text = reminder_line(a_reminder(number=3, quiet_until=None), NOW, UTC).text
    assert text.endswith(" · 3 of 3 · i-7k2m · This was the last one.")


def test_without_a_cooldown_nothing_is_quiet():
    assert "quiet" not in reminder_line(a_reminder(quiet_until=NOW), NOW, UTC).text


@pytest.mark.parametrize(
    ("per", "words"),
    [
        (CooldownPer.INTENT, " · quiet until "),
        (CooldownPer.CONVERSATION, " · quiet here until "),
        (CooldownPer.SENDER, " · quiet for @bob until "),
    ],
)
def test_a_reminder_says_for_whom_it_is_quiet(per, words):
    assert words in reminder_line(a_reminder(cooldown_per=per), NOW, UTC).text


def test_a_late_reminder_says_when_it_was_triggered():
    late = a_reminder(late_since=NOW, quiet_until=NOW + timedelta(hours=24))
    text = reminder_line(late, NOW + timedelta(hours=3), UTC).text
    assert "late: triggered Mon 10:00" in text


@pytest.mark.parametrize(("short", "late"), [(timedelta(microseconds=1), False), (timedelta(0), True)])
def test_a_reminder_that_comes_within_a_minute_is_not_called_late(short, late):
    shown = reminder_line(a_reminder(late_since=NOW), NOW + LIMITS.on_time - short, UTC).text
    assert ("late" in shown) is late


def test_a_reminder_that_fired_in_the_future_is_not_called_late():
    assert "late" not in reminder_line(a_reminder(late_since=NOW), NOW - timedelta(hours=1), UTC).text


def test_what_people_wrote_is_never_a_mark():
    shown = reminder_line(a_reminder(description="**bold** {x} [red]y[/red]"), NOW, UTC)
    assert "**bold** {x} [red]y[/red]" in [segment.text for segment in shown.segments if segment.people]


def test_lines_can_be_joined():
    both = joined([line("rule.not_saved", Mood.FAINT), line("reminder.last")])
    assert (both.text, both.mood) == ("Not saved. This was the last one.", Mood.FAINT)
    assert joined([]).text == ""


RANDOM = a_place("random", channel_name="random")
PARTY = a_place("random", "party", channel_name="random", conversation_name="party")
PUBLICLY = "The reminder will be posted publicly in #ops."


def test_it_says_where_the_rule_stays_quiet():
    shown = texts(read_back(a_proposal(channel_scope=ChannelScope.SPACE, except_in=(RANDOM, PARTY)), UTC))
    assert "Quiet in #random, the thread party in #random" in shown
    assert not any(text.startswith("Look closely") for text in shown)


@pytest.mark.parametrize(
    "named, warning",
    [
        (RANDOM, "so the exception changes nothing"),
        (OPS, "it can never fire"),
    ],
)
def test_it_warns_of_an_exception_that_changes_nothing_or_leaves_nothing(named, warning):
    shown = texts(read_back(a_proposal(except_in=(named,)), UTC))
    assert any(text.startswith("Look closely") and warning in text for text in shown)


def test_an_excepted_thread_of_the_channel_where_it_listens_needs_no_warning():
    thread = a_place("ops", "party", channel_name="ops", conversation_name="party")
    assert not any("Look closely" in text for text in texts(read_back(a_proposal(except_in=(thread,)), UTC)))


def test_it_says_that_a_reminder_comes_by_direct_message_only():
    shown = texts(read_back(a_proposal(deliver=Deliver.DIRECT), UTC))
    assert "Told to you by direct message only; nobody else will see the reminder." in shown
    assert PUBLICLY not in shown


@pytest.mark.parametrize(
    "where, expected",
    [
        (OPS, "The reminder will be posted publicly in #random, wherever it is said."),
        (
            replace(RANDOM, visibility=Visibility.PRIVATE),
            "The reminder will be posted in the private channel #random; nothing of it leaves that channel.",
        ),
    ],
)
def test_it_says_in_which_channel_a_reminder_is_posted(where, expected):
    to = RANDOM if where is OPS else where
    assert expected in texts(read_back(a_proposal(where=where, deliver=Deliver.PLACE, deliver_to=to), UTC))


@pytest.mark.parametrize(
    "fields, said",
    [
        ({"cooldown_per": CooldownPer.SENDER}, "The quiet time is counted for each person apart."),
        ({"cooldown_per": CooldownPer.CONVERSATION}, "The quiet time is counted for each channel or thread apart."),
        ({"cooldown_per": CooldownPer.SENDER, "max_fires": 1}, ""),
        ({"cooldown_per": CooldownPer.SENDER, "cooldown": timedelta(0)}, ""),
        ({}, ""),
    ],
)
def test_it_says_what_the_quiet_time_is_counted_by(fields, said):
    found = [text for text in texts(read_back(a_proposal(**fields), UTC)) if text.startswith("The quiet time")]
    assert found == ([said] if said else [])


@pytest.mark.parametrize(
    ("entry", "note"),
    [
        ('foo -"bar baz"', 'unless "bar baz" is there too'),
        ("foo -“bar baz” -qux", 'unless "bar baz", qux is there too'),
        ("foo — bar", "both words, in any order"),
        ("- bar", ""),
        ("launch checklist", "both words, in any order"),
    ],
)
def test_a_note_reads_an_entry_as_the_matcher_does(entry, note):
    assert entry_note(entry) == note
