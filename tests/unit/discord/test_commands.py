"""The slash commands in a simulated Discord: what is asked for reaches the asker, after Discord had its answer."""

import logging
from datetime import timedelta

import discord
import pytest
from discord import app_commands

from adapters.discord.acknowledging import CHOICE_CHARS, CHOICES
from adapters.discord.commands import add_commands, first_words
from adapters.discord.groups import LOOK_UPS
from adapters.discord.markup import EMBED_CHARS
from core.errors import ConfigError, InvalidInput
from core.goals.typed import OneGoal
from core.standing.typed import Add, Edit, Listing, One
from tests.fakes.slash import RecordingAsker, SlashBot, played

pytestmark = pytest.mark.thorough


def asked_for(*names, **options):
    """What the asker was asked by one command."""
    asker = RecordingAsker()
    played(lambda here: here.slash(*names, **options), asker)
    return asker.asked[-1]


def test_a_rule_in_one_line_reaches_the_asker_and_the_answer_its_person_alone():
    asker = RecordingAsker()

    async def scene(here):
        return (await here.slash("intent add", words="launch", text="confirm", max_=3, only_from=here.bob)), here.bob.id

    result, bob = played(scene, asker)
    assert isinstance(asker.intent, Add)
    assert (asker.intent.person, asker.intent.draft.max_fires) == (f"<@{bob}>", 3)
    assert asker.asked[-1][2] == f"/intent add launch => confirm --from <@{bob}> --max 3"
    assert (result.ephemeral, result.response.content) == (True, "done")


@pytest.mark.parametrize("given", [{}, {"words": "launch"}, {"text": "confirm"}])
def test_what_is_missing_of_a_rule_is_asked_for_in_a_form(given):
    asker = RecordingAsker()

    async def scene(here):
        shown = await here.slash("intent add", max_=3, cooldown="1h", **given)
        assert asker.asked == []
        fields = {part["component"]["custom_id"]: part["component"] for part in shown.modal["components"]}
        assert {name: fields[name].get("value") for name in given} == given
        entered = {"words": "launch\ngo live", "text": "confirm\nit", "who": ["anyone"], "expires": "30d"}
        return await here.ada.submit_modal(shown, entered)

    assert played(scene, asker).ephemeral
    draft = asker.intent.draft
    assert (draft.triggers, draft.description) == ("launch\ngo live", "confirm\nit")
    assert (draft.max_fires, draft.anyone) == (3, True)
    assert (draft.cooldown, draft.expires_in) == (timedelta(hours=24), timedelta(days=30)), "its field was emptied"


def test_a_form_does_not_ask_whose_words_count_where_a_person_was_picked():
    async def scene(here):
        return await here.slash("intent add", only_from=here.bob)

    fields = [part["component"]["custom_id"] for part in played(scene).modal["components"]]
    assert fields == ["words", "text", "cooldown", "expires"]


def test_a_change_without_a_change_opens_a_form_in_which_empty_fields_change_nothing():
    asker = RecordingAsker()

    async def scene(here):
        shown = await here.slash("intent edit", handle="i-7k2m")
        await here.ada.submit_modal(shown, {"text": "confirm"})

    played(scene, asker)
    assert isinstance(asker.intent, Edit)
    change = asker.intent.change
    assert (change.description, change.triggers, change.anyone, change.cooldown) == ("confirm", None, None, None)


def test_a_change_by_options_goes_at_once():
    edit = asked_for("intent edit", handle="i-7k2m", exact=False)[1]
    assert edit.change.word_forms is True


@pytest.mark.parametrize(
    ("name", "options", "asked"),
    [
        ("remind me", {"time": "in 2h", "text": "check"}, ("remind", 'me in 2h to "check"')),
        ("remind me", {"time": "in 2h", "text": "x", "deliver": "dm"}, ("remind", 'me in 2h to "x" --dm')),
        ("remind list", {}, ("remind", "list")),
        ("remind show", {"handle": "r-7k2m"}, ("remind", "show r-7k2m")),
        ("remind done", {"handle": "r-7k2m"}, ("remind", "done r-7k2m")),
        ("remind cancel", {"handle": "r-7k2m"}, ("remind", "cancel r-7k2m")),
        ("remind later", {"handle": "r-7k2m", "time": "1h"}, ("remind", "snooze r-7k2m 1h")),
        ("aspire add", {"text": "Improve", "review": "90d"}, ("aspire", "add Improve (review 90d)")),
        ("aspire list", {"all_": True, "page": 2}, ("aspire", "list --all --page 2")),
        ("aspire review", {"handle": "a-7k2m", "review": "90d"}, ("aspire", "review a-7k2m 90d")),
        ("aspire done", {"handle": "a-7k2m"}, ("aspire", "done a-7k2m")),
        ("remembrancer help", {}, ("remembrancer", "help")),
        ("remembrancer privacy", {}, ("remembrancer", "privacy")),
        ("remembrancer settings", {"setting": "zone", "value": "UTC"}, ("remembrancer", "settings zone UTC")),
    ],
)
def test_the_other_commands_are_typed_text(name, options, asked):
    assert asked_for(name, **options) == asked


