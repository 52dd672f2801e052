"""What may be said of an aspiration. Pure."""

from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded
from core.limits import Limits
from core.text.visible import has_controls, is_blank


def check_text(text: str, limits: Limits) -> str:
    """The text on one line, 1..`aspiration_chars` characters. Raises InvalidInput, LimitExceeded."""
    plain = " ".join(text.split())
    if has_controls(plain):
        raise InvalidInput(say("aspire.text.control"), say("draft.description.control.hint"))
    if is_blank(plain):
        raise InvalidInput(say("aspire.text.empty"), say("aspire.usage.hint"))
    used, limit = len(plain), limits.aspiration_chars
    if used > limit:
        sentence, hint = (
            say("aspire.text.long", used=used, limit=limit),
            say("draft.description_chars.hint", limit=limit),
        )
        raise LimitExceeded(sentence, hint, name="aspiration_chars", used=used, limit=limit)
    return plain
