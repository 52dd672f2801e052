"""Aspirations: what a space wants to come to, kept in a Markdown file, looked at again on a day."""

from dataclasses import dataclass, replace
from datetime import date, datetime

from core.aspirations import document as documents
from core.aspirations.dates import check_day, default_review
from core.aspirations.document import Problem
from core.aspirations.item import Item
from core.aspirations.text import check_text
from core.catalogue import say
from core.errors import InvalidInput, InvalidTransition, LimitExceeded, NotAllowed
from core.operations.log import OpType
from core.ports import Tx
from core.services.aspiration_sheets import (
    Sheet,
    files_of,
    find_item,
    free_handle,
    is_mine,
    is_owner,
    record,
    sheet_at,
    write,
)
from core.services.context import Context
from core.turn import Actor, Principal, Where


@dataclass(frozen=True, slots=True)
class Kept:
    """An aspiration after a change, the file it stands in, and whether its day is the default."""

    item: Item
    file: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class AddAspiration:
    """Put an aspiration into the file of the space, private channel or direct message; one ASSERT.

    Without `review` the default is the first end of a quarter that is 30 days ahead at least, in the zone of the
    space. Raises NotAllowed unless a signed-in owner or operator asks, InvalidInput, LimitExceeded beyond
    `aspiration_chars`, `aspirations_per_space` open ones or `aspiration_file_bytes`, StorageError.
    """

    ctx: Context

    def __call__(self, text: str, review: date | None, actor: Actor, where: Where) -> Kept:
        ctx = self.ctx
        who = _owner(actor)
        files, words = files_of(ctx), check_text(text, ctx.limits)

        def work(tx: Tx, sheet: Sheet | None) -> tuple[Kept, Sheet, str]:
            assert sheet is not None, "its place was just stored"  # noqa: S101
            now = ctx.clock.now()
            day = review or default_review(now.astimezone(sheet.zone).date())
            check_day(day, now, sheet.zone, ctx.limits)
            _check_room(ctx, sheet)
            tx.places.ensure_principal(who, actor.name)
            begun = _begun(ctx, sheet)
            handle = free_handle(ctx, tx, sheet.text or "")
            item = Item(0, words, False, day, handle, who, actor.name or who.user_id)
            record(ctx, tx, sheet, actor, OpType.ASSERT, handle, _facts(ctx, tx, item))
            return Kept(item, files.shown(sheet.key), review is None), sheet, documents.added(begun, item)

        return write(ctx, where, work, make=True)


def _owner(actor: Actor) -> Principal:
    if actor.principal is None:
        raise NotAllowed(say("aspire.nobody"), say("rights.create.nobody.hint"))
    if not is_owner(actor):
        raise NotAllowed(say("aspire.rights"), say("rights.create.hint"))
    return actor.principal


def _check_room(ctx: Context, sheet: Sheet) -> None:
    used, limit = len(sheet.document.open_items), ctx.limits.aspirations_per_space
    if used >= limit:
        sentence, hint = say("aspire.many", limit=limit), say("aspire.many.hint")
        raise LimitExceeded(sentence, hint, name="aspirations_per_space", used=used, limit=limit)


def _begun(ctx: Context, sheet: Sheet) -> documents.Document:
    """The file as it is; one that is new gets a heading."""
    if sheet.text:
        return sheet.document
    name = " ".join((sheet.home.name or sheet.home.external_id).replace("<", "").split())
    return documents.parse(say("aspire.file.head", name=name[: ctx.limits.snippet_chars]) + "\n", ctx.limits)


def _facts(ctx: Context, tx: Tx, item: Item) -> dict[str, object]:
    """What goes on record: the words by content id and salted hash."""
    who = item.owner
    assert who is not None, "what is recorded is somebody's"  # noqa: S101
    content_id = ctx.ids.uuid()
    words = [[content_id, tx.records.put_content(content_id, ctx.ids.salt(), item.text.replace("\0", "\ufffd"))]]
    creator = who.parts
    return {"handle": item.handle, "words": words, "creator": creator, "review": str(item.review or "")}


@dataclass(frozen=True, slots=True)
class ReviewAspiration:
    """Give an aspiration another day; one EDITED. Its owner is told again when that day comes.

    Raises NotFound for what is not there or not the actor's, InvalidTransition for what is done, InvalidInput for a
    day that is past, too far or the same, StorageError.
    """

    ctx: Context

    def __call__(self, handle: str, review: date, actor: Actor, where: Where) -> Kept:
        ctx, files = self.ctx, files_of(self.ctx)

        def work(tx: Tx, found: Sheet | None) -> tuple[Kept, Sheet, str]:
            sheet, item = find_item(found, handle, actor)
            _check_open(item)
            check_day(review, ctx.clock.now(), sheet.zone, ctx.limits)
            if item.review == review:
                raise InvalidInput(say("aspire.same", handle=item.handle), say("aspire.review.usage.hint"))
            payload = {"review": [str(item.review or ""), review.isoformat()]}
            record(ctx, tx, sheet, actor, OpType.EDITED, item.handle, payload)
            text = documents.reviewed(sheet.document, item, review)
            return Kept(replace(item, review=review), files.shown(sheet.key)), sheet, text

        return write(ctx, where, work)


