"""Goal memory in words: the read-back, lists, one in full, what a search found. Pure."""

from collections.abc import Iterable, Iterator

from core.catalogue import say
from core.goals.objects import ONE, OPEN, IntentObject, IntentState
from core.goals.said import STATES, TYPES
from core.goals.salience import WARN, fades
from core.goals.states import is_faded, state_name
from core.goals.typed import GoalListing
from core.services.read_goals import Found, GoalPage, GoalView
from core.standing.intent import Priority
from core.timed.when import When
from core.wording.lines import Line, Mood, joined, line
from core.wording.shown import Clockface
from core.wording.whens import note_lines, when_line
from core.wording.words import closed, listed

_PERCENT = ONE // 100
_OVER = frozenset({IntentState.COMPLETED, IntentState.CANCELLED, IntentState.SUPERSEDED})


def kind_words(row: IntentObject) -> str:
    """`risk`, `open question`."""
    return say(f"goal.kind.{row.intent_type.value.lower()}")


def type_words(row: IntentObject) -> str:
    """The same at the beginning of a sentence."""
    return say(f"goal.type.{row.intent_type.value.lower()}")


def priority_words(priority: Priority) -> str:
    """`high`."""
    return say(f"priority.{priority.name.lower()}")


def goal_text(row: IntentObject) -> str:
    """What is intended, as a sentence."""
    return closed(row.value) or say("notice.erased")


def figure(millionths: int) -> str:
    """A confidence or salience as people write it: `0.80`."""
    return f"{millionths / ONE:.2f}"


def state_words(row: IntentObject) -> str:
    """The state in words; of one that nobody confirmed, and of one that age archived, that."""
    if row.is_proposal and row.intent_state in OPEN and not is_faded(row):
        return say("goal.state.proposed")
    return say("goal.state.faded") if is_faded(row) else state_name(row.intent_state)


def what_words(row: IntentObject) -> str:
    """`risk, critical, expired`: what goes without saying is left out."""
    parts = [kind_words(row)]
    if row.priority is not Priority.MEDIUM:
        parts.append(priority_words(row.priority))
    if row.intent_state is not IntentState.ACTIVE or row.is_proposal or is_faded(row):
        parts.append(state_words(row))
    return listed(parts)


# the read-back


def made_goal_lines(view: GoalView, due: When | None, face: Clockface) -> list[Line]:
    """What was made: type, words, priority, owner, deadline with what was assumed, what it waits for, what next."""
    row = view.intent
    lines = [
        line("goal.made", Mood.GOOD, type=type_words(row), handle=row.handle, text=goal_text(row)),
        line("goal.made.facts", priority=priority_words(row.priority), owner=row.owner.name),
        *_people(row),
    ]
    if row.due is not None and row.target_completion is not None:
        lines.append(line("goal.due", when=when_line(row.due, row.target_completion, face.zone, face.now)))
        lines.extend(note_lines(row.due if due is None else due))
    elif row.is_risk:
        lines.append(line("goal.due.none", Mood.FAINT, handle=row.handle))
    lines.extend([*_more_words(row), *_around(view)])
    return [*lines, line("goal.made.change", Mood.FAINT, handle=row.handle)]


def _people(row: IntentObject) -> list[Line]:
    names = listed(f"@{one.name}" for one in row.stakeholders)
    return [line("goal.made.with", names=names)] if names else []


def _more_words(row: IntentObject) -> Iterator[Line]:
    """Criteria and note, where there are some."""
    if row.criteria:
        yield line("goal.criteria")
        yield from (line("goal.criteria.one", text=text) for text in row.criteria.split("\n"))
    if row.note:
        yield line("goal.note", text=row.note)


def _around(view: GoalView) -> Iterator[Line]:
    """What it waits for, and what waits for it."""
    if view.depends_on:
        yield from needs_lines(view)
    if view.blocks:
        yield line("goal.blocks", handle=view.intent.handle)
        yield from map(_beside, view.blocks)


