"""What stands below a list and below what was chosen from it: with the rights of whoever presses it, at that moment."""

import asyncio
from dataclasses import replace

import pytest

from adapters.base.contract import Button
from adapters.base.listing import data_of
from adapters.discord.menus import NOTHING, below_list, below_rule, verb_of
from adapters.discord.views import (
    COLUMNS,
    DATA_CHARS,
    OPTION_CHARS,
    OPTIONS,
    PLACEHOLDER_CHARS,
    PREFIX,
    ROWS,
    Menu,
    Option,
    view_of,
)
from core.limits import LIMITS
from core.services.create_intent import CreateIntent
from core.services.read_intents import Page
from core.services.timed import ListTimed, TimedPage
from core.standing.intent import Status
from core.standing.typed import Listing
from core.timed.commands import TimedListing
from core.turn import ADMIN
from core.wording.readback import Choice
from tests.builders import a_draft, a_timed, an_intent, an_owner
from tests.unit.discord.acting import last, words

LIVE = ["Pause", "Why, or why not?", "Test on me", "History", "Cancel it"]
NO_RULE = "There is no rule"
OLD_BUTTON = "no longer does anything"
FORGED = [
    "do:delete:{i}",
    "do:done:{i}",
    "do:keep:{i}",
    "do:edit:{i}",
    "do:pause:{r}",
    "do:why:{r}",
    "do:pause:m-7k2m",
    "do:pause:",
    "do:pause",
    "do::{i}",
    "do:",
    "do",
    "do:pause:x{i}",
    "do:PAUSE:{i}",
]

CANCEL = Choice.CANCEL.label


def menu_of(message):
    [menu] = message.selects
    return {one["label"]: one["value"] for one in menu["options"]}


def made(view):
    """The components as they are sent."""

    async def shown():
        found = view()
        return [] if found is None else [row["components"] for row in found.to_components()]

    return asyncio.run(shown())


def several(here, count):
    return [here.rule(triggers=f"word{one:02}", description=f"Confirm {one:02}.") for one in range(count)]


def elsewhere(here, who="bob"):
    """A rule in another server."""
    where = replace(here.kit.places["group"], space="1", channel="2", conversation="2")
    return CreateIntent(here.kit.ctx)(a_draft(), an_owner(here.kit.people[who]), where, "elsewhere")


def reminder(here, who, text="water the plants"):
    here.slash(who, "remind me", time="in 2h", text=text)
    return next(row.handle for row in ListTimed(here.kit.ctx)(ADMIN, None).rows if row.text == text)


# below a list


def test_below_a_list_there_is_a_menu_with_its_rules(here):
    made = {rule.handle for rule in several(here, 3)}
    message = last(here.slash(here.kit.cast.ada, "intent list"))
    assert set(menu_of(message).values()) == made
    assert set(menu_of(message)) == {f"Confirm {number:02}." for number in range(3)}
    assert message.labels == []


def test_below_an_empty_list_there_is_nothing(here):
    message = last(here.slash(here.kit.cast.ada, "intent list"))
    assert (message.selects, message.labels) == ([], [])


def test_pages_are_turned_in_the_message_and_its_menu_turns_with_them(here):
    ada, count = here.kit.cast.ada, LIMITS.page + 1
    every = {rule.handle for rule in several(here, count)}
    message = last(here.slash(ada, "intent list"))
    first = set(menu_of(message).values())
    assert (len(first), message.labels) == (LIMITS.page, ["Older ›"])
    here.click(ada, message, "Older ›")
    second = set(menu_of(message).values())
    assert first | second == every and not first & second
    assert message.labels == ["‹ Newer"]
    here.click(ada, message, "‹ Newer")
    assert set(menu_of(message).values()) == first


def test_a_page_of_reminders_has_a_menu_too(here):
    bob = here.kit.cast.bob
    handle = reminder(here, bob)
    message = last(here.slash(bob, "remind list"))
    assert menu_of(message) == {"water the plants": handle}
    shown = here.select(bob, message, handle)
    assert "Water the plants." in words(shown)
    assert last(shown).labels == ["Cancel it"], "it has not come yet"
    ended(here, bob, last(shown))
    assert ListTimed(here.kit.ctx)(ADMIN, None).total == 0


