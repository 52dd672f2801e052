"""Topics, threads, media, entities, edits and what people of other standing write."""

import pytest
from telegram import MessageEntity, MessageOriginChannel, MessageOriginUser, ReplyParameters

from tests.fakes.telegram.posting import covered
from tests.fakes.telegram.probe import refused
from tests.fakes.telegram.text import cut, span, units


def test_a_topic_is_carried_and_the_general_topic_has_no_number(cast, probe) -> None:
    forum = cast.world.forum("Launch", creator=cast.ada, members=[cast.bob, cast.bot])
    topic = forum.topic("Rollout")
    made = probe.last("Rollout").message
    assert made.forum_topic_created.name == "Rollout"
    cast.bob.says(topic, "in the topic")
    inside = probe.last("in the topic").message
    assert (inside.message_thread_id, inside.is_topic_message, inside.chat.is_forum) == (topic.id, True, True)
    assert inside.reply_to_message.forum_topic_created.name == "Rollout"
    cast.bob.says(forum, "in general")
    outside = probe.last("in general").message
    assert (outside.message_thread_id, outside.is_topic_message) == (None, None)
    sent = probe.send(forum.id, "answer", message_thread_id=topic.id)
    assert sent.message_thread_id == topic.id
    assert cast.world.bot_texts(topic) == ["answer"]
    probe.send(forum.id, "quoted", reply_parameters=ReplyParameters(inside.message_id))
    assert cast.world.bot_texts(topic) == ["answer", "quoted"]


@pytest.mark.parametrize("thread", [1, 999])
def test_an_unknown_topic_and_the_number_one_are_not_found(cast, probe, thread: int) -> None:
    forum = cast.world.forum("Launch", creator=cast.ada, members=[cast.bot])
    with refused("message thread not found"):
        probe.send(forum.id, "hello", message_thread_id=thread)


def test_a_closed_topic_takes_messages_of_administrators_only(cast, probe) -> None:
    forum = cast.world.forum("Launch", creator=cast.ada, members=[cast.bot])
    topic = forum.topic("Rollout")
    cast.world.closes_topic(topic)
    with refused("TOPIC_CLOSED"):
        probe.send(forum.id, "hello", message_thread_id=topic.id)
    cast.world.sets(forum, cast.bot, "administrator")
    assert probe.send(forum.id, "hello", message_thread_id=topic.id).text == "hello"


def test_the_thread_of_a_reply_outside_of_forums_is_no_topic(cast, probe) -> None:
    first = cast.ada.says(cast.ops, "shall we?")
    cast.bob.says(cast.ops, "yes we shall", reply_to=first, quote="shall")
    reply = probe.last("yes we shall").message
    assert (reply.message_thread_id, reply.is_topic_message) == (first.id, None)
    assert (reply.quote.text, reply.quote.position) == ("shall", 0)
    with refused("message thread not found"):
        probe.send(cast.ops.id, "no", message_thread_id=first.id)


@pytest.mark.parametrize("kind", ["photo", "document", "voice", "video"])
def test_media_carry_captions_with_entities(cast, probe, kind: str) -> None:
    text = "🚀 the launch checklist"
    cast.bob.sends(cast.ops, kind, text, caption_entities=[span(text, "launch", "bold")])
    message = probe.last("launch").message
    assert message.caption == text and message.text is None
    assert getattr(message, kind)
    assert message.parse_caption_entities() == {message.caption_entities[0]: "launch"}


def test_a_sticker_has_no_text(cast, probe) -> None:
    cast.bob.sends(cast.ops, "sticker")
    assert probe.wait(1)[0].message.sticker.emoji == "👍"


def test_entities_count_in_utf16_units_and_are_found_by_themselves(cast, probe) -> None:
    text = "👩‍🚀 tell Bob at https://example.org/x, /remind@remembrancer_bot #go"
    cast.ada.says(
        cast.ops, text, entities=[span(text, "Bob", "text_mention", cast.bob), span(text, "tell", "custom_emoji", "77")]
    )
    message = probe.last("tell").message
    found = {message.parse_entity(one): one.type for one in message.entities}
    assert found == {
        "tell": "custom_emoji",
        "Bob": "text_mention",
        "https://example.org/x": "url",
        "/remind@remembrancer_bot": "bot_command",
        "#go": "hashtag",
    }
    assert next(one for one in message.entities if one.user).user.id == cast.bob.id


def test_an_entity_outside_of_its_text_fails_the_test_that_wrote_it(cast) -> None:
    with pytest.raises(ValueError, match="outside"):
        cast.bob.says(cast.ops, "🚀", entities=[("bold", 0, 3)])
    assert units("🚀") == 2
    assert cut("a🚀b", 1, 2) == "🚀"


def test_an_entity_of_the_bot_outside_of_its_text_is_refused_and_complained_of(cast, probe) -> None:
    with refused("entity is outside of the text"):
        probe.send(cast.ops.id, "🚀", entities=[MessageEntity("bold", 0, 3)])
    with pytest.raises(AssertionError, match="outside of the text"):
        cast.world.raise_complaints()
    cast.world.complaints.clear()


def test_a_sent_text_is_trimmed_and_its_entities_move_along(cast, probe) -> None:
    sent = probe.send(cast.ops.id, "\n 🚀 go \n", entities=[MessageEntity("bold", 5, 2)])
    assert (sent.text, sent.parse_entity(sent.entities[0])) == ("🚀 go", "go")
    assert covered(cast.world.bot_messages(cast.ops)[0], "bold") == ["go"]


