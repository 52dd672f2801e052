"""Notices in words: a line for each thing to tell, and one for what waits. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.catalogue import say
from core.services.notices import News, Notice, NoticeKind
from core.services.parcels import Unreached
from core.turn import Principal, Visibility, Where
from core.wording.goal_news import GOAL_NEWS, goal_news_lines
from core.wording.lines import Line, Mood, Named, line
from core.wording.shown import Clockface
from core.wording.words import channel_words, closed

Names = Callable[[Principal], str]


def notice_lines(notice: Notice, face: Clockface, names: Names) -> list[Line]:
    """What a person is told; `names` gives the name that people know somebody by."""
    lines = [line for news in _once(notice.news) for line in _lines(news, face, names)]
    if notice.waiting:
        key = "notice.waiting.one" if notice.waiting == 1 else "notice.waiting"
        lines.append(line(key, Mood.FAINT, count=notice.waiting))
    return lines


def _once(told: Sequence[News]) -> list[News]:
    """A risk whose deadline has just passed is not told of once more among the open ones."""
    known = {row.id for news in told if news.kind is NoticeKind.RISK_EXPIRED for row in news.goals}
    return [
        replace(news, goals=tuple(row for row in news.goals if row.id not in known))
        if news.kind is NoticeKind.RISKS
        else news
        for news in told
    ]


def unreached_line(unreached: Unreached) -> Line:
    """Somebody is asked, where others read it, to open a private chat; it says nothing of what there is to tell."""
    who = Named(unreached.name or unreached.who.user_id, unreached.who)
    return line("notice.unreached", Mood.PLAIN, who=who)


def _lines(news: News, face: Clockface, names: Names) -> list[Line]:
    intent = news.intent
    who = say("notice.admin") if news.who is None else f"@{names(news.who)}"
    if news.kind in GOAL_NEWS:
        return goal_news_lines(news, face, who)
    match news.kind:
        case NoticeKind.LEFT:
            return [line("notice.left", Mood.WARNING, who=who, count=news.count)]
        case NoticeKind.IMPORTED:
            key = "notice.imported.one" if news.count == 1 else "notice.imported"
            return [line(key, Mood.WARNING, count=news.count)]
        case NoticeKind.REVIEW:
            text = closed(news.text) or say("notice.review.gone")
            return [
                line("notice.review", Mood.WARNING, handle=news.handle, text=text),
                line("notice.review.next", Mood.FAINT, handle=news.handle),
            ]
        case NoticeKind.CANCELLED if intent is None:
            return [line("notice.cancelled.all", Mood.WARNING, who=who, count=news.count)]
        case NoticeKind.TIMED_CANCELLED | NoticeKind.TIMED_FAILED:
            return _timed(news, who)
    assert intent is not None, "the other kinds are about one intent"  # noqa: S101
    text = closed(intent.description) or say("notice.erased")
    match news.kind:
        case NoticeKind.EXPIRING:
            ends = face.full(intent.expires_at)
            return [
                line("notice.expiring", Mood.WARNING, handle=intent.handle, ends=ends, text=text),
                line("notice.expiring.keep", Mood.FAINT, handle=intent.handle),
            ]
        case NoticeKind.CANCELLED:
            return [line("notice.cancelled", Mood.WARNING, who=who, handle=intent.handle, text=text)]
        case NoticeKind.REFUNDED:
            return [line("notice.refunded", Mood.BAD, handle=intent.handle, text=text)]
        case _:
            where = _place(news.where)
            return [line("notice.watched", Mood.WARNING, who=who, where=where, handle=intent.handle)]


def _timed(news: News, who: str) -> list[Line]:
    row = news.timed
    assert row is not None, "these are about a timed reminder"  # noqa: S101
    text = closed(row.text) or say("notice.erased")
    if news.kind is NoticeKind.TIMED_CANCELLED:
        return [line("notice.timed.cancelled", Mood.WARNING, who=who, handle=row.handle, text=text)]
    return [
        line("notice.timed.failed", Mood.BAD, handle=row.handle, text=text),
        line("notice.timed.failed.hint", Mood.FAINT, handle=row.handle),
    ]


def _place(where: Where) -> str:
    """Where somebody is watched; a private channel is not named: they may not know it."""
    return say("notice.private") if where.visibility is Visibility.PRIVATE else channel_words(where)
