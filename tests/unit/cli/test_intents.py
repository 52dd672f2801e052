"""`intents list|show|cancel|explain` and `audit verify`."""

import io
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from bots import chat
from bots.cli import session
from core.services.read_intents import ShowIntent
from core.standing.intent import CooldownPer, Deliver, Status
from core.turn import ADMIN
from tests.builders import HOME, a_place
from tests.unit.cli.conftest import Terminal


def test_an_empty_list_says_so(terminal: Terminal) -> None:
    assert "no intents" in terminal("intents", "list").out
    shown = terminal("intents", "list", "--json").json
    assert {"total": 0, "hidden": 0, "page": 1, "pages": 1, "intents": []}.items() <= shown.items()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("intents", "list"), 0),
        (("intents", "show", "i-7k2m"), 1),
        (("intents", "cancel", "i-7k2m"), 1),
        (("intents", "explain", "i-7k2m", "--text", "x"), 1),
        (("audit", "verify"), 1),
        (("db", "reindex"), 1),
    ],
)
def test_a_command_that_reads_makes_no_database(terminal: Terminal, arguments: tuple[str, ...], code: int) -> None:
    for more in ((), ("--json",)):
        answer = terminal(*arguments, *more)
        assert answer.code == code
        assert f"No database yet at {terminal.database}" in answer.err + answer.out
    assert not terminal.database.parent.exists()


def test_a_list_tells_the_channel_and_what_its_filters_hide(terminal: Terminal) -> None:
    for number in range(3):
        terminal.create(triggers=f"word{number}")
    assert f"#{HOME.channel_name or HOME.channel}" in terminal("intents", "list").out
    [row, *_] = terminal("intents", "list", "--json").json["intents"]
    assert row["made_in"]["channel"] == (HOME.channel_name or HOME.channel)
    assert "No intents with that status; 3 in all." in terminal("intents", "list", "--status", "done").out
    assert "holds that; 3 in all." in terminal("intents", "list", "--text", "qqq").out
    both = terminal("intents", "list", "--status", "done", "--text", "qqq")
    assert "3 in all" in both.out
    assert terminal("intents", "list", "--status", "done", "--json").json["hidden"] == 3


def test_a_page_beyond_the_end_is_said(terminal: Terminal) -> None:
    terminal.create()
    answer = terminal("intents", "list", "--page", "9")
    assert (answer.code, "no page 9" in answer.err) == (0, True)
    assert terminal("intents", "list", "--page", "1").err == ""


def test_a_list_shows_every_intent_newest_first_in_pages(terminal: Terminal) -> None:
    made = [terminal.create(triggers=f"launch word{n}").handle for n in range(3)]
    shown = terminal("intents", "list", "--json").json
    assert [row["handle"] for row in shown["intents"]] == made[::-1]
    second = terminal("intents", "list", "--size", "2", "--page", "2", "--json").json
    assert ([row["handle"] for row in second["intents"]], second["pages"]) == (made[:1], 2)
    assert all(handle in terminal("intents", "list").out for handle in made)


def test_a_list_is_narrowed_by_status_and_words(terminal: Terminal) -> None:
    owner = terminal.create(description="Confirm the rollback owner.")
    budget = terminal.create(triggers="budget", description="Ask for the BUDGET.")
    terminal("intents", "cancel", owner.handle)
    armed = terminal("intents", "list", "--status", "armed", "--json").json
    assert [row["handle"] for row in armed["intents"]] == [budget.handle]
    worded = terminal("intents", "list", "--text", "budget", "--json").json
    assert [row["handle"] for row in worded["intents"]] == [budget.handle]


def test_show_tells_what_is_stored(terminal: Terminal) -> None:
    row = terminal.create()
    told = terminal("intents", "show", row.handle)
    assert told.code == 0
    assert row.description.rstrip(".") in told.out
    shown = terminal("intents", "show", row.handle, "--json").json
    assert shown["entries"] == ["launch checklist"]
    assert shown["creator"] == "console:local:ada"
    assert shown["history"] == []