def needs_lines(view: GoalView) -> list[Line]:
    """What it waits for, each with its state; that it waits for nothing."""
    handle = view.intent.handle
    if not view.depends_on:
        return [line("goal.needs.none", handle=handle)]
    return [line("goal.needs", handle=handle), *map(_beside, view.depends_on)]


def _beside(row: IntentObject) -> Line:
    return line("goal.needs.one", handle=row.handle, state=state_words(row), text=goal_text(row))


# lists


def goal_page_lines(page: GoalPage, wanted: GoalListing, face: Clockface) -> list[Line]:
    """Two lines an intent, warnings below, and one line for the pages."""
    if not page.rows:
        return [line("goal.list.empty.review" if wanted.review else "goal.list.empty", Mood.FAINT)]
    lines = [one for row in page.rows for one in _row(row, page, face)]
    return [*lines, _pages(page, spelt(wanted))]


def _row(row: IntentObject, page: GoalPage, face: Clockface) -> Iterator[Line]:
    yield line("goal.list.row", handle=row.handle, what=what_words(row), text=goal_text(row))
    yield line("list.row.more", Mood.FAINT, text=joined(_facts(row, page, face), " · "))
    salience = page.salience.get(row.id, row.salience)
    if row.is_proposal and row.intent_state is IntentState.ACTIVE:
        yield line("goal.list.review", Mood.FAINT, handle=row.handle)
    elif is_fading(row, salience):
        yield line("goal.list.fades", Mood.WARNING, figure=figure(salience), handle=row.handle)


def is_fading(row: IntentObject, salience: int) -> bool:
    """Is a list to warn of it? As the figure is shown: 0.30 is not below 0.30. Not of what age never archives."""
    fading = fades(row) and row.intent_state in OPEN and round(salience / _PERCENT) < WARN // _PERCENT
    return fading and row.priority < Priority.HIGH


def _facts(row: IntentObject, page: GoalPage, face: Clockface) -> list[Line]:
    facts: list[Line] = []
    if row.target_completion is not None and row.intent_state not in _OVER:
        key = "timed.late" if row.intent_state is IntentState.EXPIRED else "goal.list.due"
        facts.append(line(key, time=face.dated(row.target_completion)))
    facts.append(line("goal.list.owner", name=row.owner.name))
    if handles := page.waits.get(row.id, ()):
        facts.append(line("goal.list.waits", names=listed(handles)))
    if row.pinned:
        facts.append(line("goal.list.pinned"))
    if row.channel != page.here:
        name = page.channels.get(row.channel, "")
        facts.append(line("list.scope.channel.named", name=name) if name else line("list.scope.direct"))
    return facts


def _pages(page: GoalPage, again: str) -> Line:
    kind = "pages" if page.number < page.pages else "end" if page.pages > 1 else "one" if page.total == 1 else "total"
    facts = {"total": page.total, "page": page.number, "pages": page.pages, "next": page.number + 1, "again": again}
    return line(f"goal.list.{kind}", Mood.FAINT, **facts)


def spelt(wanted: GoalListing) -> str:
    """The list as it would be typed, but for its page: `list --type risk `."""
    parts = ["review"] if wanted.review else ["list"]
    if wanted.text:
        parts.append(wanted.text)
    for name, known, given in (("type", TYPES, wanted.types), ("state", STATES, wanted.states)):
        if given:
            parts.append(f"--{name} {','.join(word for word, value in known.items() if value in given)}")
    if wanted.everything:
        parts.append("--all")
    return " ".join([*parts, ""])


def waiting_line(count: int) -> Line:
    """How many proposals wait for a yes."""
    return line("goal.list.waiting.one" if count == 1 else "goal.list.waiting", Mood.FAINT, count=count)


