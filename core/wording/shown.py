"""Lists, single intents and explanations in words. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from core.catalogue import say
from core.services.explain_turn import Explanation, TurnExplanation
from core.services.read_intents import IntentView, NamedPlace, Page
from core.standing.durations import Moment, show_dated, show_duration, show_moment, show_soon
from core.standing.gates import Reason, Rule, Verdict
from core.standing.intent import (
    INDEXED,
    LIVE,
    ChannelScope,
    CooldownPer,
    Deliver,
    Fire,
    Priority,
    StandingIntent,
    Status,
)
from core.standing.lifecycle import effective_status, status_name
from core.turn import MACHINES, machine_kind
from core.wording.lines import Line, Mood, fact, joined, line
from core.wording.words import closed, entry_words, listed, look_alike_warnings, machine_words, named_words, per_words


@dataclass(frozen=True, slots=True)
class Clockface:
    """The instant and the zone that times are shown for."""

    now: datetime
    zone: tzinfo

    def full(self, moment: datetime) -> Moment:
        """With year and zone."""
        return show_moment(moment, self.zone)

    def dated(self, moment: datetime) -> Moment:
        """With weekday and date."""
        return show_dated(moment, self.now, self.zone)

    def soon(self, moment: datetime) -> Moment:
        """As short as can be understood."""
        return show_soon(moment, self.now, self.zone)


def page_lines(page: Page, face: Clockface) -> list[Line]:
    """Two lines an intent, and one for the pages."""
    if not page.rows:
        return [line("list.empty", Mood.FAINT)]
    lines: list[Line] = []
    for row in page.rows:
        lines.append(line("list.row", handle=row.handle, status=status_words(row), text=closed(row.description)))
        lines.append(line("list.row.more", Mood.FAINT, text=joined(_facts(row, page, face), " · ")))
        warnings = look_alike_warnings(row.entries)
        lines.extend(line("list.row.warning", Mood.WARNING, text=warning) for warning in warnings)
    key = "list.pages" if page.pages > 1 else "list.one" if page.total == 1 else "list.total"
    return [*lines, line(key, Mood.FAINT, total=page.total, page=page.number, pages=page.pages)]


def _list_scope(row: StandingIntent, page: Page) -> Line:
    """Where it listens, with the channel's name when that is another one than here."""
    here, name = row.channel == page.here, page.names.get(row.channel, "")
    if row.channel in page.direct:
        return line("list.scope.direct")
    if row.channel_scope is ChannelScope.CHANNEL and here:
        return line("list.scope.channel.here")
    if row.channel_scope in {ChannelScope.CHANNEL, ChannelScope.CONVERSATION} and name and not here:
        return line(f"list.scope.{row.channel_scope}.named", name=name)
    return line(f"list.scope.{row.channel_scope}")


def hidden_line(count: int, text: str) -> Line:
    """How many more a list without a filter on the status would show."""
    wanted = f"{text} " if text else ""
    return line("list.hidden.one" if count == 1 else "list.hidden.many", Mood.FAINT, count=count, text=wanted)


def _facts(row: StandingIntent, page: Page, face: Clockface) -> list[Line]:
    facts = [
        line("show.said", who=watches_words(row), words=" | ".join(row.entries)),
        _list_scope(row, page),
        *map(fact, _elsewhere(row, page.places)),
        line("show.used", used=row.fire_count, limit=row.max_fires),
    ]
    if row.cooldown_per is not CooldownPer.INTENT:
        facts.append(line("show.per", per=per_words(row.cooldown_per)))
    if row.status is Status.FIRED and row.ready_at is not None:
        facts.append(line("reminder.quiet", time=face.soon(row.ready_at)))
    facts.append(line("show.until", time=face.soon(row.expires_at)))
    if row.priority is not Priority.MEDIUM:
        facts.append(line("show.priority", level=say(f"priority.{row.priority.name.lower()}")))
    return facts


def _elsewhere(row: StandingIntent, places: Mapping[int, NamedPlace]) -> list[str]:
    """Where it stays quiet, and where its reminders go if not to where it is said."""
    facts = []
    if row.except_in:
        facts.append(say("show.except", places=listed(named_words(places[key]) for key in row.except_in)))
    if row.deliver is Deliver.DIRECT:
        facts.append(say("show.deliver.dm"))
    if row.deliver is Deliver.PLACE:
        facts.append(say("show.deliver.place", place=named_words(places[row.deliver_to])))
    return facts


