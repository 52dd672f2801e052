"""Looking back in the terminal: previews, below a read-back and on their own, and the history of a rule."""

import pytest

from core.limits import LIMITS
from tests.e2e.conftest import PASTE

TALK = ["/as bob", "the launch checklist is ready", "who has launched the checklists?", "launch soon"]
BELOW = "In the last 3 messages here it would have fired once; 1 more matched while it was quiet."


@pytest.fixture
def talked(chat):
    chat(*TALK, "/as ada")
    return chat


def handle(chat):
    return chat.rules()[0].handle


def test_the_read_back_says_what_it_would_have_done_in_one_line(talked):
    shown = talked(PASTE)
    newest = "The newest: “the launch checklist is ready” by @bob, Mon 10:00."
    assert f"{BELOW} {newest}\n│ Your answer:" in shown


def test_without_messages_one_faint_line_is_all(chat):
    shown = chat(PASTE).splitlines()
    assert shown[-2:][0] == "│ No message here yet to try it on."


def test_each_answer_is_tried_anew(talked):
    shown = talked(PASTE, "only me")
    assert "In the last 3 messages here it would not have fired." in shown
    talked("no")
    assert "Only just missed: “who has launched the checklists?” by @bob (“plan” is not in it)" in talked(
        "/intent add launch checklist plan => x --anyone"
    )


def test_t137_a_typed_rule_would_have_fired_3_times_with_its_cooldown_counted_in(chat):
    chat("/as bob")
    for _ in range(3):
        chat("deploy fail", "deploy fail again", "/time +25h")
    chat("/as ada")
    before = chat.state()
    shown = chat("/intent preview deploy fail => look --anyone --max 9 --cooldown 24h")
    counted = "In the last 6 messages here (since Mon 10:00) it would have fired 3 times;"
    assert f"{counted} 3 more matched while it was quiet." in shown
    shown = chat("/intent preview deploy fail --anyone --max 2")
    assert "fired 2 times; 1 more matched while it was quiet; 3 more matched after the last reminder." in shown
    assert "Nothing was saved." in shown
    assert chat.state() == before


def test_t139_one_sample_is_shown_to_the_maker_alone_and_nothing_is_charged(talked):
    talked(PASTE, "yes")
    before, place = talked.state(), handle(talked)
    shown = talked(f"/intent preview {place}")
    sample = "│ Reminder for @ada: Confirm the rollback owner. (@bob said *launch checklist*) · 1 of 3"
    sample += f" · quiet until Tue 10:00 · {place}"
    assert f"It would look like this (only you see this one, and it is not counted):\n{sample}\n" in shown
    assert "remembrancer #" not in shown
    assert talked.state() == before


def test_t139_a_test_is_one_reminder_for_who_asks_alone_and_nothing_is_charged(talked):
    talked(PASTE, "yes")
    before, place = talked.state(), handle(talked)
    shown = talked(f"/intent test {place}").splitlines()
    assert shown == [
        "│ This is a test: only you see it, and nothing is counted.",
        "│ Reminder for @ada: Confirm the rollback owner. (@ada said *launch checklist*) · 1 of 3"
        f" · quiet until Tue 10:00 · {place}",
    ]
    assert talked.state() == before
    assert "· 1 of 3 ·" in talked("the launch checklist")


def test_a_test_of_a_rule_that_cannot_be_seen_is_refused(talked):
    talked(PASTE, "yes", "/as bob")
    assert "There is no rule" in talked(f"/intent test {handle(talked)}")
    assert "Say which rule /intent test is about." in talked("/intent test")


def test_t113_an_exact_rule_shows_the_miss_and_offers_forms(chat):
    chat("/as bob", "who approves it?", "/as ada")
    exact = chat("/intent add approve => Look --anyone --exact")
    assert (
        "it would not have fired.\n│ Only just missed: “who approves it?” by @bob (it has another form of approve)"
        in (exact.replace("On the one message here ", ""))
    )
    shown = chat("/intent preview approve --anyone --exact")
    assert "Mon 10:00, @bob: who approves it? (it has another form of approve)" in shown
    assert "To let other forms of the words count, leave out --exact." in shown
    shown = chat("/intent preview approve --anyone")
    assert "it would have fired once." in shown
    assert "@bob: who approves it? (by another form of the words)" in shown
    chat("/intent add approve => Look --anyone --exact", "yes")
    assert f"/intent edit {handle(chat)} --forms" in chat(f"/intent preview {handle(chat)}")


def test_t069_a_host_is_found_in_an_address_and_a_path_is_said_not_to_be(chat):
    chat("/as bob", "docs at https://example.test/guide", "/as ada")
    assert "would have fired once" in chat("/intent preview example.test --anyone")
    path = "Of an address only the host is compared: example.test/guide is not found inside one"
    assert path in chat("/intent preview example.test/guide --anyone")
    assert path in chat("/intent add example.test/guide => Look --anyone")
    warning = "Of the address https://example.test/guide only the host is compared."
    assert warning in chat("no", "/intent preview https://example.test/guide --anyone")