def test_verbs_of_one_rule_and_lists_are_asked_for():
    asker = RecordingAsker()

    async def scene(here):
        for verb in ("show", "pause", "resume", "cancel", "keep", "confirm"):
            await here.slash(f"intent {verb}", handle="i-7k2m")
            assert asker.intent == One(verb, "i-7k2m")
        await here.slash("intent list", filter_="launch", page=2)
        assert asker.intent == Listing("launch", page=2)

    played(scene, asker)


def test_somebody_mentioned_in_the_words_is_listened_for_by_name():
    asker = RecordingAsker()

    async def scene(here):
        words = f"<@{here.bob.id}> <#{here.ops.id}> <a:party:123> <@99>"
        await here.slash("intent add", words=words, text="x")

    played(scene, asker)
    assert asker.intent.draft.triggers == "@bob #ops :party: <@99>"


def test_goals_reach_the_asker_with_their_parts_apart():
    asker = RecordingAsker()

    async def scene(here):
        who = here.bob
        await here.slash("goal add", text="Ship it", type="risk", owner=who, note=f"ask <@{who.id}>")
        return who.id

    bob = played(scene, asker)
    kind, wanted, said = asker.asked[-1]
    assert (kind, wanted.fields.owner, wanted.fields.note) == ("goal", f"<@{bob}>", "ask @bob")
    assert said == f"/goal add Ship it --type risk --owner <@{bob}> --note ask @bob"
    assert asker.was_deferred == [True]


@pytest.mark.parametrize("verb", ["show", "done", "hold", "resume", "cancel", "pin", "unpin", "confirm", "dismiss"])
def test_each_verb_about_one_goal_is_asked_for(verb):
    assert asked_for(f"goal {verb}", handle="g-7k2m") == ("goal", OneGoal(verb, "g-7k2m"), f"/goal {verb} g-7k2m")


# the menu of a message


def test_a_message_is_remembered_with_words_of_it_as_a_first_idea():
    asker = RecordingAsker()

    async def scene(here):
        said = await here.bob.send(here.channel, "we move the rollback checklist to the server on Friday")
        shown = await here.ada.context_menu(here.channel, "Remember this", said)
        words, text = (part["component"] for part in shown.modal["components"])
        assert words["value"] == "rollback checklist"
        assert "value" not in text
        result = await here.ada.submit_modal(shown, {"words": f"<@{here.bob.id}> rollback", "text": "ask"})
        assert result.ephemeral
        return said.id

    message = played(scene, asker)
    assert asker.asked == [("remember", message, "@bob rollback", "ask")]
    assert asker.was_deferred == [True]


@pytest.mark.parametrize("content", ["", "<@123> <:party:55>", "???", "```code```"])
def test_a_message_without_words_gives_no_first_idea_and_no_error(content):
    assert len(first_words(content)) <= 100


# handles


def test_handles_are_completed_by_what_the_asker_may_see():
    asker = RecordingAsker(suggestions=[("i-7k2m launch", "i-7k2m"), ("", "i-9999")])

    async def scene(here):
        return await here.ada.autocomplete(here.channel, "intent show", "handle", "i-")

    choices = played(scene, asker)
    assert asker.asked == [("handles", "i", "i-")]
    assert [(one["name"], one["value"]) for one in choices] == [("i-7k2m launch", "i-7k2m"), ("i-9999", "i-9999")]


@pytest.mark.parametrize(
    ("command", "kind"), [("remind done", "r"), ("aspire done", "m"), ("intent mute", "i"), ("goal done", "g")]
)
def test_each_group_completes_its_own_kind(command, kind):
    asker = RecordingAsker()
    played(lambda here: here.ada.autocomplete(here.channel, command, "handle", "x"), asker)
    assert asker.asked == [("handles", kind, "x")]


@pytest.mark.parametrize(("length", "shown"), [(CHOICE_CHARS, CHOICE_CHARS), (CHOICE_CHARS + 1, CHOICE_CHARS)])
def test_a_label_is_cut_to_what_discord_takes(length, shown):
    asker = RecordingAsker(suggestions=[("x" * length, "i-7k2m")])
    [choice] = played(lambda here: here.ada.autocomplete(here.channel, "intent show", "handle", ""), asker)
    assert len(choice["name"]) == shown
    assert choice["name"].endswith("…") is (length > CHOICE_CHARS)


@pytest.mark.parametrize(("count", "shown"), [(CHOICES, CHOICES), (CHOICES + 1, CHOICES)])
def test_no_more_choices_are_offered_than_discord_takes(count, shown):
    asker = RecordingAsker(suggestions=[(f"rule {number}", f"i-{number}") for number in range(count)])
    assert len(played(lambda here: here.ada.autocomplete(here.channel, "intent show", "handle", ""), asker)) == shown


def test_no_choices_are_offered_where_they_cannot_be_told(caplog):
    asker = RecordingAsker(fault=OSError("disk"))
    assert played(lambda here: here.ada.autocomplete(here.channel, "intent show", "handle", ""), asker) == []
    assert "disk" in caplog.text


