"""Plain sentences: complete patterns become rules, everything else stays chat."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.limits import LIMITS
from core.standing.events import Who
from core.standing.intent import ChannelScope
from core.standing.saidlimits import Unread
from core.standing.sentences import Kind, parse_sentence

LAUNCH = ("launch checklist",)
CONFIRM = "Confirm the rollback owner"

RULES = [
    ("when someone mentions the launch checklist, remind me to confirm the rollback owner", Who.ANYONE),
    ("Whenever anyone mentions the launch checklist, remind me to confirm the rollback owner", Who.ANYONE),
    ("if somebody brings up the launch checklist, remind us to confirm the rollback owner", Who.ANYONE),
    ("if anybody brings the launch checklist up, please remind me to confirm the rollback owner", Who.ANYONE),
    ("every time I say launch checklist, remind me to confirm the rollback owner", Who.ME),
    ("when we talk about the launch checklist then remind me to confirm the rollback owner", Who.ANYONE),
    ("when the launch checklist comes up, remind me to confirm the rollback owner", Who.ANYONE),
    ("when the launch checklist is mentioned again, remind me to confirm the rollback owner", Who.ANYONE),
    ("remind me to confirm the rollback owner when someone mentions the launch checklist", Who.ANYONE),
    (
        "Please remind me to confirm the rollback owner whenever the launch checklist is discussed.",
        Who.ANYONE,
    ),
    ("hey, can you remind me to confirm the rollback owner if I mention a launch checklist?", Who.ME),
    ("when someone’s talking about the launch checklist, tell me to confirm the rollback owner", Who.ANYONE),
    ("when @bob asks about the launch checklist, remind me to confirm the rollback owner", Who.NAMED),
    ("when Bob asks about the launch checklist, remind me to confirm the rollback owner", Who.NAMED),
    ("remind me when someone mentions the launch checklist to confirm the rollback owner", Who.ANYONE),
    ("When someone mentions the launch checklist - remind me to confirm the rollback owner", Who.ANYONE),
    ("when one of us mentions the launch checklist, ping me to confirm the rollback owner", Who.ANYONE),
    ("when I'm mentioning the launch checklist, don't let me forget to confirm the rollback owner", Who.ME),
    ("if anyone ever refers to the launch checklist, remind me to confirm the rollback owner", Who.ANYONE),
    ("if anyone uses the words launch checklist, remind me to confirm the rollback owner", Who.ANYONE),
    ("when the launch checklist even comes up here, remind me to confirm the rollback owner", Who.ANYONE),
    ("when somebody says that launch checklist, remind me to confirm the rollback owner", Who.ANYONE),
]


@pytest.mark.parametrize("text, who", RULES)
def test_the_same_wish_in_many_words_is_the_same_rule(text, who):
    found = parse_sentence(text)
    assert found is not None and found.kind is Kind.RULE
    assert found.triggers == LAUNCH
    assert found.description.rstrip(".?") == CONFIRM
    assert found.who is who


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "when will the launch be?",
        "When someone mentions it, what do you say?",
        "if anyone asks, tell them no",
        "if I mention it again, tell me to stop",
        "when someone mentions the launch you never remind me to look",
        "when someone mentions the launch, and you and I both know it, we never remind me",
        "don't remind me to confirm the owner when someone mentions the launch",
        "when someone mentions the launch, don't remind me to confirm the owner",
        "when nobody mentions the launch, say something",
        "I think when someone mentions the launch, remind me to be there",
        "Bob, remind me to call you tomorrow",
        "remind him to call",
        "someone mentions the launch, remind me to confirm",
        "every day the build breaks",
        "on Friday at 9 we launch",
        "you remind me of my brother when you say that",
        "next time",
        "if",
        "at 9",
        "say hi when someone mentions the launch",
        "the launch checklist is ready",
        "x" * (LIMITS.turn_chars + 1),
    ],
)
def test_ordinary_talk_is_no_rule(text):
    assert parse_sentence(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "remind me on Friday at 9 to send the report",
        "remind me to send the report tomorrow",
        "remind me to stretch in 2 hours",
        "remind me in an hour to stretch",
        "in 20 minutes, remind me to stretch",
        "every Monday remind me to file the report",
        "tomorrow at 9:30 remind me to call",
        "remind me by the end of the month to file the taxes",
        "remind me to call at noon",
        "remind me to file the taxes on 2027-01-31",
        "when it's Friday, remind me to leave",
        "remind me at 5pm to go home",
        "please remind us every weekday to write the log",
        "next week remind me to plan",
        "remind me in 30m to stretch",
    ],
)
def test_a_clock_time_is_told_apart(text):
    found = parse_sentence(text)
    assert found is not None and found.kind is Kind.CLOCK_TIME


@pytest.mark.parametrize(
    "text, triggers, description",
    [
        ("when someone mentions Friday, remind me to book the room", ("Friday",), "Book the room"),
        ("when someone mentions lunch, remind me to eat at 12:30", ("lunch",), "Eat at 12:30"),
        ("remind me to be there at 9 when someone mentions the standup", ("standup",), "Be there at 9"),
        ("when tomorrow comes up, remind me to sleep", ("tomorrow",), "Sleep"),
    ],
)
def test_time_words_inside_an_event_or_its_reminder_make_no_clock_time(text, triggers, description):
    found = parse_sentence(text)
    assert found is not None
    assert (found.kind, found.triggers, found.description) == (Kind.RULE, triggers, description)


@pytest.mark.parametrize(
    "text",
    [
        "remind me to call Bob",
        "remind me when someone mentions the launch and",
        "when someone mentions and, remind me to look",
        "when “x” mentions the launch, remind me to look",
        "when you mention the launch, remind me to look",
        "when the boss, Bob mentions it, remind me to look",
        "remind me to x " + "when " * 20,
        "remind me when it happens to look",
        "when Bob deploys, remind me to look at the graphs",
        "when someone mentions it, remind me to stay calm",
        "when someone mentions the launch checklist, remind me",
        "when someone mentions the launch checklist, tell me to",
        "remind me when someone mentions the launch",
    ],
)
def test_a_wish_without_words_to_wait_for_is_unclear(text):
    found = parse_sentence(text)
    assert found is not None and found.kind is Kind.UNCLEAR


@pytest.mark.parametrize(
    "spoken, triggers, either",
    [
        ("the launch", ("launch",), ()),
        ("a launch and an owner", ("launch an owner",), ()),
        ("cats or the dogs", ("cats", "dogs"), ()),
        ('"the launch" or rollback', ('"the launch"', "rollback"), ()),
        ("“release candidate”", ('"release candidate"',), ()),
        ("'release candidate'", ('"release candidate"',), ()),
        ("the phrase release candidate", ('"release candidate"',), ()),
        ("the word rollback", ("rollback",), ()),
        ("word processing", ("word processing",), ()),
        ("both the launch and checklist", ("launch checklist",), ()),
        ("an asking “price” for it", ('asking "price" for it',), ()),
        ("deploy but not staging or test", ("deploy -staging -test",), ()),
        ("cats or dogs but not birds", ("cats -birds", "dogs -birds"), ()),
        ("cats, dogs or mice but not the birds", ("cats -birds", "dogs -birds", "mice -birds"), ()),
        ("red, green but not blue", ("red green -blue",), ("red -blue", "green -blue")),
        ('cats or dogs but not "big birds"', ('cats -"big birds"', 'dogs -"big birds"'), ()),
        ("deploy but not staging, or rollback", ("deploy -staging", "rollback"), ()),
        ("a b but not c, d but not e", ("b -c", "d -e"), ()),
        ("the topic of hiring", ("hiring",), ()),
        ("something about hiring", ("hiring",), ()),
        ("deploy but not staging", ("deploy -staging",), ()),
        ("red, green", ("red green",), ("red", "green")),
        ("red, green and blue", ("red green blue",), ("red", "green", "blue")),
        ("red, green or blue", ("red", "green", "blue"), ()),
        ("red; green", ("red", "green"), ()),
        ('"red, green"', ('"red, green"',), ()),
        ("回滚负责人", ("回滚负责人",), ()),
        ("🚀", ("🚀",), ()),
        ("C++ or .NET", ("C++", ".NET"), ()),
        ("1,000 seats", ("1,000 seats",), ()),
    ],
)
def test_what_is_said_becomes_entries(spoken, triggers, either):
    found = parse_sentence(f"when someone mentions {spoken}, remind me to look")
    assert found is not None
    assert (found.triggers, found.either) == (triggers, either)


@pytest.mark.parametrize(
    "text, name",
    [
        ("remind @bob to check when someone mentions pricing", "@bob"),
        ("remind bob to check when someone mentions pricing", "bob"),
        ("tell @bob to check when someone mentions pricing", "@bob"),
        ("when someone mentions pricing, remind @bob to check", "@bob"),
        ("when someone mentions pricing remind @bob to check", "@bob"),
        ("when someone mentions pricing, remind Ada Lovelace to check", "Ada Lovelace"),
        ("when someone mentions pricing, please tell the team to check", "the team"),
        ("when someone mentions pricing, ping @bob about the sheet", "@bob"),
        ("remind @bob when someone mentions pricing to check", "@bob"),
        ("when Bob deploys, remind @ada to look", "@ada"),
        ("remind @bob to call", "@bob"),
    ],
)
def test_a_reminder_for_somebody_else_is_told_apart(text, name):
    found = parse_sentence(text)
    assert found is not None and (found.kind, found.name) == (Kind.FOR_OTHER, name)


@pytest.mark.parametrize(
    "text",
    [
        "remind bob to call",
        "tell the story of the launch",
        "tell bob to call when he is back",
        "when someone mentions the launch, it will remind people",
        "if anyone asks, tell bob no",
        "remind",
        "tell @bob",
    ],
)
def test_talk_about_reminding_others_is_talk(text):
    assert parse_sentence(text) is None


@pytest.mark.parametrize("whom, for_all", [("me", False), ("us", True), ("everyone", True), ("everybody", True)])
def test_us_and_everyone_are_the_creator_and_told_apart(whom, for_all):
    found = parse_sentence(f"when someone mentions pricing, remind {whom} to check")
    assert found is not None
    assert (found.kind, found.for_all, found.description) == (Kind.RULE, for_all, "Check")


LIMITS_SAID = [
    ("to check at most 5 times", "Check", 5, ""),
    ("to check no more than twice", "Check", 2, ""),
    ("to check, up to three times.", "Check", 3, ""),
    ("to check 4 times at most", "Check", 4, ""),
    ("to check once", "Check", 1, ""),
    ("to check just once", "Check", 1, ""),
    ("only once to check", "Check", 1, ""),
    ("at most 5 times to check", "Check", 5, ""),
    ("to check until 2027-01-31", "Check", 0, "2027-01-31"),
    ("to check until 2027-01-31 10:00", "Check", 0, "2027-01-31 10:00"),
    ("to check at most 5 times until 2027-01-31", "Check", 5, "2027-01-31"),
    ("to check until 2027-01-31 and at most 5 times", "Check", 5, "2027-01-31"),
    ("to check at once", "Check at once", 0, ""),
    ("to ask more than once", "Ask more than once", 0, ""),
    ("to wait until it is green", "Wait until it is green", 0, ""),
    ("to go", "Go", 0, ""),
    ("to once", "Once", 0, ""),
    ("to tell him “at most 5 times”", "Tell him “at most 5 times”", 0, ""),
]


@pytest.mark.parametrize("words, description, times, until", LIMITS_SAID)
def test_limits_that_are_said_are_understood(words, description, times, until):
    for found in (
        parse_sentence(f"when someone mentions pricing, remind me {words}"),
        parse_sentence(f"remind me {words} when someone mentions pricing"),
    ):
        assert found is not None and found.kind is Kind.RULE
        assert found.description.rstrip(".") == description
        assert (found.triggers, found.limits.times, found.limits.until) == (("pricing",), times, until)
        assert found.limits.unread == ()


def test_limits_behind_the_words_to_watch_for_are_no_such_words():
    found = parse_sentence("remind me to check when someone mentions pricing, at most 5 times")
    assert found is not None and (found.triggers, found.limits.times) == (("pricing",), 5)
    one = parse_sentence("remind me to check when someone mentions once")
    assert one is not None and (one.triggers, one.limits.times) == (("once",), 0)


@pytest.mark.parametrize(
    "text, unread",
    [
        ("when someone mentions x1, remind me to check until Friday", (Unread.UNTIL_IN_REMINDER, "until Friday")),
        ("remind me to check when someone mentions x1 until Friday", (Unread.UNTIL_IN_WORDS, "until Friday")),
        ("when someone mentions x1, remind me to run it 3 times", (Unread.TIMES_IN_REMINDER, "3 times")),
        ("every time someone mentions x1, remind me to check", (Unread.EVERY_TIME, "every time")),
        ("when someone mentions x1, remind me every time to check", (Unread.EVERY_TIME, "every time")),
        ("when someone mentions x1, remind me to check each time.", (Unread.EVERY_TIME, "each time")),
        ("remind me to check when someone mentions x1, every time", (Unread.EVERY_TIME, "every time")),
        ("remind me every time someone mentions x1 to check", (Unread.EVERY_TIME, "every time")),
    ],
)
def test_what_only_looks_like_a_limit_is_reported(text, unread):
    found = parse_sentence(text)
    assert found is not None and found.limits.unread == (unread,)
    if unread[0] is Unread.EVERY_TIME:
        assert (found.triggers, found.description.rstrip(".")) == (("x1",), "Check")


def test_next_time_means_once():
    once = parse_sentence("next time someone mentions the launch, remind me to confirm")
    often = parse_sentence("every time someone mentions the launch, remind me to confirm")
    assert once and often and (once.once, often.once) == (True, False)


@pytest.mark.parametrize(
    "spoken, scope, place",
    [
        ("the launch", None, ""),
        ("the launch here", ChannelScope.CHANNEL, ""),
        ("the launch in this channel", ChannelScope.CHANNEL, ""),
        ("the launch in this thread", ChannelScope.CONVERSATION, ""),
        ("the launch in any channel", ChannelScope.SPACE, ""),
        ("the launch in this workspace", ChannelScope.SPACE, ""),
        ("the launch in #ops", None, "ops"),
    ],
)
def test_a_place_at_the_end_is_no_trigger_word(spoken, scope, place):
    found = parse_sentence(f"when someone mentions {spoken}, remind me to look")
    assert found is not None
    assert (found.triggers, found.scope, found.place) == (("launch",), scope, place)


def test_only_a_passive_sentence_names_nobody():
    passive = parse_sentence("when the launch comes up, remind me to look")
    active = parse_sentence("when someone mentions the launch, remind me to look")
    assert passive and active and (passive.named_nobody, active.named_nobody) == (True, False)


@pytest.mark.parametrize("name", ["@bob", "Bob", "Ada Lovelace", "bob"])
def test_a_person_is_given_as_typed(name):
    found = parse_sentence(f"when {name} mentions the launch, ask about rollback")
    assert found is not None
    assert (found.who, found.name, found.description) == (Who.NAMED, name, "Ask about rollback")


@pytest.mark.parametrize(
    "words, description",
    [
        ("remind me not to panic", "Do not panic"),
        ("remind me to not panic", "Do not panic"),
        ("ask me whether it is done", "Ask whether it is done"),
        ("remind me that iOS is frozen", "IOS is frozen"),
        ("remind me: Check the graphs", "Check the graphs"),
        ("say the canteen is closed", "Say the canteen is closed"),
        ("make sure to ask Bob", "Make sure to ask Bob"),
        ("remind me   to\n look", "Look"),
    ],
)
def test_the_reminder_keeps_the_words_of_its_author(words, description):
    found = parse_sentence(f"when someone mentions the launch, {words}")
    assert found is not None
    assert found.description.casefold() == description.casefold()


@given(st.text(max_size=300))
def test_any_text_has_an_answer(text):
    parse_sentence(text)
    parse_sentence(f"when someone mentions {text}, remind me to {text}")
    parse_sentence(f"remind me {text} when {text}")


@pytest.mark.parametrize(
    "text",
    [
        "when ",
        "remind me to when someone mentions ",
        "“a ",
        "'a'",
        "tell me ",
        "x, ",
        "ask about to ",
        "here ",
        "if ",
        "a but not b, ",
        "until 2027-01-31 ",
    ],
)
def test_time_grows_with_the_text_only(text):
    def best(chars):
        full = ("when someone mentions " + text * chars)[: chars - 20] + ", remind me to x"
        times = []
        for _ in range(3):
            start = time.process_time()
            parse_sentence(full)
            times.append(time.process_time() - start)
        return min(times)

    assert best(LIMITS.turn_chars) < 12 * best(LIMITS.turn_chars // 4) + 0.02
