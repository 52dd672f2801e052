"""An answer to one person is a message where it fits, else embeds; so many, and no more."""

import logging

from adapters.discord.embeds import FOLLOW_UPS, answers_of, edit_of
from adapters.discord.markup import CONTENT_CHARS, EMBED_CHARS
from core.wording.lines import fact


def test_what_fits_into_a_message_is_one_and_one_sign_more_is_an_embed():
    assert answers_of([fact("x" * CONTENT_CHARS)]) == [{"content": "x" * CONTENT_CHARS}]
    [answer] = answers_of([fact("x" * (CONTENT_CHARS + 1))])
    assert answer["embed"].description == "x" * (CONTENT_CHARS + 1)


def test_as_many_embeds_as_are_sent_hold_it_all_and_of_one_more_the_last_is_left_out_and_told_of(caplog):
    with caplog.at_level(logging.WARNING):
        assert len(answers_of([fact("x" * EMBED_CHARS * FOLLOW_UPS)])) == FOLLOW_UPS
        assert not caplog.records
        assert len(answers_of([fact("x" * (EMBED_CHARS * FOLLOW_UPS + 1))])) == FOLLOW_UPS
    assert "1 of 6 parts were left out" in caplog.text


def test_an_answer_that_is_changed_shows_the_one_or_the_other():
    assert edit_of([fact("short")]) == {"content": "short", "embeds": []}
    changed = edit_of([fact("x" * (CONTENT_CHARS + 1))])
    assert changed["content"] is None
    assert len(changed["embeds"]) == 1
