"""Turning the pages of a list by buttons: the place that it is a list of travels in them, too."""

from adapters.base.contract import Button
from adapters.base.listing import Wanted, beside, data_of, read_page
from adapters.telegram.places import PROVIDER
from core.services.read_goals import GoalPage
from core.services.read_intents import Page
from core.services.timed import TimedPage
from core.turn import Visibility, Where

DATA_BYTES = 64


def page_buttons(where: Where, wanted: Wanted, page: Page | TimedPage | GoalPage) -> tuple[tuple[Button, ...], ...]:
    """Buttons to the pages beside this one; none where the filter is too long for a button (it is typed then)."""
    place = f"{where.channel}:{'' if where.conversation == where.channel else where.conversation}:"
    return beside(lambda number: data_of(wanted, number, place), page.number, page.pages, DATA_BYTES)


def read_data(data: str, account: str, asker: int) -> tuple[Where, Wanted] | None:
    """The place and the page that a button asks for; None for one that nobody made."""
    mark, *fields = data.split(":", 5)
    if len(fields) != 5:
        return None
    channel, thread, number, letters, text = fields
    wanted = read_page(mark, number, letters, text)
    if wanted is None or not (channel.removeprefix("-").isdecimal() and (not thread or thread.isdecimal())):
        return None
    visibility = Visibility.DIRECT if int(channel) == asker else Visibility.PUBLIC
    return Where(PROVIDER, account, channel, channel, thread or channel, visibility), wanted
