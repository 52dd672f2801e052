"""Storage contract: a chat that gets another id, the conversations of a channel, people by their names."""

from dataclasses import replace

import pytest

from core.errors import StorageError
from core.standing.intent import OutboxState
from core.turn import Principal, Spot, Visibility, Where
from tests.builders import ADA, NOW
from tests.fakes.stored import an_item, put_fire, put_intent

OLD = Where("telegram", "bot", "-1", "-1", "-1", Visibility.PUBLIC, "Launch", "Launch", "Launch")
NEW = replace(OLD, space="-100", channel="-100", conversation="-100")
TOPIC = replace(NEW, conversation="7", conversation_name="Rollback")


def ensure(store, where, namespace_id="ns-1"):
    with store.write() as tx:
        spot = tx.places.ensure(where, namespace_id)
        tx.commit()
    return spot


def find(store, where):
    with store.read() as tx:
        return tx.places.find(where)


def move(store, old=OLD, new=NEW):
    with store.write() as tx:
        merged = tx.places.move(tx.places.find(old).space, old.space, new.space, tx.places.find(new).space)
        tx.commit()
    return merged


def test_a_moved_chat_is_found_under_both_ids_and_has_the_new_one(store):
    spot = ensure(store, OLD)
    assert move(store) == {}
    assert find(store, NEW) == spot
    assert find(store, OLD) == replace(spot, moved_from="-1")
    with store.read() as tx:
        assert {tx.places.get(key).external_id for key in (spot.space, spot.channel, spot.conversation)} == {"-100"}


def test_ensuring_the_old_id_of_a_moved_chat_stores_nothing(database, store):
    spot = ensure(store, OLD)
    move(store)
    count = database.execute("SELECT count(*) FROM places")
    assert ensure(store, OLD, "ns-2") == replace(spot, moved_from="-1")
    assert ensure(store, NEW, "ns-3") == spot
    assert database.execute("SELECT count(*) FROM places") == count


def test_topics_of_the_new_chat_are_new_conversations_of_the_same_channel(store):
    spot = ensure(store, OLD)
    move(store)
    topic = ensure(store, TOPIC)
    assert (topic.space, topic.channel) == (spot.space, spot.channel)
    assert topic.conversation != spot.conversation


def test_a_chat_that_moves_twice_is_found_under_all_three_ids(store):
    spot, third = ensure(store, OLD), replace(NEW, space="-200", channel="-200", conversation="-200")
    move(store)
    move(store, NEW, third)
    assert find(store, third) == spot
    assert find(store, NEW) == replace(spot, moved_from="-100")
    assert find(store, OLD) == replace(spot, moved_from="-1")


def test_what_was_stored_under_the_new_id_becomes_an_alias(store):
    kept, gone = ensure(store, OLD), ensure(store, NEW, "ns-2")
    merged = move(store)
    assert merged == {
        gone.space: kept.space,
        gone.channel: kept.channel,
        gone.conversation: kept.conversation,
    }
    assert find(store, NEW) == kept
    assert find(store, OLD) == replace(kept, moved_from="-1")
    with store.read() as tx:
        assert [tx.places.get(key).id for key in merged] == list(merged.values())


def test_topics_and_channels_of_the_new_id_go_over_with_the_namespace_of_the_space(store):
    kept = ensure(store, OLD)
    topic = ensure(store, TOPIC, "ns-2")
    side = ensure(store, replace(NEW, channel="side", conversation="side"), "ns-3")
    assert move(store).keys().isdisjoint({topic.conversation, side.channel, side.conversation})
    there = find(store, replace(NEW, channel="side", conversation="side"))
    assert find(store, TOPIC) == replace(kept, conversation=topic.conversation)
    assert there == Spot(kept.space, side.channel, side.conversation, "ns-1", Visibility.PUBLIC)
    with store.read() as tx:
        assert {tx.places.get(key).namespace_id for key in (topic.conversation, side.conversation)} == {"ns-1"}
        assert tx.places.namespaces(kept.space) == ("ns-1",)


