"""What counts as words on Discord: marks, mentions, code, quotes, embeds, edits, and what bots and webhooks post."""

import pytest

from tests.fakes.discord.engine import serializers
from tests.fakes.discord.scene import Scene
from tests.fakes.discord.talking import WORDS, asked, replies, reply_to, told

PLATFORM = "discord"
pytestmark = pytest.mark.thorough
CONTENT_CHARS, EMBED_CHARS = 2_000, 4_096


@pytest.fixture
def here(world, process):
    return Scene(world, process)


# zones


COUNTS = (
    "the **launch** __checklist__",
    "~~launch~~ *checklist*",
    "||launch checklist||",
    "# launch checklist",
    "- [ ] launch checklist",
    "> something else\nthe launch checklist",
    "[launch checklist](https://example.org/a)",
    "Launch\nChecklist",
    "launch \\*checklist\\*",
    "(launch) checklist!",
)
DOES_NOT = (
    "`launch checklist`",
    "```\nlaunch checklist\n```",
    "> launch checklist",
    "why\n>>> launch\nchecklist",
    "https://example.org/launch/checklist",
    "[this](https://example.org/launch-checklist)",
    "launch `checklist`",
    "relaunch checklists",
    "<:launch:123456789012345678> <a:checklist:123456789012345679>",
)


def test_marks_are_no_words_and_what_they_mark_is(here):
    here.make()
    counted = {text: here.bob.says(here.ops, text) for text in COUNTS}
    left_out = {text: here.bob.says(here.ops, text) for text in DOES_NOT}
    here.settled()
    assert [text for text, said in counted.items() if not replies(here.world, said)] == []
    assert [text for text, said in left_out.items() if replies(here.world, said)] == []


def test_names_of_people_roles_and_channels_are_words_as_they_are_shown(here):
    role = here.guild.role("releasers", mentionable=True)
    here.make(f"@releasers; #ops; @{here.bob.name}")
    for text in (f"ask {role.mention}", f"see {here.ops.mention}", f"with {here.bob.mention}"):
        here.once(here.ada.says(here.ops, text))
    here.quiet(here.ada.says(here.ops, "releasers ops bob"), here.ada.says(here.ops, here.ada.mention))


def test_a_mention_and_an_emoji_can_be_put_into_the_words_of_a_rule(here):
    here.make(f"{here.bob.mention}; <:shipit:123456789012345678>")
    here.once(here.ada.says(here.ops, f"where is {here.bob.mention}?"))
    here.once(here.bob.says(here.ops, "<:shipit:123456789012345678>"))
    here.quiet(here.bob.says(here.ops, "shipit"))


def test_a_host_counts_and_its_path_does_not(here):
    here.make("example.org")
    here.once(here.bob.says(here.ops, "see https://example.org/plans"))
    here.quiet(here.bob.says(here.ops, "see https://example.com/example.org"))


# embeds and messages that are passed on


EMBED = {"title": "the launch", "description": "checklist", "type": "rich"}


def test_an_embed_of_a_person_is_none_of_their_words(here):
    here.make()
    here.quiet(here.bob.says(here.ops, "look", embeds=[EMBED]))


def test_a_message_that_is_passed_on_is_none_of_the_words_of_who_passes_it_on(here):
    original = here.ada.says(here.ops, f"the {WORDS}")
    here.make(edits=True)
    reference = {"type": 1, "channel_id": str(here.ops.id), "message_id": str(original.id)}
    with here.world.lock:
        state = here.world.backend.create_message(here.ops.id, here.bob.id, reference=reference)
    assert state.snapshots
    here.quiet(here.world.message(state))
    assert len(here.world.bot_messages(here.ops)) == 1, "the hello"


# edits


def test_an_edit_fires_where_the_rule_asks_for_it_and_once(here):
    here.make("zebra", "Feed it", edits=True)
    here.make("elephant", "Wash it")
    said = here.bob.says(here.ops, "a horse")
    here.quiet(said)
    here.bob.edits(said, "a zebra and an elephant")
    assert "Feed it" in reply_to(here.world, said).text
    here.bob.edits(said, "a zebra, an elephant and a lion")
    here.settled()
    assert len(replies(here.world, said)) == 1


def test_an_embed_that_discord_adds_later_is_no_edit(here):
    here.make("example.org", edits=True)
    told(here.ada.slash(here.ops, "intent mute"))
    said = here.bob.says(here.ops, "see https://example.org/a")
    here.quiet(said)
    told(here.ada.slash(here.ops, "intent unmute"))
    with here.world.lock:
        payload = dict(serializers.message_payload(here.world.backend, said.state))
        here.world.backend.emit("MESSAGE_UPDATE", payload | {"embeds": [{"type": "link", "title": "Example"}]})
    here.quiet(said)
    here.bob.edits(said, "see https://example.org/b")
    here.once(said)


# bots and webhooks


