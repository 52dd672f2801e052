"""Where a rule listens on Discord: threads, posts, private channels, other servers, direct messages."""

import pytest

from tests.fakes.discord.bots import running
from tests.fakes.discord.scene import Scene
from tests.fakes.discord.talking import TEXT, WORDS, replies, told
from tests.fakes.discord.world import World

PLATFORM = "discord"
pytestmark = pytest.mark.thorough


@pytest.fixture
def here(world, process):
    return Scene(world, process)


# threads and posts


def test_a_rule_of_a_channel_listens_in_its_threads_and_answers_there(here):
    here.make()
    thread = here.bob.opens_thread(here.bob.says(here.ops, "plans for friday"), "Friday")
    alone = here.bob.starts_thread(here.ops, "Release")
    here.once(here.bob.says(thread, WORDS))
    here.once(here.bob.says(alone, WORDS))


@pytest.mark.parametrize("edits", [False, True])
def test_the_message_that_a_thread_starts_from_fires_once(here, edits):
    here.make(edits=edits)
    said = here.bob.says(here.ops, f"the {WORDS}")
    thread = here.bob.opens_thread(said, "About it")
    here.once(said)
    assert here.world.bot_messages(thread) == []
    here.once(here.bob.says(thread, f"the {WORDS} again"))


def test_t173_a_post_of_a_forum_fires_once_and_a_rule_made_in_one_post_listens_in_all(here):
    forum = here.guild.forum("ideas")
    first, _ = here.ada.posts(forum, "Welcome", "say what you think")
    here.make(place=first)
    post, said = here.bob.posts(forum, "An idea", f"a {WORDS} of our own")
    here.once(said)
    here.once(here.bob.says(post, f"that {WORDS} again"))
    here.quiet(here.bob.says(here.ops, WORDS))


def test_a_rule_for_one_thread_listens_in_no_other(here):
    thread, other = here.bob.starts_thread(here.ops, "One"), here.bob.starts_thread(here.ops, "Two")
    here.make(place=thread, scope="thread")
    here.once(here.bob.says(thread, WORDS))
    here.quiet(here.bob.says(other, WORDS), here.bob.says(here.ops, WORDS))


def test_a_muted_thread_is_quiet_and_its_channel_is_not(here):
    here.make()
    thread, other = here.bob.starts_thread(here.ops, "One"), here.bob.starts_thread(here.ops, "Two")
    assert "thread" in told(here.ada.slash(thread, "intent mute", place="thread"))
    here.quiet(here.bob.says(thread, WORDS))
    here.once(here.bob.says(other, WORDS))
    here.once(here.bob.says(here.ops, WORDS))
    told(here.ada.slash(thread, "intent unmute", place="thread"))
    here.once(here.bob.says(thread, WORDS))


def test_a_muted_channel_is_quiet_in_every_thread_whatever_is_said_of_the_thread(here):
    here.make()
    thread = here.bob.starts_thread(here.ops, "One")
    told(here.ada.slash(here.ops, "intent mute", place="channel"))
    told(here.ada.slash(thread, "intent unmute", place="thread"))
    here.quiet(here.bob.says(thread, WORDS), here.bob.says(here.ops, WORDS))
    told(here.ada.slash(thread, "intent unmute", place="channel"))
    here.once(here.bob.says(thread, WORDS))
    here.once(here.bob.says(here.ops, WORDS))


def test_words_in_the_chat_of_a_voice_channel_count(here):
    voice = here.guild.voice("standup")
    here.make(place=voice)
    here.once(here.bob.says(voice, WORDS))


def test_a_channel_that_is_renamed_keeps_its_rules_under_its_new_name(here):
    handle = here.make(scope="channel")
    here.ops.rename("launches")
    here.once(here.bob.says(here.ops, WORDS))
    shown = told(here.ada.slash(here.ops, "intent show", handle=handle), "Confirm")
    assert "#launches" in shown
    assert "#ops" not in shown


# private places


@pytest.fixture
def mia(here):
    """Another owner."""
    person = here.world.person("Mia")
    here.guild.add(person, here.guild.role("managers", manage_guild=True))
    return person


