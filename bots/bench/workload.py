"""Workloads for the matcher: the file format of `benchmarks/data`, and a seeded one of our own.

Formats: one JSON object a line, gzip accepted. An intent has `id`, `description`, `trigger_keywords` (entries),
`scope` (conversation | channel | anywhere), `sender_scope` (sender | anyone), `provider`, `account_id`,
`conversation_id`, `sender_id`, `created_at`, `expires_at` (ms), `max_fires`, `cooldown_seconds`. A turn has
`turn`, `now_ms`, the same four ids and `prompt`. `channel` means every conversation of (provider, account_id).
"""

import gzip
import json
import random
import zlib
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

from core.catalogue import say
from core.errors import InvalidInput
from core.limits import LIMITS
from core.text.commonwords import words as common_words

Row = Mapping[str, Any]
DAY_MS = 86_400_000
START_MS = 1_900_000_000_000
COMMON = 200
VOCABULARY = 5_000
PROVIDERS = ("discord", "slack", "telegram", "whatsapp")
FOREIGN_SHARE = 0.3
FOREIGN = (
    "café", "naïve", "Straße", "größer", "élève", "mañana", "Łódź", "İstanbul", "привет", "запуск", "проверка",
    "Αθήνα", "ελέγχου", "回滚负责人", "発売日", "チェックリスト", "출시", "점검표를", "शुरुआत", "ตรวจสอบ", "مرحبا",
    "הערות", "🚀", "👩‍💻", "🎉", "❤️", "👍🏽", "🇫🇷", "ﬁnal", "Ａｌｐｈａ", "e\u0301te\u0301",
)  # fmt: skip
SCOPE_NAMES = ("conversation", "channel", "anywhere")
SENDERS = ("sender", "anyone")
MOST_MS = 250_000_000_000_000  # the year 9892: what follows from a time still is one
MOST_SECONDS = 1_000_000_000
MOST_FIRES = 1_000


def _is_text(value: object) -> bool:
    """A text that a database can keep: no NUL, no half of a surrogate pair."""
    return isinstance(value, str) and "\0" not in value and not any("\ud800" <= char <= "\udfff" for char in value)


def _is_name(value: object) -> bool:
    return value != "" and (_is_text(value) or _is_number(value))


def _is_number(value: object, most: int = MOST_MS) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(_is_text(one) for one in value)


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "name": _is_name,
    "provider": lambda value: _is_text(value) and value != "",
    "entries": lambda value: _are_texts(value) and bool(value) and all(value),
    "texts": _are_texts,
    "scope": lambda value: value in SCOPE_NAMES,
    "sender": lambda value: value in SENDERS,
    "moment": _is_number,
    "count": lambda value: value != 0 and _is_number(value, MOST_FIRES),
    "seconds": lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_SECONDS
    ),
}
"""What a value must be; what it is not, the catalogue says under `bench.kind.…`."""
_PLACE = {"provider": "provider", "account_id": "provider", "conversation_id": "name", "sender_id": "name"}
INTENT_KEYS = _PLACE | {
    "id": "name",
    "description": "text",
    "trigger_keywords": "entries",
    "scope": "scope",
    "sender_scope": "sender",
    "created_at": "moment",
    "expires_at": "moment",
    "max_fires": "count",
    "cooldown_seconds": "seconds",
}
FIRED_KEYS = {"turn": "name", "fired": "texts"}
TURN_KEYS = _PLACE | {"turn": "name", "now_ms": "moment", "prompt": "text"}


def read_rows(path: Path, keys: Mapping[str, str], single: str = "") -> Iterator[Row]:
    """Rows of a JSON-lines file, each with `keys` of their kinds, no value of the key `single` twice.

    Raises InvalidInput naming file, line and key.
    """
    seen: set[str] = set()
    try:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                row = _row(path, number, line, keys)
                if single:
                    _once(path, number, single, str(row[single]), seen)
                yield row
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise InvalidInput(say("bench.unreadable", path=path, why=error), say("bench.unreadable.hint")) from error


def _row(path: Path, number: int, line: str, keys: Mapping[str, str]) -> Row:
    try:
        row = json.loads(line)
    except RecursionError:
        raise InvalidInput(say("bench.deep", path=path, number=number), say("bench.key.hint")) from None
    except ValueError as error:
        raise InvalidInput(
            say("bench.not_json", path=path, number=number, why=error), say("bench.not_json.hint")
        ) from error
    missing = [key for key in keys if not isinstance(row, dict) or key not in row]
    if missing:
        raise InvalidInput(say("bench.key", path=path, number=number, key=missing[0]), say("bench.key.hint"))
    for key, kind in keys.items():
        if not _KINDS[kind](row[key]):
            names = ", ".join(SCOPE_NAMES if kind == "scope" else SENDERS)
            raise _wrong(path, number, key, say(f"bench.kind.{kind}", names=names))
    return dict(row)


def _once(path: Path, number: int, key: str, value: str, seen: set[str]) -> None:
    if value in seen:
        raise _wrong(path, number, key, say("bench.kind.twice"))
    seen.add(value)


def _wrong(path: Path, number: int, key: str, why: str) -> InvalidInput:
    return InvalidInput(say("bench.value", path=path, number=number, key=key, why=why), say("bench.key.hint"))


def spaces_for(intents: int) -> int:
    """How many spaces so many rules need: each may hold `live_intents_per_space`; half of that on average."""
    accounts = intents * 2 // LIMITS.live_intents_per_space // len(PROVIDERS)
    return max(accounts, 1) * len(PROVIDERS)


