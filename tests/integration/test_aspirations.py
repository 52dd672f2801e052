"""Aspirations on real stores: who may do what, what stands in the file, what goes on record."""

import json
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from threading import Barrier

import pytest

from core.aspirations.dates import default_review
from core.aspirations.document import Trouble
from core.errors import InvalidInput, InvalidTransition, LimitExceeded, NotAllowed, NotFound, StorageError
from core.limits import LIMITS
from core.operations.log import content_hash
from core.services.aspirations import AddAspiration, CloseAspiration, ListAspirations, ReviewAspiration
from core.services.audit import VerifyAudit
from core.turn import ADMIN, Visibility
from storage.aspirations import FolderFiles
from tests.builders import ADA, BOB, HOME, NOW, a_member, a_place, an_owner
from tests.fakes.aspiring import NEXT, add, add_and_die, context, the_file
from tests.fakes.interleaved import InterleavedStore

LATER = NEXT + timedelta(days=90)
VAULT = a_place("vault", visibility=Visibility.PRIVATE)
DIRECT = replace(HOME, space="dm", channel="dm", conversation="dm", visibility=Visibility.DIRECT)
CAROL = an_owner(replace(ADA, user_id="carol"))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "aspirations"


@pytest.fixture
def ctx(store, clock, ids, folder):
    clock.set(NOW)
    return context(store, clock, ids, folder)


def listed(ctx, actor=None, where=HOME, **wanted):
    return ListAspirations(ctx)(actor or an_owner(), where, **wanted)


def texts(ctx, actor=None, where=HOME, **wanted):
    return [item.text for item in listed(ctx, actor, where, **wanted).rows]


def operations(ctx, handle):
    with ctx.store.read() as tx:
        return [(row.op_type, json.loads(row.payload)) for row in reversed(tx.operations.of_target(handle, 99))]


def type_by_hand(folder, old, new):
    path = the_file(folder)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


# adding


def test_an_aspiration_is_a_line_of_the_spaces_file_and_one_operation(ctx, folder):
    kept = AddAspiration(ctx)("Improve the checklist", NEXT, an_owner(), a_place(space_name="Launch Team"))
    assert kept.file.startswith("aspirations/launch-team-") and the_file(folder).name in kept.file
    lines = the_file(folder).read_text().splitlines()
    assert lines[0] == "# Aspirations of Launch Team"
    handle = kept.item.handle
    line = f"- [ ] Improve the checklist — @Ada (review 2027-03-01) <!-- {handle} console:local:ada -->"
    assert lines[-1] == line
    [(kind, facts)] = operations(ctx, handle)
    assert (kind, facts["handle"], facts["review"]) == ("ASSERT", handle, "2027-03-01")
    assert facts["creator"] == ["console", "local", "ada"] and "checklist" not in json.dumps(facts)
    [[content_id, digest]] = facts["words"]
    with ctx.store.read() as tx:
        assert tx.records.content(content_id) == "Improve the checklist"
    assert digest != content_hash(b"", "Improve the checklist")
    assert all(report.bad is None for report in VerifyAudit(ctx)())


def test_no_day_means_the_end_of_the_quarter_in_the_zone_of_the_space(ctx):
    kept = AddAspiration(ctx)("Improve", None, an_owner(), HOME)
    assert (kept.chosen, kept.item.review) == (True, default_review(NOW.date()))
    assert not AddAspiration(ctx)("Improve", NEXT, an_owner(), HOME).chosen


@pytest.mark.parametrize("actor", [a_member(), ADMIN])
def test_only_owners_add_and_nothing_is_left_of_a_refusal(ctx, folder, actor):
    with pytest.raises(NotAllowed):
        add(ctx, actor=actor)
    assert not folder.exists()


@pytest.mark.parametrize("day", [NOW.date(), NOW.date() + LIMITS.aspiration_ahead + timedelta(days=1)])
def test_a_day_that_is_past_or_too_far_is_refused(ctx, folder, day):
    with pytest.raises(InvalidInput):
        add(ctx, review=day)
    assert not folder.exists()


