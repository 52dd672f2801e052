"""What stands behind `/remind`, or in "remind me on Friday at 9 to call Dana": when, what and whom. Pure.

The time stands at the beginning or at the end, the longest stretch that our grammar reads; quoted phrases are text.
Two times are asked about rather than guessed. What our grammar does not find is shown to a library of dates, a short
stretch at a time, and what that reads is marked as guessed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from itertools import islice

from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS
from core.standing.phrases import Word, words_of, wordset
from core.standing.sentences import skip_leads
from core.timed.calendar import DateReader
from core.timed.grammar import DEFAULT_TIME, Here, check_future, resolve
from core.timed.instants import ZoneOf, wall, with_notes
from core.timed.reading import read_said
from core.timed.said import Said, Token, low, tokens_of
from core.timed.unread import check_behind, check_spelling, check_text, check_vague
from core.timed.when import Note, Resolution, When

_ALL = wordset("us everyone everybody")
_CALLS = wordset("remind nudge ping alert notify")
_LINKS = wordset("to that about")
_MARKS = wordset("- – — : -> => |")
_GLUE = wordset("for from since of about and or than between before after until till the a to with")
_DEADLINES = wordset("by before")
_DOUBTFUL = wordset("sun sat mon wed may second twice")
_POLITE = wordset("please pls plz thanks thx")
_SAYS = re.compile(r"[^\W_]|[^\x00-\x7f]")  # a letter, a figure, or a sign that is none of the keyboard's
_BEFORE_TIME = wordset("on at in by next this before")
_MAX_STRETCH = 8
_MAX_FOREIGN = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """A reminder that was asked for: when, of what, and whom. `person` is a name as typed without its `@`, "" for me;
    `for_all` tells that everybody in the place is meant."""

    when: When
    text: str
    person: str = ""
    for_all: bool = False


@dataclass(frozen=True, slots=True)
class _Whom:
    """Who is to be reminded, and the first word behind."""

    end: int
    person: str = ""
    for_all: bool = False


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Words `begin` to `end` that name a time."""

    begin: int
    end: int
    said: Said


@dataclass(frozen=True, slots=True)
class _Body:
    """The words of the request without leads and whom: the time in front, if any, and the text from `begin` on.

    `linked`: a "to" or a colon told the text apart from what stood before it.
    """

    front: _Stretch | None
    start: int
    begin: int
    linked: bool
    whom: _Whom


def parse_remind(
    text: str,
    now: datetime,
    zone: str,
    zone_of: ZoneOf,
    reader: DateReader | None = None,
    language: str = "en",
    default: time = DEFAULT_TIME,
) -> Asked:
    """What is asked for in `text`, seen from the aware `now` in the zone named `zone`.

    Raises InvalidInput when there is no time or no text in it, when the time cannot be or is past, and when it can be
    read in two ways; it says what is missing, with examples. The length of the text is not checked here.
    """
    words, here = words_of(text), Here(now, zone, zone_of, default)
    tokens = tokens_of(words)
    body = _body(words, tokens)
    if body.front:
        check_behind(tokens, body.front.said, _first_token(tokens, body.start), _first_token(tokens, body.front.end))
    back = _back(words, tokens, body.begin)
    chosen = _choose(words, tokens, body, back)
    open_hour = chosen is not None and not chosen.said.has_hour and not body.linked
    if chosen is None or chosen is back:
        _check(tokens, body, chosen)
    elif open_hour:  # "every day pills at 9 and 17"
        check_text(tokens, _first_token(tokens, body.begin), len(tokens), chosen=False)
    if chosen is None:
        return _guessed(text, words, body, here, reader, language)
    end = chosen.begin if chosen is back else len(words)
    said = _text(text, words, body.begin, end)
    if not said and body.start == 0 and body.begin < end and words[body.begin].low in _POLITE:
        said = words[body.begin].text  # nobody is asked: it is all the text there is
    if not said:
        raise InvalidInput(say("remind.no_text"), say("remind.no_text.hint"))
    return Asked(resolve(chosen.said, here), said, body.whom.person, body.whom.for_all)


