"""Imports as the tests of them make them: a mapping of all to itself, files of rows, and what a store then holds."""

from core.limits import LIMITS
from core.services.create_intent import CreateIntent
from core.services.portable import ImportIntents
from core.services.read_intents import ListIntents
from core.standing.portable_reading import parse
from core.standing.remap import Remap
from core.turn import ADMIN, Visibility
from tests.builders import ADA, BOB, HOME, a_draft, a_place, an_owner
from tests.fakes.documents import a_document

KEEP = Remap(
    {
        ("console", "local", "home"): ("console", "local", "home"),
        ("console", "local", "dm"): ("console", "local", "dm"),
    },
    {ADA: ADA, BOB: BOB},
)
VAULT = a_place("vault", visibility=Visibility.PRIVATE)


def create(ctx, where=HOME, actor=None, **fields):
    return CreateIntent(ctx)(a_draft(**fields), actor or an_owner(), where, "created", "when ...")


def read(*rows, limits=LIMITS):
    return parse(a_document(*rows), limits)


def bring(ctx, *rows, remap=KEEP):
    return ImportIntents(ctx)(read(*rows), remap)


def state(ctx):
    """Heads of all chains, and how many rows there are of what an import makes."""
    with ctx.store.read() as tx:
        heads = {name: tx.operations.head(name) for name in tx.operations.namespaces()}
        known = [tx.places.principal_key(who) for who in (ADA, BOB)], tx.places.find(HOME)
    return heads, ListIntents(ctx)(ADMIN, None, size=1_000).rows, known


def version(ctx, row):
    with ctx.store.read() as tx:
        return tx.intents.by_handle(row.handle).version


def operations(ctx, row):
    with ctx.store.read() as tx:
        return tx.operations.of_target(row.id, 10)