@pytest.mark.parametrize(("count", "fits"), [(3, True), (4, False)])
def test_a_space_has_so_many_open_ones(ctx, count, fits):
    ctx = replace(ctx, limits=replace(ctx.limits, aspirations_per_space=3))
    first, *_ = [add(ctx) for _ in range(3)]
    if fits:
        CloseAspiration(ctx)(first.handle, an_owner(), HOME)
        add(ctx)
    else:
        with pytest.raises(LimitExceeded, match="3 open aspirations"):
            add(ctx)
    assert listed(ctx).total == 3


def test_a_file_that_would_be_too_long_is_refused_before_anything_is_kept(ctx, folder):
    add(ctx)
    size = the_file(folder).stat().st_size
    full = replace(ctx, aspirations=FolderFiles(folder, size))
    with pytest.raises(LimitExceeded, match="longer than"):
        add(full)
    assert the_file(folder).stat().st_size == size
    with ctx.store.read() as tx:
        assert sum(tx.operations.head(name)[0] for name in tx.operations.namespaces()) == 1


def test_where_no_files_are_kept_that_is_said(ctx):
    bare = replace(ctx, aspirations=None)
    for use in (lambda: add(bare), lambda: listed(bare), lambda: CloseAspiration(bare)("a-7k2m", an_owner(), HOME)):
        with pytest.raises(NotAllowed, match="No aspirations are kept here"):
            use()


# namespaces


def test_each_namespace_has_a_file_of_its_own_and_reads_no_other(ctx, folder):
    for where in (HOME, VAULT, DIRECT, replace(HOME, space="away")):
        add(ctx, where.channel + where.space, where=where)
    assert len(list(folder.glob("*.md"))) == 4
    assert texts(ctx) == ["generalhome"] and texts(ctx, where=a_place("ops")) == ["generalhome"]
    assert texts(ctx, where=VAULT) == ["vaulthome"] and texts(ctx, where=DIRECT) == ["dmdm"]
    handle = listed(ctx, where=VAULT).rows[0].handle
    with pytest.raises(NotFound):
        CloseAspiration(ctx)(handle, an_owner(), HOME)


def test_a_place_that_nobody_used_has_none_and_is_not_stored_by_looking(ctx):
    assert listed(ctx, where=VAULT).rows == ()
    with pytest.raises(NotFound):
        CloseAspiration(ctx)("a-7k2m", an_owner(), VAULT)
    with ctx.store.read() as tx:
        assert not tx.places.find(VAULT).namespace_id


def test_a_renamed_space_keeps_its_file(ctx, folder):
    add(ctx, where=replace(HOME, space_name="Old"))
    name = the_file(folder).name
    add(ctx, where=replace(HOME, space_name="New"))
    assert the_file(folder).name == name and listed(ctx).total == 2


# rights


def test_owners_see_all_others_their_own_and_the_rest_nothing(ctx):
    add(ctx, "Of Ada")
    add(ctx, "Of Bob", actor=an_owner(BOB))
    assert sorted(texts(ctx)) == sorted(texts(ctx, CAROL)) == ["Of Ada", "Of Bob"]
    assert texts(ctx, a_member()) == ["Of Bob"]
    assert texts(ctx, a_member(CAROL.principal)) == texts(ctx, ADMIN) == []


def test_a_refusal_is_the_same_for_not_yours_and_does_not_exist(ctx):
    item = add(ctx)
    said = set()
    for handle in (item.handle, "a-0000"):
        for change in (
            lambda h: CloseAspiration(ctx)(h, a_member(), HOME),
            lambda h: ReviewAspiration(ctx)(h, LATER, a_member(), HOME),
        ):
            with pytest.raises(NotFound) as refused:
                change(handle)
            said.add(str(refused.value).replace(handle, "?"))
    assert len(said) == 1 and len(operations(ctx, item.handle)) == 1


