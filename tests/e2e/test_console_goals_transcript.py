"""`docs/goals-transcript.txt` is what the terminal really shows, over two sessions on the same file."""

from tests.fakes.console import Chat
from tests.fakes.transcripts import GOALS, replay, typed_lines

OPENING = "│ You are ada, an owner of this workspace."


def sessions(transcript):
    """The parts of a transcript, each from one start of the chat to its end."""
    return [f"{OPENING}{part}" for part in transcript.split(OPENING)[1:]]


def test_the_transcript_of_goals_is_what_is_shown_to_the_letter(sqlite_store, clock, ids):
    transcript = GOALS.read_text(encoding="utf-8")
    first, second = sessions(transcript)
    assert replay(Chat(sqlite_store, clock, ids), typed_lines(first)) == first
    assert replay(Chat(sqlite_store, clock, ids), typed_lines(second)) == second


def test_the_transcript_of_goals_shows_what_it_is_to_show():
    first, second = sessions(GOALS.read_text(encoding="utf-8"))
    assert "Its priority was high, now it is critical." in first
    assert "which is cancelled" in first and "/goal answer" in first
    assert "was completed on" in second and "(critical, was due" in second
