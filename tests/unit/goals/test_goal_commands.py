"""What stands behind `/goal`."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidInput, LimitExceeded
from core.goals.commands import ONE, OPTIONS, VERBS, parse_goal_command
from core.goals.objects import IntentState, IntentType
from core.goals.said import names_of
from core.goals.typed import (
    Adding,
    Answering,
    Depending,
    Drawing,
    Editing,
    Fields,
    GoalListing,
    Linking,
    OneGoal,
    Searching,
    Superseding,
)
from core.limits import LIMITS
from core.standing.intent import Priority

RISK, HIGH = IntentType.RISK, Priority.HIGH


def made(text):
    found = parse_goal_command(f"add {text}")
    assert isinstance(found, Adding)
    return found.fields


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Ship the API", Fields("Ship the API")),
        ("type:risk Vendor contract ends", Fields("Vendor contract ends", RISK)),
        ("Vendor contract ends type:risk", Fields("Vendor contract ends", RISK)),
        ("Vendor contract ends --type risk", Fields("Vendor contract ends", RISK)),
        ("--type risk --priority high Vendor ends --due friday", Fields("Vendor ends", RISK, HIGH, "friday")),
        ("Type:RISK priority:High Vendor ends", Fields("Vendor ends", RISK, HIGH)),
        ("Ship --type=risk", Fields("Ship", RISK)),
        ("Ship —type risk", Fields("Ship", RISK)),
        ('due:"friday 17:00" Ship it', Fields("Ship it", due="friday 17:00")),
        ("due:“friday 17:00” Ship it", Fields("Ship it", due="friday 17:00")),
        ('Ship it --due "friday 17:00"', Fields("Ship it", due="friday 17:00")),
        ("Ship it --due friday at 17:00 type:risk", Fields("Ship it", RISK, due="friday at 17:00")),
        ("Ship it --due 1.12.", Fields("Ship it", due="1.12.")),
        ("Ship it owner:@bob with:@ada,@cyd", Fields("Ship it", owner="@bob", stakeholders=("@ada", "@cyd"))),
        ("Ship it with:@ada, @cyd", Fields("Ship it", stakeholders=("@ada", "@cyd"))),
        ("Ship it --with @Ada Lovelace @cyd", Fields("Ship it", stakeholders=("@Ada Lovelace", "@cyd"))),
        ("Ship it --note Ask Bob. He knows!", Fields("Ship it", note="Ask Bob. He knows!")),
        ("Ship it --criteria it runs; it is read", Fields("Ship it", criteria="it runs\nit is read")),
        ("Ship it\n--criteria it runs\nit is read", Fields("Ship it", criteria="it runs\nit is read")),
        ("Ship it\n--type risk\n--note two\nlines", Fields("Ship it", RISK, note="two\nlines")),
        ("Ship it --depends g-9a1c, g-4tq9", Fields("Ship it", depends_on=("g-9a1c", "g-4tq9"))),
        ("Ship it blocks:g-9a1c", Fields("Ship it", blocks=("g-9a1c",))),
        ("Ship it --with none --criteria none", Fields("Ship it", stakeholders=(), criteria="")),
        ('"Ship it --now type:risk" priority:high', Fields("Ship it --now type:risk", priority=HIGH)),
        ("Read note: it is long", Fields("Read note: it is long")),
        ("Tell prototype:risk from risk", Fields("Tell prototype:risk from risk")),
        ("Compare a--b", Fields("Compare a--b")),
    ],
)
def test_what_is_said_of_a_new_one_is_read_with_both_forms_of_options(text, fields):
    assert made(text) == fields


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("goal", IntentType.GOAL),
        ("commitment", IntentType.COMMITMENT),
        ("commit", IntentType.COMMITMENT),
        ("question", IntentType.OPEN_QUESTION),
        ("OPEN_QUESTION", IntentType.OPEN_QUESTION),
        ("open-question", IntentType.OPEN_QUESTION),
        ("decision", IntentType.DECISION_IN_PROGRESS),
        ("decision_in_progress", IntentType.DECISION_IN_PROGRESS),
        ("risk", IntentType.RISK),
        ("followup", IntentType.FOLLOW_UP),
        ("follow-up", IntentType.FOLLOW_UP),
    ],
)
def test_a_type_is_known_by_its_short_and_by_its_full_name(word, kind):
    assert made(f"x type:{word}").intent_type is kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", GoalListing()),
        ("list", GoalListing()),
        ("LS --all", GoalListing(everything=True)),
        ("--all", GoalListing(everything=True)),
        ("list launch --page 3", GoalListing(text="launch", page=3)),
        ("list --text launch", GoalListing(text="launch")),
        ("list --type risk,goal", GoalListing(types=(RISK, IntentType.GOAL))),
        ("list type:risk state:expired", GoalListing(types=(RISK,), states=(IntentState.EXPIRED,))),
        ("list --state on hold", GoalListing(states=(IntentState.ON_HOLD,))),
        ("list --state done", GoalListing(states=(IntentState.COMPLETED,))),
        ("list --review", GoalListing(review=True)),
        ("review --page 2", GoalListing(review=True, page=2)),
        ("g-7k2m", OneGoal("show", "g-7k2m")),
        ("search the launch --page 2", Searching("the launch", 2)),
        ("edit g-7k2m Ship it later", Editing("g-7k2m", Fields("Ship it later"))),
        ("edit g-7k2m --due none", Editing("g-7k2m", Fields(due="none"))),
        ("edit g-7k2m", Editing("g-7k2m", Fields())),
        ("supersede g-7k2m Ship more type:risk", Superseding("g-7k2m", Fields("Ship more", RISK))),
        ("depends g-1 on g-2", Depending("g-1", ("g-2",))),
        ("depends g-1 g-2, g-3", Depending("g-1", ("g-2", "g-3"))),
        ("depends g-1 --off g-2", Depending("g-1", ("g-2",), off=True)),
        ("depends g-1 on g-2 --off", Depending("g-1", ("g-2",), off=True)),
        ("blocks g-1 g-2", Depending("g-1", ("g-2",), blocks=True)),
        ("answer g-1 keep", Answering("g-1", "keep")),
        ("answer g-1 HOLD --of g-2", Answering("g-1", "hold", "g-2")),
        ("answer g-1 replace g-3 of:g-2", Answering("g-1", "replace", "g-2", "g-3")),
        ("answer g-1 replace with g-3", Answering("g-1", "replace", "", "g-3")),
        ("link g-1 i-5r3w", Linking("i-5r3w", "g-1")),
        ("link i-5r3w g-1", Linking("i-5r3w", "g-1")),
        ("link --off i-5r3w", Linking("i-5r3w")),
        ("graph", Drawing()),
        ("graph g-1", Drawing("g-1")),
    ],
)
def test_a_sub_command_is_read(text, expected):
    assert parse_goal_command(text) == expected


@pytest.mark.parametrize("verb", ONE)
def test_what_is_about_one_takes_its_handle(verb):
    assert parse_goal_command(f"{verb.upper()} g-7k2m") == OneGoal(verb, "g-7k2m")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("add", "Say what is to be remembered"),
        ("add --type risk", "Say what is to be remembered"),
        ("add x type:rsik", "--type cannot be “rsik”"),
        ("add x --type", "--type needs a value"),
        ("add x --priority urgent", "--priority cannot be “urgent”"),
        ("add x --urgent", "no option --urgent"),
        ("add x type:risk --type goal", "--type stands there twice"),
        ("edit g-1 --depends g-2", "no option --depends"),
        ("edit Ship it", "Say which one to change"),
        ("supersede g-1", "Say which one is replaced"),
        ("supersede g-1 --type risk", "Say which one is replaced"),
        ("done", "Say which one /goal done is about"),
        ("done g-1 g-2", "Say which one /goal done is about"),
        ("done 2", "“2” is no name"),
        ("cancel all", "“all” is no name"),
        ("delete g-1", "/goal has no “delete”"),
        ("dnoe g-1", "/goal has no “dnoe”"),
        ("ship the API", "/goal has no “ship”"),
        ("help", "/goal has no “help”"),
        ("depends g-1", "Say which one waits"),
        ("depends g-1 on it", "Say which one waits"),
        ("blocks g-1", "Say which one comes first"),
        ("answer g-1", "Say which one the answer is about"),
        ("answer g-1 maybe", "Say which one the answer is about"),
        ("answer g-1 replace", "Say which one the answer is about"),
        ("link g-1", "Say which rule belongs"),
        ("link g-1 g-2", "Say which rule belongs"),
        ("search", "Say what to look for"),
        ("review g-1", "means nothing behind /goal review"),
        ("list --state soon", "--state cannot be “soon”"),
        ("list --page two", "--page takes a number"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do_next(text, sentence):
    with pytest.raises(InvalidInput) as caught:
        parse_goal_command(text)
    assert sentence in caught.value.sentence
    assert caught.value.hint


@pytest.mark.parametrize(("text", "hint"), [("delete g-1", "/goal cancel"), ("ship the API", "/goal add ship the API")])
def test_a_wrong_verb_is_answered_with_the_right_one(text, hint):
    with pytest.raises(InvalidInput) as caught:
        parse_goal_command(text)
    assert hint in caught.value.hint


@pytest.mark.parametrize("verb", OPTIONS)
def test_every_option_without_a_value_has_an_example(verb):
    for option in OPTIONS[verb]:
        if option in {"all", "review"} or verb in {"depends", "blocks"}:
            continue
        with pytest.raises(InvalidInput) as caught:
            parse_goal_command(f"{verb} g-1 i-1 --{option}")
        assert "For example" in caught.value.hint


def test_a_command_may_have_so_many_characters_and_not_one_more():
    text = "add ".ljust(LIMITS.command_chars, "x")
    assert made(text.removeprefix("add ")).text
    with pytest.raises(LimitExceeded):
        parse_goal_command(f"{text}x")


@pytest.mark.parametrize("part", ["note:„", 'note:"', "with:@a, ", "--note ", "type:", '"', "\n", "g-1 on "])
def test_reading_is_linear(part):
    text = f"add x {part * (LIMITS.command_chars // len(part) - 2)}"
    begin = time.perf_counter()
    with suppress(InvalidInput):
        parse_goal_command(text)
    assert time.perf_counter() - begin < 2


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("@ada", ("@ada",)),
        ("ada, bob", ("ada", "bob")),
        ("<@12> <@34>", ("<@12>", "<@34>")),
        ("@Ada Lovelace, @bob", ("@Ada Lovelace", "@bob")),
        ("@ada @ada", ("@ada",)),
        (" , ", ()),
    ],
)
def test_names_are_told_apart(value, names):
    assert names_of(value) == names


WORDS = st.sampled_from(
    [*VERBS, "g-7k2m", "i-1", "--off", "--due", "type:risk", "due:“", '"', "with:@a,", "on", "\n", "—", "--", "x", ":"]
)


@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=60))
def test_every_text_is_read_or_refused_with_a_hint(text):
    try:
        parse_goal_command(text)
    except InvalidInput as error:
        assert error.sentence and error.hint
