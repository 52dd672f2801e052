"""parse_mode HTML: the tags that Telegram reads, and its words where it does not."""

import re
from html import unescape

from tests.fakes.telegram.errors import cant_parse_entities
from tests.fakes.telegram.text import Entity, units

KINDS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler",
    "code": "code", "pre": "pre", "a": "text_link", "blockquote": "blockquote", "tg-emoji": "custom_emoji",
}  # fmt: skip
TOKEN = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)(\s[^<>]*)?>|&(?:#\d+|#x[0-9A-Fa-f]+|lt|gt|amp|quot);|<")
ATTRIBUTE = re.compile(r"([a-z-]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"']+))?")


class _Reader:
    """Reads one text: what is shown so far and the tags that are open."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.shown = ""
        self.open: list[tuple[str, Entity, int]] = []
        self.found: list[Entity] = []

    def read(self) -> tuple[str, list[Entity]]:
        at = 0
        for token in TOKEN.finditer(self.source):
            self.shown += self.source[at : token.start()]
            at = token.end()
            offset = len(self.source[: token.start()].encode())
            if token.group().startswith("&"):
                self.shown += unescape(token.group())
            elif not token.group(2):
                raise cant_parse_entities(f"Unsupported start tag at byte offset {offset}")
            elif token.group(1):
                self._close(token.group(2).lower(), offset)
            else:
                self._open(token.group(2).lower(), token.group(3) or "", offset)
        self.shown += self.source[at:]
        if self.open:
            tag, _, offset = self.open[-1]
            raise cant_parse_entities(f'Can\'t find end tag corresponding to start tag "{tag}" at byte offset {offset}')
        return self.shown, sorted(self.found, key=lambda one: (one["offset"], -one["length"]))

    def _open(self, tag: str, rest: str, offset: int) -> None:
        if tag not in KINDS:
            raise cant_parse_entities(f'Unsupported start tag "{tag}" at byte offset {offset}')
        given = {name: (value or "").strip("\"'") for name, value in ATTRIBUTE.findall(rest)}
        made: Entity = {"type": KINDS[tag], "offset": units(self.shown)}
        if tag == "a":
            made["url"] = unescape(given.get("href", ""))
        elif tag == "tg-emoji":
            made["custom_emoji_id"] = given.get("emoji-id", "")
        elif tag == "blockquote" and "expandable" in given:
            made["type"] = "expandable_blockquote"
        elif tag == "code" and "class" in given:
            made["language"] = given["class"].removeprefix("language-")
        self.open.append((tag, made, offset))

    def _close(self, tag: str, offset: int) -> None:
        if not self.open:
            raise cant_parse_entities(f"Unexpected end tag at byte offset {offset}")
        opened, made, _ = self.open.pop()
        if opened != tag:
            raise cant_parse_entities(
                f'Unmatched end tag at byte offset {offset}, expected "</{opened}>", found "</{tag}>"'
            )
        made["length"] = units(self.shown) - made["offset"]
        if tag == "code" and self.open and self.open[-1][0] == "pre":
            self.open[-1][1].update({"language": made["language"]} if "language" in made else {})
        elif made["length"] and made.get("url", "-"):
            made.pop("language", None) if tag == "code" else None
            self.found.append(made)


def html(source: str) -> tuple[str, list[Entity]]:
    """What is shown of an HTML text and its entities; 400 "can't parse entities" where it is wrong."""
    return _Reader(source).read()
