"""What became of an intent of goal memory, said to whoever did it. Pure."""

from collections.abc import Iterable

from core.goals.objects import IntentObject, IntentState
from core.services.answer_goal import Answer
from core.services.goal_moves import Done
from core.services.read_goals import GoalView
from core.services.supersede_goal import Superseded
from core.standing.intent import StandingIntent
from core.turn import Principal
from core.wording.goals import goal_text, needs_lines, question_lines
from core.wording.lines import Line, Mood, line
from core.wording.words import listed


def done_lines(done: Done) -> list[Line]:
    """It is completed; what was kept of it, and whose way is free."""
    row = done.intent
    lines = [line("goal.done", Mood.GOOD, handle=row.handle, text=goal_text(row))]
    if done.summary:
        lines.append(line("goal.done.kept", Mood.FAINT, text=done.summary))
    if done.dependents:
        lines.append(line("goal.done.told", names=_handles(done.dependents)))
    return lines


def cancelled_lines(done: Done, who: Principal | None) -> list[Line]:
    """It is given up; nothing that waits for it changes, and its owners are asked. What `who` owns is named apart."""
    row = done.intent
    lines = [line("goal.cancelled", Mood.GOOD, handle=row.handle, text=goal_text(row))]
    others = [one for one in done.dependents if one.owner.who != who]
    if others:
        lines.append(line("goal.cancelled.asked", names=_handles(others)))
    mine = [one for one in done.dependents if one.owner.who == who]
    return [*lines, *(line("goal.cancelled.mine", Mood.WARNING, handle=one.handle) for one in mine)]


def moved_line(row: IntentObject) -> Line:
    """It is on hold, active again, or expired at once."""
    if row.intent_state is IntentState.ON_HOLD:
        return line("goal.held", Mood.GOOD, handle=row.handle)
    if row.intent_state is IntentState.EXPIRED:
        return line("goal.resumed.expired", Mood.WARNING, handle=row.handle)
    return line("goal.resumed", Mood.GOOD, handle=row.handle)


def superseded_lines(found: Superseded) -> list[Line]:
    """What took whose place, and what could not wait for the new one; the read-back of that tells what does."""
    lines = [line("goal.superseded", Mood.GOOD, handle=found.old.handle, new=found.new.handle)]
    if found.left:
        lines.append(line("goal.superseded.left", Mood.WARNING, names=_handles(found.left)))
    return lines


def answered_lines(view: GoalView, answer: Answer) -> list[Line]:
    """What an answer did, and the questions that are left."""
    row = view.intent
    lines = [line(f"goal.answered.{answer}", Mood.GOOD, handle=row.handle)]
    if answer is Answer.REPLACE:
        lines.extend(needs_lines(view)[1:])
    for other in view.questions:
        lines.extend(question_lines(row, other, len(view.questions) > 1))
    return lines


def linked_lines(rule: StandingIntent, goal: str) -> list[Line]:
    """A rule belongs to a goal now, or to none any more."""
    if not goal:
        return [line("goal.unlinked", Mood.GOOD, handle=rule.handle)]
    lines = [line("goal.linked", Mood.GOOD, handle=rule.handle, goal=goal)]
    return [*lines, line("goal.linked.closed", Mood.WARNING)] if rule.goal_closed else lines


def waits_line(sentence: str) -> Line:
    """It still waits for something, as the service put it."""
    return line("goal.done.early", Mood.WARNING, text=sentence)


def theirs_line(row: IntentObject, verb: str) -> Line:
    """Somebody else owns it: the question names them and the words."""
    return line(f"goal.theirs.{verb}", Mood.HEAD, handle=row.handle, name=row.owner.name, text=goal_text(row))


def _handles(rows: Iterable[IntentObject]) -> str:
    return listed(row.handle for row in rows)