def test_a_topic_that_both_have_becomes_one_and_hides_the_plain_chat_from_nobody(store):
    kept = ensure(store, replace(OLD, conversation="7"))
    ensure(store, OLD)
    gone = ensure(store, TOPIC, "ns-2")
    assert move(store)[gone.conversation] == kept.conversation
    assert find(store, TOPIC).conversation == kept.conversation
    assert find(store, OLD).conversation == find(store, NEW).conversation != kept.conversation


def test_an_alias_of_what_is_merged_is_followed_too(store):
    first, second = replace(OLD, space="-9", channel="-9", conversation="-9"), ensure(store, OLD)
    ensure(store, first, "ns-2")
    move(store, first, NEW)
    move(store, OLD, NEW)
    for where in (first, OLD, NEW):
        assert replace(find(store, where), moved_from="") == second


@pytest.mark.parametrize("field", ["provider", "account"])
def test_the_same_ids_of_another_bot_do_not_move(store, field):
    ensure(store, OLD)
    other = ensure(store, replace(OLD, **{field: "other"}), "ns-2")
    taken = ensure(store, replace(NEW, **{field: "other"}), "ns-3")
    assert move(store) == {}
    assert find(store, replace(OLD, **{field: "other"})) == other
    assert find(store, replace(NEW, **{field: "other"})) == taken


def test_messages_of_the_old_chat_and_the_new_one_are_told_apart(store, ids):
    spot = ensure(store, OLD)
    with store.write() as tx:
        intent = put_intent(tx, ids, OLD, source_message_id="4")
        put_fire(tx, ids, intent, message_id="5")
        tx.commit()
    move(store)
    third = replace(NEW, space="-200", channel="-200", conversation="-200")
    with store.write() as tx:
        put_fire(tx, ids, intent, message_id="5")
        tx.commit()
    move(store, NEW, third)
    with store.read() as tx:
        asked = ("5", "5@-1", "5@-100")
        assert [len(tx.fires.of_message(spot.conversation, message)) for message in asked] == [0, 1, 1]
        assert tx.intents.by_id(intent.id).source_message_id == "4@-1"


def test_what_is_owed_to_the_old_chat_goes_to_the_new_one_and_replies_to_nothing(store, ids):
    with store.write() as tx:
        intent = put_intent(tx, ids, OLD)
        queued, sent = put_fire(tx, ids, intent, message_id="5"), put_fire(tx, ids, intent, message_id="6")
        tx.outbox.add(an_item(ids, queued, state=OutboxState.HELD))
        tx.outbox.add(an_item(ids, sent, state=OutboxState.SENT))
        tx.commit()
    move(store)
    with store.read() as tx:
        [item] = tx.outbox.due([intent.conversation], 9)
        assert (item.reply_to, item.state, tx.places.get(item.conversation).external_id) == ("", "held", "-100")
        assert tx.outbox.of_fire(sent.id).reply_to == "6"


def test_fires_messages_and_settings_of_the_new_id_go_over_and_those_of_the_space_win(store, ids):
    kept, gone = ensure(store, OLD), ensure(store, NEW, "ns-2")
    with store.write() as tx:
        intent = put_intent(tx, ids, NEW)
        fire = put_fire(tx, ids, intent, message_id="5")
        tx.outbox.add(an_item(ids, fire))
        for space, zone in ((kept.space, "Asia/Tokyo"), (gone.space, "UTC")):
            tx.records.put_setting(space, "zone", zone)
        tx.records.put_setting(gone.space, "quiet_hours", "22:00-07:00")
        tx.records.put_setting(gone.space, f"mute:{gone.channel}", 7)
        tx.records.put_setting(gone.space, f"mute:{gone.conversation}", 8)
        tx.records.put_setting(kept.space, f"mute:{kept.conversation}", 9)
        tx.commit()
    move(store)
    with store.read() as tx:
        assert tx.records.settings(gone.space) == {}
        assert tx.records.settings(kept.space) == {
            "zone": "Asia/Tokyo",
            "quiet_hours": "22:00-07:00",
            f"mute:{kept.channel}": 7,
            f"mute:{kept.conversation}": 9,
        }
        assert tx.fires.of_message(kept.conversation, "5") == {intent.key}
        assert [item.reply_to for item in tx.outbox.due([kept.conversation], 9)] == ["5"]