def test_a_handle_may_be_typed_carelessly(terminal: Terminal) -> None:
    row = terminal.create()
    assert terminal("intents", "show", row.handle.upper()).code == 0
    assert terminal("intents", "show", row.handle.removeprefix("i-")).code == 0


@pytest.mark.parametrize("handle", ["i-zzzz", "", "'; DROP TABLE x; --", "i-" + "7" * 10_000, "数", "\x00"])
@pytest.mark.parametrize("command", [("show",), ("cancel",), ("explain", "--text", "the launch checklist")])
def test_an_unknown_handle_is_refused(terminal: Terminal, command: tuple[str, ...], handle: str) -> None:
    terminal.create()
    answer = terminal("intents", command[0], handle, *command[1:])
    assert answer.code == 1
    assert answer.err.startswith("remembrancer: ")


def test_cancel_is_for_good_and_on_record(terminal: Terminal) -> None:
    row = terminal.create()
    assert row.handle in terminal("intents", "cancel", row.handle).out
    app = terminal.opened()
    assert ShowIntent(app.context)(row.handle, ADMIN, None).intent.status is Status.CANCELLED
    with app.store.read() as tx:
        assert tx.operations.of_target(row.id, 1)[0].actor_id == ADMIN.id
    app.close()
    again = terminal("intents", "cancel", row.handle)
    assert again.code == 1


def test_t135_all_of_a_person_are_cancelled_once_that_was_confirmed(terminal: Terminal) -> None:
    rows = [terminal.create(), terminal.create(triggers="zebra")]
    for more in ((), ("--json",)):
        refused = terminal("intents", "cancel", "--creator", "console:local:ada", *more)
        assert refused.code == 2 and "--yes" in refused.err + refused.out
    assert "were cancelled: 0" in terminal("intents", "cancel", "--creator", "console:local:bob").out
    assert "were cancelled: 2" in terminal("intents", "cancel", "--creator", "console:local:ada", "--yes").out
    done = terminal("intents", "cancel", "--creator", "console:local:ada", "--yes", "--json").json
    assert (done["creator"], done["cancelled"]) == ("console:local:ada", 0)
    app = terminal.opened()
    assert {ShowIntent(app.context)(row.handle, ADMIN, None).intent.status for row in rows} == {Status.CANCELLED}
    app.close()


