"""The prompt on a real terminal: line editing, completion, history, a status line."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application.run_in_terminal import in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from adapters.console.app import ConsoleApp
from adapters.console.display import harmless, name_style
from adapters.console.history import KeptHistory
from core.goals import commands as goal_commands
from core.standing import commands as intent_commands
from core.timed.commands import VERBS as REMIND_VERBS
from core.turn import Visibility

META_CHARS = 40
_STYLE = Style.from_dict({"bottom-toolbar": "noreverse", "place": "#888888"})
_NO_HANDLE = frozenset({"add", "list"})
_NO_GOAL = frozenset({"add", "list", "search", "review"})
_GRAMMARS = {
    "/intent": (intent_commands.OPTIONS, intent_commands.VALUES),
    "/goal": (goal_commands.OPTIONS, goal_commands.VALUES),
}


class ConsoleCompleter(Completer):
    """Commands, their options, rules, reminders and goals (with their text), people and channels."""

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
        if words and words[0] in _GRAMMARS and len(words) > 1 and (found := _options(words, word)):
            return [(text, "") for text in found]
        if words == ["/intent"]:
            return [(verb, "") for verb in intent_commands.VERBS]
        if words == ["/goal"]:
            return [(verb, "") for verb in goal_commands.VERBS]
        if words[:1] == ["/goal"] and word.startswith("g") and words[1] not in _NO_GOAL:
            return self._app.goals
        if len(words) == 2 and words[0] == "/intent" and words[1] not in _NO_HANDLE:
            return self._app.handles
        if words[:1] == ["/remind"] and len(words) <= 2 and not word.startswith("@"):
            return self._reminding(words[1:])
        if words in (["/as"], ["/owner"]):
            return [(name, "") for name in world.people().values()]
        if words == ["/in"]:
            open_to = [place for place in world.places() if place.visibility is not Visibility.DIRECT]
            return [(name, "") for name in dict.fromkeys(place.channel_name for place in open_to)]
        if word.startswith("@"):
            return [(f"@{name}", "") for name in world.people().values()]
        return []

    def _reminding(self, words: list[str]) -> Iterable[tuple[str, str]]:
        """Verbs of `/remind`, and behind one of them the reminders of the list."""
        if not words:
            return [(verb, "") for verb in REMIND_VERBS]
        return self._app.reminders if words[0] in REMIND_VERBS and words[0] != "list" else []


def _options(words: list[str], word: str) -> list[str]:
    """Options of a sub-command that are not there yet, or the values of the one before the cursor."""
    options, values = _GRAMMARS[words[0]]
    known = options.get(words[1].casefold(), ())
    if word.startswith("-"):
        return [f"--{name}" for name in known if f"--{name}" not in words]
    last = words[-1].removeprefix("--")
    return list(values.get(last, ())) if words[-1].startswith("--") and last in known else []


def keys() -> KeyBindings:
    """Ctrl-C clears the line; on an empty line it ends the chat."""
    bindings = KeyBindings()

    @bindings.add("c-c")
    def _(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

    @bindings.add(Keys.Vt100MouseEvent)
    def _(event: KeyPressEvent) -> None:
        """Pasted colours look like the mouse to prompt_toolkit; there is no mouse here."""

    return bindings


async def prompted_lines(app: ConsoleApp, colour: bool) -> AsyncIterator[str]:
    """Each line typed at the prompt; ends with Ctrl-C or Ctrl-D on an empty line."""
    session: PromptSession[str] = PromptSession(
        history=KeptHistory(Path(f"{app.file}.history")) if app.file else InMemoryHistory(),
        key_bindings=keys(),
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


async def above_the_prompt(work: Callable[[], Awaitable[None]]) -> None:
    """Let `work` show something while somebody may be typing: the prompt makes room and comes back as it was."""
    async with in_terminal():
        await work()


def _prompt(app: ConsoleApp) -> FormattedText:
    style = name_style(app.world.name).replace("bright_", "ansibright").replace("bold ", "bold ansi")
    return FormattedText(
        [
            (style.replace("ansiansi", "ansi"), harmless(app.world.name)),
            ("class:place", f" {harmless(app.place())}> "),
        ]
    )
