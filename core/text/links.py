"""Addresses in plain text: URLs, of which only the host counts, and e-mail addresses, which are one item."""

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from core.text.fold import fold

# A host ends in a label that is ASCII throughout or not at all; text in a script without spaces may follow
# an address at once. Nothing here looks further than a fixed distance or twice at one character.
_LABEL = r"[\p{L}\p{M}\p{N}_\-]++"
_LAST = (
    r"(?:[A-Za-z0-9](?!\p{M})(?:[A-Za-z0-9_\-](?!\p{M}))*+"
    r"|(?![\x00-\x7f])[\p{L}\p{N}][\p{L}\p{M}\p{N}_\-]*+)"
)
_HOST = rf"(?P<host>\[[0-9A-Fa-f:.]{{2,45}}\]|(?:{_LABEL}\.)*{_LAST})"
_START = (
    r"(?:[A-Za-z][A-Za-z0-9+\-]{0,31}://(?:[^\s/?#@\\<>\"\x80-\U0010ffff]{0,256}@)?"
    r"|(?<![A-Za-z0-9_@./\-])(?=[Ww]{3}\.[\p{L}\p{N}]))"
)
_REST = r"(?P<rest>(?::\d{1,5})?(?:[/?#](?:[\x21-\x7e](?!\p{M}))*+)?)"
_NAME = r"\p{Latin}\p{Greek}\p{Cyrillic}\p{M}0-9"
_EMAIL = (
    rf"(?P<email>[{_NAME}._%+\-]{{0,63}}[{_NAME}_%+\-]@(?:[{_NAME}\-]{{1,63}}\.){{1,10}}"
    rf"[\p{{Latin}}\p{{Greek}}\p{{Cyrillic}}](?:[{_NAME}\-]{{0,62}}[{_NAME}])?)"
)
_ADDRESS = regex.compile(rf"{_START}(?:{_HOST}|(?=[/?#])){_REST}|{_EMAIL}")


@dataclass(frozen=True, slots=True)
class Address:
    """One address at `start`..`end`: either `host` (with the rest after `host_end` left out) or `email`."""

    start: int
    end: int
    host: str = ""
    rest_start: int = 0
    email: str = ""


def may_hold_address(text: str) -> bool:
    """A cheap test: False means that there is none."""
    return "@" in text or "://" in text or "www." in text.lower()


def addresses(text: str) -> Iterator[Address]:
    """The addresses in `text`, in order; linear in its length."""
    for found in _ADDRESS.finditer(text):
        if found["email"]:
            yield Address(found.start(), found.end(), email=found["email"])
        else:
            yield Address(found.start(), found.end(), found["host"] or "", found.start("rest"))


def fold_item(text: str, fold_accents: bool) -> str:
    """A host, address or emoji name as it is compared: folded, without white space."""
    return "".join(fold(text, fold_accents).split())


def host_names(host: str) -> frozenset[str]:
    """The names a folded host answers to: itself, its parent domains, its labels.

    A label with hyphens answers to its joined form too, a `xn--` label to its letters.
    """
    shown = ".".join(map(_decoded, host.split(".")))
    names = {host, shown}
    for name in (host, shown):
        labels = [label for label in name.split(".") if label]
        names.update(labels)
        names.update(label.replace("-", "") for label in labels)
        names.update(".".join(labels[first:]) for first in range(1, min(len(labels), 32)))
    names.discard("")
    return frozenset(names)


def _decoded(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return fold_item(label[4:68].encode("ascii").decode("punycode"), False)
    except (UnicodeError, ValueError):
        return label