def test_a_store_that_remembers_the_old_id_sees_the_move_of_another_one(database, store):
    other = database.open(migrate=False)
    kept, gone = ensure(store, OLD), ensure(store, NEW, "ns-2")

    def looked(where):
        with other.read() as tx:
            return tx.places.look(where).spot

    for _ in range(2):
        assert (looked(OLD), looked(NEW)) == (kept, gone)
    move(store)
    assert (looked(OLD), looked(NEW)) == (replace(kept, moved_from="-1"), kept)


def test_a_move_that_is_rolled_back_leaves_everything_as_it_was(database, store):
    kept, gone = ensure(store, OLD), ensure(store, NEW, "ns-2")
    before = database.execute("SELECT * FROM places ORDER BY id")
    with store.write() as tx:
        tx.places.move(kept.space, "-1", "-100", gone.space)
    assert database.execute("SELECT * FROM places ORDER BY id") == before
    assert (find(store, OLD), find(store, NEW)) == (kept, gone)


@pytest.mark.parametrize("known", [True, False])
def test_a_move_into_a_space_whose_chain_was_not_locked_is_to_be_tried_again(database, store, known):
    kept = ensure(store, OLD)
    gone = ensure(store, NEW, "ns-2").space if known else 0
    with store.write() as tx, pytest.raises(StorageError) as refused:
        tx.places.move(kept.space, "-1", "-100", 0 if known else kept.space)
    assert refused.value.details["retry"]
    assert find(store, NEW).space == gone


def test_the_home_of_an_intent_changes_once_a_version(store, ids):
    spot = ensure(store, OLD)
    with store.write() as tx:
        intent = put_intent(tx, ids, NEW)
        home = {"namespace_id": spot.namespace_id, "space": spot.space, "channel": spot.channel}
        new = replace(intent, conversation=spot.conversation, **home)
        assert tx.intents.rehouse(intent, new)
        assert not tx.intents.rehouse(intent, new)
        assert tx.intents.by_id(intent.id) == replace(new, version=2)


# conversations of a channel


def names(store, where, limit=9):
    with store.read() as tx:
        return [(one.conversation, one.conversation_name) for one in tx.places.conversations(where, limit)]


def test_the_conversations_of_a_channel_are_listed_whole_from_anywhere_in_it(store):
    for where in (NEW, TOPIC, replace(NEW, conversation="12", conversation_name="Beta")):
        ensure(store, where)
    everything = [("-100", "Launch"), ("12", "Beta"), ("7", "Rollback")]
    assert names(store, NEW) == names(store, TOPIC) == names(store, replace(NEW, conversation="99")) == everything
    with store.read() as tx:
        assert tx.places.conversations(NEW, 9)[2] == TOPIC


@pytest.mark.parametrize(("limit", "found"), [(1, 1), (2, 2), (3, 2)])
def test_no_more_conversations_are_listed_than_asked_for(store, limit, found):
    ensure(store, NEW)
    ensure(store, TOPIC)
    assert len(names(store, NEW, limit)) == found


def test_the_conversations_of_a_moved_chat_are_listed_once_under_its_new_id(store):
    ensure(store, OLD)
    ensure(store, TOPIC, "ns-2")
    move(store)
    with store.read() as tx:
        listed = tx.places.conversations(OLD, 9)
    assert [(one.space, one.channel, one.conversation) for one in listed] == [
        ("-100", "-100", "-100"),
        ("-100", "-100", "7"),
    ]


