"""The launch checklist, played line by line."""

import asyncio
from collections.abc import AsyncIterator

from adapters.console.app import ConsoleApp
from adapters.console.display import Screen
from core.wording.lines import Mood, line

Step = tuple[str, str]
_NOTE, _TYPE = "note", "type"

STEPS: tuple[Step, ...] = (
    (_NOTE, "console.demo.owner"),
    (_TYPE, "/in ops"),
    (_TYPE, "when someone mentions the launch checklist, remind me to confirm the rollback owner"),
    (_TYPE, "yes"),
    (_NOTE, "console.demo.bob"),
    (_TYPE, "/as bob"),
    (_TYPE, "Morning! The checklist for the launch is nearly done."),
    (_NOTE, "console.demo.quiet"),
    (_TYPE, "Anyone seen the launch checklists of last year?"),
    (_NOTE, "console.demo.why"),
    (_TYPE, "/as ada"),
    (_TYPE, "/intent why"),
    (_NOTE, "console.demo.later"),
    (_TYPE, "/time +25h"),
    (_TYPE, "/as bob"),
    (_TYPE, "I put the launch checklist in the wiki."),
    (_TYPE, "/as ada"),
    (_TYPE, "/intent list"),
)


async def demo_lines(app: ConsoleApp, screen: Screen, key_seconds: float = 0.0) -> AsyncIterator[str]:
    """The lines of the demonstration, each shown as if it were typed, `key_seconds` a key."""
    screen.private([line("console.demo.open", Mood.WARNING)])
    for kind, text in STEPS:
        await asyncio.sleep(20 * key_seconds)
        if kind == _NOTE:
            screen.note(line(text, Mood.FAINT))
            continue
        keys = screen.typed(app.world.name, app.place(), text)
        for _ in keys:
            await asyncio.sleep(key_seconds)
        yield text
    screen.note(line("console.demo.end", Mood.FAINT))
