"""Writing and reading transcripts of the terminal chat."""

import asyncio
import io
import re
from pathlib import Path

from adapters.console.loop import run_chat
from adapters.console.piped import piped_lines
from tests.fakes.console import Chat

DOCS = Path(__file__).parents[2] / "docs"
TRANSCRIPT = DOCS / "transcript.txt"
GOALS = DOCS / "goals-transcript.txt"
_TYPED = re.compile(r"(?!remembrancer )\S+ \S+> (.*)")


def typed_lines(transcript: str) -> list[str]:
    """What people typed in a transcript."""
    return [found.group(1) for text in transcript.splitlines() if (found := _TYPED.fullmatch(text))]


def replay(chat: Chat, lines: list[str]) -> str:
    """Pipe lines into a session; everything that was shown, the opening too."""
    return replay_bytes(chat, "\n".join([*lines, ""]).encode())


def replay_bytes(chat: Chat, data: bytes, limit: int = 4_000_000) -> str:
    """The same from bytes."""
    app = chat.app
    chat.stream.seek(0)
    chat.stream.truncate()
    screen = chat.screen

    def echo(text: str) -> None:
        screen.said(app.world.name, app.place(), text)

    async def main() -> None:
        await run_chat(app, piped_lines(io.BytesIO(data), echo, chat.cuts.append, limit), _at_once)

    asyncio.run(main())
    return chat.stream.getvalue()


async def _at_once(work):  # type: ignore[no-untyped-def]  # any callable, its own result
    return work()
