"""Commands in our own texts as they are typed in Discord: `/intent list --all` is `/intent list all:True`. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.errors import RemembrancerError
from core.settings import Setting
from core.wording.lines import Line, Mood, Segment, line

_OTHERS, _HANDLE, _SEAM = "\ue000", "\ue001", "\ue002"
"""What stands in our text for words of people, for a handle, and between two segments of ours."""
_MARKS = re.compile(f"[{_OTHERS}{_HANDLE}{_SEAM}]")
_NAMED = re.compile(r"[igrma]-(?:[0-9a-z]{4,}|…)")
_FIELD = rf"(?:{_NAMED.pattern}|{_HANDLE})"
_SPACE = re.compile(r"(?<![\w:./-])(?<!thread, )space(?![\w:/-]|\.\w)")
_COMMAND = re.compile(r"/(?:intent|goal|remind|aspire|settings|help|privacy)\b[^\n]*")
_FLAGS = {
    "--all": "all:True",
    "--anyone": "who:anyone",
    "--me": "who:me",
    "--space": "place:space",
    "--thread": "place:thread",
    "--forms": "exact:False",
    "--exact": "exact:True",
    "--edits": "edits:True",
    "--no-edits": "edits:False",
    "--dm": "deliver:dm",
    "--off": "off:True",
}
_NAMES = {"from": "only_from"}
"""Options that have another name here."""
_OPTION = re.compile(
    r"--(page|status|cooldown|for|max|expires|per|scope|deliver|except|priority|from"
    r"|type|state|due|owner|with|criteria|note|depends|blocks|of|text)(?![\w-])"
    rf"( (?=[\d@#N{_OTHERS}{_HANDLE}]|{_NAMED.pattern}|(?:\w+[,.]?(?:$| \(| --| {{2}}| ?{_SEAM}|, or|(?<=\.) [A-Z]))))?"
)
_FLAG = re.compile(rf"(?:{'|'.join(_FLAGS)})(?![\w-])")
_FILLED = {
    "/intent unmute": re.compile("|".join(_FLAGS)),
    "/goal ": re.compile(r"(?:list|review)(?: --(?:type|state) [\w,]+)*(?: --all)?"),
    **dict.fromkeys((" keep", " g-…", " hold", " cancel"), re.compile(rf"--of {_NAMED.pattern}")),
}
"""Behind these an option of ours fills a field."""
_NOTHING = Segment("")
_QUOTED = re.compile("(“[^”]*”)")
_VERBS = "cancel|mute|unmute|why|preview|edit|show|pause|resume|keep|confirm|history|test"
_SETTINGS = "|".join(Setting)
_EXAMPLE = "launch checklist|launch"
_WORDS = (
    (re.compile(r"/(settings|help|privacy)\b"), r"/remembrancer \1"),
    (re.compile(rf"/remembrancer settings ({_SETTINGS}) (\S+)"), r"/remembrancer settings setting:\1 value:\2"),
    (re.compile(rf"/remembrancer settings ({_SETTINGS})\b"), r"/remembrancer settings setting:\1"),
    (re.compile(r"/remind (?:again|snooze) (\S+) (\d\S*)"), r"/remind later handle:\1 time:\2"),
    (re.compile(r"/remind (?:again|snooze)"), "/remind later"),
    (re.compile(r"/remind in (\S+) (check the logs|look\b.*)"), r"/remind me time:in \1 text:\2"),
    (re.compile(rf"/aspire review ({_FIELD}) (\d\S*)"), r"/aspire review handle:\1 review:\2"),
    (re.compile(rf"/(aspire|remind) (done|show|cancel) (?={_FIELD})"), r"/\1 \2 handle:"),
    (
        re.compile(rf"/intent ({_VERBS}) (?={_FIELD})"),
        r"/intent \1 handle:",
    ),
    (re.compile(rf"(/intent why handle:{_FIELD}) (?=the )"), r"\1 message:"),
    (
        re.compile(rf"/intent (add|preview|edit handle:{_FIELD}) ({_EXAMPLE}) => ([^\-\n]+?)(?= --|$)"),
        r"/intent \1 words:\2 text:\3",
    ),
    (re.compile(rf"/intent preview ({_EXAMPLE})\b"), r"/intent preview words:\1"),
    (re.compile(rf"/intent list (?={_OTHERS})"), "/intent list filter:"),
    (re.compile(r"/aspire add ([^(\n]+?) \(review ([^)\n]+)\)"), r"/aspire add text:\1 review:\2"),
)
_TOLD = "show|done|hold|resume|cancel|pin|unpin|confirm|dismiss|supersede|edit|depends|blocks|answer"
_BEGINS = rf"(?=[^\W\d_]|{_OTHERS})"
"""Where words begin that an option takes."""


def _waits(found: re.Match[str]) -> str:
    """`depends g-7k2m --off g-9a1c` ends what `depends g-7k2m on g-9a1c` began."""
    return f"{found[1]} {'off:True ' if '--off' in found[0] else ''}on:"


_GOALS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"/goal graph\b(?: (\S+))?"), lambda found: f"/goal show {found[1]}" if found[1] else "/goal list"),
    (re.compile(rf"/goal link --off (?={_FIELD})"), "/goal link off:True rule:"),
    (re.compile(rf"/goal link ({_FIELD}) (?={_FIELD})"), r"/goal link handle:\1 rule:"),
    (re.compile(rf"/goal ({_TOLD}) (?={_FIELD})"), r"/goal \1 handle:"),
    (re.compile(rf"/goal add (type:\w+ )?{_BEGINS}"), r"/goal add \1text:"),
    (re.compile(rf"(/goal (?:edit|supersede) handle:{_FIELD}) {_BEGINS}"), r"\1 text:"),
    (re.compile(rf"/goal search {_BEGINS}"), "/goal search text:"),
    (re.compile(rf"(/goal depends handle:{_FIELD}) (?:on|--off) (?={_FIELD})"), _waits),
    (re.compile(rf"(/goal blocks handle:{_FIELD}) (--off )?(?={_FIELD})"), r"\1 \2others:"),
    (re.compile(rf"(/goal answer handle:{_FIELD}) (keep|replace|hold|cancel)"), r"\1 answer:\2"),
    (re.compile(rf"(/goal answer handle:{_FIELD} answer:replace) (?={_FIELD})"), r"\1 by:"),
)


def phrased(text: str) -> str:
    """A text of ours as people of Discord would say it: its commands and options, and a space is a server."""
    here = _COMMAND.sub(lambda found: _typed_here(found[0]), text) if "/" in text else text
    here = here.replace("names it, --from, listens", "names it in the option bot listens")
    return _SPACE.sub("server", _options(here))


def _options(text: str) -> str:
    return _FLAG.sub(lambda found: _FLAGS[found[0]], _OPTION.sub(_option, text)) if "--" in text else text


def _typed_here(command: str) -> str:
    for pattern, here in (*_WORDS, *_GOALS):
        command = pattern.sub(here, command)
    return command


def _option(found: re.Match[str]) -> str:
    """An option with its value, or its bare name."""
    name = _NAMES.get(found[1], found[1])
    return f"{name}:" if found[2] else f"“{name}”"


def phrased_segments(segments: Sequence[Segment]) -> list[Segment]:
    """The segments of a line, in which our own words are phrased as one text and those of people stay as they are."""
    own: list[Segment] = [_NOTHING]
    between: list[tuple[str, Segment]] = []
    for one in (one for one in segments if one.text):
        if _is_other(one) and not _is_option(one, own[-1]):
            between.append((_HANDLE if _NAMED.fullmatch(one.text) else _OTHERS, one))
            own.append(_NOTHING)
        elif own[-1] is _NOTHING:
            own[-1] = one
        else:
            between.append((_SEAM, _NOTHING))
            own.append(one)
    text = own[0].text + "".join(mark + one.text for (mark, _), one in zip(between, own[1:], strict=True))
    found = [replace(one, text=part) for one, part in zip(own, _MARKS.split(phrased(text)), strict=True)]
    together = [found[0], *(one for (_, other), part in zip(between, found[1:], strict=True) for one in (other, part))]
    return [one for one in together if one.text]


def _is_other(segment: Segment) -> bool:
    """Do people's words, a name or a time stand there?"""
    return segment.people or segment.who is not None or segment.moment is not None


def _is_option(segment: Segment, before: Segment) -> bool:
    """Does an option of ours fill the field?"""
    return any(
        before.text.endswith(start) and option.fullmatch(segment.text.strip()) for start, option in _FILLED.items()
    )


def refusal_lines(error: RemembrancerError) -> list[Line]:
    """A refusal and what to do next. Its sentence may hold words of people, so that little is changed in it."""
    said = error.sentence.replace("his space", "his server")
    parts = [part if part.startswith("“") else _options(part) for part in _QUOTED.split(said)]
    sentence = line("console.error", Mood.BAD, text="".join(parts))
    return [sentence, line("console.hint", Mood.FAINT, text=phrased(error.hint))] if error.hint else [sentence]
