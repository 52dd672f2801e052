"""Storage contract: places, their namespaces and people."""

from dataclasses import replace

import pytest

from core.errors import NotFound
from core.services.context import Context
from core.standing.intent import ChannelScope
from core.turn import PlaceKind, Principal, Spot, Visibility, Where
from storage.link import Link
from storage.memory import Known, PlaceMemory
from tests.builders import ADA, BOB, HOME, a_place
from tests.fakes import chats
from tests.fakes.stored import file_intent, put_intent

CHAT = Where("console", "local", "dm-1", "dm-1", "dm-1", Visibility.DIRECT)
VAULT = a_place("vault", visibility=Visibility.PRIVATE)


def ensure(store, where, namespace_id="ns-1"):
    with store.write() as tx:
        spot = tx.places.ensure(where, namespace_id)
        tx.commit()
    return spot


def find(store, where):
    with store.read() as tx:
        return tx.places.find(where)


def test_an_unknown_place_is_found_as_zeros_with_the_visibility_of_the_turn(store):
    assert find(store, VAULT) == Spot(0, 0, 0, "", Visibility.PRIVATE)


def test_what_was_ensured_is_found_again(store):
    spot = ensure(store, a_place(thread="thread-1"))
    assert 0 not in (spot.space, spot.channel, spot.conversation)
    assert spot.namespace_id == "ns-1"
    assert find(store, a_place(thread="thread-1")) == spot


def test_ensuring_twice_changes_nothing(store):
    assert ensure(store, HOME, "ns-1") == ensure(store, HOME, "ns-2")


def test_a_plain_channel_and_its_conversation_are_two_places(store):
    spot = ensure(store, HOME)
    assert spot.channel != spot.conversation


def test_a_new_thread_of_a_known_channel_is_found_with_conversation_zero(store):
    spot = ensure(store, HOME)
    assert find(store, a_place(thread="thread-9")) == replace(spot, conversation=0)


def test_an_unknown_public_channel_of_a_known_space_has_the_namespace_of_the_space(store):
    spot = ensure(store, HOME)
    assert find(store, a_place("random")) == Spot(spot.space, 0, 0, "ns-1", Visibility.PUBLIC)


def test_an_unknown_private_channel_of_a_known_space_has_no_namespace_yet(store):
    spot = ensure(store, HOME)
    assert find(store, VAULT) == Spot(spot.space, 0, 0, "", Visibility.PRIVATE)


def test_a_public_channel_shares_the_namespace_of_its_space(store):
    assert ensure(store, HOME, "ns-1").namespace_id == ensure(store, a_place("random"), "ns-2").namespace_id


def test_a_private_channel_gets_a_namespace_of_its_own(store):
    ensure(store, HOME, "ns-1")
    spot = ensure(store, VAULT, "ns-2")
    assert (spot.namespace_id, spot.visibility) == ("ns-2", Visibility.PRIVATE)
    with store.read() as tx:
        assert tx.places.get(spot.space).namespace_id == "ns-1"
        assert tx.places.get(spot.conversation).namespace_id == "ns-2"
        assert tx.operations.namespaces() == ("ns-1", "ns-2", "system")


def test_a_new_space_first_seen_through_a_private_channel_gets_a_second_namespace(store):
    spot = ensure(store, VAULT, "ns-1")
    assert spot.namespace_id == "ns-1"
    assert ensure(store, HOME, "ns-2").namespace_id == "ns-1/space"


def test_a_private_channel_stays_private_and_a_namespace_is_fixed_at_first_use(store):
    spot = ensure(store, VAULT)
    opened = replace(VAULT, visibility=Visibility.PUBLIC)
    assert find(store, opened) == spot
    assert ensure(store, opened, "ns-2") == spot


def test_a_public_channel_that_a_turn_tells_to_be_private_is_private_before_it_is_stored(store):
    spot = ensure(store, HOME)
    shut = replace(HOME, visibility=Visibility.PRIVATE)
    for _ in range(2):
        with store.read() as tx:
            assert tx.places.look(shut).spot == tx.places.find(shut) == replace(spot, visibility=Visibility.PRIVATE)
            assert spot.space not in tx.places.look(shut).spot.scope_keys()
            assert tx.places.look(HOME).spot == tx.places.find(HOME) == spot, "nothing is stored by reading"


