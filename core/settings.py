"""Settings of a space, declared in one place: type, default and bounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.catalogue import say
from core.errors import InvalidInput


class Setting(StrEnum):
    """Names as stored in `space_settings` and typed by people."""

    LANGUAGE = "language"
    ZONE = "zone"
    FOLD_ACCENTS = "fold_accents"


@dataclass(frozen=True, slots=True)
class Declaration:
    """Default and, for a text, its length in characters. The default's type is the setting's."""

    default: str | bool
    min_chars: int = 1
    max_chars: int = 64


DECLARATIONS: dict[Setting, Declaration] = {
    Setting.LANGUAGE: Declaration("en", 2, 2),
    Setting.ZONE: Declaration("UTC"),
    Setting.FOLD_ACCENTS: Declaration(False),
}
_WORDS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


def read(name: str, text: str) -> tuple[Setting, str | bool]:
    """A setting and its value as a person typed them. Raises InvalidInput naming what is wrong and what is right.

    Whether a zone exists is the caller's to check: `core` has no zone data.
    """
    if name not in set(Setting):
        raise InvalidInput(
            say("setting.unknown", name=name[:32]), say("setting.unknown.hint", names=", ".join(Setting))
        )
    setting = Setting(name)
    declared = DECLARATIONS[setting]
    if isinstance(declared.default, bool):
        if text.casefold() not in _WORDS:
            raise InvalidInput(say("setting.switch", name=name, value=text[:32]), say("setting.switch.hint", name=name))
        return setting, _WORDS[text.casefold()]
    if not declared.min_chars <= len(text) <= declared.max_chars or not text.isprintable():
        example = declared.default
        raise InvalidInput(
            say("setting.text", name=name, value=text[:32]), say("setting.text.hint", name=name, example=example)
        )
    return setting, text.lower() if setting is Setting.LANGUAGE else text


def resolve(stored: Mapping[str, object], defaults: Mapping[Setting, object]) -> dict[Setting, object]:
    """Every setting with its value in force."""
    return {
        setting: stored.get(str(setting), defaults.get(setting, declared.default))
        for setting, declared in DECLARATIONS.items()
    }