@dataclass(frozen=True, slots=True)
class CloseAspiration:
    """Tick an aspiration; one ASPIRATION_DONE. Raises NotFound and InvalidTransition as ReviewAspiration does."""

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where) -> Kept:
        ctx, files = self.ctx, files_of(self.ctx)

        def work(tx: Tx, found: Sheet | None) -> tuple[Kept, Sheet, str]:
            sheet, item = find_item(found, handle, actor)
            _check_open(item)
            record(ctx, tx, sheet, actor, OpType.ASPIRATION_DONE, item.handle, {"from": "open", "to": "done"})
            text = documents.done(sheet.document, item)
            return Kept(replace(item, done=True), files.shown(sheet.key)), sheet, text

        return write(ctx, where, work)


def _check_open(item: Item) -> None:
    if item.done:
        sentence, hint = say("aspire.done.already", handle=item.handle), say("aspire.done.already.hint")
        raise InvalidTransition(sentence, hint, kind="aspiration", old="done", new="done")


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of aspirations, the next day first. `problems` and `taken` are for owners; "" when there is no file.

    `taken` are short names of items that were typed by hand and are the asker's from now on.
    """

    rows: tuple[Item, ...]
    total: int
    page: int
    pages: int
    file: str = ""
    problems: tuple[Problem, ...] = ()
    taken: tuple[str, ...] = ()
    today: date = date.min


@dataclass(frozen=True, slots=True)
class ListAspirations:
    """A page of what stands in the file of where the asker is: all of it for owners, their own for others.

    What somebody typed into the file by hand has no owner: the first owner who lists it becomes that, and it gets a
    short name; one ASSERT each. `all` shows what is done, too. Raises StorageError.
    """

    ctx: Context

    def __call__(self, actor: Actor, where: Where, all: bool = False, page: int = 1) -> Listing:
        ctx, files, now = self.ctx, files_of(self.ctx), self.ctx.clock.now()
        sheet = self._read(where)
        if sheet is None:
            return Listing((), 0, 1, 1)
        taken: tuple[str, ...] = ()
        if is_owner(actor) and any(_is_loose(sheet, item) for item in sheet.document.items):
            taken = self._take(actor, where)
            sheet = self._read(where) or sheet
        mine = [item for item in sheet.document.items if is_mine(sheet, item, actor) and (all or not item.done)]
        mine.sort(key=lambda item: (item.done, item.review or date.min, item.line))
        size = ctx.limits.page
        pages = max(1, -(-len(mine) // size))
        page = min(max(1, page), pages)
        return Listing(
            tuple(mine[(page - 1) * size : page * size]),
            len(mine),
            page,
            pages,
            files.shown(sheet.key) if sheet.text is not None and is_owner(actor) else "",
            sheet.document.problems if is_owner(actor) else (),
            taken,
            _today(sheet, now),
        )

    def _read(self, where: Where) -> Sheet | None:
        with self.ctx.store.read() as tx:
            return sheet_at(self.ctx, tx, tx.places.find(where))

    def _take(self, actor: Actor, where: Where) -> tuple[str, ...]:
        ctx, who = self.ctx, _owner(actor)

        def work(tx: Tx, sheet: Sheet | None) -> tuple[tuple[str, ...], Sheet, str]:
            assert sheet is not None, "its place is stored and places stay"  # noqa: S101
            text = sheet.text or ""
            loose = [item for item in sheet.document.items if _is_loose(sheet, item)]
            named: list[Item] = []
            for item in loose[: ctx.limits.aspirations_per_space]:
                handle = item.handle or free_handle(ctx, tx, text)
                text += handle
                owner = sheet.owner_of(item)
                name = item.owner_name if owner else actor.name
                item = replace(item, handle=handle, owner=owner or who, owner_name=name or who.user_id)
                record(ctx, tx, sheet, actor, OpType.ASSERT, handle, _facts(ctx, tx, item) | {"typed": "by hand"})
                named.append(item)
            return tuple(item.handle for item in named), sheet, documents.named(sheet.document, named)

        return write(ctx, where, work)


def _is_loose(sheet: Sheet, item: Item) -> bool:
    """Typed by hand: without a short name, or of nobody."""
    return not item.done and (not item.handle or sheet.owner_of(item) is None)


def _today(sheet: Sheet, now: datetime) -> date:
    return now.astimezone(sheet.zone).date()
