"""Export and import on real stores: what comes back, what is refused, and that nothing fires before a yes."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, InvalidTransition, LimitExceeded, NotAllowed, NotFound
from core.limits import LIMITS
from core.operations.log import OpType
from core.services.audit import VerifyAudit
from core.services.change_intent import CancelIntent, EditIntent, ResumeIntent
from core.services.confirm_intent import ConfirmIntent
from core.services.context import Context
from core.services.import_plan import Fate
from core.services.portable import ExportIntents, FindUnmapped, ImportIntents, PlanImport
from core.services.read_intents import ListIntents, ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.standing.intent import Change, ChannelScope, CooldownPer, Deliver, Priority, Status
from core.standing.portable import render
from core.standing.portable_reading import parse
from core.standing.remap import Remap
from core.turn import ADMIN, Principal, Visibility, Where
from tests.builders import ADA, BOB, HOME, NOW, a_place, a_turn, an_owner
from tests.fakes.clock import FakeClock
from tests.fakes.documents import a_row
from tests.fakes.ids import SeededIds
from tests.fakes.importing import KEEP, VAULT, bring, create, operations, read, state, version

PLAN = a_place("general", "plan", conversation_name="Plan", channel_name="General", space_name="Home")
CHAT = Where("console", "local", "dm", "dm", "dm", Visibility.DIRECT)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


@pytest.fixture
def other(sqlite_store):
    """A second installation, always on SQLite: the way there and back crosses the databases."""
    return Context(sqlite_store, FakeClock(NOW), SeededIds(2))


def stocked(ctx):
    """One of everything that an export must carry."""
    create(ctx, PLAN, triggers='launch checklist\n"release candidate"', priority=Priority.HIGH, on_edits=True)
    create(ctx, triggers="deploy -staging", anyone=False, cooldown=timedelta(0), max_fires=7)
    create(ctx, triggers="budget", anyone=False, sender=BOB, sender_name="Bob", word_forms=False)
    create(ctx, triggers="回滚负责人; 🚀", channel_scope=ChannelScope.SPACE, cooldown_per=CooldownPer.SENDER)
    create(ctx, VAULT, triggers="secret", except_in=(VAULT,))
    create(ctx, triggers="quiet", except_in=(a_place("ops"), PLAN), deliver=Deliver.PLACE, deliver_to=a_place("ops"))
    create(ctx, triggers="direct", deliver=Deliver.DIRECT, description='Ask <Bob> & "Cyd" 🚀')
    create(ctx, CHAT, triggers="own", channel_scope=ChannelScope.CONVERSATION, cooldown_per=CooldownPer.CONVERSATION)
    create(ctx, actor=an_owner(is_operator=True), triggers="anywhere", channel_scope=ChannelScope.ANYWHERE)
    create(ctx, actor=an_owner(BOB), triggers="launch checklist", expires_in=timedelta(days=365))


def lasting(intents):
    """What an export says of a rule beside its handle, status, times and used fires."""
    return [replace(row, handle="", status=Status.ARMED, fires=0, created_at=NOW) for row in intents]


def watched_unnamed(row):
    """A rule as it is imported where the person it listens to is known: their name is left alone."""
    return row if row.watches is None else replace(row, watches=replace(row.watches, name=""))


def confirm_all(ctx):
    places = {row.handle: row.place for row in ExportIntents(ctx)()}
    waiting = [row for row in ListIntents(ctx)(ADMIN, None, size=100).rows if row.unconfirmed]
    for row in reversed(waiting):
        actor = an_owner(row.creator, is_operator=row.channel_scope is ChannelScope.ANYWHERE)
        assert ConfirmIntent(ctx)(row.handle, actor, places[row.handle], row.version).status is Status.ARMED


def copied(source, target):
    document = render(ExportIntents(source)(), NOW).encode()
    ImportIntents(target)(parse(document, LIMITS), KEEP)
    confirm_all(target)


def test_there_and_back_again_everything_is_as_it_was(ctx, other):
    stocked(ctx)
    first = ExportIntents(ctx)()
    assert [row.entries[0] for row in first][:3] == ["launch checklist", "deploy -staging", "budget"]
    copied(ctx, other)
    assert lasting(ExportIntents(other)()) == lasting(first)
    for row in ListIntents(ctx)(ADMIN, None, size=100).rows:
        CancelIntent(ctx)(row.handle, ADMIN, None)
    assert ExportIntents(ctx)() == ()
    copied(other, ctx)
    assert lasting(ExportIntents(ctx)()) == lasting(map(watched_unnamed, first))
    assert not [report for report in VerifyAudit(ctx)() if report.bad]


def test_an_export_is_the_same_twice_and_holds_no_key_of_the_database(ctx):
    stocked(ctx)
    text = render(ExportIntents(ctx)(), NOW)
    assert text == render(ExportIntents(ctx)(), NOW)
    ids = [value for row in ListIntents(ctx)(ADMIN, None, size=100).rows for value in (row.id, row.description_id)]
    assert not [value for value in ids if value in text]


def test_an_export_holds_what_is_live_and_with_all_what_is_over(ctx, clock):
    gone, brief = create(ctx), create(ctx, triggers="brief", expires_in=timedelta(hours=1))
    CancelIntent(ctx)(gone.handle, an_owner(), HOME)
    clock.advance(hours=1)
    kept = create(ctx, triggers="kept")
    assert [row.handle for row in ExportIntents(ctx)()] == [kept.handle]
    shown = {row.handle: row.status for row in ExportIntents(ctx)(everything=True)}
    assert shown == {gone.handle: Status.CANCELLED, brief.handle: Status.EXPIRED, kept.handle: Status.ARMED}


def test_an_export_is_narrowed_by_person_and_space(ctx):
    away = replace(HOME, space="away")
    mine, theirs, there = create(ctx), create(ctx, actor=an_owner(BOB)), create(ctx, away)
    handles = lambda **narrow: [row.handle for row in ExportIntents(ctx)(**narrow)]  # noqa: E731
    assert handles(creator=BOB) == [theirs.handle]
    assert handles(space=("console", "local", "away")) == [there.handle]
    assert handles(creator=ADA, space=("console", "local", "home")) == [mine.handle]
    with pytest.raises(NotFound):
        ExportIntents(ctx)(creator=Principal("console", "local", "cyd"))
    with pytest.raises(NotFound):
        ExportIntents(ctx)(space=("console", "local", "nowhere"))


# -- what is stored -----------------------------------------------------------------------------------------


def test_an_imported_rule_waits_with_a_fresh_budget(ctx):
    [made] = bring(ctx, a_row(fires=2, status="fired"))
    row = ShowIntent(ctx)(made.handle, ADMIN, None).intent
    assert (row.status, row.unconfirmed, row.armed_at, row.fire_count) == (Status.PENDING, True, None, 0)
    assert (row.created_at, row.creator, row.creator_name) == (NOW, ADA, "Ada")
    [operation] = operations(ctx, row)
    assert (operation.op_type, operation.actor_id) == (OpType.ASSERT, ADMIN.id)
    assert '"imported":true' in operation.payload and "launch" not in operation.payload
    assert made.handle in [one.handle for one in ListIntents(ctx)(an_owner(), HOME).rows]


def test_nothing_fires_from_an_imported_rule_until_its_creator_says_yes(ctx, clock):
    [made] = bring(ctx, a_row())
    assert not ReceiveTurn(ctx)(a_turn()).fires
    for actor in (an_owner(), an_owner(BOB), an_owner(is_operator=True)):
        with pytest.raises(InvalidTransition, match="imported"):
            ResumeIntent(ctx)(made.handle, actor, HOME)
    with pytest.raises(NotAllowed):
        ResumeIntent(ctx)(made.handle, ADMIN, None)
    clock.advance(minutes=1)
    ConfirmIntent(ctx)(made.handle, an_owner(), HOME, version(ctx, made))
    assert not ReceiveTurn(ctx)(a_turn(at=NOW)).fires, "it was said before the yes"
    assert len(ReceiveTurn(ctx)(a_turn(at=clock.now())).fires) == 1


def test_an_import_twice_changes_nothing(ctx):
    rows = (a_row(), a_row(entries=["budget"]), a_row(entries=["Launch  CHECKLIST"]))
    first = bring(ctx, *rows)
    assert [row.fate for row in first] == [Fate.NEW, Fate.NEW, Fate.HERE]
    before = state(ctx)
    again = bring(ctx, *rows)
    assert [row.fate for row in again] == [Fate.HERE] * 3
    assert [row.handle for row in again] == [first[0].handle, first[1].handle, first[0].handle]
    assert state(ctx) == before


def test_what_is_over_in_the_file_is_left_out(ctx):
    before = state(ctx)
    rows = [a_row(status=status, description=None) for status in ("done", "cancelled", "expired")]
    assert [row.fate for row in bring(ctx, *rows)] == [Fate.OVER] * 3
    assert state(ctx) == before


def test_t053_a_dry_run_tells_each_row_and_writes_nothing(ctx):
    create(ctx)
    rows = (a_row(), a_row(entries=["budget"]), a_row(status="done"), a_row(entries=['"open']), a_row(max_fires=0))
    before = state(ctx)
    planned = PlanImport(ctx)(read(*rows), KEEP)
    assert [row.fate for row in planned] == [Fate.HERE, Fate.NEW, Fate.OVER, Fate.REFUSED, Fate.REFUSED]
    assert [row.problems[0].field for row in planned if row.problems] == ["entries", "max_fires"]
    assert state(ctx) == before


def test_a_dry_run_of_new_places_makes_none(ctx):
    before = state(ctx)
    named = a_row({"except": [a_row()["place"]]})
    assert [row.fate for row in PlanImport(ctx)(read(named), KEEP)] == [Fate.NEW]
    assert state(ctx) == before


BAD = [
    ({"description": "a\x07b"}, "description"),
    ({"description": "   "}, "description"),
    ({"description": "x" * 501}, "description"),
    ({"description": None}, "erased"),
    ({"entries": [None]}, "erased"),
    ({"entries": ["-launch"]}, "entries"),
    ({"entries": ["launch; budget"]}, "more than one entry"),
    ({"entries": ["launch\nbudget"]}, "more than one entry"),
    ({"entries": ["launch", "LAUNCH"]}, "entries"),
    ({"entries": ["x"]}, "entries"),
    ({"expires_at": "2026-11-30T10:00:00Z"}, "expires_at"),
    ({"expires_at": "2031-11-30T10:00:00Z"}, "expires_at"),
    (
        {"scope": "anywhere", "place.channel": "vault", "place.conversation": "vault", "place.visibility": "private"},
        "scope",
    ),
    ({"deliver": "place", "deliver_to": a_row({"place.space": "dm"})["place"]}, "general"),
]


@pytest.mark.parametrize(("changes", "told"), BAD)
def test_one_bad_row_keeps_every_row_out(ctx, changes, told):
    before = state(ctx)
    with pytest.raises(InvalidInput) as refused:
        bring(ctx, a_row(entries=["budget"]), a_row(changes))
    assert "1 of 2 rows" in refused.value.sentence and "row 2 (i-7k2m)" in refused.value.sentence
    assert told in refused.value.sentence
    assert state(ctx) == before


def test_of_many_bad_rows_twenty_are_shown(ctx):
    for count, more in ((20, False), (21, True)):
        with pytest.raises(InvalidInput) as refused:
            bring(ctx, *(a_row(entries=["-no"]) for _ in range(count)))
        lines = refused.value.sentence.split("\n")
        assert len([line for line in lines if line.startswith("row ")]) == 20
        assert (lines[-1] == "and 1 more rows") is more


def test_a_creator_and_a_space_get_no_more_rows_than_they_may_have(ctx, clock, ids):
    limits = replace(LIMITS, live_intents_per_creator=3, live_intents_per_space=4)
    small = Context(ctx.store, clock, ids, limits)
    create(small)
    mine = [a_row(entries=[f"word{number}"]) for number in range(3)]
    with pytest.raises(InvalidInput, match="ada would have 4 live rules"):
        bring(small, *mine)
    assert [row.fate for row in PlanImport(small)(read(*mine), KEEP)] == [Fate.NEW, Fate.NEW, Fate.REFUSED]
    theirs = [a_row({"creator.user": "bob"}, entries=[f"word{number}"]) for number in range(2)]
    with pytest.raises(InvalidInput, match="home would have 5 live rules"):
        bring(small, *mine[:2], *theirs)
    assert len(bring(small, *mine[:2], *theirs[:1])) == 3


def test_rules_of_a_private_place_do_not_come_to_where_more_can_read(ctx):
    create(ctx)
    hidden = {"place.channel": "vault", "place.conversation": "vault", "place.visibility": "private"}
    open_it = Remap({("console", "local", "home", "vault"): ("console", "local", "home", "general")}, {ADA: ADA})
    with pytest.raises(InvalidInput, match="more people could read it"):
        bring(ctx, a_row(hidden, entries=["pricing"]), remap=open_it)
    create(ctx, VAULT)
    close_it = Remap({("console", "local", "home", "general"): ("console", "local", "home", "vault")}, {ADA: ADA})
    [made] = bring(ctx, a_row(entries=["budget"]), remap=close_it)
    view = ShowIntent(ctx)(made.handle, ADMIN, None)
    with ctx.store.read() as tx:
        assert view.intent.namespace_id == tx.places.find(VAULT).namespace_id


# -- what stands for what -----------------------------------------------------------------------------------


def test_t055_what_is_not_here_must_be_mapped(ctx):
    create(ctx)
    rows = read(
        a_row({"place.channel": "ops", "place.conversation": "ops"}, entries=["budget"]),
        a_row(
            {"place.conversation": "plan"},
            entries=["budget"],
            sender="named",
            watches=a_row()["creator"] | {"user": "cyd"},
        ),
        a_row({"place.space": "gone"}, status="done"),
    )
    left = FindUnmapped(ctx)(rows, Remap())
    assert [(where.channel, where.conversation) for where in left.places] == [("ops", "ops"), ("general", "plan")]
    assert [person.principal.user_id for person in left.people] == ["cyd"]
    before = state(ctx)
    for use_case in (ImportIntents, PlanImport):
        with pytest.raises(InvalidInput, match="2 places and 1 people"):
            use_case(ctx)(rows, Remap())
    assert state(ctx) == before


def test_a_rule_is_stored_where_and_for_whom_it_was_mapped_to(ctx):
    remap = Remap(
        {("discord", "bot", "42"): ("console", "local", "home")},
        {Principal("discord", "bot", "7"): BOB, Principal("discord", "bot", "8"): ADA},
    )
    person = {"provider": "discord", "account": "bot", "user": "7", "name": "Robert"}
    place = a_row()["place"] | {"provider": "discord", "account": "bot", "space": "42"}
    row = a_row(creator=person, place=place, sender="named", watches=person | {"user": "8"})
    [made] = bring(ctx, row | {"except": [place]}, remap=remap)
    [found] = ExportIntents(ctx)()
    assert (found.place.provider, found.place.space, found.place.channel) == ("console", "home", "general")
    assert (found.creator.principal, found.watches and found.watches.principal) == (BOB, ADA)
    assert found.except_in[0].space == "home"
    assert ConfirmIntent(ctx)(made.handle, an_owner(BOB), HOME, version(ctx, made)).creator_name == "Bob"


def test_names_that_the_store_knows_are_left_alone(ctx):
    create(ctx, replace(HOME, channel_name="Now"))
    bring(ctx, a_row({"place.channel_name": "Then"}, entries=["budget"]))
    assert {row.place.channel_name for row in ExportIntents(ctx)()} == {"Now"}


def stored_names(database, table):
    return dict(database.execute(f"SELECT {'user_id' if table == 'principals' else 'external_id'}, name FROM {table}"))


def test_an_import_renames_nobody_and_no_place_that_is_known(database, store, clock, ids):
    clock.set(NOW)
    ctx = Context(store, clock, ids)
    ops = a_place("ops", channel_name="Ops", space_name="Home", conversation_name="Ops")
    create(ctx, ops)
    create(ctx, actor=replace(an_owner(BOB), name="Bob"))
    places, people = stored_names(database, "places"), stored_names(database, "principals")
    other = {"space_name": "Evil", "channel_name": "Evil", "conversation_name": "Evil"}
    named = a_row()["place"] | {"channel": "ops", "conversation": "ops"} | other
    person = a_row()["creator"] | {"name": "Evil"}
    fields = {"creator": person, "sender": "named", "watches": person | {"user": "bob"}, "except": [named]}
    bring(ctx, a_row(fields, deliver="place", deliver_to=named), a_row({"creator": person}, entries=["budget"]))
    assert (stored_names(database, "places"), stored_names(database, "principals")) == (places, people)
    rows = [row for row in ListIntents(ctx)(ADMIN, None, size=100).rows if row.unconfirmed]
    assert {(row.creator_name, row.watches_name) for row in rows} == {("", "")}


def test_what_is_new_comes_with_its_names(database, store, clock, ids):
    clock.set(NOW)
    ctx = Context(store, clock, ids)
    ops = a_row()["place"] | {"channel": "ops", "conversation": "ops", "channel_name": "Ops"}
    person = a_row()["creator"] | {"user": "bob", "name": "Bob"}
    fields = {"sender": "named", "watches": person, "except": [ops], "place.channel_name": "General"}
    bring(ctx, a_row(fields), a_row(fields, entries=["budget"]))
    names = stored_names(database, "places") | stored_names(database, "principals")
    assert {key: names[key] for key in ("ada", "bob")} == {"ada": "Ada", "bob": "Bob"}
    channels = dict(database.execute("SELECT external_id, name FROM places WHERE kind = 'channel'"))
    assert channels == {"general": "General", "ops": "Ops"}
    rows = ListIntents(ctx)(ADMIN, None, size=100).rows
    assert {(row.creator_name, row.watches_name) for row in rows} == {("Ada", "Bob")}


def test_an_import_of_as_many_rows_as_a_space_can_have_fits_and_one_more_does_not():
    assert LIMITS.import_rows == LIMITS.live_intents_per_space
    rows = [a_row(entries=[f"word{number}"]) for number in range(LIMITS.import_rows + 1)]
    assert len(read(*rows[:-1])) == LIMITS.import_rows
    with pytest.raises(LimitExceeded, match="1001 rows"):
        read(*rows)


def test_an_export_never_holds_erased_words(ctx):
    row = create(ctx, triggers="mango tree; plum", description="Water it.")
    with ctx.store.read() as tx:
        old = tx.intents.wordings(row.key)
    EditIntent(ctx)(row.handle, Change(triggers="cherry", description="Prune it."), an_owner(), HOME)
    with ctx.store.write() as tx:
        for content_id, _ in (*old, *tx.intents.wordings(row.key)):
            assert tx.records.erase_content(content_id)
        tx.commit()
    [found] = ExportIntents(ctx)()
    assert (found.description, found.entries) == (None, (None,))
    text = render(ExportIntents(ctx)(everything=True), NOW)
    assert not [word for word in ("mango", "plum", "cherry", "Water", "Prune") if word in text]


def test_two_imports_at_once_store_each_rule_once(database, clock, ids):
    clock.set(NOW)
    stores = [database.open(migrate=False) for _ in range(2)]
    contexts = [Context(store, clock, SeededIds(number)) for number, store in enumerate(stores)]
    rows = read(*(a_row(entries=[f"word{number}"]) for number in range(5)))
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda ctx: ImportIntents(ctx)(rows, KEEP), contexts))
    assert sorted(sum(row.fate is Fate.NEW for row in planned) for planned in done) == [0, 5]
    assert ListIntents(contexts[0])(ADMIN, None).total == 5


def test_what_others_make_meanwhile_is_not_lost(database, clock):
    clock.set(NOW)
    stores = [database.open(migrate=False) for _ in range(2)]
    importer, maker = (Context(store, clock, SeededIds(number)) for number, store in enumerate(stores))
    rows = read(*(a_row(entries=[f"word{number}"]) for number in range(20)))
    with ThreadPoolExecutor(2) as pool:
        done = pool.submit(ImportIntents(importer), rows, KEEP)
        made = [create(maker, triggers=f"own{number}", actor=an_owner(BOB)) for number in range(10)]
        assert len(done.result()) == 20
    assert ListIntents(importer)(ADMIN, None).total == 30
    assert {row.handle for row in made} <= {row.handle for row in ListIntents(importer)(ADMIN, None, size=100).rows}
    assert not [report for report in VerifyAudit(importer)() if report.bad]