def _check(tokens: Sequence[Token], body: _Body, chosen: _Stretch | None) -> None:
    """Raises InvalidInput for words beside the time that belong to it and are not understood."""
    begin = _first_token(tokens, body.begin)
    check_text(tokens, begin, _first_token(tokens, chosen.begin) if chosen else len(tokens), chosen is not None)
    if chosen is not None:
        check_spelling(tokens, chosen.said, _first_token(tokens, chosen.begin) - 1)
        return
    for at in (_first_token(tokens, body.start), *range(max(begin, len(tokens) - _MAX_FOREIGN), len(tokens))):
        check_vague(tokens, at)
        check_spelling(tokens, Said(), at)


def _body(words: Sequence[Word], tokens: Sequence[Token]) -> _Body:
    whom = _whom(words, skip_leads(words))
    start = whom.end
    front = _front(tokens, start)
    begin = front.end if front else start
    if front:
        again = _called(words, begin)
        whom, begin = (again, again.end) if again else (whom, begin)
    linked = begin > 0 and begin == (front.end if front else -1) and words[begin - 1].after.startswith(":")
    if begin < len(words) and words[begin].low in _LINKS | _MARKS:
        linked, begin = True, begin + 1
    return _Body(front, start, begin, linked, whom)


def _called(words: Sequence[Word], at: int) -> _Whom | None:
    """`please remind me` behind a time."""
    at = at + skip_leads(words[at:])
    found = _whom(words, at) if at < len(words) and words[at].low in _CALLS else None
    return found if found and found.end > at + 1 else None


def _whom(words: Sequence[Word], at: int) -> _Whom:
    """`remind me`, `@bob`, `us`: what stands there of it."""
    called = at < len(words) and words[at].low in _CALLS
    found = _named(words, at + called)
    if found is None:  # "ping the server" is a text
        return _Whom(at + (called and words[at].low == "remind"))
    return found


def _named(words: Sequence[Word], at: int) -> _Whom | None:
    word = words[at] if at < len(words) else None
    if word is None or word.quoted:
        return None
    if word.low.startswith("@") and len(word.text) > 1 and not word.low[1].isdigit():
        return _Whom(at + 1, word.text[1:])
    if word.low in _ALL or word.low == "me":
        return _Whom(at + 1, for_all=word.low in _ALL)
    return None


def _first_token(tokens: Sequence[Token], word: int) -> int:
    return next((number for number, token in enumerate(tokens) if token.word >= word), len(tokens))


def _front(tokens: Sequence[Token], start: int) -> _Stretch | None:
    """The longest time that begins at this word."""
    at = _first_token(tokens, start)
    rest = tokens[at : at + LIMITS.when_words + 1]
    said, end = read_said(rest)
    if not end or not said.names_time or _doubtful(rest, 0, end):
        return None
    return _Stretch(start, rest[end - 1].word + 1, said)


def _back(words: Sequence[Word], tokens: Sequence[Token], begin: int) -> _Stretch | None:
    """The longest time that reaches from some word behind `begin` to the end, politeness left out."""
    last = len(tokens)
    while last and tokens[last - 1].low in _POLITE:
        last -= 1
    kept = tokens[:last]
    at = max(_first_token(tokens, begin), last - LIMITS.when_words)
    for number in range(at, last):
        if number and kept[number - 1].word == kept[number].word:
            continue
        said, end = read_said(kept, number)
        if end == last and said.names_time and not _doubtful(kept, number, end):
            behind = number > at and low(kept, number - 1) in _GLUE
            return None if behind else _Stretch(kept[number].word, len(words), said)
    return None


def _doubtful(tokens: Sequence[Token], at: int, end: int) -> bool:
    """One short word that is a time only by the way: `sun`, `may`."""
    return end == at + 1 and low(tokens, at) in _DOUBTFUL