def test_t093_code_marks_are_ordinary_signs_here_and_paths_are_said_to_be_left_out(chat):
    chat("/as bob", "type `@all` to ping", "docs at https://example.test/guide", "/as ada")
    shown = chat("/intent preview @all --anyone")
    assert "would have fired once" in shown
    assert "1 message holds code, quotes or the path of an address: those are left out." in shown


def test_another_sender_and_a_missing_word_are_near_misses(talked):
    shown = talked("/intent preview launch checklist")
    assert "@bob: the launch checklist is ready (it listens to @ada only)" in shown
    shown = talked("/intent preview launch checklist --anyone --cooldown 0s")
    assert "@bob: launch soon (“checklist” is not in it)" in shown
    assert "Without other forms of the words it would be 1 fewer" in shown


def test_so_many_hits_are_shown_and_the_rest_is_counted(chat):
    preview = "/intent preview deploy --anyone --cooldown 0s --max 100"
    chat(*[f"deploy {number}" for number in range(LIMITS.preview_shown)])
    assert "before that" not in chat(preview)
    shown = chat("deploy more", preview)
    assert "… and 1 before that." in shown
    assert "@ada: deploy 0" not in shown and "@ada: deploy more" in shown


def test_a_long_message_is_cut_to_a_snippet(chat):
    bound = LIMITS.snippet_chars
    fits, long = "deploy ".ljust(bound, "x"), "deploy ".ljust(bound + 1, "y")
    shown = chat(fits, long, "/intent preview deploy --cooldown 0s")
    assert f"@ada: {fits}\n" in shown
    assert f"@ada: {long[: bound - 1]}…\n" in shown


def test_only_what_was_said_here_is_tried(talked):
    talked("/in vault --private", "the secret launch checklist", "/in general")
    assert "secret" not in talked("/intent preview launch checklist --anyone")
    assert "On the one message here" in talked("/in vault", "/intent preview launch checklist")


def test_a_rule_of_another_channel_says_so(talked):
    talked("/in ops", PASTE, "yes", "/in general")
    assert "This rule does not listen here" in talked(f"/intent preview {handle(talked)}")


@pytest.mark.parametrize(
    "command, said",
    [
        ("/intent preview", "Say which rule to try, or which words."),
        ("/intent preview i-0000", "There is no rule i-0000 here."),
        ("/intent preview -only", "only says what must not be there"),
        ("/intent preview launch --from zoe", "Nobody here is called “zoe”."),
        ("/intent history", "Say which rule /intent history is about."),
        ("/intent history i-0000", "There is no rule i-0000 here."),
    ],
)
def test_what_cannot_be_looked_at_is_refused(talked, command, said):
    before = talked.state()
    assert said in talked(command)
    assert talked.state() == before


def test_a_member_may_not_try_a_rule(talked):
    talked(PASTE, "yes")
    assert "There is no rule" in talked("/as bob", f"/intent preview {handle(talked)}")
    assert "There is no rule" in talked(f"/intent history {handle(talked)}")
    assert "Only owners of this space" in talked("/intent preview launch --anyone")


def test_t033_t035_the_history_tells_when_where_who_what_and_what_became_of_it(ruled):
    place = handle(ruled)
    assert f"{place} (armed) has not fired yet." in ruled(f"/intent history {place}")
    ruled("/as bob", "the launch checklist", "/thread rollout", "/time +25h", "checklists to launch", "/as ada")
    shown = ruled(f"/intent history {place}").splitlines()
    assert shown == [
        f"│ Reminders of {place} (quiet), newest first:",
        "│   2. Tue 1 Dec 2026 11:00 UTC in the thread rollout in #general, @bob said launch checklist: delivered",
        "│      words: launch, checklist",
        "│   1. Mon 30 Nov 2026 10:00 UTC in #general, @bob said launch checklist: delivered",
        "│      words: launch, checklist",
        "│ 2 reminders.",
    ]


def test_t183_the_history_outlives_the_rule(ruled):
    place = handle(ruled)
    ruled("the launch checklist", f"/intent cancel {place}")
    shown = ruled(f"/intent history {place}")
    assert f"Reminders of {place} (cancelled), newest first:" in shown
    assert "1. Mon 30 Nov 2026 10:00 UTC in #general" in shown


def test_a_history_is_paged(chat):
    chat("/intent add deploy => look --cooldown 0s --max 100", "yes", *["deploy"] * (LIMITS.page + 1))
    place = handle(chat)
    assert "11 reminders; page 1 of 2. More: --page N" in chat(f"/intent history {place}")
    shown = chat(f"/intent history {place} --page 2")
    assert "  1. Mon" in shown and "  2. Mon" not in shown
