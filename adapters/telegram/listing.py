"""Turning the pages of a list by buttons. What is wanted travels in the button, so that it outlives a restart."""

from adapters.base.contract import Button
from adapters.telegram.places import PROVIDER
from core.catalogue import say
from core.services.read_intents import Page
from core.standing.intent import Status
from core.standing.typed import Listing
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
    found = []
    for number, key in ((page.number - 1, "telegram.page.before"), (page.number + 1, "telegram.page.after")):
        data = _data(where, wanted, number)
        if 1 <= number <= page.pages and len(data.encode()) <= DATA_BYTES:
            found.append(Button(say(key), data))
    return (tuple(found),) if found else ()


def _data(where: Where, wanted: Listing, number: int) -> str:
    thread = "" if where.conversation == where.channel else where.conversation
    letters = "".join(_LETTERS[status] for status in wanted.statuses)
    return f"page:{where.channel}:{thread}:{number}:{letters}:{wanted.text}"


def read_data(data: str, account: str, asker: int) -> tuple[Where, Listing] | None:
    """The place and the page that a button asks for; None for one that nobody made."""
    mark, *fields = data.split(":", 5)
    if mark != "page" or len(fields) != 5:
        return None
    channel, thread, number, letters, text = fields
    known = channel.removeprefix("-").isdecimal() and number.isdecimal() and (not thread or thread.isdecimal())
    if not known or not set(letters) <= _STATUSES.keys():
        return None
    visibility = Visibility.DIRECT if int(channel) == asker else Visibility.PUBLIC
    where = Where(PROVIDER, account, channel, channel, thread or channel, visibility)
    statuses = tuple(_STATUSES[letter] for letter in letters)
    return where, Listing(text, statuses, int(number))
