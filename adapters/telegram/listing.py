"""Turning the pages of a list by buttons. What is wanted travels in the button, so that it outlives a restart."""

from collections.abc import Callable

from adapters.base.contract import Button
from adapters.telegram.places import PROVIDER
from core.catalogue import say
from core.services.read_intents import Page
from core.services.timed import TimedPage
from core.standing.intent import Status
from core.standing.typed import Listing
from core.timed.commands import TimedListing
from core.turn import Visibility, Where

DATA_BYTES = 64
_LETTERS = {
    Status.PENDING: "p",
    Status.ARMED: "a",
    Status.FIRED: "f",
    Status.DONE: "d",
    Status.CANCELLED: "c",
    Status.EXPIRED: "e",
}
_STATUSES = {letter: status for status, letter in _LETTERS.items()}


def page_buttons(where: Where, wanted: Listing, page: Page) -> tuple[tuple[Button, ...], ...]:
    """Buttons to the pages beside this one; none where the filter is too long for a button (it is typed then)."""
    letters = "".join(_LETTERS[status] for status in wanted.statuses)
    return _both(lambda number: f"page:{_place(where)}:{number}:{letters}:{wanted.text}", page.number, page.pages)


def timed_buttons(where: Where, wanted: TimedListing, page: TimedPage) -> tuple[tuple[Button, ...], ...]:
    """The same for a list of reminders by the clock."""
    kind = "all" if wanted.everything else ""
    return _both(lambda number: f"clock:{_place(where)}:{number}:{kind}:", page.number, page.pages)


def _both(data_of: Callable[[int], str], number: int, pages: int) -> tuple[tuple[Button, ...], ...]:
    found = []
    for other, key in ((number - 1, "telegram.page.before"), (number + 1, "telegram.page.after")):
        if 1 <= other <= pages and len(data_of(other).encode()) <= DATA_BYTES:
            found.append(Button(say(key), data_of(other)))
    return (tuple(found),) if found else ()


def _place(where: Where) -> str:
    return f"{where.channel}:{'' if where.conversation == where.channel else where.conversation}"


def read_data(data: str, account: str, asker: int) -> tuple[Where, Listing | TimedListing] | None:
    """The place and the page that a button asks for; None for one that nobody made."""
    mark, *fields = data.split(":", 5)
    if mark not in {"page", "clock"} or len(fields) != 5:
        return None
    channel, thread, number, letters, text = fields
    if not (channel.removeprefix("-").isdecimal() and number.isdecimal() and (not thread or thread.isdecimal())):
        return None
    if not set(letters) <= _STATUSES.keys() and (mark, letters) != ("clock", "all"):
        return None
    visibility = Visibility.DIRECT if int(channel) == asker else Visibility.PUBLIC
    where = Where(PROVIDER, account, channel, channel, thread or channel, visibility)
    if mark == "clock":
        return where, TimedListing(letters == "all", int(number))
    statuses = tuple(_STATUSES[letter] for letter in letters)
    return where, Listing(text, statuses, int(number))
