"""The contract of adapters, fed with recorded payloads: every platform passes the same tests."""

from datetime import timedelta

import pytest

from adapters.base.buttons import Action, Press, encode
from adapters.base.contract import Adapter, Button, NeverSent, Post, RetryLater
from core.standing.gates import Reason
from core.turn import Principal, TurnKind, Visibility
from core.wording.lines import Line, Named, Segment, line
from core.wording.readback import Choice
from tests.builders import NOW
from tests.contract.adapters.kit import FEATURES
from tests.contract.adapters.kits import KITS, every, having
from tests.contract.adapters.meanings import LONG, MEANINGS

SENTENCE = "when someone mentions the budget, remind me to ask for the sheet"
PAYLOADS = [(platform, name) for platform, kit in KITS.items() for name in kit.recorded()]
FAILURES = [(platform, how) for platform, kit in KITS.items() for how in sorted(kit.FAILURES)]


def hearing(*payloads):
    """The platforms on which there are such payloads."""
    found = [name for name, kit in KITS.items() if not kit.UNSAID.keys() & set(payloads)]
    return pytest.mark.parametrize("kit", found, indirect=True)


def said(text, **fields):
    return Line((Segment(text, people=True, **fields),))


def send(kit, *lines, to="group", **more):
    place = kit.places[to] if isinstance(to, str) else to
    return kit.run(kit.adapter.send(Post(place, lines, **more)))


# what there is


@every
def test_it_offers_the_whole_contract_and_its_login_is_that_of_its_turns(kit):
    members = {name for name in vars(Adapter) if not name.startswith("_")}
    assert all(hasattr(kit.adapter, name) for name in members)
    turn = kit.turn("plain")
    login = kit.adapter.provider, kit.adapter.account
    assert (turn.where.provider, turn.where.account) == login
    assert (turn.sender.provider, turn.sender.account) == login


@every
def test_what_it_can_is_what_it_says_it_can(kit):
    assert set(kit.LACKS) <= FEATURES
    can = kit.adapter.capabilities
    for feature in ("replies", "buttons", "edits", "reactions", "history"):
        assert getattr(can, feature) is (feature not in kit.LACKS), feature
    assert can.posts and can.direct
    assert can.text_chars > 0 and can.button_bytes > 0


@pytest.mark.parametrize("platform", KITS)
def test_every_payload_of_the_table_is_recorded_or_cannot_be(platform):
    kit = KITS[platform]
    assert set(kit.recorded()) | set(kit.UNSAID) == set(MEANINGS)
    assert not set(kit.recorded()) & set(kit.UNSAID)


# what comes in


@pytest.mark.parametrize(("kit", "payload"), PAYLOADS, indirect=["kit"])
def test_a_payload_means_what_the_table_says(kit, payload):
    turn, meaning = kit.turn(payload), MEANINGS[payload]
    if meaning is None:
        assert turn is None
        return
    assert turn.text.text == meaning.text
    assert turn.kind is meaning.kind
    assert turn.edited is meaning.edited
    where = kit.places[meaning.place]
    assert (turn.where.space, turn.where.channel, turn.where.conversation, turn.where.visibility) == (
        where.space,
        where.channel,
        where.conversation,
        where.visibility,
    )
    assert turn.sender == (None if meaning.sender is None else kit.people[meaning.sender])
    assert (meaning.sender or "") in turn.sender_name.casefold()
    assert set(turn.mentions) == {kit.people[name] for name in meaning.mentions}
    assert bool(turn.link) is (meaning.linked and "links" not in kit.LACKS)
    assert NOW <= turn.sent_at < NOW + timedelta(seconds=1)
    assert turn.sent_at <= turn.received_at


@pytest.mark.parametrize(("kit", "payload"), PAYLOADS, indirect=["kit"])
def test_a_payload_that_comes_again_is_the_same_message(kit, payload):
    assert kit.turn(payload) == kit.turn(payload)
    same_as = getattr(MEANINGS[payload], "same_as", "")
    if same_as:
        assert kit.turn(payload).message_id == kit.turn(same_as).message_id


