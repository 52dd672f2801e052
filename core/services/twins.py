"""Two live rules of one person that wait for the same words in the same place from the same sender."""

from dataclasses import replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidInput
from core.ports import Tx
from core.standing.intent import INDEXED, ChannelScope, StandingIntent
from core.standing.lifecycle import effective_status
from core.standing.triggers import compile_entry


def refuse_twin(tx: Tx, intent: StandingIntent, scope_key: int, now: datetime) -> None:
    """Raise InvalidInput when the creator has such a rule already, awake or in its quiet time.

    Entries are compared folded, in any order; whether word forms count makes no difference. `scope_key` is where
    the rule is or would be filed: 0 for a place that the store does not know yet, where nothing can be filed.
    """
    if not scope_key and intent.channel_scope is not ChannelScope.ANYWHERE:
        return
    words = _words(intent)
    for anchor in _anchors(intent, scope_key):
        for other in tx.intents.twins(intent, scope_key, anchor):
            if (other.watches, _words(other)) == (intent.watches, words) and effective_status(other, now) in INDEXED:
                sentence, hint = say("intent.twin", handle=other.handle), say("intent.twin.hint", handle=other.handle)
                raise InvalidInput(sentence, hint, handle=other.handle)


def _words(intent: StandingIntent) -> frozenset[str]:
    return frozenset(compile_entry(source, intent.options).dedup_key for source in intent.entries)


def _anchors(intent: StandingIntent, scope_key: int) -> tuple[str, ...]:
    """Under which anchors a twin has one of its entries: one, or two where word forms make a difference.

    Those that listen to a whole space are filed by their exact words in any case.
    """
    forms = replace(intent.options, word_forms=True)
    entry = min((compile_entry(source, forms) for source in intent.entries), key=lambda one: one.dedup_key)
    inflected = entry.anchors(cross_language=False)
    exact = [row for row in entry.anchors(cross_language=True) if row not in inflected] or inflected
    chosen = exact[:1] if scope_key in {0, intent.space} else (*inflected[:1], *exact[:1])
    return tuple(dict.fromkeys(row.anchor for row in chosen))
