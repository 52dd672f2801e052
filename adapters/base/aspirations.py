"""`/aspire`: what a space wants to come to, and when to look at it again."""

from adapters.base.desk import Desk
from core.aspirations.commands import Add, Done, Listing, Review, parse_aspire_command
from core.services.aspirations import AddAspiration, CloseAspiration, ListAspirations, ReviewAspiration
from core.wording.aspirations import added_lines, done_lines, list_lines, reviewed_lines


def aspire_command(desk: Desk, rest: str) -> None:
    """Add, list, review or tick. Raises what the grammar and the services raise."""
    ctx, zone, actor, where = desk.ctx, desk.zone, desk.actor(), desk.where
    wanted = parse_aspire_command(rest, desk.now(), zone)
    match wanted:
        case Add():
            added = AddAspiration(ctx)(wanted.text, wanted.review, actor, where)
            desk.private(*added_lines(added, str(zone), file=where.provider == "console"))
        case Listing():
            desk.private(*list_lines(ListAspirations(ctx)(actor, where, wanted.all, wanted.page)))
        case Review():
            kept = ReviewAspiration(ctx)(wanted.handle, wanted.review, actor, where)
            desk.private(*reviewed_lines(kept, str(zone)))
        case Done():
            desk.private(*done_lines(CloseAspiration(ctx)(wanted.handle, actor, where)))