@every
@pytest.mark.parametrize("thing", [None, "text", 5, {}])
def test_what_is_no_event_is_no_turn(kit, thing):
    assert kit.adapter.normalise(thing) is None


@every
def test_a_message_fires_once_however_often_it_comes(kit):
    kit.rule(cooldown=timedelta(0))
    assert len(kit.match(kit.turn("plain")).fires) == 1
    assert kit.match(kit.turn("plain")).fires == ()


@every
def test_an_edit_fires_where_the_rule_asks_for_it_and_no_message_fires_twice(kit):
    kit.rule(on_edits=True, cooldown=timedelta(0))
    assert len(kit.match(kit.turn("edited")).fires) == 1
    assert kit.match(kit.turn("edited")).fires == ()
    assert kit.match(kit.turn("plain")).fires == ()


@every
def test_an_edit_fires_nothing_where_the_rule_does_not_ask_for_it(kit):
    kit.rule()
    assert kit.match(kit.turn("edited")).fires == ()


@every
def test_a_thread_inherits_the_rules_of_its_channel(kit):
    thread, threads = kit.turn("thread").where, kit.turn("beside_threads").where
    assert (thread.space, thread.channel) == (threads.space, threads.channel)
    assert thread.conversation != threads.conversation == threads.channel
    rule = kit.rule("threads")
    assert [one.handle for one in kit.match(kit.turn("thread")).fires] == [rule.handle]


@every
def test_a_direct_message_is_a_place_of_its_own(kit):
    where = kit.turn("direct").where
    assert where.visibility is Visibility.DIRECT
    assert where.space == where.channel == where.conversation


@pytest.mark.parametrize(
    ("kit", "payload"),
    [
        pair
        for pair in PAYLOADS
        if (found := MEANINGS[pair[1]]) and (found.kind is not TurnKind.USER or not found.sender)
    ],
    indirect=["kit"],
)
def test_what_no_person_said_fires_nothing(kit, payload):
    kit.rule(MEANINGS[payload].place, triggers="launch checklist; intent list")
    assert kit.match(kit.turn(payload)).ignored is not None


@hearing("attachment")
def test_an_attachment_alone_has_no_words_and_is_no_error(kit):
    kit.rule()
    assert kit.match(kit.turn("attachment")).ignored is Reason.NO_TERMS


@hearing("caption", "edited_caption")
def test_a_caption_is_text_and_so_is_an_edited_one(kit):
    kit.rule(on_edits=True, cooldown=timedelta(0))
    assert len(kit.match(kit.turn("caption")).fires) == 1
    assert kit.match(kit.turn("edited_caption")).fires == ()


@every
def test_a_long_text_comes_whole(kit):
    turn = kit.turn("long")
    assert turn.text.text == LONG
    kit.rule()
    assert len(kit.match(turn).fires) == 1


@having("moves")
def test_the_old_and_the_new_id_of_a_place_that_moved_are_one_place(kit):
    rule = kit.rule("old")
    kit.receives("moved_away")
    kit.receives("moved_here")
    kit.receives("moved_away")
    with kit.ctx.store.read() as tx:
        old, new = tx.places.find(kit.places["old"]), tx.places.find(kit.places["new"])
    assert (old.space, old.namespace_id) == (new.space, new.namespace_id) != (0, "")
    assert kit.rules() == 1
    turn = kit.turn("plain")
    moved = type(turn)(kit.places["new"], "1", turn.text, NOW, NOW, turn.sender)
    assert [one.handle for one in kit.match(moved).fires] == [rule.handle]


@every
def test_where_nothing_can_be_delivered_nothing_is_matched_and_nothing_reserved(kit):
    rule = kit.rule()
    turn = kit.turn("plain")
    deaf = type(turn)(turn.where, turn.message_id, turn.text, NOW, NOW, turn.sender, can_deliver=False)
    assert kit.match(deaf).ignored is Reason.NO_DELIVERY
    with kit.ctx.store.read() as tx:
        assert tx.intents.by_id(rule.id).fire_count == 0
        assert tx.outbox.owed(rule.creator, 9) == ()
    assert len(kit.match(turn).fires) == 1