def test_choices_that_come_too_late_are_no_error(caplog):
    async def scene(here):
        here.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062, message="Unknown interaction")
        return await here.ada.autocomplete(here.channel, "intent show", "handle", "")

    assert played(scene) == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


# what goes wrong


def words(result) -> str:
    """What the answer to its asker says."""
    shown = result.response
    return str(shown.embeds[0].description) if shown.embeds else shown.content


def test_a_refusal_is_told_and_not_logged_as_a_defect(caplog):
    asker = RecordingAsker(fault=InvalidInput("No such zone.", "Try UTC."))
    result = played(lambda here: here.slash("remembrancer settings", setting="zone", value="x"), asker)
    assert words(result) == "✗ No such zone.\n-# Try UTC."
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(("length", "shown"), [(EMBED_CHARS - 2, EMBED_CHARS), (EMBED_CHARS - 1, EMBED_CHARS)])
def test_a_long_refusal_is_cut_to_what_an_answer_holds(length, shown):
    asker = RecordingAsker(fault=InvalidInput("x" * length))
    assert len(words(played(lambda here: here.slash("intent list"), asker))) == shown


def test_a_refusal_of_the_options_is_told():
    asker = RecordingAsker()
    result = played(lambda here: here.slash("remind me", time="in 2h --dm", text="x"), asker)
    assert "is no time" in words(result)
    assert asker.asked == []


def test_a_defect_is_logged_and_told(caplog):
    asker = RecordingAsker(fault=ZeroDivisionError("oops"))
    result = played(lambda here: here.slash("intent list"), asker)
    assert "ZeroDivisionError" in words(result)
    assert result.ephemeral
    assert "oops" in caplog.text


def test_an_option_that_has_changed_since_is_explained(caplog):
    async def scene(here):
        async def callback(interaction: discord.Interaction, more: str) -> None: ...

        group = here.env.bot.tree.get_command("remind")
        group.remove_command("show")  # what Discord was told of
        group.add_command(app_commands.Command(name="show", description="Another", callback=callback))
        return await here.slash("remind show", handle="r-7k2m")

    assert "has changed" in words(played(scene, check_errors=False))
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_an_answer_that_cannot_be_sent_is_no_crash(caplog):
    asker = RecordingAsker(fault=ZeroDivisionError("oops"))

    async def scene(here):
        here.env.inject_error("*", "/webhooks/*", status=404, code=10015, message="Unknown Webhook")
        await here.slash("intent list")

    played(scene, asker)
    assert "could not be sent" in caplog.text


# rights and places


def test_owners_see_all_commands_and_members_those_that_are_for_everybody():
    async def scene(here):
        return here.ada.available_commands(here.channel), here.bob.available_commands(here.channel)

    owners, members = played(scene)
    assert {name.split()[0] for name in owners} == {"intent", "goal", "remind", "aspire", "remembrancer"}
    assert {name.split()[0] for name in members} == {"remind", "remembrancer"}


def test_commands_are_for_servers_and_the_bots_own_direct_messages():
    bot = SlashBot(RecordingAsker())
    for command in bot.tree.get_commands():
        told = command.to_dict(bot.tree)
        assert (told["contexts"], told["integration_types"]) == ([0, 1], [0])


# another bot's tree


def tree_with(*commands):
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    for command in commands:
        tree.add_command(command)
    return tree


def command_named(name):
    async def callback(interaction: discord.Interaction) -> None: ...

    return app_commands.Command(name=name, description="Something of another bot", callback=callback)


def test_a_name_that_is_taken_is_told_and_nothing_is_added():
    tree = tree_with(command_named("remind"), command_named("play"))
    with pytest.raises(ConfigError, match="remind"):
        add_commands(tree, RecordingAsker())
    assert {command.name for command in tree.get_commands()} == {"remind", "play"}


@pytest.mark.parametrize(("others", "fits"), [(95, True), (96, False)])
def test_no_more_commands_than_discord_takes(others, fits):
    tree = tree_with(*(command_named(f"other{number}") for number in range(others)))
    if fits:
        add_commands(tree, RecordingAsker())
        assert len(tree.get_commands()) == others + 6
    else:
        with pytest.raises(ConfigError, match="100"):
            add_commands(tree, RecordingAsker())
        assert len(tree.get_commands()) == others


def test_commands_of_another_bot_go_on_working():
    tree = tree_with(command_named("play"))
    add_commands(tree, RecordingAsker())
    assert tree.get_command("play") is not None


@pytest.mark.parametrize(("mentioned", "asked"), [(LOOK_UPS, LOOK_UPS), (LOOK_UPS + 1, LOOK_UPS)])
def test_discord_is_asked_for_so_many_people_at_most(mentioned, asked):
    asker = RecordingAsker()

    async def scene(here):
        people = [here.guild.add_member(here.env.create_user(f"p{number}")) for number in range(mentioned)]
        words = " ".join(f"<@{person.id}>" for person in people)
        since = len(here.env.http_requests)
        await here.slash("intent add", words=words, text="x")
        return sum("/members/" in call.path for call in here.env.http_requests[since:])

    assert played(scene, asker) == asked
    assert asker.intent.draft.triggers.count("@p") == asked
