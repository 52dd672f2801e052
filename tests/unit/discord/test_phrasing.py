"""Commands in our own texts are those that Discord has; what people wrote stays as it is."""

import re
from string import Formatter

import discord
import pytest
from discord import app_commands
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.commands import add_commands
from adapters.discord.markup import parts_of
from adapters.discord.phrasing import phrased, phrased_segments, refusal_lines
from core.catalogue import say, template
from core.catalogue.en import MESSAGES
from core.errors import InvalidInput
from core.wording.lines import Line, Segment, line
from core.wording.preview import OPTIONS
from tests.fakes.slash import RecordingAsker

ELSEWHERE = (
    "bench.",
    "bundle.",
    "cli.",
    "config.",
    "console.",
    "doctor.",
    "explain.",
    "exported.",
    "goal.graph.",
    "goal.propose.",
    "goals.",
    "intents.",
    "replay.",
    "run.",
    "storage.",
    "telegram.",
)
"""Texts of the command line, of the console, and of Telegram."""
UNREACHED = {
    "aspire.unknown": "Discord knows the verbs",
    "command.intent.unknown": "Discord knows the verbs",
    "command.example.blocks": "an option of Discord has a value",
    "command.example.criteria": "an option of Discord has a value",
    "command.example.due": "an option of Discord has a value",
    "command.example.note": "an option of Discord has a value",
    "command.option": "Discord knows the options",
    "command.extra": "the parts of a command come apart",
    "goal.extra": "Discord knows the options",
    "goal.verb": "Discord knows the verbs",
    "person.unknown.introduce.hint": "of the console",
    "portable.": "exports and imports are made on the command line",
    "remind.verb": "Discord knows the verbs",
}
"""Texts that nobody can be shown in Discord, and why."""
HINTED = frozenset({"settings.hint"})
FIELDS = {
    "verb": "cancel",
    "handle": "i-7k2m",
    "option": "",
    "name": "cooldown",
    "one": "exact",
    "other": "forms",
    "text": "launch ",
    "next": "2",
    "example": "off",
}
SETTING = {"name": "zone"}
NAMES_ONE = re.compile(r"(?<![\w/.:>])/[a-z]|--[a-z{]")
COMMAND = re.compile(r"(?<![\w/.:>])/([a-z]+)(?: ([a-z]+))?(?: ([a-z]+))?")
OPTION = re.compile(r"(?<![\w/])([a-z_]+):(\S+)")


def the_tree():
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    add_commands(tree, RecordingAsker())
    return tree


def offered():
    """Options by command, each with the values that can be chosen, none for any."""
    found = {}
    for group in the_tree().get_commands():
        if isinstance(group, app_commands.Group):
            for command in group.commands:
                options = {one.display_name: {str(c.value) for c in one.choices} for one in command.parameters}
                found[f"{group.name} {command.name}"] = options
    return found


OFFERED = offered()
EVERY = {name: values for options in OFFERED.values() for name, values in options.items()}


def reaching():
    """Keys of the texts that name a command or an option and can reach people of Discord."""
    keys = [key for key, text in MESSAGES.items() if NAMES_ONE.search(text)]
    return [key for key in keys if not key.startswith((*ELSEWHERE, *UNREACHED)) or key in HINTED]


def fields_of(key):
    names = {name for _, name, _, _ in Formatter().parse(template(key)) if name}
    known = FIELDS | (SETTING if key.startswith("setting.") else {})
    known |= {"handle": "r-7k2m"} if key.startswith(("timed", "remind", "notice.timed")) else {}
    known |= {"handle": "g-7k2m", "other": "g-9a1c", "text": "launch"} if "goal" in key else {}
    known |= {"again": "list --type risk "} if key == "goal.list.pages" else {}
    known |= {"of": " --of g-9a1c"} if key.startswith("goal.question") else {}
    known |= {"verb": "show"} if key.startswith("remind.verb") else {"verb": "done"} if "aspire" in key else {}
    known |= {"verb": "snooze"} if "put_off" in key else {}
    return {name: known.get(name, name.upper()) for name in names}


def shown(key):
    """A text as Discord's people see it: hints are filled in before they are phrased, lines after."""
    fields = fields_of(key)
    if key.endswith(".hint"):
        return phrased(say(key, **fields))
    if key.startswith("command."):
        return refusal_lines(InvalidInput(say(key, **fields)))[0].text
    return "\n".join(parts_of([line(key, **fields)])).replace("\\", "").replace("*", "")


def stray(text):
    """What a text names that Discord does not have."""
    found = re.findall(r"--[a-z][\w-]*|=>", text)
    for root, verb, more in COMMAND.findall(text):
        if root not in {"intent", "goal", "remind", "aspire", "remembrancer"}:
            found.append(f"/{root}")
        elif verb and f"{root} {verb}" not in OFFERED and verb not in {"and"}:
            found.append(f"/{root} {verb}")
        elif f"{root} {verb}" in OFFERED and more and more in EVERY and more not in OFFERED[f"{root} {verb}"]:
            found.append(f"/{root} {verb} {more}")
    for row in re.split(r"(?=(?<![\w/.:>])/[a-z])", text):
        command = re.match(r"/([a-z]+ [a-z]+)", row)
        has = OFFERED.get(command[1], {}) if command else EVERY
        for name, value in OPTION.findall(row.partition("http")[0]):
            chosen = value.strip(".,;)")
            if name not in has or (has[name] and chosen not in has[name] | {"#ops", "dm", "here"}):
                found.append(f"{name}:{value}")
    return found


@pytest.mark.parametrize("key", reaching())
def test_no_text_names_what_discord_does_not_have(key):
    assert stray(shown(key)) == [], shown(key)