# what goes out


@every
@pytest.mark.parametrize("place", ["group", "threads", "thread", "direct"])
def test_a_post_reaches_its_place_once(kit, place):
    sent = send(kit, said("Confirm the rollback owner."), to=place)
    [shown] = kit.sent()
    assert (shown.place, shown.text) == (place, "Confirm the rollback owner.")
    assert sent.message_ids == (shown.id,)


@every
def test_a_post_to_a_person_is_a_direct_message(kit):
    send(kit, said("Confirm it."), to=kit.people["ada"])
    assert [(one.place, one.text) for one in kit.sent()] == [("direct", "Confirm it.")]


@every
def test_who_cannot_be_written_to_is_never_written_to(kit):
    with pytest.raises(NeverSent):
        send(kit, said("Confirm it."), to=kit.unreachable)
    assert kit.sent() == []


@every
@pytest.mark.parametrize("text", ["(a => b)", "<b>x</b> & *y* _z_ `c` [l](http://e.x)", "Kim [away] *", "héllo 🚀 \\n"])
def test_words_are_shown_as_they_are(kit, text):
    send(kit, said(text))
    assert [one.text for one in kit.sent()] == [text]


@every
def test_a_long_text_is_split_and_nothing_of_it_is_lost(kit):
    size = kit.adapter.capabilities.text_chars
    words = " ".join(f"word{number:05}" for number in range(size // 4))
    sent = send(kit, said(words), said("x" * (size + 1)))
    shown = kit.sent()
    assert sent.message_ids == tuple(one.id for one in shown)
    assert len(shown) > 3
    assert all(0 < len(one.text) <= size for one in shown)
    kept = "".join("".join(one.text for one in shown).split())
    assert kept == words.replace(" ", "") + "x" * (size + 1)


@having("buttons")
def test_the_buttons_stand_under_the_last_part_of_a_long_text(kit):
    size = kit.adapter.capabilities.text_chars
    send(kit, said("x" * (size + 1)), buttons=((Button("Done", "told:"),),))
    assert [one.buttons for one in kit.sent()] == [(), ("Done",)]


@having("buttons")
def test_what_a_button_carries_fits_and_comes_as_it_is(kit):
    id_ = kit.ctx.ids.uuid()
    carried = [encode(Press(action, id_)) for action in Action]
    most = "x" * kit.adapter.capabilities.button_bytes
    send(kit, said("Choose"), buttons=tuple((Button("b", data),) for data in (*carried, most)))
    [shown] = kit.sent()
    assert shown.data == (*carried, most)
    assert all(len(data.encode()) <= kit.adapter.capabilities.button_bytes for data in carried)


@having("replies")
def test_a_reply_hangs_on_the_message_that_set_it_off(kit):
    message = kit.hears()
    send(kit, said("Confirm it."), reply_to=message)
    assert [one.reply_to for one in kit.sent()] == [message]


@having("replies")
def test_a_reply_to_a_message_that_was_deleted_is_sent_without_it(kit):
    message = kit.hears()
    kit.deletes(message)
    send(kit, said("Confirm it."), reply_to=message)
    assert [(one.reply_to, one.text) for one in kit.sent()] == [("", "Confirm it.")]


@having("mentions")
def test_the_creator_of_a_reminder_is_pinged_and_whoever_set_it_off_is_not(kit):
    creator = Named("ada", kit.people["ada"])
    send(kit, line("reminder.head", creator=creator, text="Confirm it.", sender="bob", entry="launch"))
    [shown] = kit.sent()
    assert shown.pings == {"ada"}
    assert "bob" in shown.text


@having("mentions")
@pytest.mark.parametrize(
    "text", ["@everyone ship it", "@here", "ask @bob, @channel and @all", "(@bob)", "x\n@bob", "@@bob", "🚀@bob"]
)
def test_words_that_a_person_wrote_ping_nobody(kit, text):
    send(kit, said(text), line("reminder.head", creator="ada", text=text, sender="@bob", entry=text))
    [shown] = kit.sent()
    assert shown.pings == frozenset()


@pytest.mark.parametrize(("kit", "how"), FAILURES, indirect=["kit"])
def test_what_fails_for_now_is_to_be_sent_later_after_the_wait_of_the_platform(kit, how):
    kit.fails(how)
    with pytest.raises(RetryLater) as later:
        send(kit, said("Confirm it."))
    assert later.value.wait == kit.WAITS.get(how)
    assert kit.sent() == []


@every
def test_after_a_connection_was_lost_it_goes_on(kit):
    kit.fails("lost")
    with pytest.raises(RetryLater):
        send(kit, said("one"))
    send(kit, said("two"))
    assert [one.text for one in kit.sent()] == ["two"]


@having("edits")
def test_a_message_of_its_own_gets_other_words_and_buttons(kit):
    [id_] = send(kit, said("Save it?"), buttons=((Button("Yes", "told:"),),)).message_ids
    kit.run(kit.adapter.edit(kit.places["group"], id_, Post(kit.places["group"], (said("Saved."),))))
    assert [(one.id, one.text, one.buttons) for one in kit.sent()] == [(id_, "Saved.", ())]


@having("edits")
def test_a_message_that_is_gone_or_somebody_elses_is_never_edited(kit):
    [id_] = send(kit, said("Save it?")).message_ids
    kit.deletes(id_)
    for message in (id_, kit.hears()):
        with pytest.raises(NeverSent):
            kit.run(kit.adapter.edit(kit.places["group"], message, Post(kit.places["group"], (said("Saved."),))))


@having("reactions")
def test_a_reaction_stands_under_the_message(kit):
    message = kit.hears()
    kit.run(kit.adapter.react(kit.places["group"], message, "👍"))
    assert kit.reactions(message) == ["👍"]


@every
def test_what_the_platform_has_not_is_no_error_when_it_is_asked_for(kit):
    can, group = kit.adapter.capabilities, kit.places["group"]
    send(kit, said("one"), buttons=((Button("Yes", "told:"),),), reply_to=kit.hears())
    [shown] = [one for one in kit.sent() if one.text == "one"]
    if not can.edits:
        kit.run(kit.adapter.edit(group, shown.id, Post(group, (said("two"),))))
    if not can.reactions:
        kit.run(kit.adapter.react(group, shown.id, "👍"))
    assert [one.text for one in kit.sent()] == ["one"]


# what is asked


@every
def test_a_question_is_answered_by_whoever_was_asked_and_by_no_other_owner(kit):
    kit.another_owner()
    kit.says("ada", SENTENCE)
    kit.answers("bob", Choice.YES)
    assert kit.rules() == 0
    kit.says("ada", SENTENCE)
    kit.answers("ada", Choice.YES)
    assert kit.rules() == 1


@every
def test_no_leaves_nothing(kit):
    kit.says("ada", SENTENCE)
    kit.answers("ada", Choice.NO)
    assert kit.rules() == 0


@every
def test_history_is_what_was_said_last_where_there_is_any(kit):
    for text in ("one", "two", "three"):
        kit.hears(text)
    found = [turn.text.text for turn in kit.run(kit.adapter.history(kit.places["group"], 2))]
    assert found == (["two", "three"] if kit.adapter.capabilities.history else [])
    assert list(kit.run(kit.adapter.history(kit.places["threads"], 2))) == []
    assert list(kit.run(kit.adapter.history(kit.places["group"], 0))) == []


@every
def test_who_owns_a_place_is_asked_afresh_each_time(kit):
    group, ada, bob = kit.places["group"], kit.people["ada"], kit.people["bob"]

    def owns(who):
        return kit.run(kit.adapter.is_owner(who, group))

    assert (owns(ada), owns(bob)) == (True, False)
    kit.owner_no_more()
    assert (owns(ada), owns(bob)) == (False, True)


@every
def test_who_is_not_there_owns_nothing(kit):
    stranger = Principal(kit.adapter.provider, kit.adapter.account, "999999")
    assert not kit.run(kit.adapter.is_owner(stranger, kit.places["group"]))