def test_a_creator_who_is_no_owner_any_more_closes_their_own(ctx):
    mine, other = add(ctx, actor=an_owner(BOB)), add(ctx)
    assert CloseAspiration(ctx)(mine.handle.upper(), a_member(), HOME).item.done
    with pytest.raises(NotFound):
        CloseAspiration(ctx)(other.handle, a_member(), HOME)


def test_a_display_name_is_no_identity(ctx, folder):
    add(ctx)
    type_by_hand(folder, "@Ada", "@Bob")
    assert texts(ctx, a_member()) == []


# changing


def test_another_day_and_a_tick_are_one_operation_each_and_change_one_line(ctx, folder):
    one, two = add(ctx, "One"), add(ctx, "Two")
    before = the_file(folder).read_text()
    ReviewAspiration(ctx)(one.handle, LATER, an_owner(), HOME)
    CloseAspiration(ctx)(two.handle, an_owner(), HOME)
    wanted = before.replace("[ ] Two", "[x] Two").replace(
        "One — @Ada (review 2027-03-01)", f"One — @Ada (review {LATER})"
    )
    assert the_file(folder).read_text() == wanted
    assert operations(ctx, one.handle)[1:] == [("EDITED", {"review": ["2027-03-01", str(LATER)]})]
    assert operations(ctx, two.handle)[1:] == [("ASPIRATION_DONE", {"from": "open", "to": "done"})]


def test_what_is_done_or_would_not_change_is_refused(ctx):
    item = add(ctx)
    with pytest.raises(InvalidInput, match="has that day already"):
        ReviewAspiration(ctx)(item.handle, NEXT, an_owner(), HOME)
    with pytest.raises(InvalidInput, match="is over"):
        ReviewAspiration(ctx)(item.handle, NOW.date(), an_owner(), HOME)
    CloseAspiration(ctx)(item.handle, an_owner(), HOME)
    for change in (
        lambda: CloseAspiration(ctx)(item.handle, an_owner(), HOME),
        lambda: ReviewAspiration(ctx)(item.handle, LATER, an_owner(), HOME),
    ):
        with pytest.raises(InvalidTransition, match="done already"):
            change()
    assert len(operations(ctx, item.handle)) == 2


# by hand


def test_what_was_typed_by_hand_is_the_owners_who_lists_it_first(ctx, folder):
    add(ctx)
    with the_file(folder).open("a") as lines:
        lines.write("\n* Answer faster — @bob (review 2027-06-01)\n- no day\n")
    assert texts(ctx, a_member()) == []
    found = listed(ctx, an_owner(BOB))
    [handle] = found.taken
    item = next(item for item in found.rows if item.handle == handle)
    assert (item.text, item.owner, item.review) == ("Answer faster — @bob", BOB, date(2027, 6, 1))
    line = f"\n* Answer faster — @bob — @Bob (review 2027-06-01) <!-- {handle} console:local:bob -->\n- no day\n"
    assert the_file(folder).read_text().endswith(line)
    [(kind, facts)] = operations(ctx, handle)
    assert (kind, facts["typed"], facts["creator"][2]) == ("ASSERT", "by hand", "bob")
    assert [problem.trouble for problem in found.problems] == [Trouble.NO_DATE]
    assert listed(ctx).taken == () and texts(ctx, a_member()) == ["Answer faster — @bob"]


def test_a_copied_line_gets_a_name_of_its_own_and_stays_its_owners(ctx, folder):
    item = add(ctx, actor=an_owner(BOB))
    line = the_file(folder).read_text().splitlines()[-1]
    type_by_hand(folder, line, f"{line}\n{line}")
    found = listed(ctx)
    assert len({row.handle for row in found.rows}) == 2 and item.handle in {row.handle for row in found.rows}
    assert {row.owner for row in found.rows} == {BOB}


def test_somebody_who_cannot_be_of_this_space_owns_nothing_in_it(ctx, folder):
    item = add(ctx)
    type_by_hand(folder, "console:local:ada", "discord:other:ada")
    assert texts(ctx, a_member()) == []
    assert listed(ctx).taken == (item.handle,)