def test_a_choice_shows_the_rule_with_what_can_be_done_with_it(here):
    ada, rule = here.kit.cast.ada, here.rule()
    message = last(here.slash(ada, "intent list"))
    shown = here.select(ada, message, rule.handle)
    assert rule.handle in last(shown).words and last(shown).labels == LIVE
    assert all(one.ephemeral for one in shown.messages)


@pytest.mark.parametrize(
    ("status", "verbs"),
    [
        (Status.ARMED, ["pause", "why", "test", "history", "cancel"]),
        (Status.FIRED, ["pause", "why", "test", "history", "cancel"]),
        (Status.PENDING, ["resume", "why", "test", "history", "cancel"]),
        *((status, ["history"]) for status in (Status.DONE, Status.CANCELLED, Status.EXPIRED)),
    ],
)
def test_a_rule_has_the_buttons_of_its_state(status, verbs):
    [row] = below_rule(an_intent(status=status))
    assert [verb_of(button.data) for button in row] == [(verb, "i-7k2m") for verb in verbs]


def test_every_button_of_ours_can_be_read_back():
    assert all(verb_of(button.data) is not None for [row] in [below_rule(an_intent())] for button in row)


# each button does what it says


def ended(here, who, shown):
    """End what is shown, by its button and a yes."""
    asked = last(here.click(who, shown, "Cancel it"))
    assert "for good?" in asked.words
    here.click(who, asked, CANCEL)


def pressed(here, who, rule, verb):
    """Choose a rule from a list and press a button."""
    message = last(here.slash(who, "intent list"))
    shown = last(here.select(who, message, rule.handle))
    return here.click(who, shown, verb)


@pytest.mark.parametrize(
    ("begins", "verb", "becomes"), [("armed", "Pause", "pending"), ("armed", "Cancel it", "cancelled")]
)
def test_an_owner_does_it_to_a_rule_of_somebody_else_after_a_question(here, begins, verb, becomes):
    ada, rule = here.kit.cast.ada, here.rule("bob")
    question = last(pressed(here, ada, rule, verb))
    assert here.status(rule) == begins and "all the same?" in question.words
    here.click(ada, question, question.labels[0])
    assert here.status(rule) == becomes


def test_an_owner_pauses_wakes_and_ends_a_rule_of_their_own(here):
    ada, rule = here.kit.cast.ada, here.rule()
    assert "is paused" in words(pressed(here, ada, rule, "Pause"))
    assert here.status(rule) == "pending"
    pressed(here, ada, rule, "Resume")
    assert here.status(rule) == "armed"
    asked = pressed(here, ada, rule, "Cancel it")
    assert here.status(rule) == "armed", "a button is pressed by mistake more easily than a command is typed"
    here.click(ada, last(asked), CANCEL)
    assert here.status(rule) == "cancelled"


def test_whoever_made_a_rule_may_do_it_all_without_owning_the_server(here):
    bob, rule = here.kit.cast.bob, here.rule("bob")
    role = here.managers(bob)
    shown = last(here.select(bob, last(here.slash(bob, "intent list")), rule.handle))
    here.kit.cast.guild.take(bob, role)
    here.click(bob, shown, "Pause")
    assert here.status(rule) == "pending"
    assert rule.handle in words(here.click(bob, shown, "History"))
    ended(here, bob, shown)
    assert here.status(rule) == "cancelled"


@pytest.mark.parametrize("verb", ["Why, or why not?", "Test on me", "History"])
def test_what_changes_nothing_is_answered_to_its_asker_alone(here, verb):
    ada, rule = here.kit.cast.ada, here.rule()
    here.kit.says("bob", "the launch checklist")
    answer = pressed(here, ada, rule, verb)
    shown = last(answer)
    assert shown.ephemeral and NO_RULE not in shown.words
    assert here.status(rule) in {"armed", "fired"}


@pytest.mark.parametrize("verb", ["pause", "resume", "why", "history", "test", "cancel"])
def test_a_member_is_refused_as_if_there_were_no_such_rule(here, verb):
    bob, rule = here.kit.cast.bob, here.rule()
    here.kit.says("bob", "good morning")
    answer = here.forged(bob, f"do:{verb}:{rule.handle}")
    nothing = here.forged(bob, f"do:{verb}:i-zzzz")
    assert NO_RULE in words(answer)
    assert words(answer).replace(rule.handle, "") == words(nothing).replace("i-zzzz", "")
    assert here.status(rule) == "armed"


