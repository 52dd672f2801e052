"""A preview, a history and a mute in words. Pure."""

from collections import Counter

from core.catalogue import say
from core.limits import Limits
from core.services.history import FireHistory, PlaceNames
from core.services.preview_intent import Previewed
from core.standing.gates import Reason
from core.standing.intent import Fire
from core.standing.mutes import Mute
from core.standing.preview import Hit, Miss, NearMiss, Preview
from core.turn import PlaceKind, Turn, Visibility
from core.wording.lines import Line, Mood, joined, line
from core.wording.reminders import reminder_line
from core.wording.shown import Clockface, status_words, watches_words
from core.wording.words import entry_words, listed

OPTIONS = {PlaceKind.SPACE: " --space", PlaceKind.CHANNEL: "", PlaceKind.CONVERSATION: " --thread"}
"""What stands behind `/intent unmute` for each kind of mute."""
_HELD = (Reason.COOLDOWN, Reason.BUDGET, Reason.MUTED, Reason.EXCEPTED, Reason.GOAL_CLOSED)


def preview_short(shown: Previewed, face: Clockface, limits: Limits) -> list[Line]:
    """One or two lines below a read-back."""
    preview, paths = shown.preview, _paths(shown)
    if not preview.looked_at:
        return [*paths, line("preview.none", Mood.FAINT), *_unread(shown)]
    words = _counts(preview)
    if preview.hits:
        turn = preview.hits[-1].turn
        said, name, time = _snippet(turn, limits), _name(turn), face.soon(turn.sent_at)
        words = say("preview.last", text=words, said=said, name=name, time=time)
        return [*paths, _linked(line("preview.sentence", text=words), turn), *_unread(shown)]
    lines = [*paths, line("preview.sentence", text=words)]
    if preview.near:
        miss = preview.near[-1]
        why, said, name = _why(miss, shown), _snippet(miss.turn, limits), _name(miss.turn)
        lines.append(_linked(line("preview.near.short", Mood.FAINT, said=said, name=name, why=why), miss.turn))
    return [*lines, *_unread(shown)]


def preview_lines(shown: Previewed, face: Clockface, limits: Limits) -> list[Line]:
    """The whole preview: words, count, hits, near misses, and what a reminder would look like."""
    preview, row = shown.preview, shown.intent
    entries = " | ".join(entry_words(entry) for entry in row.entries)
    lines = [line("show.entries", Mood.HEAD, text=entries), line("show.who", who=watches_words(row))]
    lines.extend(line("readback.warning", Mood.WARNING, text=text) for text in shown.warnings)
    lines.extend(_paths(shown))
    if preview.since is not None:
        lines.append(line("preview.sentence", Mood.HEAD, text=_counts(preview, face.soon(preview.since))))
    else:
        lines.append(line("preview.none", Mood.FAINT))
    if preview.elsewhere:
        lines.append(line("preview.elsewhere", Mood.WARNING))
    newest = preview.hits[: -limits.preview_shown - 1 : -1]
    lines.extend(_hit(hit, face, limits) for hit in newest)
    if len(preview.hits) > len(newest):
        lines.append(line("preview.hits.more", Mood.FAINT, count=len(preview.hits) - len(newest)))
    return [*lines, *_near(shown, face, limits), *_notes(shown, limits), *_sample(shown, face)]


def _paths(shown: Previewed) -> list[Line]:
    """What is left out where a term is the path of an address."""
    return [line("preview.path", Mood.WARNING, term=term) for term in shown.paths]


def _counts(preview: Preview, since: str = "") -> str:
    """How often it would have fired, and how often more but for its quiet times."""
    key = "preview.span.one" if preview.looked_at == 1 else "preview.span.many"
    span, fired = say(key, count=preview.looked_at), len(preview.hits)
    span = say("preview.since", span=span, time=since) if since else span
    key = "none" if not fired else "one" if fired == 1 else "many"
    held = Counter(one.reason for one in preview.held_back)
    parts = [say(f"preview.count.{key}", span=span, count=fired)]
    parts.extend(say(f"preview.held.{reason}", count=held[reason]) for reason in _HELD if held[reason])
    return "; ".join(parts)


def _snippet(turn: Turn, limits: Limits) -> str:
    text = " ".join(turn.text.text[: 4 * limits.snippet_chars].split())
    return text if len(text) <= limits.snippet_chars else f"{text[: limits.snippet_chars - 1]}…"


def _name(turn: Turn) -> str:
    return turn.sender_name or (turn.sender.user_id if turn.sender is not None else "")


def _hit(hit: Hit, face: Clockface, limits: Limits) -> Line:
    key = "preview.hit.forms" if hit.by_forms else "preview.hit"
    said, time = _snippet(hit.turn, limits), face.soon(hit.turn.sent_at)
    return _linked(line(key, time=time, name=_name(hit.turn), said=said), hit.turn)


def _linked(row: Line, turn: Turn) -> Line:
    """The line with the link to its message, where the platform has links."""
    return joined([row, line("preview.link", link=turn.link)]) if turn.link else row


