"""What people are told of goal memory, in words. Pure."""

from collections.abc import Callable, Sequence

from core.catalogue import say
from core.goals.objects import IntentObject, IntentState
from core.goals.states import state_name
from core.services.notices import News, NoticeKind
from core.standing.intent import Priority
from core.wording.goals import goal_text, kind_words, priority_words, question_lines, state_words
from core.wording.lines import Line, Mood, line
from core.wording.shown import Clockface
from core.wording.words import closed, listed

_Told = Callable[[News, IntentObject, Clockface, str], list[Line]]


def goal_news_lines(news: News, face: Clockface, who: str) -> list[Line]:
    """One thing to tell; `who` is the name of whoever did it. Nothing where what it is about is gone."""
    if news.kind is NoticeKind.RULE_CLOSED:
        return _rule(news)
    if news.kind is NoticeKind.RISKS:
        return risk_lines(news.goals, face)
    return [one for row in news.goals for one in _TOLD[news.kind](news, row, face, who)]


def risk_lines(rows: Sequence[IntentObject], face: Clockface) -> list[Line]:
    """The open risks of somebody together, the most urgent first, and what can be done."""
    if not rows:
        return []
    key = "notice.goal.risks.one" if len(rows) == 1 else "notice.goal.risks"
    lines = [line(key, Mood.WARNING, count=len(rows))]
    for row in sorted(rows, key=lambda row: -row.priority):
        facts = listed(_risk_facts(row, face))
        lines.append(line("notice.goal.risks.row", handle=row.handle, facts=facts, text=goal_text(row)))
    return [*lines, line("notice.goal.risks.next", Mood.FAINT)]


def _risk_facts(row: IntentObject, face: Clockface) -> list[str]:
    facts = [priority_words(row.priority)]
    if row.intent_state is IntentState.ON_HOLD:
        facts.append(state_words(row))
    if row.target_completion is not None:
        key = "timed.late" if row.intent_state is IntentState.EXPIRED else "goal.list.due"
        facts.append(say(key, time=face.dated(row.target_completion)))
    return facts


def _owned(_news: News, row: IntentObject, _face: Clockface, who: str) -> list[Line]:
    facts = {"kind": kind_words(row), "text": goal_text(row)}
    return [
        line("notice.goal.owned", Mood.WARNING, who=who, handle=row.handle, **facts),
        line("notice.goal.owned.next", Mood.FAINT, handle=row.handle),
    ]


def _proposed(_news: News, row: IntentObject, _face: Clockface, _who: str) -> list[Line]:
    facts = {"kind": kind_words(row), "text": goal_text(row), "name": row.creator.name}
    return [
        line("notice.goal.proposed", Mood.WARNING, handle=row.handle, **facts),
        line("notice.goal.proposed.next", Mood.FAINT, handle=row.handle),
    ]


def _changed(news: News, row: IntentObject, _face: Clockface, who: str) -> list[Line]:
    state = state_name(IntentState(news.state))
    return [line("notice.goal.changed", Mood.WARNING, who=who, handle=row.handle, state=state, text=goal_text(row))]


def _expired(_news: News, row: IntentObject, face: Clockface, _who: str) -> list[Line]:
    time = "" if row.target_completion is None else face.full(row.target_completion)
    return [
        line("notice.goal.expired", Mood.WARNING, handle=row.handle, time=time, text=goal_text(row)),
        line("notice.goal.expired.next", Mood.FAINT, handle=row.handle),
    ]


def _risk(news: News, row: IntentObject, _face: Clockface, _who: str) -> list[Line]:
    """Its old and its new priority: what became of it by now is shown by the list."""
    old = Priority[news.state]
    new = Priority(min(old + 1, Priority.CRITICAL))
    key = "notice.goal.risk.same" if old is new else "notice.goal.risk"
    facts = {"text": goal_text(row), "old": priority_words(old), "new": priority_words(new)}
    return [
        line(key, Mood.BAD, handle=row.handle, **facts),
        line("notice.goal.risk.next", Mood.FAINT, handle=row.handle),
    ]


def _dependency(news: News, row: IntentObject, _face: Clockface, _who: str) -> list[Line]:
    other = news.other
    if other is None:
        return []
    if news.state == IntentState.COMPLETED:
        facts = {"text": goal_text(row), "other": other.handle}
        return [line("notice.goal.free", Mood.GOOD, handle=row.handle, **facts)]
    return question_lines(row, other, several=True)


def _faded(_news: News, row: IntentObject, _face: Clockface, _who: str) -> list[Line]:
    return [
        line("notice.goal.faded", Mood.WARNING, handle=row.handle, text=goal_text(row)),
        line("notice.goal.faded.next", Mood.FAINT, handle=row.handle),
    ]


def _rule(news: News) -> list[Line]:
    rule = news.intent
    if rule is None:
        return []
    text = closed(rule.description) or say("notice.erased")
    state = state_name(IntentState(news.state))
    return [
        line("notice.goal.rule", Mood.WARNING, handle=rule.handle, state=state, text=text),
        line("notice.goal.rule.next", Mood.FAINT, handle=rule.handle),
    ]


_TOLD: dict[NoticeKind, _Told] = {
    NoticeKind.GOAL_OWNED: _owned,
    NoticeKind.GOAL_PROPOSED: _proposed,
    NoticeKind.GOAL_CHANGED: _changed,
    NoticeKind.GOAL_EXPIRED: _expired,
    NoticeKind.GOAL_DEPENDENCY: _dependency,
    NoticeKind.GOAL_FADED: _faded,
    NoticeKind.RISK_EXPIRED: _risk,
}
GOAL_NEWS = frozenset({*_TOLD, NoticeKind.RISKS, NoticeKind.RULE_CLOSED})
"""The kinds of notices that are told here."""
