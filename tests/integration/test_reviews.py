"""When the day of an aspiration comes: its owner is told once, whoever ticks and however late."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest

from core.services.aspirations import CloseAspiration, ListAspirations, ReviewAspiration
from core.services.audit import VerifyAudit
from core.services.notices import NoticeKind
from core.services.space_settings import ChangeSetting
from core.services.tell_reviews import FACT, TellReviews
from core.services.tick import Tick
from core.settings import Setting
from core.turn import Visibility
from storage.aspirations import FolderFiles
from tests.builders import ADA, BOB, HOME, NOW, a_place, an_owner
from tests.fakes.aspiring import NEXT, SECOND, add, at_nine, context, the_file
from tests.fakes.interleaved import InterleavedStore
from tests.fakes.notices import kinds, take

LATER = NEXT + timedelta(days=90)
WEEK = timedelta(days=7)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "aspirations"


@pytest.fixture
def ctx(store, clock, ids, folder):
    clock.set(NOW)
    return context(store, clock, ids, folder)


class CountedFiles(FolderFiles):
    """Counts how often a file is read."""

    reads = 0

    def read(self, key):
        self.reads += 1
        return super().read(key)


def due(ctx, clock, day=NEXT):
    clock.set(at_nine(day))
    return Tick(ctx)().reviews


def facts(ctx, folder):
    code = "-".join(the_file(folder).stem.split("-")[-2:])
    with ctx.store.read() as tx:
        return json.loads(tx.records.fact(FACT + code))


def test_the_owner_is_told_at_nine_and_not_a_second_before(ctx, clock):
    item = add(ctx)
    clock.set(at_nine(NEXT) - SECOND)
    assert Tick(ctx)().reviews == 0
    clock.advance(SECOND)
    assert Tick(ctx)().reviews == 1
    assert take(ctx, BOB) is None
    [news] = take(ctx).news
    assert (news.kind, news.handle, news.text) == (NoticeKind.REVIEW, item.handle, "Improve the checklist")
    with ctx.store.read() as tx:
        [last] = tx.operations.of_target(item.handle, 1)
    assert (last.op_type, last.actor_id, json.loads(last.payload)) == (
        "ASPIRATION_DUE",
        "system",
        {"review": str(NEXT)},
    )


def test_nine_is_that_of_the_space_also_when_it_moves(ctx, clock):
    add(ctx)
    Tick(ctx)()
    ChangeSetting(ctx)(Setting.ZONE, "Asia/Tokyo", an_owner(), HOME)
    clock.set(datetime(NEXT.year, NEXT.month, NEXT.day, 0, tzinfo=UTC) - SECOND)
    assert Tick(ctx)().reviews == 0
    clock.advance(SECOND)
    assert Tick(ctx)().reviews == 1


def test_it_is_told_once_however_often_the_heartbeat_beats(ctx, clock):
    add(ctx)
    assert due(ctx, clock) == 1
    assert take(ctx) is not None
    for _ in range(3):
        clock.advance(WEEK)
        assert Tick(ctx)().reviews == 0 and take(ctx) is None


def test_a_heartbeat_that_was_off_for_a_week_tells_it_once(ctx, clock):
    add(ctx)
    assert due(ctx, clock, NEXT + WEEK) == 1
    assert len(take(ctx).news) == 1 and Tick(ctx)().reviews == 0


def test_of_two_heartbeats_at_once_one_tells(ctx, clock):
    for number in range(10):
        add(ctx, f"Number {number}")
    clock.set(at_nine(NEXT))
    together = Barrier(2)

    def tick(_number):
        together.wait()
        return TellReviews(ctx)()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(tick, range(2))) == [0, 10]
    assert len(take(ctx).news) == 10 and all(report.bad is None for report in VerifyAudit(ctx)())


def test_after_another_day_it_is_told_again(ctx, clock):
    item = add(ctx)
    due(ctx, clock)
    take(ctx)
    ReviewAspiration(ctx)(item.handle, LATER, an_owner(), HOME)
    assert due(ctx, clock, LATER - timedelta(days=1)) == 0
    assert due(ctx, clock, LATER) == 1
    assert len(take(ctx).news) == 1


def test_another_day_typed_by_hand_counts_as_well(ctx, clock, folder):
    add(ctx)
    Tick(ctx)()
    path = the_file(folder)
    path.write_text(path.read_text().replace(str(NEXT), str(NEXT - WEEK)))
    assert due(ctx, clock, NEXT - WEEK) == 1 and due(ctx, clock) == 0


def test_what_vanishes_while_an_editor_saves_is_not_told_again(ctx, clock, folder):
    add(ctx)
    due(ctx, clock)
    text = the_file(folder).read_text()
    the_file(folder).write_text("")
    assert Tick(ctx)().reviews == 0
    the_file(folder).write_text(text)
    assert Tick(ctx)().reviews == 0


def test_a_blank_file_is_no_reason_to_drop_a_notice_which_then_comes_without_its_words(ctx, clock, folder):
    item = add(ctx)
    due(ctx, clock)
    the_file(folder).write_text("")
    [news] = take(ctx).news
    assert (news.handle, news.text) == (item.handle, "")


@pytest.mark.parametrize("change", ["done", "review", "out"])
def test_what_was_settled_before_it_was_told_is_not_told(ctx, clock, folder, change):
    item = add(ctx)
    due(ctx, clock)
    if change == "done":
        CloseAspiration(ctx)(item.handle, an_owner(), HOME)
    elif change == "review":
        ReviewAspiration(ctx)(item.handle, LATER, an_owner(), HOME)
    else:
        the_file(folder).write_text("# Empty\n")
    assert take(ctx) is None


def test_what_is_done_or_nobodys_or_of_another_platform_is_not_due(ctx, clock, folder):
    done = add(ctx)
    CloseAspiration(ctx)(done.handle, an_owner(), HOME)
    add(ctx, "Foreign")
    path = the_file(folder)
    foreign = path.read_text().replace(
        "[ ] Foreign — @Ada (review 2027-03-01) <!-- ", "[ ] Foreign (review 2027-03-01) <!-- "
    )
    head, _, last = foreign.rpartition("console:local:ada")
    path.write_text(f"{head}discord:main:ada{last}- By hand (review 2027-03-01)\n")
    assert due(ctx, clock) == 0
    assert len(ListAspirations(ctx)(an_owner(), HOME).taken) == 2
    assert Tick(ctx)().reviews == 2


def test_files_of_private_channels_and_direct_messages_are_told_to_their_owners(ctx, clock):
    vault = a_place("vault", visibility=Visibility.PRIVATE)
    direct = replace(HOME, space="dm", channel="dm", conversation="dm", visibility=Visibility.DIRECT)
    add(ctx, "Vault", where=vault)
    add(ctx, "Direct", where=direct)
    assert due(ctx, clock) == 2
    assert sorted((news.text, news.where.channel) for news in take(ctx).news) == [("Direct", "dm"), ("Vault", "vault")]


def test_quiet_hours_hold_it(ctx, clock):
    ChangeSetting(ctx)(Setting.QUIET_HOURS, "08:00-10:00", an_owner(), HOME)
    add(ctx)
    due(ctx, clock)
    assert take(ctx) is None
    clock.advance(timedelta(hours=1))
    assert kinds(take(ctx)) == [NoticeKind.REVIEW]


def test_files_of_another_store_and_of_no_place_are_left_alone(ctx, clock, folder):
    add(ctx)
    path = the_file(folder)
    place, tag = path.stem.split("-")[-2:]
    for name in (f"x-{place}-{'0' * 8}.md", f"x-999-{tag}.md", f"x-{'9' * 18}-{tag}.md", "notes.md", ".hidden.md"):
        (folder / name).write_text(path.read_text())
    assert due(ctx, clock) == 1


def test_a_file_is_read_only_when_it_changed_or_a_day_has_come(ctx, clock, folder):
    files = CountedFiles(folder, ctx.limits.aspiration_file_bytes)
    ctx = replace(ctx, aspirations=files)
    item = add(ctx)
    files.reads = 0
    Tick(ctx)()
    assert files.reads == 1
    for _ in range(3):
        clock.advance(timedelta(minutes=1))
        Tick(ctx)()
    assert files.reads == 1
    ReviewAspiration(ctx)(item.handle, LATER, an_owner(), HOME)
    files.reads = 0
    due(ctx, clock, LATER)
    Tick(ctx)()
    assert files.reads == 1


def test_many_that_are_due_come_in_chunks_and_none_is_left_out(ctx, clock):
    ctx = replace(ctx, limits=replace(ctx.limits, chunk=3))
    for number in range(7):
        add(ctx, f"Number {number}")
    assert [due(ctx, clock), Tick(ctx)().reviews, Tick(ctx)().reviews, Tick(ctx)().reviews] == [3, 3, 1, 0]


@pytest.mark.parametrize("damage", ["bytes", "folder"])
def test_a_file_that_cannot_be_read_stops_nothing_and_is_read_again_when_it_is_mended(ctx, clock, folder, damage):
    add(ctx)
    path = the_file(folder)
    text = path.read_text()
    if damage == "bytes":
        path.write_bytes(b"\xff")
    else:
        path.unlink()
        path.mkdir()
    assert due(ctx, clock) == 0 and Tick(ctx)().reviews == 0
    if damage == "folder":
        path.rmdir()
    path.write_text(text)
    assert Tick(ctx)().reviews == 1


def test_what_is_remembered_of_lines_that_are_gone_is_bounded(ctx, clock, folder):
    ctx = replace(ctx, limits=replace(ctx.limits, aspirations_per_space=2))
    for number in range(6):
        day = NEXT + timedelta(days=number)
        add(ctx, review=day)
        assert due(ctx, clock, day) == 1
        the_file(folder).write_text("# Empty\n")
    Tick(ctx)()
    assert len(facts(ctx, folder)["told"]) == 4


def test_nothing_due_takes_no_write_lock(ctx):
    blind = replace(ctx, store=InterleavedStore(ctx.store, lambda: pytest.fail("it wrote")))
    assert TellReviews(blind)() == 0 and TellReviews(replace(blind, aspirations=None))() == 0
    add(ctx)
    TellReviews(ctx)()
    assert TellReviews(blind)() == 0


def test_no_words_lie_in_the_outbox_and_none_in_the_facts(ctx, clock, folder):
    add(ctx, "Keep the secret")
    due(ctx, clock)
    with ctx.store.read() as tx:
        bodies = [item.body for item in tx.outbox.owed(ADA, 9)]
    assert len(bodies) == 1 and "secret" not in str(bodies) + str(facts(ctx, folder))