def test_a_list_is_sorted_by_day_and_paged_and_what_is_done_is_shown_when_asked_for(ctx):
    ctx = replace(ctx, limits=replace(ctx.limits, page=2))
    for number in (3, 1, 2):
        last = add(ctx, f"Number {number}", NEXT + timedelta(days=number))
    CloseAspiration(ctx)(last.handle, an_owner(), HOME)
    assert texts(ctx) == ["Number 1", "Number 3"]
    assert texts(ctx, all=True, page=2) == ["Number 2"]
    found = listed(ctx, all=True, page=99)
    assert (found.page, found.pages, found.total) == (2, 2, 3)


def test_a_file_that_cannot_be_read_is_told_and_left_as_it_is(ctx, folder):
    item = add(ctx)
    the_file(folder).write_bytes(b"\xff")
    for use in (lambda: listed(ctx), lambda: add(ctx), lambda: CloseAspiration(ctx)(item.handle, an_owner(), HOME)):
        with pytest.raises(StorageError, match="no UTF-8"):
            use()
    assert the_file(folder).read_bytes() == b"\xff"


# at the same moment


class EditedFiles(FolderFiles):
    """Somebody saves the file between the program's look at it and its write, so many times."""

    times = 1

    def replace(self, key, expected, text):
        if self.times:
            self.times -= 1
            with (self._folder / the_file(self._folder).name).open("a") as lines:
                lines.write(f"typed {self.times}\n")
        return super().replace(key, expected, text)


@pytest.mark.parametrize(("times", "done"), [(LIMITS.aspiration_tries - 1, True), (LIMITS.aspiration_tries, False)])
def test_what_a_person_saves_at_the_same_moment_stays_and_the_change_is_made_to_it(ctx, folder, times, done):
    item = add(ctx)
    files = EditedFiles(folder, LIMITS.aspiration_file_bytes)
    files.times = times
    busy = replace(ctx, aspirations=files)
    if done:
        CloseAspiration(busy)(item.handle, an_owner(), HOME)
    else:
        with pytest.raises(StorageError, match="kept changing the file"):
            CloseAspiration(busy)(item.handle, an_owner(), HOME)
    text = the_file(folder).read_text()
    assert all(f"typed {number}\n" in text for number in range(times)) and ("[x]" in text) is done
    assert len(operations(ctx, item.handle)) == 1 + done


def test_one_that_a_person_took_out_meanwhile_is_not_there_any_more(ctx, folder):
    item = add(ctx)
    late = replace(ctx, store=InterleavedStore(ctx.store, lambda: the_file(folder).write_text("# Empty\n")))
    with pytest.raises(NotFound):
        CloseAspiration(late)(item.handle, an_owner(), HOME)
    assert the_file(folder).read_text() == "# Empty\n" and len(operations(ctx, item.handle)) == 1


def test_of_many_who_add_at_once_everybody_finds_theirs(ctx, folder):
    together = Barrier(4)
    add(ctx, "First")

    def adding(number):
        together.wait()
        return [add(ctx, f"By {number}, {turn}") for turn in range(5)]

    with ThreadPoolExecutor(4) as pool:
        items = [item for some in pool.map(adding, range(4)) for item in some]
    assert sorted(texts(replace(ctx, limits=replace(ctx.limits, page=99)))) == sorted(
        ["First", *(item.text for item in items)]
    )
    assert len({item.handle for item in items}) == 20
    assert all(report.bad is None for report in VerifyAudit(ctx)())


def test_who_is_killed_between_file_and_database_loses_a_record_and_no_words(ctx, database, folder):
    args = (database.url, database.schema, str(folder))
    child = multiprocessing.get_context("spawn").Process(target=add_and_die, args=args)
    child.start()
    child.join(60)
    assert child.exitcode == 9
    [item] = listed(ctx).rows
    assert (item.text, item.owner, operations(ctx, item.handle)) == ("Survive", ADA, [])
    CloseAspiration(ctx)(item.handle, an_owner(), HOME)
    assert [kind for kind, _ in operations(ctx, item.handle)] == ["ASPIRATION_DONE"]
    assert all(report.bad is None for report in VerifyAudit(ctx)())
