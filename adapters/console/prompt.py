"""The prompt on a real terminal: line editing, completion, history of this session, a status line."""

from collections.abc import AsyncIterator, Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from adapters.console.app import ConsoleApp
from adapters.console.display import harmless, name_style
from core.standing.commands import VERBS

META_CHARS = 40
_STYLE = Style.from_dict({"bottom-toolbar": "noreverse", "place": "#888888"})
_NO_HANDLE = frozenset({"add", "list"})


class ConsoleCompleter(Completer):
    """Commands, handles (with their text), people and channels."""

    def __init__(self, app: ConsoleApp) -> None:
        self._app = app

    def get_completions(
        self,
        document: Document,
        complete_event: CompleteEvent,  # noqa: ARG002  # the base class names it
    ) -> Iterable[Completion]:
        """What could stand at the cursor."""
        before = document.text_before_cursor
        word = before.rsplit(" ", 1)[-1]
        for text, meta in self._offers(before, word):
            if text.casefold().startswith(word.casefold()) and text != word:
                yield Completion(text, -len(word), display_meta=harmless(meta, META_CHARS))

    def _offers(self, before: str, word: str) -> Iterable[tuple[str, str]]:
        world = self._app.world
        words = before[: len(before) - len(word)].split()
        if not words and word.startswith("/"):
            return [(f"/{name}", "") for name in self._app.commands()]
        if words == ["/intent"]:
            return [(verb, "") for verb in VERBS]
        if len(words) == 2 and words[0] == "/intent" and words[1] not in _NO_HANDLE:
            return self._app.handles
        if words in (["/as"], ["/owner"]):
            return [(name, "") for name in world.people().values()]
        if words == ["/in"]:
            places = {place.channel: place.channel_name for place in world.workspace.places}
            return [(name, "") for key, name in places.items() if not key.startswith("dm:")]
        if word.startswith("@"):
            return [(f"@{name}", "") for name in world.people().values()]
        return []


async def prompted_lines(app: ConsoleApp, colour: bool) -> AsyncIterator[str]:
    """Each line typed at the prompt; ends with Ctrl-C or Ctrl-D."""
    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(),
        completer=ConsoleCompleter(app),
        complete_while_typing=True,
        bottom_toolbar=lambda: FormattedText([("class:bottom-toolbar", f" {harmless(app.status())} ")]),
        color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
        style=_STYLE,
        enable_open_in_editor=False,
        mouse_support=False,
    )
    while True:
        try:
            yield await session.prompt_async(lambda: _prompt(app))
        except (EOFError, KeyboardInterrupt):
            return


def _prompt(app: ConsoleApp) -> FormattedText:
    style = name_style(app.world.name).replace("bright_", "ansibright").replace("bold ", "bold ansi")
    return FormattedText(
        [
            (style.replace("ansiansi", "ansi"), harmless(app.world.name)),
            ("class:place", f" {harmless(app.place())}> "),
        ]
    )
