"""Quiet: `/intent mute` and `/intent unmute`, for all rules of a place or for one rule."""

from adapters.base.desk import Desk
from core.catalogue import say
from core.errors import InvalidInput
from core.services.mute import MuteHere, MuteIntent, MutePlace, UnmutePlace
from core.standing import typed
from core.turn import PlaceKind, Where
from core.wording.lines import Line, Mood, line
from core.wording.preview import OPTIONS, muted_here_line, muted_line
from core.wording.shown import Clockface
from core.wording.words import channel_words, here_words


def mute_command(desk: Desk, wanted: typed.Mute) -> None:
    """Quieten all rules or one, or end that. Raises what the services raise."""
    if wanted.handle:
        _mute_rule(desk, wanted)
        return
    actor, where = desk.actor(), desk.where
    if wanted.kind is PlaceKind.CONVERSATION and where.conversation == where.channel:
        raise InvalidInput(say("mute.no_thread"), say("mute.no_thread.hint"))
    place = _place(wanted.kind, where)
    if not wanted.off:
        mute = MutePlace(desk.ctx)(wanted.kind, wanted.span, actor, where)
        desk.private(muted_line(mute, place, Clockface(desk.now(), desk.zone)))
        return
    UnmutePlace(desk.ctx)(wanted.kind, actor, where)
    desk.private(line("mute.ended", Mood.GOOD, place=place))
    still = MuteHere(desk.ctx)(where)
    if still is not None:
        kind = say(f"mute.kind.{still.kind}")
        desk.private(line("mute.ended.still", Mood.WARNING, kind=kind, option=OPTIONS[still.kind]))


def _mute_rule(desk: Desk, wanted: typed.Mute) -> None:
    where = desk.where
    row = MuteIntent(desk.ctx)(wanted.handle, desk.actor(), where, wanted.off)
    key = "mute.rule.ended" if wanted.off else "mute.rule.done"
    desk.private(line(key, Mood.GOOD, handle=row.handle, place=here_words(where)))


def _place(kind: PlaceKind, where: Where) -> str:
    if kind is PlaceKind.SPACE:
        return say("mute.place.space")
    return channel_words(where) if kind is PlaceKind.CHANNEL else here_words(where)


def muted_here(desk: Desk) -> list[Line]:
    """A line for a list where rules are muted."""
    mute = MuteHere(desk.ctx)(desk.where)
    return [] if mute is None else [muted_here_line(mute, Clockface(desk.now(), desk.zone))]
