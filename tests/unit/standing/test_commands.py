"""`/intent` and its options."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidInput, LimitExceeded
from core.limits import LIMITS
from core.standing.commands import parse_intent_command
from core.standing.intent import LIVE, Change, ChannelScope, Draft, Priority, Status
from core.standing.typed import Add, Edit, Listing, One, Why


def parse(text):
    return parse_intent_command(text, UTC)


def refused(text):
    with pytest.raises(InvalidInput) as caught:
        parse(text)
    assert caught.value.sentence and caught.value.hint
    return caught.value


def test_a_test_is_about_one_rule():
    assert parse("test i-7k2m") == One("test", "i-7k2m")
    assert refused("test").sentence == "Say which rule /intent test is about."


def test_a_whole_rule_in_one_line():
    found = parse(
        "add launch checklist => Confirm the rollback owner --anyone --scope thread --cooldown 2h --max 3"
        " --expires 90d --exact --priority high --edits"
    )
    assert found == Add(
        Draft(
            "launch checklist",
            "Confirm the rollback owner",
            channel_scope=ChannelScope.CONVERSATION,
            anyone=True,
            max_fires=3,
            cooldown=timedelta(hours=2),
            expires_in=timedelta(days=90),
            priority=Priority.HIGH,
            word_forms=False,
            on_edits=True,
        )
    )


@pytest.mark.parametrize("separator", ["=>", "->", "→", "::", " => "])
def test_several_separators_are_understood(separator):
    assert parse(f"add launch{separator}confirm") == Add(Draft("launch", "confirm"))


def test_a_separator_in_quotes_is_text():
    found = parse('add "a => b"; c => d => e')
    assert found == Add(Draft('"a => b"; c', "d => e"))


def test_entries_may_stand_on_lines_of_their_own():
    assert parse("add\nlaunch\nrollback => confirm") == Add(Draft("launch\nrollback", "confirm"))


def test_a_term_with_dashes_stays_a_term_before_the_separator():
    assert parse("add --force deploy => look") == Add(Draft("--force deploy", "look"))


def test_a_known_option_before_the_separator_is_an_option():
    found = parse("add --anyone launch --max 5 plan => confirm")
    assert isinstance(found, Add)
    assert found.draft.triggers.split() == ["launch", "plan"]
    assert (found.draft.anyone, found.draft.max_fires) == (True, 5)


def test_quotes_let_a_reminder_hold_dashes():
    assert parse('add deploy => "run it with --force" --anyone') == Add(
        Draft("deploy", "run it with --force", anyone=True)
    )


@pytest.mark.parametrize("form", ["--max 7", "--max=7", "—max 7", "--MAX 7", "--max= 7"])
def test_options_may_be_written_in_several_ways(form):
    found = parse(f"add a => b {form}")
    assert isinstance(found, Add) and found.draft.max_fires == 7


def test_a_value_reaches_to_the_next_option():
    found = parse("add a => b --cooldown 2 hours and 30 minutes --anyone")
    assert isinstance(found, Add) and found.draft.cooldown == timedelta(minutes=150)


def test_a_date_may_end_a_rule():
    found = parse("add a => b --expires 2027-01-31 10:00")
    assert isinstance(found, Add) and found.draft.expires_at == datetime(2027, 1, 31, 10, tzinfo=UTC)


def test_a_person_is_left_to_the_adapter():
    found = parse("add a => b --from @bob")
    assert isinstance(found, Add) and found.person == "@bob"


@pytest.mark.parametrize(
    "text, words",
    [
        ("add a => b --anyoen", "--anyone"),
        ("add a => b --colour red", "--anyone"),
        ("add a => b --max", "--max 3"),
        ("add a => b --max many", "3"),
        ("add a => b --max 1.5", "3"),
        ("add a => b --max 9999999999", "3"),
        ("add a => b --cooldown -1", "2h"),
        ("add a => b --cooldown soon", "2h"),
        ("add a => b --expires tomorrow", "2h"),
        ("add a => b --expires 2027-02-30", "2027-01-31"),
        ("add a => b --priority urgent", "low"),
        ("add a => b --scope chanel", "channel"),
        ("add a => b --anyone please", "end"),
        ("add a => b --anyone --me", "one"),
        ("add a => b --anyone --from bob", "one"),
        ("add a => b --max 3 --max 4", "one"),
        ("add a b", "=>"),
        ("add => b", "=>"),
        ("add a =>", "=>"),
        ("add", "=>"),
        ("add a => --anyone", "=>"),
        ("ad a => b", "add"),
        ("frobnicate", "list"),
        ("show", "i-7k2m"),
        ("show i-7k2m now", "i-7k2m"),
        ("pause", "i-7k2m"),
        ("edit", "i-7k2m"),
        ("edit --max 3", "i-7k2m"),
        ("edit i-7k2m --scope space", "--"),
        ("edit i-7k2m --exact --forms", "one"),
        ("list --status armd", "armed"),
        ("list --page x", "3"),
        ("list --everything", "--"),
    ],
)
def test_what_is_wrong_is_named_and_what_to_type_is_said(text, words):
    error = refused(text)
    assert words in error.hint


def test_a_command_has_a_longest_length():
    text = "add a => "
    parse(text + "b" * (LIMITS.command_chars - len(text)))
    with pytest.raises(LimitExceeded):
        parse(text + "b" * (LIMITS.command_chars - len(text) + 1))


def test_numbers_out_of_bounds_are_left_to_the_services():
    for value in (0, -1, 1001):
        found = parse(f"add a => b --max {value}")
        assert isinstance(found, Add) and found.draft.max_fires == value


@pytest.mark.parametrize(
    "text, listing",
    [
        ("list", Listing("", tuple(sorted(LIVE)), 1)),
        ("", Listing()),
        ("list --all", Listing("", (), 1)),
        ("list roll back --page 2", Listing("roll back", page=2)),
        ("list --page -5", Listing()),
        ("list --status armed, done", Listing("", (Status.ARMED, Status.DONE))),
    ],
)
def test_a_list_is_filtered(text, listing):
    assert parse(text) == listing


@pytest.mark.parametrize(
    "text, change",
    [
        ("edit i-7k2m --cooldown 2h", Change(cooldown=timedelta(hours=2))),
        ("edit i-7k2m Confirm it", Change(description="Confirm it")),
        ("edit i-7k2m => Confirm it", Change(description="Confirm it")),
        ("edit i-7k2m launch =>", Change(triggers="launch")),
        ("edit i-7k2m launch => Confirm it", Change(triggers="launch", description="Confirm it")),
        ("edit i-7k2m --anyone --forms --no-edits", Change(anyone=True, word_forms=True, on_edits=False)),
        ("edit i-7k2m --me --exact --edits", Change(anyone=False, word_forms=False, on_edits=True)),
        ("edit i-7k2m", Change()),
    ],
)
def test_an_edit_changes_what_it_names(text, change):
    assert parse(text) == Edit("i-7k2m", change)


@pytest.mark.parametrize("verb", ["show", "pause", "resume", "cancel", "SHOW"])
def test_one_rule_is_named_by_its_handle(verb):
    assert parse(f"{verb} i-7k2m") == One(verb.lower(), "i-7k2m")


@pytest.mark.parametrize(
    "text, why",
    [
        ("why", Why()),
        ("why i-7k2m", Why("i-7k2m")),
        ("why i-7k2m the launch is near", Why("i-7k2m", "the launch is near")),
        ("why the launch is near", Why("", "the launch is near")),
    ],
)
def test_why_asks_about_a_message(text, why):
    assert parse(text) == why


@given(st.text(max_size=200), st.sampled_from(["add", "edit i-7k2m", "list", "why", "show", ""]))
def test_any_text_has_an_answer_or_a_reason(text, verb):
    try:
        parse(f"{verb} {text}")
    except InvalidInput as error:
        assert error.sentence


@pytest.mark.parametrize(
    "words, statuses",
    [
        ("quiet", (Status.FIRED,)),
        ("fired", (Status.FIRED,)),
        ("paused", (Status.PENDING,)),
        ("Pending", (Status.PENDING,)),
        ("quiet, fired paused", (Status.FIRED, Status.PENDING)),
        ("armed", (Status.ARMED,)),
        ("done", (Status.DONE,)),
        ("cancelled", (Status.CANCELLED,)),
        ("expired", (Status.EXPIRED,)),
    ],
)
def test_a_status_may_be_given_as_it_is_shown_or_stored(words, statuses):
    assert parse(f"list --status {words}") == Listing("", statuses)


def test_only_shown_words_are_suggested():
    assert refused("list --status xyz").hint == "It knows: paused, armed, quiet, done, cancelled, expired."