@pytest.mark.parametrize(
    ("text", "words"), [("x" * 4097, "message is too long"), ("  ", "message text is empty"), ("🚀" * 2049, "too long")]
)
def test_a_text_has_between_1_and_4096_units(cast, probe, text: str, words: str) -> None:
    with refused(words):
        probe.send(cast.ops.id, text)
    assert probe.send(cast.ops.id, "x" * 4096).text == "x" * 4096


def test_an_edit_by_a_person_and_by_the_bot(cast, probe) -> None:
    message = cast.bob.says(cast.ops, "helo")
    cast.bob.edits(message, "hello")
    edited = probe.last("hello").edited_message
    assert edited.message_id == message.id and edited.edit_date is not None
    own = probe.send(cast.ops.id, "one")
    probe.call(lambda client: client.edit_message_text("two", cast.ops.id, own.message_id))
    assert cast.world.bot_texts(cast.ops) == ["two"]
    with refused("message is not modified"):
        probe.call(lambda client: client.edit_message_text("two", cast.ops.id, own.message_id))
    with refused("message can't be edited"):
        probe.call(lambda client: client.edit_message_text("mine", cast.ops.id, message.id))
    probe.call(lambda client: client.delete_message(cast.ops.id, own.message_id))
    with refused("message to edit not found"):
        probe.call(lambda client: client.edit_message_text("three", cast.ops.id, own.message_id))


def test_a_reply_to_a_deleted_message_is_refused_unless_allowed(cast, probe) -> None:
    gone = cast.bob.says(cast.ops, "gone soon")
    cast.bob.deletes(gone)
    with refused("message to be replied not found"):
        probe.send(cast.ops.id, "what?", reply_parameters=ReplyParameters(gone.id))
    lenient = ReplyParameters(gone.id, allow_sending_without_reply=True)
    assert probe.send(cast.ops.id, "what?", reply_parameters=lenient).reply_to_message is None


def test_anonymous_administrators_and_channels_have_no_identity(cast, probe) -> None:
    news = cast.world.channel("News", creator=cast.ada)
    cast.ada.says(cast.ops, "as the group", anonymous=True)
    cast.bob.says(cast.ops, "as a channel", as_channel=news)
    anonymous, channel = probe.last("as the group").message, probe.last("as a channel").message
    assert (anonymous.from_user.id, anonymous.sender_chat.id) == (1087968824, cast.ops.id)
    assert (channel.from_user.id, channel.sender_chat.id) == (136817688, news.id)
    with pytest.raises(AssertionError, match="no administrator"):
        cast.bob.says(cast.ops, "as the group", anonymous=True)


def test_a_post_of_a_channel_appears_in_its_discussion_group(cast, probe) -> None:
    news = cast.world.channel("News", creator=cast.ada, members=[cast.bot], discussion=cast.ops)
    post = cast.ada.says(news, "version two")
    probe.wait(2)
    channel_post, forward = probe.updates[0].channel_post, probe.updates[1].message
    assert channel_post.from_user is None and channel_post.sender_chat.id == news.id
    assert forward.from_user.id == 777000 and forward.is_automatic_forward
    assert isinstance(forward.forward_origin, MessageOriginChannel)
    assert forward.forward_origin.message_id == post.id
    cast.ada.edits(post, "version three")
    assert probe.last("version three").edited_channel_post is not None


def test_a_bot_hears_the_posts_of_another_bot_in_a_channel(cast, probe) -> None:
    second = cast.world.bot("second_bot", "Second")
    news = cast.world.channel("News", creator=cast.ada, members=[cast.bot, second])
    probe.send(news.id, "by a bot")
    assert [update.kind for update in second.queue] == ["channel_post"]


def test_forwards_tell_where_they_come_from(cast, probe) -> None:
    message = cast.ada.says(cast.ops, "original")
    probe.last("original")
    cast.bob.forwards(message, cast.ops)
    forward = probe.wait(2)[1].message
    assert isinstance(forward.forward_origin, MessageOriginUser)
    assert forward.forward_origin.sender_user.id == cast.ada.id


def test_html_is_read_as_telegram_reads_it(cast, probe) -> None:
    source = '<b>🚀 go</b> &amp; <a href="https://example.org/?a=1&amp;b=2">see <i>it</i></a> <code>x &lt; y</code>'
    sent = probe.send(cast.ops.id, source, parse_mode="HTML")
    assert sent.text == "🚀 go & see it x < y"
    assert {sent.parse_entity(one): (one.type, one.url) for one in sent.entities} == {
        "🚀 go": ("bold", None),
        "see it": ("text_link", "https://example.org/?a=1&b=2"),
        "it": ("italic", None),
        "x < y": ("code", None),
    }
    block = probe.send(cast.ops.id, '<pre><code class="language-python">1 + 1</code></pre>', parse_mode="HTML")
    assert [(one.type, one.language) for one in block.entities] == [("pre", "python")]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a < b", "unsupported start tag at byte offset 2"),
        ("ä <x>y</x>", 'unsupported start tag "x" at byte offset 3'),
        ("<b>x", "can't find end tag corresponding to start tag"),
        ("<b>x</i>", 'expected "</b>", found "</i>"'),
        ("x</b>", "unexpected end tag"),
    ],
)
def test_wrong_html_cannot_be_parsed(cast, probe, source: str, words: str) -> None:
    with refused("can't parse entities: ") as caught:
        probe.send(cast.ops.id, source, parse_mode="HTML")
    assert words in str(caught.value).lower()