def test_t121_a_post_of_a_webhook_fires_the_rule_that_names_it_and_no_other(here):
    here.make("build failed", "Anyone")
    builds, other = here.ops.webhook("CI"), here.ops.webhook("News")
    here.quiet(builds.says("hello"), other.says("hello"), builds.says("build failed"))
    said = here.ada.says(here.ops, "when @CI mentions build failed, remind me to look at the log")
    here.saved(reply_to(here.world, said))
    here.quiet(other.says("build failed"), other.says("build failed", username="CI"))
    here.once(builds.says("the build failed"), "Look at the log")
    here.once(here.bob.says(here.ops, "build failed"), "Anyone")


def test_what_a_webhook_says_in_an_embed_counts(here):
    builds = here.ops.webhook("CI")
    here.quiet(builds.says("hello"))
    said = here.ada.says(here.ops, "when @CI mentions build failed, remind me to look at the log")
    here.saved(reply_to(here.world, said))
    embed = {"title": "main", "fields": [{"name": "Result", "value": "build failed"}], "type": "rich"}
    here.once(builds.says("", embeds=[embed]), "Look at the log")


def test_another_bot_fires_the_rule_that_names_it_and_makes_none(here):
    robot = here.world.other_bot("Robot")
    here.guild.add(robot, here.guild.role("robots", manage_guild=True))
    here.make("build failed", "Anyone")
    here.quiet(robot.says(here.ops, "build failed"), robot.says(here.ops, "when I mention zebra, remind me to feed it"))
    answer = here.ada.slash(here.ops, "intent add", words="build failed", text="look at it", only_from=robot)
    here.saved(answer.says("Reminder"))
    here.once(robot.says(here.ops, "the build failed"), "Look at it")


# lengths


def test_t019_a_quote_of_a_message_near_the_limit_is_cut_and_has_its_link(here):
    said = here.bob.says(here.ops, f"{WORDS} " + "a" * (1_950 - len(WORDS) - 1))
    assert len(said.text) == 1_950
    shown = asked(here.ada, here.ops)
    assert f"/{here.ops.id}/{said.id}" in shown.words
    assert "…" in shown.words
    assert len(shown.words) < CONTENT_CHARS
    here.saved(shown)
    again = here.bob.says(here.ops, said.text)
    assert len(reply_to(here.world, again).text) < 300
    why = told(here.ada.slash(here.ops, "intent why"))
    assert "a…” by @Bob" in why
    assert f"/{again.id}" in why


def test_t021_a_list_that_is_longer_than_a_message_is_split_and_nothing_is_lost(here):
    text = " ".join("a*b" for _ in range(115))
    for number in range(10):
        here.make(f"word{number}", f"Text {number}: {text}")
    answer = here.ada.slash(here.ops, "intent list")
    answer.says("10 rules")
    assert len(answer.messages) == 2
    assert all(message.ephemeral and len(message.words) <= EMBED_CHARS for message in answer.messages)
    words = "".join(answer.texts)
    assert all(f"Text {number}:" in words for number in range(10))


# who is notified


def test_the_words_of_a_rule_notify_nobody_but_who_made_it(here):
    role = here.guild.role("everybody else", mentionable=True)
    for person in (here.ada, here.bob):
        here.guild.give(person, role)
    here.guild.bot_role.set(mention_everyone=True)
    text = f"tell @everyone and @here and {role.mention} and {here.bob.mention}"
    said = here.ada.says(here.ops, f"when someone mentions zebra, remind me to {text}")
    question = reply_to(here.world, said)
    assert not question.pings
    here.saved(question)
    reminder = here.once(here.bob.says(here.ops, "zebra"), "")
    assert reminder.pings.users == (here.ada.id,)
    assert not (reminder.pings.roles or reminder.pings.everyone)
    told(here.ada.slash(here.ops, "intent list"))


def test_what_is_posted_in_another_channel_notifies_nobody_else_either(here):
    desk = here.guild.text("desk")
    here.guild.bot_role.set(mention_everyone=True)
    here.make("zebra", f"ask @everyone and {here.bob.mention}", deliver=desk.mention)
    here.bob.says(here.ops, "zebra @everyone")
    posted = here.world.answer(desk, "ask")
    assert "**Ask @everyone and @Bob.**" in posted.text
    assert posted.pings.users == (here.ada.id,)
    assert not posted.pings.everyone


def test_a_reminder_of_ones_own_words_notifies_nobody(here):
    here.make("zebra", "Feed it")
    assert not here.once(here.ada.says(here.ops, "zebra"), "Feed it").pings


def test_a_webhook_that_posted_here_is_offered_while_somebody_types_and_can_be_named_by_command(here):
    other = here.guild.text("other")
    builds = here.ops.webhook("Build Box")
    here.quiet(builds.says("hello"))
    offered = here.ada.completes(here.ops, "intent add", "bot", "build", words="failed", text="x").suggestions()
    assert [one.name.partition(" · ")[0] for one in offered] == ["Build Box"]
    answer = here.ada.slash(other, "intent add", words="failed", text="look", bot=offered[0].value, scope="space")
    question = answer.says("Reminder")
    assert "Listens to the webhook Build Box alone" in question.words
    here.saved(question)
    here.once(builds.says("failed"), "Look")
    here.quiet(here.bob.says(here.ops, "failed"))
