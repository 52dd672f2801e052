"""What buttons under a reminder or a question about a rule do: [Done] [Later] [Mute here] [Why?] [Renew] [Keep].

What they are about travels in them, so that they work after a restart; who may, is asked when they are pressed.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from datetime import timedelta

from adapters.base.buttons import Action, Press, decode, encode
from adapters.base.contract import Button
from adapters.base.desk import Desk
from core.catalogue import say
from core.errors import NotAllowed, NotFound
from core.services.acknowledge import Acknowledge
from core.services.context import Context
from core.services.keep import KeepIntent
from core.services.mute import MuteIntent
from core.services.read_fire import ReadFire, SeenFire
from core.services.remind import SnoozeFire, SnoozeTimed
from core.services.renew_intent import RenewIntent
from core.services.timed import AcknowledgeTimed
from core.standing.durations import show_moment
from core.timed.reminder import TimedReminder
from core.turn import Where
from core.wording.shown import Clockface, fire_lines

PUT_OFF = {"1h": timedelta(hours=1), "3h": timedelta(hours=3), "1d": timedelta(days=1), "7d": timedelta(days=7)}
"""How long a reminder can be put off, by what its button carries."""
PUT_OFFS = 1_000
PUTS_OFF = frozenset({Action.LATER, Action.TIMED_LATER})
_LEAVES_BUTTONS = frozenset({Action.MUTE, Action.WHY})


def press_of(data: str) -> Press | None:
    """What one of these buttons carries; None for any other data."""
    press = decode(data)
    return press if press is not None and press.detail in {"", *PUT_OFF} else None


def place_of(ctx: Context, press: Press) -> Where | None:
    """The place that a press is about, which for a direct message is another than where it was pressed."""
    return ReadFire(ctx).place(press.id)


def spans(press: Press) -> list[Button]:
    """How long to put it off."""
    return [Button(say(f"fired.later.{span}"), encode(Press(press.action, press.id, span))) for span in PUT_OFF]


def done_with(press: Press, told: str) -> bool:
    """Is the row of buttons replaced by what was done?"""
    return press.action not in _LEAVES_BUTTONS and told != say("fired.done.before")


class OnlyOnce:
    """Which reminders were put off lately: a second tap comes before the buttons are gone. Bounded."""

    def __init__(self) -> None:
        self._seen: OrderedDict[Hashable, bool] = OrderedDict()

    def again(self, key: Hashable) -> None:
        """Nothing came of it: the next time is the first."""
        self._seen.pop(key, None)

    def first(self, key: Hashable) -> bool:
        """Is it the first time?"""
        if key in self._seen:
            return False
        self._seen[key] = True
        while len(self._seen) > PUT_OFFS:
            self._seen.popitem(last=False)
        return True


class FiredActs:
    """Does what a press asks for; answers what is told of it to whoever pressed, "" where lines were collected.

    `changed` is called whenever another due time of a timed reminder may count. Raises what the services raise.
    """

    def __init__(self, changed: Callable[[], object]) -> None:
        self._changed = changed
        self._acts: dict[Action, Callable[[Press, Desk], str]] = {
            Action.DONE: self._done,
            Action.LATER: self._later,
            Action.MUTE: self._mute,
            Action.WHY: self._why,
            Action.RENEW: self._renew,
            Action.KEEP: self._keep,
            Action.TIMED_DONE: self._timed_done,
            Action.TIMED_LATER: self._timed_later,
        }

    def __call__(self, press: Press, desk: Desk) -> str:
        """On the database thread. Raises NotAllowed for whom it is not for: they see it, or could not press it."""
        try:
            return self._acts[press.action](press, desk)
        except NotFound as error:
            if place_of(desk.ctx, press) is None:
                raise  # there is none
            raise NotAllowed(say("fired.not_theirs"), "") from error

    def require_own(self, press: Press, desk: Desk) -> None:
        """A reminder is put off by whom it is for alone. Raises NotAllowed."""
        if not ReadFire(desk.ctx).is_own(press.id, desk.actor()):
            raise NotAllowed(say("fired.not_for_you"), "")

    def _done(self, press: Press, desk: Desk) -> str:
        done = Acknowledge(desk.ctx)(press.id, desk.actor(), desk.where)
        return say("fired.done" if done.first else "fired.done.before", name=desk.actor().name)

    def _later(self, press: Press, desk: Desk) -> str:
        return self._again(SnoozeFire(desk.ctx)(press.id, PUT_OFF[press.detail], desk.actor()), desk)

    def _timed_done(self, press: Press, desk: Desk) -> str:
        handle = ReadFire(desk.ctx).timed_handle(press.id)
        AcknowledgeTimed(desk.ctx)(handle, desk.actor(), desk.where)
        return say("fired.done", name=desk.actor().name)

    def _timed_later(self, press: Press, desk: Desk) -> str:
        handle = ReadFire(desk.ctx).timed_handle(press.id)
        return self._again(SnoozeTimed(desk.ctx)(handle, PUT_OFF[press.detail], desk.actor(), desk.where), desk)

    def _again(self, row: TimedReminder, desk: Desk) -> str:
        self._changed()
        assert row.due_at is not None, "it is to come"  # noqa: S101
        return say("fired.later", time=show_moment(row.due_at, desk.zone))

    def _mute(self, press: Press, desk: Desk) -> str:
        seen = self._seen(press, desk)
        row = MuteIntent(desk.ctx)(seen.intent.handle, desk.actor(), seen.where, off=False)
        return say("fired.muted", handle=row.handle)

    def _why(self, press: Press, desk: Desk) -> str:
        seen = self._seen(press, desk)
        desk.private(*fire_lines(seen.fire, seen.intent, Clockface(desk.now(), desk.zone)))
        return ""

    def _renew(self, press: Press, desk: Desk) -> str:
        seen = self._seen(press, desk)
        row = RenewIntent(desk.ctx)(seen.intent.handle, desk.actor(), seen.where)
        return say("fired.renewed", handle=row.handle)

    def _keep(self, press: Press, desk: Desk) -> str:
        handle = ReadFire(desk.ctx).handle(press.id, desk.actor(), desk.where)
        row = KeepIntent(desk.ctx)(handle, desk.actor(), desk.where)
        return say("fired.kept", handle=row.handle, ends=show_moment(row.expires_at, desk.zone))

    def _seen(self, press: Press, desk: Desk) -> SeenFire:
        return ReadFire(desk.ctx)(press.id, desk.actor(), desk.where)