@pytest.fixture(params=["channel", "thread"])
def secret(request, here, mia):
    """A place that Ada, Mia, Bob and the bot see, and nobody else."""
    if request.param == "thread":
        members = [here.bob, mia, here.world.bot]
        return here.ada.starts_thread(here.ops, "Secret", private=True, members=members)
    return here.guild.text("secret", only=[here.ada, here.bob, mia, here.world.bot])


def seen(who, place, handle, text):
    """Whether a rule shows in a place: listed, offered while somebody types, by its name, tried, and explained."""
    return (
        handle in told(who.slash(place, "intent list"), "rule"),
        handle in [one.value for one in who.completes(place, "intent show", "handle", "").suggestions()],
        text in told(who.slash(place, "intent show", handle=handle)),
        text in told(who.slash(place, "intent preview", handle=handle)),
        handle in told(who.slash(place, "intent why")),
    )


def test_what_is_made_in_a_private_place_stays_in_there(here, mia, secret):
    inside = here.make(text="Tell the board", place=secret)
    here.once(here.bob.says(secret, WORDS), "Tell the board")
    here.quiet(here.bob.says(here.ops, WORDS))
    assert seen(mia, secret, inside, "Tell the board") == (True,) * 5
    assert seen(mia, here.ops, inside, "Tell the board") == (False,) * 5


def test_what_the_server_has_does_not_show_in_a_private_place(here, mia, secret):
    outside = here.make(text="Tell everybody", scope="space")
    here.once(here.bob.says(here.ops, WORDS), "Tell everybody")
    here.quiet(here.bob.says(secret, WORDS))
    assert seen(mia, here.ops, outside, "Tell everybody") == (True,) * 5
    assert seen(mia, secret, outside, "Tell everybody") == (False,) * 5


def test_a_rule_of_a_private_place_is_refused_outside_like_one_that_there_is_not(here, mia, secret):
    inside = here.make(text="Tell the board", place=secret)
    for verb in ("show", "pause", "history", "why", "cancel"):
        there = told(mia.slash(here.ops, f"intent {verb}", handle=inside))
        nowhere = told(mia.slash(here.ops, f"intent {verb}", handle="i-zzzz"))
        assert there.replace(inside, "?") == nowhere.replace("i-zzzz", "?")


def test_who_made_a_rule_in_a_private_place_sees_it_by_its_name_elsewhere_and_alone(here, secret):
    inside = here.make(text="Tell the board", place=secret)
    assert "Tell the board" in told(here.ada.slash(here.ops, "intent show", handle=inside))
    assert here.world.visible(here.ops, here.bob) == here.world.bot_messages(here.ops)


def test_a_rule_of_a_private_channel_delivers_in_no_other(here):
    secret = here.guild.text("secret", only=[here.ada, here.world.bot])
    answer = here.ada.slash(secret, "intent add", words=WORDS, text="x", who="anyone", deliver=here.ops.mention)
    assert "private channel" in told(answer)


# servers


def test_nothing_crosses_from_one_server_to_another(here, world, process):
    other = Scene(world, process, "Other")
    handle = here.make(scope="space")
    here.quiet(said := other.bob.says(other.ops, WORDS))
    other.quiet(said)
    assert handle not in other.lists(other.ada, other.ops)
    assert other.ada.completes(other.ops, "intent show", "handle", "").suggestions() == []
    assert TEXT not in told(other.ada.slash(other.ops, "intent show", handle=handle))
    here.once(here.bob.says(here.ops, WORDS))


def test_an_owner_of_one_server_is_none_of_another(here, world, process):
    other = Scene(world, process, "Other")
    other.guild.add(here.ada)
    assert "intent add" not in here.ada.offered(other.ops)
    said = here.ada.says(other.ops, "when someone mentions zebra, remind me to feed it")
    here.settled()
    assert replies(world, said) == []


# direct messages


