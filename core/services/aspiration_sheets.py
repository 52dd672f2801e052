"""Finding and changing the file of a namespace; telling which aspirations are whose."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import TypeVar

from core.aspirations.document import Document, parse
from core.aspirations.item import Item
from core.aspirations.keys import FileKey, key_of
from core.catalogue import say
from core.errors import NotAllowed, NotFound, StorageError
from core.operations.log import OpType
from core.ports import AspirationFiles, Tx
from core.services.context import Context
from core.services.new_row import HANDLE_LETTERS
from core.services.outgoing import space_of
from core.services.record import log
from core.services.rights import normal_handle
from core.settings import Setting
from core.stored import Place
from core.turn import Actor, PlaceKind, Principal, Spot, Visibility, Where

TARGET = "aspiration"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sheet:
    """The file of one namespace as it was read. `home` is the place that the namespace belongs to."""

    home: Place
    key: FileKey
    zone: tzinfo
    text: str | None
    document: Document

    def owner_of(self, item: Item) -> Principal | None:
        """Whose it is; None for what nobody took and for somebody who cannot be of this place."""
        who = item.owner
        here = (self.home.provider, self.home.account)
        return who if who is not None and (who.provider, who.account) == here else None


def files_of(ctx: Context) -> AspirationFiles:
    """The files. Raises NotAllowed where none are kept."""
    if ctx.aspirations is None:
        raise NotAllowed(say("aspire.off"), say("aspire.off.hint"))
    return ctx.aspirations


def home_of(tx: Tx, place_id: int) -> Place | None:
    """The place that a file is about: a space, a direct message or a private channel; None for any other."""
    try:
        place = tx.places.get(place_id)
    except NotFound:
        return None
    private = place.kind is PlaceKind.CHANNEL and place.visibility is Visibility.PRIVATE
    return place if place.kind is PlaceKind.SPACE or private else None


def key_for(home: Place) -> FileKey:
    """The key of the file of a place."""
    return key_of(home.id, home.namespace_id, home.name or home.external_id)


def zone_for(ctx: Context, tx: Tx, home: Place) -> str:
    """The name of the zone that days are meant in."""
    return str(ctx.settings(tx.records.settings(space_of(tx, home.id)))[Setting.ZONE])


def sheet_of(ctx: Context, tx: Tx, home: Place) -> Sheet:
    """The file of a place, read now. Raises StorageError for one that cannot be read."""
    key = key_for(home)
    text = files_of(ctx).read(key)
    return Sheet(home, key, ctx.zone_of(zone_for(ctx, tx, home)), text, parse(text or "", ctx.limits))


def look(ctx: Context, tx: Tx, place_id: int) -> Sheet | None:
    """The file of a place; None when nothing can be said of it."""
    home = home_of(tx, place_id)
    try:
        return None if home is None else sheet_of(ctx, tx, home)
    except (StorageError, NotAllowed):
        return None


def sheet_at(ctx: Context, tx: Tx, spot: Spot) -> Sheet | None:
    """The file for where somebody stands; None for a place that nobody used yet."""
    if not spot.namespace_id:
        return None
    home = tx.places.get(spot.space)
    return sheet_of(ctx, tx, home if home.namespace_id == spot.namespace_id else tx.places.get(spot.channel))


def is_owner(actor: Actor) -> bool:
    """May the actor act for the space?"""
    return actor.principal is not None and (actor.is_owner or actor.is_operator)


def is_mine(sheet: Sheet, item: Item, actor: Actor) -> bool:
    """Owners of the space see and change all that is in its file, others their own."""
    return is_owner(actor) or (actor.principal is not None and sheet.owner_of(item) == actor.principal)


def find_item(sheet: Sheet | None, handle: str, actor: Actor) -> tuple[Sheet, Item]:
    """The aspiration of that short name. Raises NotFound, the same for one that is not the actor's."""
    wanted = normal_handle(handle, "a")
    item = None if sheet is None else sheet.document.find(wanted)
    if sheet is None or item is None or not is_mine(sheet, item, actor):
        raise NotFound(say("aspire.none", handle=wanted), say("aspire.none.hint"), handle=wanted)
    return sheet, item


def free_handle(ctx: Context, tx: Tx, text: str) -> str:
    """A short name that nothing has or had and that is nowhere in `text`. Raises StorageError when none is found."""
    for letters in HANDLE_LETTERS:
        handle = ctx.ids.handle("a", letters)
        if handle not in text and not tx.operations.of_target(handle, 1):
            return handle
    raise StorageError(say("handle.exhausted"), say("handle.exhausted.hint"))


def record(
    ctx: Context, tx: Tx, sheet: Sheet, actor: Actor, op_type: OpType, handle: str, payload: Mapping[str, object]
) -> None:
    """One operation about an aspiration."""
    log(tx, ctx.ids, ctx.clock.now(), actor, op_type, sheet.home.namespace_id, handle, payload, TARGET)


def _store_place(ctx: Context, where: Where) -> None:
    with ctx.store.read() as tx:
        if tx.places.find(where).conversation:
            return
    with ctx.store.write() as tx:
        tx.places.ensure(where, ctx.ids.uuid())
        tx.commit()


def write(
    ctx: Context, where: Where, work: Callable[[Tx, Sheet | None], tuple[T, Sheet, str]], make: bool = False
) -> T:
    """Change the file where somebody stands, with its operations: `work` gives a result, what it read and the new text.

    The file is written before the transaction commits: who is killed between loses a record, never words. When
    somebody saved the file meanwhile nothing is kept and `work` starts again from what they saved,
    `aspiration_tries` times; then StorageError. With `make` a place that is new is stored before: the file's
    name holds its id.
    """
    files = files_of(ctx)
    if make:
        _store_place(ctx, where)
    for _ in range(ctx.limits.aspiration_tries):
        with ctx.store.write() as tx:
            spot = tx.places.find(where)
            if spot.namespace_id:
                tx.operations.lock([spot.namespace_id])
            result, read, text = work(tx, sheet_at(ctx, tx, spot))
            if text == (read.text or "") or files.replace(read.key, read.text, text):
                tx.commit()
                return result
    raise StorageError(say("aspire.raced"), say("storage.again.hint"), retry=True)
