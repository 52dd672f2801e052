"""Whether a text that somebody typed can be shown: controls, and texts of nothing that is seen. Pure."""

import unicodedata

_FORBIDDEN = frozenset({"Cc", "Cs"})
_LAYOUT = frozenset("\n\t\r")
_INVISIBLE = frozenset({"Cf", "Mn", "Zs"})


def has_controls(text: str) -> bool:
    """Is there a control character other than line breaks and tabs, or a lone surrogate?"""
    return any(unicodedata.category(one) in _FORBIDDEN and one not in _LAYOUT for one in text)


def is_blank(text: str) -> bool:
    """Is there nothing that is seen: no character at all, or only spaces, marks and format characters?"""
    return all(unicodedata.category(one) in _INVISIBLE for one in text)