def make_intents(count: int, seed: int, spaces: int = len(PROVIDERS)) -> Iterator[Row]:
    """`count` armed intents in so many spaces of four providers, 50 rooms and 20 people each, words of rank 200 up.

    1..4 entries of 1..3 words; scopes 70 % conversation, 21 % channel, 9 % anywhere; 81 % watch their
    creator, the others anyone: the mix of `benchmarks/data/content-N1000`. Who listens to anyone uses two words
    or more, as people do: else at 10 000 intents every message would fire.
    """
    rng = random.Random(seed)  # noqa: S311  # a workload, not a secret
    words = common_words("en")[COMMON:VOCABULARY]
    for number in range(count):
        watches = rng.choices(["sender", "anyone"], [81, 19])[0]
        least = 2 if watches == "anyone" else 1
        entries = [" ".join(rng.sample(words, rng.randint(least, 3))) for _ in range(rng.randint(1, 4))]
        yield {
            "id": f"w-{number}",
            "description": f"Reminder number {number} of the workload.",
            "trigger_keywords": entries,
            "scope": rng.choices(["conversation", "channel", "anywhere"], [70, 21, 9])[0],
            "sender_scope": watches,
            **_who(rng, spaces),
            "created_at": START_MS - DAY_MS + number,
            "expires_at": START_MS + 90 * DAY_MS,
            "max_fires": 3,
            "cooldown_seconds": 86_400,
        }


def make_turns(
    count: int, intents: list[Row], seed: int, hit_rate: float, spaces: int = len(PROVIDERS), gap_ms: int = 600_000
) -> Iterator[Row]:
    """`count` messages of 8..60 words, `gap_ms` apart; `hit_rate` of them name the words of one of `intents`."""
    rng = random.Random(seed + 1)  # noqa: S311  # a workload, not a secret
    said_by = Chatter(rng)
    for number in range(count):
        said = said_by.words(rng.randint(8, 60))
        row: dict[str, Any] = {"turn": number, "now_ms": START_MS + number * gap_ms, **_who(rng, spaces)}
        if intents and rng.random() < hit_rate:
            planted = rng.choice(intents)
            said[2:2] = planted["trigger_keywords"][0].split()
            row |= {key: planted[key] for key in ("provider", "account_id", "conversation_id", "sender_id")}
        yield {**row, "prompt": sentence(said)}


class Chatter:
    """Words as people say them: the common ones often, the rare ones seldom."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._known = common_words("en")[:VOCABULARY]
        self._weights = list(accumulate(1.0 / (rank + 10) for rank in range(len(self._known))))

    def words(self, count: int) -> list[str]:
        """So many words."""
        return self._rng.choices(self._known, cum_weights=self._weights, k=count)


def sentence(words: list[str]) -> str:
    """Words with a capital and a full stop."""
    return " ".join(words).capitalize() + "."


def make_groups(rooms: int, rules: int, seed: int) -> Iterator[Row]:
    """`rooms` rooms of one space, in each `rules` intents that fire together, on anyone's words, without end."""
    rng = random.Random(seed + 10 + rules)  # noqa: S311  # a workload, not a secret
    words = common_words("en")[COMMON:VOCABULARY]
    for room in range(rooms):
        entry = " ".join(rng.sample(words, 2))
        for number in range(rules):
            yield {
                "id": f"g-{rules}-{room}-{number}",
                "description": f"Reminder number {number} of this room.",
                "trigger_keywords": [entry],
                "scope": "conversation",
                "sender_scope": "anyone",
                "provider": PROVIDERS[0],
                "account_id": "groups",
                "conversation_id": f"room-{rules}-{room}",
                "sender_id": f"u{rng.randint(0, 19)}",
                "created_at": START_MS - DAY_MS,
                "expires_at": START_MS + 90 * DAY_MS,
                "max_fires": 1_000,
                "cooldown_seconds": 0,
            }


def make_group_turns(count: int, groups: list[Row], seed: int) -> Iterator[Row]:
    """`count` messages a second apart, each in a room of `groups` with the words that fire there."""
    rng = random.Random(seed + 2)  # noqa: S311  # a workload, not a secret
    said_by = Chatter(rng)
    for number in range(count):
        planted = rng.choice(groups)
        said = said_by.words(rng.randint(8, 60))
        said[2:2] = planted["trigger_keywords"][0].split()
        row = {key: planted[key] for key in ("provider", "account_id", "conversation_id")}
        now_ms = START_MS + number * 1_000
        turn = f"{planted['conversation_id']}-{number}"
        yield {"turn": turn, "now_ms": now_ms, **row, "sender_id": "u0", "prompt": sentence(said)}


def make_prose(characters: int, seed: int, foreign: bool = False) -> str:
    """Sentences of exactly so many characters; `foreign`: with accents, other scripts and emoji among them."""
    rng = random.Random(seed + 3)  # noqa: S311  # a workload, not a secret
    said_by = Chatter(rng)
    text = ""
    while len(text) < characters:
        said = said_by.words(rng.randint(5, 25))
        if foreign:
            said = [rng.choice(FOREIGN) if rng.random() < FOREIGN_SHARE else word for word in said]
        text += sentence(said)[:-1] + rng.choice(".....?!,;:") + rng.choice(["  ", " ", " ", " ", "\n\n"])
    return text[:characters]


def _who(rng: random.Random, spaces: int) -> dict[str, str]:
    provider = rng.choice(PROVIDERS)
    accounts = spaces // len(PROVIDERS)
    return {
        "provider": provider,
        "account_id": "default" if accounts <= 1 else f"a{rng.randrange(accounts)}",
        "conversation_id": f"room-{rng.randint(0, 49)}",
        "sender_id": f"u{rng.randint(0, 19)}",
    }