def status_words(row: StandingIntent) -> str:
    """The status in words people use: `fired` is `quiet`, `pending` is `paused` unless it was never confirmed.

    One that is linked to a closed goal sleeps.
    """
    if row.goal_closed and row.status in INDEXED:
        return say("status.goal_closed")
    return say("status.unconfirmed") if row.unconfirmed and row.status is Status.PENDING else status_name(row.status)


def watches_words(row: StandingIntent) -> str:
    """Whose words count."""
    if row.watches is None:
        return say("show.anyone")
    kind, name = machine_kind(row.watches), row.watches_name or row.watches.user_id
    return f"@{name}" if kind is None else machine_words(kind, name)


def view_lines(view: IntentView, face: Clockface) -> list[Line]:
    """One intent with everything that is known of it."""
    row = view.intent
    lines = [
        line("show.head", Mood.HEAD, handle=row.handle, status=status_words(row)),
        *_unconfirmed(row),
        line("show.text", text=closed(row.description)),
        line("show.entries", text=" | ".join(entry_words(entry) for entry in row.entries)),
        line("show.who", who=watches_words(row)),
        line("show.where", where="; ".join([_view_scope(view), *_elsewhere(row, view.places)])),
        line("show.budget", used=row.fire_count, limit=row.max_fires, quiet=show_duration(row.cooldown)),
    ]
    if row.cooldown_per is not CooldownPer.INTENT:
        lines.append(line("readback.per", per=per_words(row.cooldown_per)))
    if row.status is Status.FIRED and row.ready_at is not None:
        lines.append(line("show.quiet.line", time=face.full(row.ready_at)))
    lines.append(line("show.until.line", time=face.full(row.expires_at)))
    lines.extend(_extras(row))
    lines.extend(line("readback.warning", Mood.WARNING, text=text) for text in look_alike_warnings(row.entries))
    made = face.full(row.created_at)
    lines.append(line("show.made", name=row.creator_name or row.creator.user_id, time=made))
    if view.fires:
        lines.append(line("show.fires", Mood.HEAD))
        lines.extend(_fire(fire, face) for fire in view.fires)
    return lines


def _unconfirmed(row: StandingIntent) -> list[Line]:
    """Who has to say yes, and how."""
    if not row.unconfirmed or row.status is not Status.PENDING:
        return []
    return [line("show.unconfirmed", name=row.creator_name or row.creator.user_id, handle=row.handle)]


def _view_scope(view: IntentView) -> str:
    scope = view.intent.channel_scope
    if scope is ChannelScope.CHANNEL:
        return say("scope.channel", place=say("place.channel", name=view.channel_name))
    if scope is ChannelScope.CONVERSATION:
        return say("scope.conversation", place=view.conversation_name or view.channel_name)
    return say(f"scope.{scope}")


def _extras(row: StandingIntent) -> list[Line]:
    lines = []
    if not row.options.word_forms:
        lines.append(line("readback.exact"))
    if row.on_edits:
        lines.append(line("readback.edits"))
    if row.priority is not Priority.MEDIUM:
        lines.append(line("readback.priority", level=say(f"priority.{row.priority.name.lower()}")))
    return lines


def _fire(fire: Fire, face: Clockface) -> Line:
    return line(
        "show.fire",
        number=fire.number,
        time=face.soon(fire.fired_at),
        name=fire.sender_name or fire.sender.user_id,
        entry=fire.entry,
        state=say(f"fire.{fire.state}"),
    )


def explanation_lines(
    explained: TurnExplanation, face: Clockface, fired: Mapping[str, Fire] | None = None
) -> list[Line]:
    """One line a rule for each intent, pass or fail, with its figures.

    `fired`: what this very message has fired already, by handle.
    """
    lines: list[Line] = []
    for one in explained.intents:
        fire = (fired or {}).get(one.intent.handle)
        lines.extend(_explained(one, face) if fire is None else _explained_fire(one, fire, face))
    if not lines:
        lines.append(line("why.nothing", Mood.FAINT))
    if explained.truncated:
        lines.append(line("turn.truncated", Mood.WARNING))
    if explained.left_out:
        count = len(explained.left_out)
        lines.append(line("why.left_out.one" if count == 1 else "why.left_out.many", Mood.FAINT, count=count))
    lines.extend(cut_lines(explained.cut, explained.probe_cut))
    return lines


def cut_lines(cut: int, probe_cut: bool) -> list[Line]:
    """What the bounds of matching left out."""
    lines = []
    if cut:
        lines.append(line("why.cut.one" if cut == 1 else "why.cut.many", Mood.WARNING, count=cut))
    if probe_cut:
        lines.append(line("why.probe_cut", Mood.WARNING))
    return lines