def _why(miss: NearMiss, shown: Previewed) -> str:
    return say(f"preview.near.{miss.kind}", term=miss.term, who=watches_words(shown.intent))


def _near(shown: Previewed, face: Clockface, limits: Limits) -> list[Line]:
    near = shown.preview.near
    if not near:
        return []
    lines = [line("preview.near")]
    for miss in reversed(near):
        said, time = _snippet(miss.turn, limits), face.soon(miss.turn.sent_at)
        row = line("preview.near.row", time=time, name=_name(miss.turn), said=said, why=_why(miss, shown))
        lines.append(_linked(row, miss.turn))
    if any(miss.kind is Miss.FORMS for miss in near):
        key = "preview.near.offer.stored" if shown.intent.handle else "preview.near.offer"
        lines.append(line(key, handle=shown.intent.handle))
    return lines


def _notes(shown: Previewed, limits: Limits) -> list[Line]:
    preview, lines = shown.preview, []
    for name, count in (("forms", preview.formed), ("left_out", preview.left_out)):
        if count:
            key = "one" if count == 1 else "many"
            lines.append(line(f"preview.{name}.{key}", Mood.FAINT, count=count))
    if shown.more:
        lines.append(line("preview.more", Mood.WARNING, count=preview.looked_at))
    elif shown.older:
        key = "preview.older.one" if shown.older == 1 else "preview.older.many"
        most, chars = limits.preview_messages, limits.preview_chars
        lines.append(line(key, Mood.WARNING, count=shown.older, limit=most, chars=chars))
    return [*lines, *_unread(shown)]


def _unread(shown: Previewed) -> list[Line]:
    """How many messages could not be read."""
    if not shown.unread:
        return []
    key = "preview.unread.one" if shown.unread == 1 else "preview.unread.many"
    return [line(key, Mood.WARNING, count=shown.unread)]


def _sample(shown: Previewed, face: Clockface) -> list[Line]:
    sample = shown.sample
    return [line("preview.sample"), reminder_line(sample, sample.fired_at, face.zone)]


def trial_lines(shown: Previewed, face: Clockface) -> list[Line]:
    """One reminder as it would look, marked as a test."""
    return [line("preview.test", Mood.HEAD), reminder_line(shown.sample, shown.sample.fired_at, face.zone)]


# -- history ----------------------------------------------------------------------------------------------------------


def history_lines(found: FireHistory, face: Clockface) -> list[Line]:
    """Two or three lines a fire, and one for the pages."""
    handle, status = found.intent.handle, status_words(found.intent)
    if not found.fires:
        none = "history.hidden" if found.total else "history.none"
        return [line(none, Mood.FAINT, handle=handle, status=status)]
    lines = [line("history.head", Mood.HEAD, handle=handle, status=status)]
    for fire, place in found.fires:
        lines.extend(_fire(fire, place, face))
    kind = "pages" if found.pages > 1 else "total.one" if found.total == 1 else "total.many"
    return [*lines, line(f"history.{kind}", Mood.FAINT, total=found.total, page=found.number, pages=found.pages)]


def _fire(fire: Fire, place: PlaceNames, face: Clockface) -> list[Line]:
    head = line(
        "history.row",
        number=fire.number,
        time=face.full(fire.fired_at),
        place=fire_place(place),
        name=fire.sender_name or fire.sender.user_id,
        entry=fire.entry or say("history.erased"),
        state=say(f"fire.{fire.state}"),
    )
    lines = [head]
    if fire.acknowledged_at is not None:
        lines.append(line("history.row.done", Mood.FAINT, time=face.full(fire.acknowledged_at)))
    if fire.terms:
        lines.append(line("history.row.terms", Mood.FAINT, terms=listed(fire.terms)))
    if fire.link:
        lines.append(line("history.row.link", Mood.FAINT, link=fire.link))
    return lines


def fire_place(place: PlaceNames) -> str:
    """Where a fire happened: `#ops`, `the thread rollout in #ops`, `a direct message`."""
    if place.visibility is Visibility.DIRECT:
        return say("history.direct")
    key = "place.private" if place.visibility is Visibility.PRIVATE else "place.channel"
    channel = say(key, name=place.channel)
    return say("place.thread", name=place.thread, channel=channel) if place.thread else channel


# -- mutes ------------------------------------------------------------------------------------------------------------


def muted_line(mute: Mute, place: str, face: Clockface) -> Line:
    """What was muted, until when, and how it ends."""
    if mute.until is None:
        return line("mute.done.open", Mood.GOOD, place=place, option=OPTIONS[mute.kind])
    return line("mute.done", Mood.GOOD, place=place, time=face.full(mute.until), option=OPTIONS[mute.kind])


def muted_here_line(mute: Mute, face: Clockface) -> Line:
    """Below a list: the mute in force here."""
    kind = say(f"mute.kind.{mute.kind}")
    if mute.until is None:
        return line("mute.here.open", Mood.WARNING, kind=kind, option=OPTIONS[mute.kind])
    return line("mute.here", Mood.WARNING, kind=kind, time=face.soon(mute.until))