def test_a_channel_that_became_private_is_stored_so_with_its_threads_and_stays_so(store):
    thread = a_place(thread="thread-1")
    spot, inner = ensure(store, HOME), ensure(store, thread)
    with store.read() as tx:
        assert tx.places.look(HOME).spot.visibility is Visibility.PUBLIC
    shut = ensure(store, replace(HOME, visibility=Visibility.PRIVATE), "ns-2")
    assert shut == replace(spot, visibility=Visibility.PRIVATE), "its namespace is that of its space"
    assert ensure(store, HOME, "ns-3") == find(store, HOME) == shut
    assert find(store, thread) == replace(inner, visibility=Visibility.PRIVATE)
    with store.read() as tx:
        assert tx.places.look(HOME).spot == shut
        kinds = {tx.places.get(key).visibility for key in (spot.channel, spot.conversation, inner.conversation)}
        assert kinds == {Visibility.PRIVATE}
        assert tx.places.get(spot.space).visibility is Visibility.PUBLIC


def test_rules_of_a_channel_that_became_private_are_filed_under_it_and_others_are_not(store, ids):
    home = ensure(store, HOME)
    with store.write() as tx:
        for where in (HOME, a_place("random")):
            file_intent(tx, put_intent(tx, ids, where, channel_scope=ChannelScope.SPACE), "launch")
        tx.commit()
    shut = ensure(store, replace(HOME, visibility=Visibility.PRIVATE))
    with store.read() as tx:
        counts = {scope.key: scope.rows for scope in tx.index.scopes((home.space, *shut.scope_keys()))}
    assert counts == {home.space: 1, home.channel: 1}


def test_a_direct_message_is_one_namespace(store):
    spot = ensure(store, CHAT)
    assert (spot.namespace_id, spot.visibility) == ("ns-1", Visibility.DIRECT)
    with store.read() as tx:
        assert {tx.places.get(key).namespace_id for key in (spot.space, spot.channel, spot.conversation)} == {"ns-1"}
        assert tx.operations.namespaces() == ("ns-1", "system")


def test_namespaces_know_their_kind_and_place(database, store):
    home, vault, chat = ensure(store, HOME, "a"), ensure(store, VAULT, "b"), ensure(store, CHAT, "c")
    rows = database.execute("SELECT id, kind, place_id FROM namespaces ORDER BY id")
    assert rows == [
        ("a", "space", home.space),
        ("b", "private_channel", vault.channel),
        ("c", "direct", chat.space),
        ("system", "system", None),
    ]


@pytest.mark.parametrize("field", ["provider", "account", "space"])
def test_the_same_ids_elsewhere_are_other_places(store, field):
    here = ensure(store, HOME)
    there = ensure(store, replace(HOME, **{field: "other"}), "ns-2")
    assert {here.space, here.channel, here.conversation}.isdisjoint({there.space, there.channel, there.conversation})
    assert here.namespace_id != there.namespace_id


def test_the_same_topic_number_in_two_channels_is_two_conversations(store):
    one = ensure(store, a_place("general", "7"))
    two = ensure(store, a_place("random", "7"))
    assert one.conversation != two.conversation


def test_a_rename_is_stored_and_an_empty_name_is_not(store):
    spot = ensure(store, replace(HOME, space_name="Home", channel_name="general", conversation_name="general"))
    ensure(store, replace(HOME, space_name="Castle"))
    with store.read() as tx:
        assert tx.places.get(spot.space).name == "Castle"
        assert tx.places.get(spot.channel).name == "general"


def test_a_name_that_no_database_keeps_is_shown_without_the_bad_characters(store):
    spot = ensure(store, replace(HOME, space_name="a\0b\ud800c"))
    with store.read() as tx:
        assert tx.places.get(spot.space).name.startswith("a\ufffdb\ufffd")


def test_get_returns_the_whole_place(store):
    spot = ensure(store, HOME)
    with store.read() as tx:
        place = tx.places.get(spot.channel)
    assert (place.provider, place.account, place.external_id) == ("console", "local", "general")
    assert (place.kind, place.parent_id, place.visibility) == (
        PlaceKind.CHANNEL,
        spot.space,
        Visibility.PUBLIC,
    )


def test_an_unknown_place_id_is_not_found(store):
    with store.read() as tx, pytest.raises(NotFound):
        tx.places.get(999)


