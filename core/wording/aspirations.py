"""Aspirations in words: what was kept, the list, and what people should look at in the file. Pure."""

from datetime import date

from core.aspirations.dates import MORNING
from core.aspirations.document import Problem, Trouble
from core.aspirations.item import Item
from core.catalogue import say
from core.services.aspirations import Kept, Listing
from core.standing.durations import show_day
from core.wording.lines import Line, Mood, line
from core.wording.words import closed, listed

_PROBLEMS = 5


def added_lines(kept: Kept, zone: str, file: bool) -> list[Line]:
    """The read-back of a new aspiration: its words, its day and, with `file`, where it stands."""
    item, day = kept.item, _day(kept.item)
    key = "aspire.added.default" if kept.chosen else "aspire.added"
    return [
        line(key, Mood.GOOD, handle=item.handle, text=closed(item.text), day=day, time=f"{MORNING:%H:%M}", zone=zone),
        line("aspire.added.more", Mood.FAINT, handle=item.handle),
        *([line("aspire.added.file", Mood.FAINT, file=kept.file)] if file else []),
    ]


def reviewed_lines(kept: Kept, zone: str) -> list[Line]:
    """The read-back of another day."""
    item, day = kept.item, _day(kept.item)
    return [line("aspire.reviewed", Mood.GOOD, handle=item.handle, day=day, time=f"{MORNING:%H:%M}", zone=zone)]


def done_lines(kept: Kept) -> list[Line]:
    """The read-back of a tick."""
    return [line("aspire.done", Mood.GOOD, handle=kept.item.handle, text=closed(kept.item.text), file=kept.file)]


def list_lines(found: Listing) -> list[Line]:
    """A line an aspiration, and what else there is to say of the file."""
    lines = [_row(item, found.today) for item in found.rows]
    if not found.rows:
        lines.append(line("aspire.empty", Mood.FAINT))
    if found.taken:
        lines.append(line("aspire.taken", Mood.WARNING, handles=listed(found.taken)))
    lines += [_problem(problem) for problem in found.problems[:_PROBLEMS]]
    if len(found.problems) > _PROBLEMS:
        lines.append(line("aspire.problem.more", Mood.FAINT, count=len(found.problems) - _PROBLEMS))
    if found.pages > 1:
        lines.append(line("aspire.pages", Mood.FAINT, page=found.page, pages=found.pages, total=found.total))
    if found.file:
        lines.append(line("aspire.file", Mood.FAINT, file=found.file))
    return lines


def _row(item: Item, today: date) -> Line:
    mood = Mood.FAINT if item.done else Mood.PLAIN
    who = f"@{item.owner_name}" if item.owner is not None else say("aspire.nobodys")
    if item.done:
        when = say("status.done")
    elif item.review is None:
        when = say("aspire.when.none")
    else:
        key = "aspire.when.past" if item.review <= today else "aspire.when"
        when = say(key, day=show_day(item.review))
    return line("aspire.row", mood, handle=item.handle or "?", text=closed(item.text), when=when, who=who)


def _problem(problem: Problem) -> Line:
    mood = Mood.FAINT if problem.trouble is Trouble.NO_DATE else Mood.WARNING
    return line("aspire.problem", mood, line=problem.line, why=say(f"aspire.trouble.{problem.trouble}"))


def _day(item: Item) -> str:
    return say("aspire.when.none") if item.review is None else show_day(item.review)