def test_in_a_direct_message_a_rule_is_refused_and_a_reminder_by_the_clock_is_not(here, world):
    here.bob.says(world.bot, "when I mention zebra, remind me to feed it")
    refusal = world.answer(here.bob.dm)
    assert "here only operators make some" in refusal.text
    here.bob.says(world.bot, "remind me in 2 hours to check the logs")
    assert "Check the logs" in world.answer(here.bob.dm, after=refusal).text


def test_a_command_in_a_direct_message_is_refused_the_same_way(here, world):
    assert "only operators" in told(here.bob.slash(world.bot, "intent add", words="zebra", text="feed it"))


# where the reminder goes


def test_a_reminder_goes_to_another_channel_and_says_where_it_was_said(here, world):
    desk = here.guild.text("desk")
    here.make(deliver=desk.mention)
    said = here.bob.says(here.ops, WORDS)
    posted = world.answer(desk, TEXT)
    assert "#ops" in posted.text
    assert replies(world, said) == []


def test_a_reminder_by_direct_message_is_seen_by_its_maker_alone(here, world):
    here.make(deliver="dm")
    said = here.bob.says(here.ops, WORDS)
    assert "#ops" in world.answer(here.ada.dm, TEXT).text
    here.quiet(said)
    assert world.bot_messages(here.bob.dm) == []


def test_a_channel_that_is_left_out_stays_quiet(here):
    random = here.guild.text("random")
    thread = here.bob.starts_thread(random, "Chat")
    here.make(scope="space", **{"except": random.mention})
    here.quiet(here.bob.says(random, WORDS), here.bob.says(thread, WORDS))
    here.once(here.bob.says(here.ops, WORDS))


def test_t173_a_forum_is_left_out_with_all_its_posts_and_nothing_is_delivered_to_it(here):
    forum = here.guild.forum("ideas")
    here.make(scope="space", **{"except": forum.mention})
    _, said = here.bob.posts(forum, "An idea", f"a {WORDS} of our own")
    here.quiet(said)
    here.once(here.bob.says(here.ops, WORDS))
    answer = here.ada.slash(here.ops, "intent add", words=WORDS, text="x", deliver=forum.mention)
    assert "#ideas is a forum" in told(answer)


def test_a_channel_that_the_asker_does_not_see_cannot_be_named(here, mia):
    secret = here.guild.text("secret", only=[here.ada, here.world.bot])
    for name in ("#secret", secret.mention, "#nowhere"):
        refusal = told(mia.slash(here.ops, "intent add", words=WORDS, text="x", deliver=name))
        assert "You know no public channel called" in refusal


def test_a_thread_of_a_private_channel_is_as_private_as_the_channel(here):
    secret = here.guild.text("secret", only=[here.ada, here.bob, here.world.bot])
    thread = here.bob.starts_thread(secret, "Inside")
    here.make("zebra", "Inside", secret)
    here.make("zebra", "Outside", scope="space")
    assert "Inside" in here.once(here.bob.says(thread, "a zebra"), "Inside").text
    assert "Outside" in here.once(here.bob.says(here.ops, "a zebra"), "Outside").text


def test_a_preview_tells_nothing_that_was_said_in_a_private_place(here, mia, secret):
    said = here.bob.says(secret, f"the {WORDS}, and the secret name")
    tried = told(mia.slash(here.ops, "intent preview", words=WORDS, who="anyone", scope="space"))
    assert "secret name" not in tried
    assert str(said.id) not in tried
    assert str(said.id) in told(mia.slash(secret, "intent preview", words=WORDS, who="anyone"))


@pytest.mark.thorough
def test_an_operator_makes_rules_in_a_direct_message_and_they_stay_there(tmp_path):
    with World() as world:
        ada = world.person("Ada")
        with running(world, tmp_path, operators=f"discord:{world.bot.id}:{ada.id}") as process:
            here = Scene(world, process)
            ada.says(world.bot, "when I mention zebra, remind me to feed it")
            question = world.answer(ada.dm, "Feed it")
            here.saved(question, ada)
            ada.says(world.bot, "a zebra")
            world.answer(ada.dm, "Reminder for", after=question)
            here.quiet(here.bob.says(here.ops, "a zebra"))