def test_the_check_finds_what_is_not_there():
    wrong = ["/intent list --all", "/settings x", "/intent again i-7k2m", "/intent list who:me", "/intent add who:all"]
    assert [bool(stray(text)) for text in wrong] == [True] * len(wrong)
    assert not stray("/intent list all:True, or /intent add who:anyone cooldown:2h.")


def test_every_text_that_is_left_out_is_there_and_names_a_command():
    for start in UNREACHED:
        assert any(key.startswith(start) and NAMES_ONE.search(text) for key, text in MESSAGES.items()), start


@pytest.mark.parametrize("option", OPTIONS.values())
@pytest.mark.parametrize("key", ["mute.done.open", "mute.ended.still"])
def test_an_option_that_fills_a_text_of_ours_is_that_of_discord(key, option):
    [part] = parts_of([line(key, place="here", kind="this channel", option=option)])
    assert stray(part) == []
    assert part.endswith(f"/intent unmute {'place:' if option else ''}{option.strip().removeprefix('--')}".strip())


def test_what_is_typed_behind_one_another_gets_the_names_of_its_options():
    pairs = {
        "/intent edit i-7k2m launch => Confirm the owner": (
            "/intent edit handle:i-7k2m words:launch text:Confirm the owner"
        ),
        "/intent why i-7k2m the launch is ready": "/intent why handle:i-7k2m message:the launch is ready",
        "/aspire review a-7k2m 90d": "/aspire review handle:a-7k2m review:90d",
        "/aspire add Improve it (review 90d)": "/aspire add text:Improve it review:90d",
        "/remind again r-7k2m 1h": "/remind later handle:r-7k2m time:1h",
        "/remind in 2h check the logs": "/remind me time:in 2h text:check the logs",
        "/settings zone UTC": "/remembrancer settings setting:zone value:UTC",
        "/goal add Ship the API --due friday": "/goal add text:Ship the API due:friday",
        "/goal depends g-7k2m --off g-9a1c": "/goal depends handle:g-7k2m off:True on:g-9a1c",
        "/goal answer g-7k2m replace g-4tq9 --of g-9a1c": (
            "/goal answer handle:g-7k2m answer:replace by:g-4tq9 of:g-9a1c"
        ),
        "/goal graph g-7k2m": "/goal show handle:g-7k2m",
        "/intent mute i-7k2m": "/intent mute handle:i-7k2m",
        "/intent show i-7k2m": "/intent show handle:i-7k2m",
    }
    assert {typed: phrased(typed) for typed in pairs} == pairs


def test_a_field_in_the_middle_of_a_command_changes_nothing_of_it():
    [part] = parts_of([line("timed.again", handle="r-7k2m")])
    assert part == "remind again: /remind later handle:r-7k2m time:1h"
    [part] = parts_of([line("preview.near.offer.stored", handle="i-7k2m")])
    assert part.endswith("/intent edit handle:i-7k2m exact:False")
    [part] = parts_of([line("goal.list.pages", total=11, page=1, pages=2, next=2, again="list --type risk ")])
    assert part.endswith("/goal list type:risk page:2")
    [part] = parts_of([line("goal.question.keep", handle="g-7k2m", of=" --of g-9a1c")])
    assert part.endswith("/goal answer handle:g-7k2m answer:keep of:g-9a1c")
    [part] = parts_of([line("list.hidden.one", text="launch ")])
    assert part.endswith("/intent list filter:launch all:True")
    [part] = parts_of([line("list.hidden.one", text="")])
    assert part.endswith("/intent list all:True")


def test_a_space_is_a_server_where_we_speak_of_one():
    assert phrased("Ask an owner of this space.") == "Ask an owner of this server."
    assert phrased("say: in this space, or --scope space") == "say: in this server, or scope:space"
    assert phrased("provider:account:space/channel") == "provider:account:space/channel"


# what people wrote

PEOPLE = [
    "/intent list --all",
    "--all",
    " --space",
    "/settings zone",
    "this space",
    "/remind again r-7k2m 1h",
    "=> --me",
]


@pytest.mark.parametrize("text", PEOPLE)
def test_what_people_wrote_is_left_alone(text):
    segments = (Segment("Reminder: "), Segment(text, people=True), Segment(" --all "), Segment(text, people=True))
    found = phrased_segments(segments)
    assert [one.text for one in found] == ["Reminder: ", text, " all:True ", text]


@given(st.lists(st.tuples(st.text(max_size=8) | st.sampled_from(PEOPLE), st.booleans(), st.booleans()), max_size=6))
def test_segments_keep_their_order_and_marks_whatever_people_write(made):
    segments = [Segment(text if people else " /intent list --all ", strong, people) for text, people, strong in made]
    found = phrased_segments(segments)
    kept = [one for one in segments if one.text]
    assert [(one.people, one.strong) for one in found] == [(one.people, one.strong) for one in kept]
    assert [one.text for one in found if one.people] == [one.text for one in kept if one.people]


def test_a_quoted_word_in_a_refusal_is_left_alone_and_its_option_is_not():
    sentence, hint = refusal_lines(InvalidInput("--cooldown cannot be “--max 3”.", "For example: --cooldown 2h."))
    assert (sentence.text, hint.text) == ("✗ “cooldown” cannot be “--max 3”.", "  For example: cooldown:2h.")


def test_a_refusal_without_a_hint_is_one_line():
    assert len(refusal_lines(InvalidInput("This space has 3 rules."))) == 1
    assert refusal_lines(InvalidInput("This space has 3 rules."))[0].text == "✗ This server has 3 rules."


def test_a_line_without_words_stays_a_line():
    assert parts_of([Line(())]) == ["…"]
    assert phrased_segments([]) == []