def search_lines(found: Found, text: str, face: Clockface) -> list[Line]:
    """What a search found: intents in any state, then what is remembered of completed ones."""
    page = found.page
    if not page.rows and not found.summaries:
        return [line("goal.search.none", Mood.FAINT, text=text)]
    lines = [one for row in page.rows for one in _row(row, page, face)]
    if page.rows:
        lines.append(_pages(page, f"search {text} "))
    if found.summaries:
        lines.append(line("goal.search.summaries", Mood.HEAD))
    for summary in found.summaries:
        words = summary.text or say("notice.erased")
        lines.append(line("goal.search.summary", handle=summary.intent_handle, text=words))
    return lines


# one in full


def goal_view_lines(view: GoalView, face: Clockface, due: When | None = None) -> list[Line]:
    """One with everything that is known of it. `due` is a deadline that was just said, with what was assumed of it."""
    row = view.intent
    pinned = say("goal.show.pinned") if row.pinned else ""
    what = {"type": type_words(row), "state": state_words(row), "priority": priority_words(row.priority)}
    lines = [
        line("timed.show.head", Mood.HEAD, handle=row.handle, text=goal_text(row)),
        line("goal.show.what", pinned=pinned, **what),
    ]
    if row.is_proposal and row.intent_state is IntentState.ACTIVE:
        lines.append(line("goal.show.proposed", Mood.WARNING, name=row.creator.name, handle=row.handle))
    made = face.full(row.created_at)
    lines.append(line("goal.show.owner", owner=row.owner.name, name=row.creator.name, time=made))
    lines.extend([*_people(row), *_due_lines(row, face), *([] if due is None else note_lines(due))])
    lines.extend([*_more_words(row), *_around(view), *_questions(view), *_linked(view)])
    if view.successor is not None:
        text = goal_text(view.successor)
        lines.append(line("goal.show.successor", handle=view.successor.handle, text=text))
    if view.summary is not None:
        lines.append(line("goal.show.summary", text=view.summary.text or say("notice.erased")))
    return [*lines, *_figures(view)]


def _due_lines(row: IntentObject, face: Clockface) -> list[Line]:
    if row.due is None or row.target_completion is None:
        return []
    key = "goal.show.past" if row.target_completion <= face.now else "goal.show.due"
    when = when_line(row.due, row.target_completion, face.zone, face.now)
    return [line(key, when=when, zone=row.due.zone)]


def _questions(view: GoalView) -> Iterator[Line]:
    for other in view.questions:
        yield from question_lines(view.intent, other, len(view.questions) > 1)


def question_lines(row: IntentObject, other: IntentObject, several: bool) -> list[Line]:
    """What happened to what it waits for, and the four answers as commands. `several`: more than one is over."""
    of = say("goal.question.of", other=other.handle) if several else ""
    facts = {"text": goal_text(row), "other_text": goal_text(other), "state": state_name(other.intent_state)}
    ask = line("goal.question", Mood.WARNING, handle=row.handle, other=other.handle, **facts)
    answers = ("keep", "replace", "hold", "cancel")
    return [ask, *(line(f"goal.question.{name}", Mood.FAINT, handle=row.handle, of=of) for name in answers)]


def _linked(view: GoalView) -> Iterable[Line]:
    if not view.rules:
        return
    yield line("goal.show.rules")
    for rule in view.rules:
        text = closed(rule.description) or say("notice.erased")
        yield line("goal.show.rule", handle=rule.handle, text=text)


def _figures(view: GoalView) -> Iterator[Line]:
    """How it is known, how sure that is and how much it stands out; that it fades."""
    row = view.intent
    known = say(f"goal.show.figures.{row.epistemic_type.value.lower()}")
    facts = {"confidence": figure(row.confidence), "salience": figure(view.salience)}
    yield line("goal.show.figures", Mood.FAINT, known=known, count=len(row.evidence_ids), **facts)
    if is_faded(row):
        yield line("goal.show.faded", Mood.WARNING, handle=row.handle)
    elif is_fading(row, view.salience):
        yield line("goal.show.fades", Mood.WARNING, handle=row.handle)