def test_a_member_who_forges_a_choice_sees_nothing(here):
    rule = here.rule()
    answer = here.chosen(here.kit.cast.bob, "rule", rule.handle)
    assert NO_RULE in words(answer) and rule.description not in words(answer)


@pytest.mark.parametrize("verb", ["Pause", "Why, or why not?", "Test on me", "History", "Cancel it"])
def test_somebody_who_lost_the_right_meanwhile_is_refused(here, verb):
    bob, rule = here.kit.cast.bob, here.rule()
    here.kit.says("bob", "good morning")
    role = here.managers(bob)
    shown = last(here.select(bob, last(here.slash(bob, "intent list")), rule.handle))
    here.kit.cast.guild.take(bob, role)
    assert NO_RULE in words(here.click(bob, shown, verb))
    assert here.status(rule) == "armed"


def test_somebody_who_lost_the_right_meanwhile_turns_no_page(here):
    bob = here.kit.cast.bob
    several(here, LIMITS.page + 1)
    role = here.managers(bob)
    message = last(here.slash(bob, "intent list"))
    here.kit.cast.guild.take(bob, role)
    here.click(bob, message, "Older ›")
    assert "Confirm" not in message.words and message.selects == []


def test_a_reminder_of_somebody_else_is_not_ended_by_a_member(here):
    bob, ada = here.kit.cast.bob, here.kit.cast.ada
    handle = reminder(here, ada)
    answer = here.forged(bob, f"do:cancel:{handle}")
    assert ListTimed(here.kit.ctx)(ADMIN, None).total == 1
    assert words(answer)


# data that nobody made


@pytest.mark.parametrize("data", FORGED)
def test_forged_data_does_nothing_and_says_so(here, data):
    ada, rule = here.kit.cast.ada, here.rule()
    handle = reminder(here, ada)
    answer = here.forged(ada, data.format(i=rule.handle, r=handle))
    assert OLD_BUTTON in words(answer)
    assert here.status(rule) == "armed"
    assert ListTimed(here.kit.ctx)(ADMIN, None).total == 1


@pytest.mark.parametrize("handle", ["i-zzzz", "i-", "i-7k2m --all", "i-7k2m; i-7k2n", "i-\n"])
def test_a_handle_that_there_is_not_does_nothing(here, handle):
    rule = here.rule()
    assert NO_RULE in words(here.forged(here.kit.cast.ada, f"do:cancel:{handle}"))
    assert here.status(rule) == "armed"


@pytest.mark.parametrize("verb", ["pause", "cancel", "why", "history", "test"])
def test_a_handle_of_another_server_does_nothing(here, verb):
    rule = elsewhere(here)
    here.kit.says("bob", "good morning")
    assert NO_RULE in words(here.forged(here.kit.cast.ada, f"do:{verb}:{rule.handle}"))
    assert NO_RULE in words(here.chosen(here.kit.cast.ada, "rule", rule.handle))
    assert here.status(rule) == "armed"


def test_a_handle_of_a_private_channel_does_nothing_outside(here):
    hidden = here.rule("bob", "private")
    assert NO_RULE in words(here.forged(here.kit.cast.ada, f"do:pause:{hidden.handle}"))
    assert here.status(hidden) == "armed"


def test_a_page_that_nobody_made_is_not_shown(here):
    here.rule()
    for data in ("page:x:a:", "page:1:zz:", "page:-1:a:", "clock:1:some:", "page", "clock:²::"):
        assert OLD_BUTTON in words(here.forged(here.kit.cast.ada, data)), data


# after a restart


def test_menus_pages_and_buttons_work_after_a_restart(here):
    ada = here.kit.cast.ada
    rules = several(here, LIMITS.page + 1)
    message = last(here.slash(ada, "intent list"))
    here.restart()
    here.click(ada, message, "Older ›")
    [handle] = menu_of(message).values()
    shown = last(here.select(ada, message, handle))
    here.restart()
    assert "is paused" in words(here.click(ada, shown, "Pause"))
    [paused] = [one for one in rules if here.status(one) == "pending"]
    assert paused.handle == handle


