"""Try one case: does this entry match this message? Used by `remembrancer try` and the conformance tests."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adapters.discord.text import to_entry_text, to_marked_text
from core.catalogue import say
from core.errors import InvalidInput, InvalidTrigger, LimitExceeded
from core.standing.triggers import EntryVerdict, match_entry, parse_entries
from core.text.analyse import Analysed, TextOptions, analyse
from core.text.zones import MarkedText

_SETTINGS: Mapping[str, type] = {"language": str, "word_forms": bool, "fold_accents": bool, "mentions": dict}


@dataclass(frozen=True, slots=True)
class CaseResult:
    """`entry` is the matched entry as typed, or None; `reason` a short code with the terms concerned."""

    id: str
    match: bool
    entry: str | None
    reason: str


def run_case(case: Mapping[str, Any]) -> CaseResult:
    """Run one case with the keys `id`, `entry`, `text`, and, optional, `format` and `settings`.

    An entry that would be refused matches nothing and says why. Raises InvalidInput, naming the key, for a
    case that is not one.
    """
    settings = _settings(case)
    mentions = settings.pop("mentions", {})
    options = TextOptions(**settings)
    discord = _format(case) == "discord"
    entry = _text(case, "entry")
    marked = to_marked_text(_text(case, "text"), mentions) if discord else MarkedText(_text(case, "text"))
    turn = analyse(marked.text, marked.zones, options=options)
    try:
        return _first_match(_text(case, "id"), to_entry_text(entry, mentions) if discord else entry, options, turn)
    except (InvalidTrigger, LimitExceeded) as refusal:
        return CaseResult(_text(case, "id"), False, None, say("try.refused", why=refusal.sentence))


def _first_match(id: str, source: str, options: TextOptions, turn: Analysed) -> CaseResult:
    reasons = []
    for entry in parse_entries(source, options, anyone=False):
        verdict = match_entry(entry, turn)
        if verdict.matched:
            return CaseResult(id, True, entry.source, _reason(verdict))
        reasons.append(_reason(verdict))
    return CaseResult(id, False, None, "; ".join(reasons))


def _reason(verdict: EntryVerdict) -> str:
    return f"{verdict.reason}: {', '.join(verdict.terms)}" if verdict.terms else verdict.reason


def _text(case: Mapping[str, Any], key: str) -> str:
    if key not in case:
        raise InvalidInput(say("case.missing", key=key), say("case.missing.hint"), key=key)
    value = case[key]
    if not isinstance(value, str):
        raise InvalidInput(say("case.no_text", key=key), say("case.no_text.hint"), key=key)
    return value


def _format(case: Mapping[str, Any]) -> str:
    value = case.get("format", "plain")
    if value not in ("plain", "discord"):
        raise InvalidInput(say("case.format"), say("case.format.hint"), key="format")
    return str(value)


def _settings(case: Mapping[str, Any]) -> dict[str, Any]:
    settings = case.get("settings", {})
    if not isinstance(settings, Mapping):
        raise InvalidInput(say("case.settings"), say("case.settings.hint"), key="settings")
    for key, value in settings.items():
        if key not in _SETTINGS:
            raise InvalidInput(
                say("case.setting", key=key), say("case.setting.hint", names=", ".join(_SETTINGS)), key=key
            )
        if not isinstance(value, _SETTINGS[key]):
            raise InvalidInput(say("case.type", key=key), say("case.type.hint", type=_SETTINGS[key].__name__), key=key)
    if not all(isinstance(name, str) for name in settings.get("mentions", {}).values()):
        raise InvalidInput(say("case.mentions"), say("case.mentions.hint"), key="mentions")
    return dict(settings)
