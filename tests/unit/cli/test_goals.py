"""`goals list|show|cancel|graph`."""

import stat
import xml.etree.ElementTree as ET

import pytest

from core.goals.objects import IntentState, IntentType
from core.standing.intent import Priority
from core.turn import ADMIN
from tests.builders import HOME
from tests.builders_goals import a_goal, a_risk, add, propose
from tests.unit.cli.conftest import Terminal


@pytest.fixture
def kept(terminal: Terminal):
    """Makes an intent in the terminal's database, as an owner does in chat."""

    def make(draft, **fields):
        app = terminal.opened()
        try:
            return add(app.context, draft, **fields)
        finally:
            app.close()

    return make


def test_an_empty_list_says_so(terminal: Terminal) -> None:
    assert "There are none that match." in terminal("goals", "list").out
    shown = terminal("goals", "list", "--json").json
    assert {"total": 0, "page": 1, "pages": 1, "goals": []}.items() <= shown.items()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("list",), 0), (("show", "g-7k2m"), 1), (("cancel", "g-7k2m"), 1), (("graph",), 1)],
)
def test_a_command_that_reads_makes_no_database(terminal: Terminal, arguments: tuple[str, ...], code: int) -> None:
    answer = terminal("goals", *arguments)
    assert answer.code == code and "No database yet" in answer.err
    assert not terminal.database.parent.exists()


def test_a_list_shows_what_is_open_with_its_channel_owner_and_what_it_waits_for(terminal: Terminal, kept) -> None:
    first = kept("Rent a database")
    second = kept(a_goal("Ship the API", depends_on=(first.handle,)))
    shown = terminal("goals", "list").out
    assert all(part in shown for part in (first.handle, second.handle, "Ship the API", f"#{HOME.channel}"))
    rows = {row["handle"]: row for row in terminal("goals", "list", "--json").json["goals"]}
    assert rows[second.handle]["waits_for"] == [first.handle]
    assert rows[first.handle]["made_in"]["channel"] == HOME.channel
    assert (rows[first.handle]["confidence"], rows[first.handle]["salience"]) == (0.8, pytest.approx(0.5, abs=1e-3))


def test_a_list_is_narrowed_by_type_state_and_words_as_in_chat(terminal: Terminal, kept) -> None:
    goal, risk = kept("Ship the API"), kept(a_risk("Vendor leaves", priority=Priority.HIGH))

    def handles(*arguments: str) -> list[str]:
        return [row["handle"] for row in terminal("goals", "list", *arguments, "--json").json["goals"]]

    assert handles() == [risk.handle, goal.handle]
    assert handles("--type", "risk") == [risk.handle]
    assert handles("--type", "OPEN_QUESTION") == []
    assert handles("--text", "api") == [goal.handle]
    terminal("goals", "cancel", goal.handle)
    assert handles() == [risk.handle]
    assert handles("--all") == [risk.handle, goal.handle]
    assert handles("--state", "cancelled") == [goal.handle]


def test_the_review_queue_is_listed_apart(terminal: Terminal, kept) -> None:
    kept("Ship the API")
    app = terminal.opened()
    proposed = propose(app.context, "Hire somebody")
    app.close()
    assert [row["handle"] for row in terminal("goals", "list", "--review", "--json").json["goals"]] == [proposed.handle]
    assert proposed.handle not in terminal("goals", "list").out
    assert "proposed, not confirmed" in terminal("goals", "list", "--review").out


def test_a_word_that_is_no_type_is_wrong_usage(terminal: Terminal, kept) -> None:
    kept("Ship the API")
    answer = terminal("goals", "list", "--type", "rsik")
    assert answer.code == 2 and "Did you mean risk?" in answer.err


def test_a_page_beyond_the_end_is_said(terminal: Terminal, kept) -> None:
    kept("Ship the API")
    answer = terminal("goals", "list", "--page", "9")
    assert (answer.code, "no page 9" in answer.err) == (0, True)


def test_one_is_shown_with_everything_around_it(terminal: Terminal, kept) -> None:
    first = kept(a_goal("Rent a database", criteria="it runs\nit is read"))
    second = kept(a_goal("Ship the API", depends_on=(first.handle,)))
    assert "These wait for" in terminal("goals", "show", first.handle).out
    shown = terminal("goals", "show", first.handle, "--json").json
    assert (shown["blocks"], shown["depends_on"], shown["criteria"]) == ([second.handle], [], ["it runs", "it is read"])
    assert shown["superseded_by"] is None and shown["type"] == IntentType.GOAL


def test_an_unknown_handle_is_refused_with_a_hint_for_this_command_line(terminal: Terminal, kept) -> None:
    kept("Ship the API")
    for verb in ("show", "cancel", "graph"):
        answer = terminal("goals", verb, "g-zzzz")
        assert answer.code == 1
        assert "nothing called g-zzzz" in answer.err and "remembrancer goals list --all" in answer.err


def test_an_administrator_cancels_and_it_is_on_record(terminal: Terminal, kept) -> None:
    first = kept("Rent a database")
    second = kept(a_goal("Ship the API", depends_on=(first.handle,)))
    answer = terminal("goals", "cancel", first.handle)
    assert answer.code == 0 and f"{first.handle} is cancelled" in answer.out and second.handle in answer.out
    app = terminal.opened()
    with app.store.read() as tx:
        row = tx.goals.by_id(first.id)
        assert row is not None and row.intent_state is IntentState.CANCELLED
        assert ADMIN.id in {one.actor_id for one in tx.operations.of_target(first.id, 5)}
    app.close()
    again = terminal("goals", "cancel", first.handle, "--json")
    assert again.code == 1 and "is cancelled already" in again.json["error"]["sentence"]
    assert terminal("goals", "cancel", second.handle, "--json").json["asked"] == []


def test_nothing_can_be_made_or_changed_otherwise_here(terminal: Terminal) -> None:
    for verb in ("add", "edit", "done", "confirm"):
        assert terminal("goals", verb, "x").code == 2


def test_the_graph_is_a_tree_or_a_picture_for_ones_own_eyes(terminal: Terminal, kept) -> None:
    first = kept("Rent a <database>")
    second = kept(a_goal("Ship the API", depends_on=(first.handle,)))
    alone = kept("Sing")
    assert f"└─ {first.handle} Rent a <database>" in terminal("goals", "graph").out
    assert alone.handle not in terminal("goals", "graph", first.handle).out
    data = terminal("goals", "graph", "--json").json
    assert data["edges"] == [{"dependent": second.handle, "prerequisite": first.handle}]
    file = terminal.folder / "graph.svg"
    answer = terminal("goals", "graph", "--svg", str(file))
    assert (answer.code, "shows 3" in answer.out) == (0, True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    ET.parse(file)
    again = terminal("goals", "graph", "--svg", str(file))
    assert (again.code, "is there already" in again.err) == (1, True)
    other = terminal.folder / "other.svg"
    assert terminal("goals", "graph", "--svg", str(other), "--json").json["written"] == str(other)


def test_a_picture_that_cannot_be_written_is_refused(terminal: Terminal, kept) -> None:
    kept("Ship the API")
    answer = terminal("goals", "graph", "--svg", str(terminal.folder / "nowhere" / "x.svg"))
    assert answer.code == 1 and "The picture cannot be written" in answer.err and "--svg FILE" in answer.err
