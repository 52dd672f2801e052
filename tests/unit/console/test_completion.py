"""What the Tab key offers."""

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from adapters.console.prompt import ConsoleCompleter
from tests.fakes.console import Chat


@pytest.fixture
def offered(sqlite_store, clock, ids):
    chat = Chat(sqlite_store, clock, ids)
    chat(
        "hi",
        "/as bob",
        "/in ops",
        "hi",
        "/as ada",
        "/intent add zebra => Feed [it]",
        "yes",
        "/dm",
        "x",
        "/in ops",
        "/remind in 2h feed the cat",
        "/goal add Tame [it]",
    )

    def offer(text):
        found = ConsoleCompleter(chat.app).get_completions(Document(text), CompleteEvent())
        return [(one.text, one.display_meta_text) for one in found]

    return offer


@pytest.mark.parametrize(
    "text, words",
    [
        ("/pe", ["/people"]),
        ("/intent ed", ["edit"]),
        ("/as B", ["bob"]),
        ("/owner b", ["bob"]),
        ("/in ", ["general", "ops"]),
        ("ask @b", ["@bob"]),
        ("an ordinary word", []),
        ("/intent list i", []),
        ("/intent list --", ["--all", "--page", "--status"]),
        ("/intent list --all --", ["--page", "--status"]),
        ("/intent list --status q", ["quiet"]),
        ("/intent add x => y --ex", ["--exact", "--except", "--expires"]),
        ("/intent add x => y --scope c", ["channel"]),
        ("/intent edit i-7k2m --no", ["--no-edits"]),
        ("/intent show i-7k2m --", []),
        ("/people", []),
        ("/remind sn", ["snooze"]),
        ("/remind list ", []),
        ("/remind @b", ["@bob"]),
        ("/remind in 2h ask @b", ["@bob"]),
        ("/goal sup", ["supersede"]),
        ("/goal list --st", ["--state"]),
        ("/goal add x --type ri", ["risk"]),
        ("/goal add x --priority cr", ["critical"]),
        ("/goal edit g-7k2m --type risk --", ["--criteria", "--due", "--note", "--owner", "--priority", "--with"]),
        ("/goal add x --owner @b", ["@bob"]),
        ("/goal add g", []),
        ("/goal search g", []),
        ("/que", ["/question"]),
    ],
)
def test_it_offers_what_can_stand_there(offered, text, words):
    assert sorted(word for word, _ in offered(text)) == words


def test_a_handle_is_offered_with_its_text(offered):
    [(handle, text)] = offered("/intent show i-")
    assert handle.startswith("i-") and text == "Feed [it]"


def test_a_reminder_is_offered_with_its_words(offered):
    [(handle, text)] = offered("/remind done r-")
    assert handle.startswith("r-") and text == "feed the cat"


@pytest.mark.parametrize("before", ["show", "depends g-7k2m on", "answer g-7k2m replace", "link"])
def test_a_goal_is_offered_with_its_words(offered, before):
    [(handle, text)] = offered(f"/goal {before} g")
    assert handle.startswith("g-") and text == "Tame [it]"