def _choose(words: Sequence[Word], tokens: Sequence[Token], body: _Body, back: _Stretch | None) -> _Stretch | None:
    """The time that was meant. Raises InvalidInput when there are two that could be."""
    front = body.front
    if front is not None and back is None and words[front.end : front.end + 1]:
        back = _second(tokens, words, front.end)
    if front is None or back is None:
        return front or back
    completes = _completes(front.said, back.said)
    if not completes and (body.linked or words[back.begin].low in _DEADLINES):
        return front
    one, other = (" ".join(word.text for word in words[part.begin : part.end]) for part in (front, back))
    raise InvalidInput(say("remind.two", one=one, other=other), say("remind.two.hint", one=one))


def _second(tokens: Sequence[Token], words: Sequence[Word], end: int) -> _Stretch | None:
    """The other time of `tomorrow and on friday`."""
    return _front(tokens, end + 1) if words[end].low in {"and", "or"} else None


def _completes(one: Said, other: Said) -> bool:
    """Does one lack just what the other has? `tomorrow ... at 5`."""
    missing_hour = one.has_day and not one.has_hour and other.has_hour and not other.has_day
    missing_day = one.has_hour and not one.has_day and other.has_day and not other.has_hour
    return missing_hour or missing_day


def _text(text: str, words: Sequence[Word], begin: int, end: int) -> str:
    """Words `begin` to `end` as typed, without the links, politeness and marks around them."""
    while begin < end and words[begin].low in _LINKS | _MARKS:
        begin += 1
    while begin < end and words[end - 1].low in _POLITE | _MARKS:
        end -= 1
    if begin >= end:
        return ""
    if end == begin + 1 and words[begin].quoted:
        return words[begin].inner.strip()
    if not any(_SAYS.search(word.text) for word in words[begin:end]):
        return ""
    if end == begin + 1 and words[begin].low.startswith("@"):
        return ""
    stop = words[end - 1].end + len(words[end - 1].after)
    body = " ".join(text[words[begin].start : stop].split())
    return body.rstrip(",;:") if end < len(words) else body


def _guessed(
    text: str, words: Sequence[Word], body: _Body, here: Here, reader: DateReader | None, language: str
) -> Asked:
    """What the library of dates reads in a short stretch at either end. Raises InvalidInput when that is nothing."""
    now = wall(here.now, here.zone_of(here.zone)).replace(fold=0)
    for begin, end in islice(_candidates(words, body, language), LIMITS.reader_tries) if reader else ():
        stretch = " ".join(word.text for word in words[begin:end])
        rest = (end, len(words)) if begin == body.start else (body.begin, begin)
        said = _text(text, words, *rest)
        if not said or reader is None or len(stretch) > LIMITS.reader_chars:
            continue
        local = reader.read(stretch, now, language)
        if local is not None:
            when = When(local, here.zone, Resolution.MINUTE, "", (Note.GUESSED,))
            check_future(when, here)
            return Asked(with_notes(when, here.zone_of), said, body.whom.person, body.whom.for_all)
    raise InvalidInput(say("remind.no_time"), say("remind.no_time.hint"))


def _candidates(words: Sequence[Word], body: _Body, language: str) -> Iterator[tuple[int, int]]:
    """Stretches that may be a time, the likeliest first; none holds a quoted phrase."""
    start, last = body.start, len(words)
    for link in range(start + 1, min(start + _MAX_STRETCH + 1, last)):
        if words[link].low in _LINKS and _plain(words, start, link):
            yield start, link
            break
    for number in range(max(start + 1, last - _MAX_STRETCH), last):
        if words[number].low in _BEFORE_TIME and _plain(words, number, last):
            yield number, last
    if language != "en":
        for size in range(min(_MAX_FOREIGN, last - start - 1), 0, -1):
            for begin, end in ((start, start + size), (last - size, last)):
                if _plain(words, begin, end):
                    yield begin, end


def _plain(words: Sequence[Word], begin: int, end: int) -> bool:
    return not any(word.quoted for word in words[begin:end])
