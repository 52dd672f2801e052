"""What stands below answers about goals in Telegram, and which of them are for the asker alone."""

from adapters.base.collected import CollectedDesk
from adapters.base.goal_buttons import below_goal, below_proposal
from adapters.base.goals import Goals
from adapters.telegram.listing import page_buttons
from adapters.telegram.voice import Buttons, rows_of
from core.goals.typed import Drawing, GoalCommand, GoalListing, OneGoal, Searching
from core.services.read_goals import ShowGoal


def is_private(wanted: GoalCommand) -> bool:
    """Is it answered to the asker alone, wherever it was asked?"""
    looks = isinstance(wanted, GoalListing | Searching | Drawing)
    return looks or (isinstance(wanted, OneGoal) and wanted.verb == "show")


def below_answer(desk: CollectedDesk, goals: Goals, wanted: GoalCommand) -> Buttons:
    """What can be done with what is shown, and the way to the pages beside a list. Raises what showing it raises."""
    if isinstance(wanted, OneGoal) and wanted.verb == "show":
        return below_one(desk, wanted.handle)
    return below_list(desk, goals)


def below_list(desk: CollectedDesk, goals: Goals) -> Buttons:
    """Yes and no to each proposal of a list, and the way to the pages beside it."""
    if goals.listed is None:
        return ()
    wanted, page = goals.listed
    proposals = (below_proposal(row) for row in page.rows) if wanted.review else ()
    return (*(row for row in proposals if row), *page_buttons(desk.where, wanted, page))


def below_one(desk: CollectedDesk, handle: str) -> Buttons:
    """What can be done with one intent as it is now. Raises NotFound."""
    return rows_of(below_goal(ShowGoal(desk.ctx)(handle, desk.actor(), desk.where)))