@pytest.mark.parametrize(("answer", "status"), [("n", Status.ARMED), ("y", Status.CANCELLED)])
def test_on_a_terminal_it_asks_first(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, answer: str, status: Status
) -> None:
    row = terminal.create()
    typed = io.StringIO(f"{answer}\n")
    monkeypatch.setattr(typed, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", typed)
    assert "Cancel them all" in terminal("intents", "cancel", "--creator", "console:local:ada").out
    app = terminal.opened()
    assert ShowIntent(app.context)(row.handle, ADMIN, None).intent.status is status
    app.close()


@pytest.mark.parametrize("arguments", [(), ("i-7k2m", "--creator", "console:local:ada"), ("--creator", "ada", "--yes")])
def test_cancel_wants_one_intent_or_one_person(terminal: Terminal, arguments: tuple[str, ...]) -> None:
    terminal.create()
    assert terminal("intents", "cancel", *arguments).code == 2


def test_explain_tells_whether_a_message_fires(terminal: Terminal) -> None:
    row = terminal.create()
    yes = terminal("intents", "explain", row.handle, "--text", "the launch checklist is ready", "--json").json[
        "intents"
    ][0]
    assert (yes["fires"], yes["reason"]) == (True, "ok")
    no = terminal("intents", "explain", row.handle, "--text", "the launch is ready", "--json").json["intents"][0]
    assert (no["fires"], no["reason"]) == (False, "trigger")
    assert {"rule": "trigger", "passed": False}.items() <= next(
        rule for rule in no["rules"] if rule["rule"] == "trigger"
    ).items()
    assert row.handle in terminal("intents", "explain", row.handle, "--text", "the launch is ready").out


def test_explain_knows_the_sender(terminal: Terminal) -> None:
    row = terminal.create(anyone=False)
    words = "the launch checklist"
    assert terminal("intents", "explain", row.handle, "--text", words, "--json").json["intents"][0]["fires"]
    other = terminal("intents", "explain", row.handle, "--text", words, "--as", "console:local:bob", "--json")
    [other] = other.json["intents"]
    assert (other["fires"], other["reason"]) == (False, "other_sender")
    assert terminal("intents", "explain", row.handle, "--text", words, "--as", "bob").code == 2


@pytest.mark.parametrize("text", ["", "\u200b", "\ud800", "\x00", "x" * 1_000_000, "a" + "\u0301" * 10_000])
def test_any_message_can_be_explained(terminal: Terminal, text: str) -> None:
    row = terminal.create()
    answer = terminal("intents", "explain", row.handle, "--text", text, "--json")
    assert answer.code == 0
    assert answer.json["intents"][0]["fires"] is False


def test_explain_without_a_handle_covers_all_that_are_live_and_needs_person_and_place(terminal: Terminal) -> None:
    rows = {terminal.create().handle, terminal.create(triggers="launch").handle}
    asked = ("intents", "explain", "--text", "the launch checklist")
    where = "console:local:home/general"
    told = terminal(*asked, "--as", "console:local:bob", "--in", where, "--json").json
    assert {row["handle"] for row in told["intents"] if row["fires"]} == rows
    elsewhere = terminal(*asked, "--as", "console:local:bob", "--in", "console:local:nowhere/ops", "--json").json
    assert not any(row["fires"] for row in elsewhere["intents"])
    for lacking in (asked, (*asked, "--as", "console:local:bob"), (*asked, "--in", where)):
        assert terminal(*lacking).code == 2


@pytest.mark.parametrize("place", ["ops", "console:local:home", "console:local:home/", "::/x", "a:b:c//d"])
def test_a_place_that_cannot_be_read_is_refused(terminal: Terminal, place: str) -> None:
    answer = terminal("intents", "explain", "--text", "x", "--as", "console:local:bob", "--in", place)
    assert (answer.code, "is no place" in answer.err) == (2, True)


def test_explain_changes_nothing(terminal: Terminal) -> None:
    row = terminal.create()
    for _ in range(5):
        assert terminal("intents", "explain", row.handle, "--text", "the launch checklist", "--json").json["intents"][
            0
        ]["fires"]
    assert terminal("intents", "show", row.handle, "--json").json["fires"] == 0


def test_the_command_line_never_creates_or_changes(terminal: Terminal) -> None:
    helped = terminal("intents", "--help").out
    for word in ("add", "create", "edit", "pause", "resume", "confirm"):
        assert f"  {word} " not in helped


def test_audit_verify_passes_and_names_the_row_after_one_byte_is_changed(terminal: Terminal) -> None:
    row = terminal.create()
    terminal("intents", "cancel", row.handle)
    assert terminal("audit", "verify").code == 0
    good = terminal("audit", "verify", "--json").json
    assert good["holds"]
    with closing(sqlite3.connect(terminal.database)) as database:
        database.execute("DROP TRIGGER operations_no_update")
        found = database.execute("SELECT id, payload FROM operations WHERE op_type = 'ASSERT'").fetchall()
        changed = found[-1][1].replace("a", "b", 1)
        database.execute("UPDATE operations SET payload = ? WHERE id = ?", (changed, found[-1][0]))
        database.commit()
    bad = terminal("audit", "verify", "--json")
    assert bad.code == 1
    assert [chain["bad"]["id"] for chain in bad.json["chains"] if not chain["holds"]] == [found[-1][0]]
    told = terminal("audit", "verify")
    assert told.code == 1
    assert found[-1][0] in told.out
    assert f"space {HOME.space_name or HOME.space}: row 1 of 2 is broken (ASSERT" in told.out


def test_audit_verify_tells_of_rows_that_are_cut_off(terminal: Terminal) -> None:
    row = terminal.create()
    terminal("intents", "cancel", row.handle)
    with closing(sqlite3.connect(terminal.database)) as database:
        database.execute("DROP TRIGGER operations_no_delete")
        database.execute("DELETE FROM operations WHERE sequence_num = 2 AND namespace_id <> 'system'")
        database.commit()
    assert "its end is broken: the chain should end at number 2." in terminal("audit", "verify").out


def test_commands_look_into_the_terminals_file_while_there_is_no_other(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = terminal.folder / "data" / session.CONSOLE_FILE
    with monkeypatch.context() as patch:
        file.parent.mkdir()
        patch.setenv("REMEMBRANCER_DATABASE_URL", f"sqlite:///{file}")
        row = terminal.create()
    listed = terminal("intents", "list", "--json")
    assert listed.json["intents"][0]["handle"] == row.handle
    assert (listed.json["database"], listed.err) == (f"sqlite:///{file}", "")
    assert terminal("intents", "list").err == f"Database: {file}\n"
    shown = terminal("config", "show", "--json").json["settings"]["database_url"]
    assert shown == {"value": f"sqlite:///{file}", "from": "found in data_dir"}
    assert not terminal.database.exists()
    other = f"sqlite:///{terminal.database}"
    terminal("--database-url", other, "db", "upgrade")
    assert terminal("intents", "list", "--json").json["total"] == 0
    assert terminal("intents", "list").err == f"Database: {terminal.database}\n"
    assert terminal("--console", "intents", "list", "--json").json["total"] == 1
    assert terminal("--console", "intents", "list").err == f"Database: {file}\n"
    assert terminal("--database-url", other, "intents", "list").err == ""
    assert terminal("--database-url", other, "intents", "list", "--json").json["total"] == 0


def test_the_terminals_file_has_one_name() -> None:
    assert chat.FILE_NAME == session.CONSOLE_FILE


def test_json_tells_exceptions_delivery_and_what_the_quiet_time_is_counted_by(terminal: Terminal) -> None:
    plain = terminal.create()
    party = a_place("random", "party", channel_name="random", conversation_name="party")
    told = terminal.create(
        triggers="bug",
        cooldown_per=CooldownPer.SENDER,
        except_in=(a_place("random", channel_name="random"), party),
        deliver=Deliver.PLACE,
        deliver_to=a_place("ops", channel_name="ops"),
    )
    new = ("cooldown_per", "except_in", "deliver", "deliver_to", "unconfirmed", "expiry_asked_at")
    rows = {row["handle"]: [row[name] for name in new] for row in terminal("intents", "list", "--json").json["intents"]}
    assert rows[plain.handle] == ["intent", [], "here", None, False, None]
    assert rows[told.handle] == ["sender", ["#random", "#random/party"], "place", "#ops", False, None]
    shown = terminal("intents", "show", told.handle, "--json").json
    assert [shown[name] for name in new] == rows[told.handle]
    assert (
        "quiet in #random, the thread party in #random; posted in #ops" in terminal("intents", "show", told.handle).out
    )
    cancelled = terminal("intents", "cancel", told.handle, "--json").json
    assert [cancelled[name] for name in new] == rows[told.handle]


def test_a_rule_that_waits_for_a_yes_says_so_in_the_table(terminal: Terminal) -> None:
    row = terminal.create()
    app = terminal.opened()
    with app.store.write() as tx:
        [stored] = tx.intents.by_keys([row.key], lock=True)
        assert tx.intents.update(stored, replace(stored, status=Status.PENDING, unconfirmed=True))
        tx.commit()
    app.close()
    assert "waiting for a yes" in terminal("intents", "list").out
    assert terminal("intents", "list", "--json").json["intents"][0]["unconfirmed"] is True