def test_a_reminder_is_ended_by_its_button_after_a_restart(here):
    bob = here.kit.cast.bob
    handle = reminder(here, bob)
    shown = last(here.select(bob, last(here.slash(bob, "remind list")), handle))
    here.restart()
    ended(here, bob, shown)
    assert ListTimed(here.kit.ctx)(ADMIN, None).total == 0


def test_a_right_that_was_lost_before_a_restart_is_lost_after_it(here):
    bob, rule = here.kit.cast.bob, here.rule()
    role = here.managers(bob)
    shown = last(here.select(bob, last(here.slash(bob, "intent list")), rule.handle))
    here.kit.cast.guild.take(bob, role)
    here.restart()
    assert NO_RULE in words(here.click(bob, shown, "Pause"))


# bounds


@pytest.mark.parametrize("count", [OPTIONS, OPTIONS + 1])
def test_a_menu_has_as_many_options_as_discord_takes(count):
    options = tuple(Option(f"o{number}", f"i-{number}") for number in range(count))
    [[menu]] = made(lambda: view_of((), Menu("rule", "x", options)))
    assert [one["value"] for one in menu["options"]] == [f"i-{number}" for number in range(OPTIONS)]


@pytest.mark.parametrize("length", [OPTION_CHARS, OPTION_CHARS + 1])
def test_the_words_of_an_option_are_cut_to_what_discord_takes(length):
    [[menu]] = made(lambda: view_of((), Menu("rule", "x", (Option("x" * length, "i-7k2m", "y" * length),))))
    [option] = menu["options"]
    cut = length > OPTION_CHARS
    for letter, text in (("x", option["label"]), ("y", option["description"])):
        assert text == (letter * (OPTION_CHARS - 1) + "…" if cut else letter * OPTION_CHARS)


@pytest.mark.parametrize("length", [PLACEHOLDER_CHARS, PLACEHOLDER_CHARS + 1])
def test_the_words_in_a_menu_are_cut_to_what_discord_takes(length):
    [[menu]] = made(lambda: view_of((), Menu("rule", "x" * length, (Option("x", "i-7k2m"),))))
    assert menu["placeholder"] == "x" * PLACEHOLDER_CHARS


def test_an_option_of_several_lines_is_one_line_and_one_of_none_is_no_error():
    options = (Option("a\n\n  b", "i-1"), Option("…", "i-2", ""))
    [[menu]] = made(lambda: view_of((), Menu("rule", "x", options)))
    assert [(one["label"], one.get("description")) for one in menu["options"]] == [("a b", None), ("…", None)]


@pytest.mark.parametrize("count", [(ROWS - 1) * COLUMNS, (ROWS - 1) * COLUMNS + 1])
def test_below_a_menu_there_is_room_for_one_row_less(count):
    buttons = [[Button(f"b{number}", f"told:{number}") for number in range(count)]]
    first, *rows = made(lambda: view_of(buttons, Menu("rule", "x", (Option("x", "i-1"),))))
    assert len(first) == 1
    assert [len(row) for row in rows] == [COLUMNS] * (ROWS - 1)


@pytest.mark.parametrize("over", [0, 1])
def test_a_page_whose_words_do_not_fit_on_a_button_has_none(over):
    wanted = Listing("x" * (DATA_CHARS - len(data_of(Listing(""), 2)) + over))
    buttons = below_list(wanted, Page((an_intent(),), 2, 1, 1)).buttons
    assert len(buttons) == 1 - over
    assert all(len(f"{PREFIX}{button.data}") == 100 for row in buttons for button in row)


def test_a_page_without_rows_has_no_menu():
    assert below_list(Listing(), Page((), 0, 1, 8)) == NOTHING
    assert below_list(TimedListing(), TimedPage((), 0, 1, 8, 0, {})) == NOTHING


def test_a_menu_of_reminders_names_them():
    menu = below_list(TimedListing(), TimedPage((a_timed(),), 1, 1, 8, 0, {})).menu
    assert menu is not None
    assert menu.options == (Option("Check the logs.", "r-7k2m", "r-7k2m"),)