def test_find_is_one_statement(sqlite_store, monkeypatch):
    ensure(sqlite_store, HOME)
    seen = []
    rows = Link.rows
    monkeypatch.setattr(Link, "rows", lambda *args: seen.append(args) or rows(*args))
    find(sqlite_store, HOME)
    assert len(seen) == 1


def test_an_unknown_person_has_key_zero(store):
    with store.read() as tx:
        assert tx.places.principal_key(None) == 0
        assert tx.places.principal_key(ADA) == 0


def test_a_person_is_stored_once_and_renamed(database, store):
    with store.write() as tx:
        ada = tx.places.ensure_principal(ADA, "Ada")
        bob = tx.places.ensure_principal(BOB, "Bob")
        assert tx.places.ensure_principal(ADA, "Countess") == ada
        assert tx.places.ensure_principal(ADA, "") == ada
        assert tx.places.principal_key(ADA) == ada != bob
        tx.commit()
    assert database.execute("SELECT name FROM principals ORDER BY id") == [("Countess",), ("Bob",)]


@pytest.mark.parametrize("field", ["provider", "account", "user_id"])
def test_a_person_is_provider_account_and_id_together(store, field):
    other = Principal(**{"provider": "console", "account": "local", "user_id": "ada"} | {field: "x"})
    with store.write() as tx:
        assert tx.places.ensure_principal(ADA, "") != tx.places.ensure_principal(other, "")


def test_what_is_remembered_of_an_unknown_channel_does_not_make_a_private_one_public(store, ids):
    with store.write() as tx:
        home = put_intent(tx, ids, channel_scope=ChannelScope.SPACE)
        file_intent(tx, home, "launch")
        tx.commit()
    vault = a_place("vault")
    for visibility in (Visibility.PUBLIC, Visibility.PRIVATE, Visibility.PUBLIC, Visibility.PRIVATE):
        with store.read() as tx:
            look = tx.places.look(replace(vault, visibility=visibility))
        assert look.spot.visibility is visibility
        assert bool(look.scopes) is (visibility is Visibility.PUBLIC), "a private channel does not hear its space"


def test_an_unknown_channel_that_another_process_stores_is_known_at_once(database, store, ids):
    other = database.open()
    with store.write() as tx:
        tx.places.ensure(HOME, ids.uuid())
        tx.commit()
    new = a_place("new", "thread")
    for _ in range(2):
        with store.read() as tx:
            assert tx.places.look(new).spot.channel == 0
    with other.write() as tx:
        spot = tx.places.ensure(new, ids.uuid())
        tx.commit()
    with store.read() as tx:
        assert tx.places.look(new).spot == spot


@pytest.mark.parametrize(("places", "kept"), [(2, 2), (3, 1)])
def test_places_and_people_are_remembered_up_to_the_bound(places, kept):
    memory = PlaceMemory(size=2)
    spot = Spot(1, 2, 3, "ns", Visibility.PUBLIC)
    for number in range(places):
        memory.keep(("console", "local", "home", f"c{number}", "c", Visibility.PUBLIC), Known(1, None, spot, (0,), {}))
        memory.keep_person(replace(ADA, user_id=f"u{number}"), number + 1)
    assert (len(memory._known), len(memory._people)) == (kept, kept), "emptied when full"


def test_the_spaces_of_a_login_are_found_without_direct_messages_and_those_of_others(store):
    for where in (HOME, VAULT, CHAT, replace(HOME, space="work", space_name="Work"), replace(HOME, account="other")):
        ensure(store, where)
    ensure(store, replace(HOME, provider="discord"))
    with store.read() as tx:
        found = tx.places.spaces("console", "local")
        assert tx.places.spaces("console", "nobody") == ()
    assert sorted(where.space for where in found) == ["home", "work"]
    assert {where.space: where.space_name for where in found}["work"] == "Work"
    assert {find(store, where).space for where in found} == {
        find(store, HOME).space,
        find(store, replace(HOME, space="work")).space,
    }


def test_a_space_that_moved_is_found_under_its_newest_id_alone(store, clock, ids):
    ctx = Context(store, clock, ids)
    chats.create(ctx)
    assert chats.move(ctx)
    assert chats.move(ctx, chats.NEW, replace(chats.NEW, space="-200"))
    with store.read() as tx:
        assert [where.space for where in tx.places.spaces("telegram", "bot")] == ["-200"]