def has_fired(one: Explanation) -> bool:
    """Has the explained message fired this intent already?"""
    return any(rule.rule is Rule.RECEIPT and not rule.passed for rule in one.rules)


_AFTER_A_FIRE = frozenset({Rule.STATUS, Rule.RECEIPT, Rule.BUDGET, Rule.COOLDOWN})


def _explained_fire(one: Explanation, fire: Fire, face: Clockface) -> Iterable[Line]:
    """It fired: when, and what became of the rule; then what held for the message."""
    row = one.intent
    yield line("why.fired", Mood.GOOD, handle=row.handle, text=closed(row.description))
    status = effective_status(row, face.now)
    quiet = status is Status.FIRED and row.ready_at is not None
    yield line(
        "why.fired.quiet" if quiet else "why.fired.when",
        time=face.soon(fire.fired_at),
        number=fire.number,
        limit=row.max_fires,
        state=say(f"fire.{fire.state}"),
        status=status_name(status),
        until=face.soon(row.ready_at) if row.ready_at is not None else "",
    )
    for rule in filter(_worth_a_line, one.rules):
        if rule.passed and rule.rule not in _AFTER_A_FIRE:
            yield rule_line(rule, face)


def fire_lines(fire: Fire, row: StandingIntent, face: Clockface) -> list[Line]:
    """Why a reminder came: the rule, the words that matched, who said them, when, and what it waits for now."""
    said = {"time": face.full(fire.fired_at), "name": fire.sender_name or fire.sender.user_id, "entry": fire.entry}
    found = [
        line("why.fired", Mood.GOOD, handle=row.handle, text=closed(row.description)),
        line("why.fire.said", **said),
        line("why.fire.words", words=listed(fire.terms)),
        line("why.fire.count", number=fire.number, limit=row.max_fires),
    ]
    if effective_status(row, face.now) not in LIVE:
        return found
    if row.ready_at is not None and row.ready_at > face.now:
        found.append(line("show.quiet.line", time=face.full(row.ready_at)))
    return [*found, line("why.fire.stop", Mood.FAINT, handle=row.handle)]


def _explained(one: Explanation, face: Clockface) -> Iterable[Line]:
    key, mood = ("why.fires", Mood.GOOD) if one.fires else ("why.silent", Mood.HEAD)
    yield line(key, mood, handle=one.intent.handle, text=closed(one.intent.description))
    for rule in filter(_worth_a_line, one.rules):
        yield rule_line(rule, face)
    if one.reason is Reason.CUT:
        yield line("why.mark.fail", Mood.BAD, text=say("why.cut_off"))


def _worth_a_line(rule: Verdict) -> bool:
    """Nothing is said of exceptions that a rule does not have, nor of a mute that there is not."""
    if not rule.passed:
        return True
    return bool(rule.figures.get("count")) if rule.rule is Rule.EXCEPT else rule.rule is not Rule.MUTE


def rule_line(rule: Verdict, face: Clockface) -> Line:
    """`✓` or `✗`, what the rule is about, and the figures."""
    words = rule_words(rule, face)
    if rule.passed:
        return line("why.mark.ok", Mood.PLAIN, text=words)
    return line("why.mark.fail", Mood.BAD, text=words)


def rule_words(rule: Verdict, face: Clockface) -> str:
    """The words of one verdict."""
    figures = {name: _figure(value, face) for name, value in rule.figures.items()}
    if rule.rule is Rule.STATUS:
        figures["status"] = say(f"status.{figures['status']}")
    if rule.passed:
        key = f"why.{rule.rule}.ok"
        if rule.rule is Rule.TURN and rule.figures.get("kind") in MACHINES:
            key = "why.turn.machine"
        if rule.rule is Rule.COOLDOWN and rule.figures.get("until") is None:
            key = "why.cooldown.never"
        return say(key, **figures)
    if rule.rule is Rule.TRIGGER and figures.get("detail") in {"missing", "excluded"}:
        return say(f"why.trigger.{figures['detail']}", **figures)
    if rule.rule is Rule.MUTE and rule.figures.get("until") is None:
        return say("why.reason.muted.open", **figures)
    return say(f"why.reason.{rule.reason}", **figures)


def _figure(value: object, face: Clockface) -> str:
    if isinstance(value, datetime):
        return face.soon(value)
    if isinstance(value, (tuple, list)):
        return listed(str(item) for item in value)
    return "" if value is None else str(value)