@pytest.mark.parametrize("field", ["provider", "account", "space", "channel"])
def test_the_conversations_of_another_channel_or_bot_are_never_listed(store, field):
    ensure(store, TOPIC)
    other = replace(TOPIC, conversation="8", **{field: "other"})
    ensure(store, other, "ns-2")
    assert [number for number, _ in names(store, TOPIC)] == ["7"]
    assert [number for number, _ in names(store, other)] == ["8"]
    assert names(store, replace(NEW, **{field: "unknown"})) == []


# people by their names


def put_people(store, *people):
    with store.write() as tx:
        for who, name in people:
            tx.places.ensure_principal(who, name)
        tx.commit()


def named(store, name, account="bot", provider="telegram", limit=9):
    with store.read() as tx:
        found = tx.places.people_named(provider, account, name, limit)
    return [(who.user_id, shown) for who, shown in found]


def user(user_id, **fields):
    return replace(Principal("telegram", "bot", user_id), **fields)


@pytest.mark.parametrize("name", ["Ada", "@ada", " ADA ", "aDa"])
def test_people_are_found_by_their_shown_name_in_any_case(store, name):
    put_people(store, (user("2"), "ada"), (user("1"), "@Ada"), (user("3"), "Adam"), (user("4"), "Madame Ada"))
    assert named(store, name) == [("1", "@Ada"), ("2", "ada")]


@pytest.mark.parametrize(("stored", "name"), [("Øystein", "øYSTEIN"), ("Straße", "STRASSE"), ("ИВАН", "иван")])
def test_names_in_any_script_are_folded_alike_on_both_databases(store, stored, name):
    put_people(store, (user("1"), stored))
    assert named(store, name) == [("1", stored)]


@pytest.mark.parametrize("name", ["", "@", "  ", "nobody", "a%", "a_a"])
def test_no_name_and_no_pattern_finds_anybody(store, name):
    put_people(store, (user("1"), ""), (user("2"), "ada"), (user("3"), "@"))
    assert named(store, name) == []


@pytest.mark.parametrize(("limit", "found"), [(1, 1), (2, 2), (3, 2)])
def test_no_more_people_are_found_than_asked_for(store, limit, found):
    put_people(store, (user("1"), "ada"), (user("2"), "Ada"))
    assert len(named(store, "ada", limit=limit)) == found


def test_people_of_another_bot_or_platform_are_never_found(store):
    put_people(store, (user("1"), "ada"), (user("2", account="other"), "ada"), (ADA, "ada"))
    assert named(store, "ada") == [("1", "ada")]
    assert named(store, "ada", account="other") == [("2", "ada")]
    assert named(store, "ada", account="local") == []


# facts and fires


def test_facts_are_listed_between_two_keys_and_forgotten_once(store):
    with store.write() as tx:
        for key in ("a.2", "a.1", "a.10", "b.1", "A.1"):
            tx.records.put_fact(key, f"of {key}")
        assert tx.records.facts("a.", "a/", 9) == (("a.1", "of a.1"), ("a.10", "of a.10"), ("a.2", "of a.2"))
        assert [key for key, _ in tx.records.facts("a.", "a/", 2)] == ["a.1", "a.10"]
        assert [tx.records.drop_fact("a.1"), tx.records.drop_fact("a.1")] == [True, False]
        assert [key for key, _ in tx.records.facts("a.", "a/", 9)] == ["a.10", "a.2"]


def test_open_fires_of_a_space_are_those_owed_to_its_places_and_not_to_people(store, ids):
    with store.write() as tx:
        here, there = put_intent(tx, ids, OLD), put_intent(tx, ids, NEW)
        fires = [put_fire(tx, ids, intent) for intent in (here, here, here, there)]
        tx.outbox.add(an_item(ids, fires[0]))
        tx.outbox.add(an_item(ids, fires[1], recipient=ADA))
        wide = put_fire(tx, ids, there, conversation=here.conversation, fired_at=NOW.replace(hour=11))
        tx.commit()
    with store.read() as tx:
        assert {fire.id for fire in tx.fires.open_in(here.space)} == {fires[0].id, fires[2].id, wide.id}
        assert [fire.id for fire in tx.fires.open_in(there.space)] == [fires[3].id]
