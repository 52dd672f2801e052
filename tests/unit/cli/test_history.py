"""`intents history`: every fire, with its place, for people and for programs."""

from datetime import timedelta

from core.services.receive_turn import ReceiveTurn
from tests.builders import HOME, a_turn
from tests.unit.cli.conftest import Terminal


def fire(terminal: Terminal, count: int) -> None:
    app = terminal.opened()
    try:
        for _ in range(count):
            ReceiveTurn(app.context)(a_turn(at=app.context.clock.now(), link="https://example.test/1"))
    finally:
        app.close()


def test_t033_t035_it_tells_place_sender_entry_terms_link_and_state(terminal: Terminal) -> None:
    made = terminal.create()
    fire(terminal, 1)
    shown = terminal("intents", "history", made.handle)
    assert shown.code == 0
    assert f"in #{HOME.channel}, @Bob said launch checklist: being sent" in shown.out
    assert "words: launch, checklist" in shown.out and "https://example.test/1" in shown.out
    found = terminal("intents", "history", made.handle, "--json").json
    [row] = found["fires"]
    assert (found["handle"], found["status"], found["total"], found["pages"]) == (made.handle, "fired", 1, 1)
    assert row["place"] == {"space": "home", "channel": "general", "thread": "", "shown": "#general"}
    assert (row["entry"], row["terms"], row["state"]) == ("launch checklist", ["launch", "checklist"], "reserved")
    assert (row["link"], row["sender"]) == ("https://example.test/1", "console:local:bob")


def test_t183_it_is_kept_once_the_rule_is_cancelled(terminal: Terminal) -> None:
    made = terminal.create()
    fire(terminal, 1)
    terminal("intents", "cancel", made.handle)
    assert f"Reminders of {made.handle} (cancelled)" in terminal("intents", "history", made.handle).out


def test_it_is_paged(terminal: Terminal) -> None:
    made = terminal.create(cooldown=timedelta(0), max_fires=9)
    fire(terminal, 3)
    found = terminal("intents", "history", made.handle, "--size", "2", "--page", "2", "--json").json
    assert (found["page"], found["pages"], [row["number"] for row in found["fires"]]) == (2, 2, [1])


def test_a_rule_that_there_is_not_is_refused(terminal: Terminal) -> None:
    made = terminal.create()
    assert terminal("intents", "history", "i-0000").code == 1
    assert "has not fired yet" in terminal("intents", "history", made.handle).out
