"""`intents export|import`: files, options, questions, and what is told."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

from bots.aside import written
from core.errors import InvalidInput
from core.limits import LIMITS
from core.services.change_intent import CancelIntent
from core.turn import ADMIN
from tests.fakes.documents import a_document, a_row
from tests.unit.cli.conftest import Terminal

KEEP = ("--map", "console:local:home=console:local:home", "--person", "console:local:ada=console:local:ada")


class Typed(io.StringIO):
    """What somebody types at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def empty(terminal: Terminal) -> Terminal:
    """A terminal with a database that holds nothing."""
    terminal.opened().close()
    return terminal


def document(terminal: Terminal, *rows: object, name: str = "rules.json") -> str:
    path = terminal.folder / name
    path.write_bytes(a_document(*rows))  # type: ignore[arg-type]  # broken rows, too
    return str(path)


def listed(terminal: Terminal) -> list[dict[str, object]]:
    return list(terminal("intents", "list", "--json").json["intents"])


def test_an_export_is_printed(terminal: Terminal) -> None:
    made = terminal.create()
    answer = terminal("intents", "export")
    found = json.loads(answer.out)
    assert (answer.code, answer.err, found["format"]) == (0, "", "remembrancer-intents")
    assert [row["handle"] for row in found["intents"]] == [made.handle]
    assert terminal("intents", "export", "--json").json["intents"] == found["intents"]


def test_an_export_is_written_for_the_eyes_of_its_owner_only(terminal: Terminal) -> None:
    terminal.create()
    target = terminal.folder / "rules.json"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o644)
    before = os.umask(0)
    try:
        answer = terminal("intents", "export", "--out", str(target))
    finally:
        os.umask(before)
    assert (answer.code, "1 rules written" in answer.out) == (0, True)
    assert target.stat().st_mode & 0o777 == 0o600
    assert len(json.loads(target.read_text(encoding="utf-8"))["intents"]) == 1
    assert terminal("intents", "export", "--out", str(target), "--json").json["intents"] == 1
    assert [path.name for path in terminal.folder.iterdir() if path.suffix == ".part"] == []


def test_an_export_that_cannot_be_written_says_so(terminal: Terminal) -> None:
    terminal.create()
    answer = terminal("intents", "export", "--out", str(terminal.folder / "missing" / "rules.json"))
    assert (answer.code, "cannot be written" in answer.err) == (1, True)


def test_a_file_is_there_in_full_or_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "rules.json"
    target.write_text("old", encoding="utf-8")
    with pytest.raises(KeyError), written(target, "portable.unwritable", 0o600) as file:
        file.write("half")
        raise KeyError
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [("rules.json", "old")]
    with pytest.raises(InvalidInput), written(tmp_path, "portable.unwritable", 0o600):
        pass


def test_an_export_is_narrowed_by_options(terminal: Terminal) -> None:
    made = terminal.create()
    app = terminal.opened()
    CancelIntent(app.context)(made.handle, ADMIN, None)
    app.close()
    assert terminal("intents", "export", "--json").json["intents"] == []
    assert len(terminal("intents", "export", "--all", "--json").json["intents"]) == 1
    for narrow in (("--creator", "console:local:ada"), ("--space", "console:local:home")):
        assert len(terminal("intents", "export", "--all", *narrow, "--json").json["intents"]) == 1
    assert terminal("intents", "export", "--creator", "console:local:cyd").code == 1
    assert terminal("intents", "export", "--space", "console:local:away").code == 1
    for wrong in (("--creator", "ada"), ("--space", "home"), ("--space", "console:local:home/general")):
        assert terminal("intents", "export", *wrong).code == 2


def test_an_import_tells_who_has_to_say_yes(empty: Terminal) -> None:
    answer = empty("intents", "import", document(empty, a_row(), a_row(status="done")), *KEEP)
    [row] = listed(empty)
    assert (answer.code, row["status"]) == (0, "pending")
    assert "1 imported, 0 here already, 1 over" in answer.out
    assert f"console:local:ada: {row['handle']}" in answer.out and "/intent confirm" in answer.out
    again = empty("intents", "import", document(empty, a_row()), *KEEP, "--json")
    assert (again.json["new"], again.json["here"], again.json["intents"][0]["handle"]) == (0, 1, row["handle"])
    assert empty("audit", "verify").code == 0


def test_an_export_of_one_place_is_imported_in_another(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal.create(triggers="launch; budget", description="Übergabe 🚀")
    terminal("intents", "export", "--out", "rules.json")
    monkeypatch.setenv("REMEMBRANCER_DATA_DIR", str(terminal.folder / "other"))
    terminal.opened().close()
    assert terminal("intents", "import", "rules.json", *KEEP).code == 0
    [row] = listed(terminal)
    assert (row["description"], row["entries"]) == ("Übergabe 🚀", ["launch", "budget"])


def test_t053_a_dry_run_shows_each_row_and_stores_nothing(empty: Terminal) -> None:
    rows = (a_row(), a_row(entries=["-no"]), a_row(max_fires=0), a_row(status="expired"))
    file = document(empty, *rows)
    answer = empty("intents", "import", file, *KEEP, "--dry-run")
    assert answer.code == 1
    assert "Dry run: 1 would be stored, 0 here already, 1 over, 2 refused." in answer.out
    assert "max_fires: is not a whole number" in answer.out and "entries:" in answer.out
    found = empty("intents", "import", file, *KEEP, "--dry-run", "--json")
    assert [row["fate"] for row in found.json["intents"]] == ["new", "refused", "refused", "over"]
    assert found.json["intents"][2]["problems"] == [
        {"field": "max_fires", "why": f"is not a whole number from 1 to {LIMITS.max_fires}"}
    ]
    assert listed(empty) == []
    assert empty("intents", "import", document(empty, a_row()), *KEEP, "--dry-run").code == 0


def test_one_bad_row_is_named_and_nothing_is_stored(empty: Terminal) -> None:
    answer = empty("intents", "import", document(empty, a_row(), a_row({"place.channel": 7})), *KEEP)
    assert (answer.code, listed(empty)) == (1, [])
    assert "1 of 2 rows cannot be imported" in answer.err
    assert "row 2 (i-7k2m), place.channel: is not a text" in answer.err


def test_t055_without_a_terminal_every_place_and_person_is_listed_with_its_option(empty: Terminal) -> None:
    person = {"provider": "console", "account": "local", "user": "it's", "name": ""}
    rows = (a_row(), a_row({"place.conversation": "plan"}, creator=person))
    answer = empty("intents", "import", document(empty, *rows))
    assert (answer.code, listed(empty)) == (1, [])
    for option in (
        "--map console:local:home/general=console:local:home/general",
        "--map console:local:home/general/plan=console:local:home/general/plan",
        "--person console:local:ada=console:local:ada",
        """--person 'console:local:it'"'"'s=console:local:it'"'"'s'""",
    ):
        assert option in answer.err
    assert "2 places and 2 people" in answer.err
    assert empty("intents", "import", document(empty, *rows), "--json").json["error"]["code"] == "invalid_input"


def test_t055_on_a_terminal_each_place_and_person_is_asked_for(
    empty: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Typed("nonsense\nconsole:local:home/ops\n\nconsole:local:bob\n"))
    away = a_row({"place.space": "away"}, entries=["budget"])
    answer = empty("intents", "import", document(empty, a_row(), away))
    assert answer.code == 0
    assert "Place console:local:home/general:" in answer.err and "Person console:local:ada:" in answer.err
    assert [(row["creator"], row["made_in"]) for row in listed(empty)] == [
        ("console:local:bob", {"space": "away", "channel": "general"}),
        ("console:local:bob", {"space": "home", "channel": "ops"}),
    ]


def test_the_end_of_what_is_typed_ends_the_import(empty: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Typed(""))
    answer = empty("intents", "import", document(empty, a_row()))
    assert (answer.code, listed(empty)) == (130, [])


def test_a_document_is_read_from_standard_input(empty: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(a_document(a_row()))))
    assert empty("intents", "import", "-", *KEEP).code == 0
    assert len(listed(empty)) == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--map", "home"),
        ("--map", "console:local:home"),
        ("--map", "console:local:home=away"),
        ("--map", "console:local:home/general=console:local:away"),
        ("--map", "console:local:home=console:local:away/general"),
        ("--map", "console:local:=console:local:away"),
        ("--map", "console:local:home/=console:local:away/"),
        ("--map", "console:local:nowhere=console:local:away"),
        ("--map", "console:local:home/ops=console:local:home/general"),
        ("--map", "console:local:home=a:b:c", "--map", "console:local:home=a:b:d"),
        ("--map", "console:local:home=a:b:c\udcff"),
        ("--person", "ada=bob"),
        ("--person", "console:local:ada"),
        ("--person", "console:local:cyd=console:local:bob"),
        ("--person", "console:local:ada=console:local:\udcff"),
    ],
)
def test_a_mapping_that_cannot_be_used_is_wrong_usage(empty: Terminal, options: tuple[str, ...]) -> None:
    answer = empty("intents", "import", document(empty, a_row()), *options)
    assert (answer.code, listed(empty)) == (2, [])


def test_a_file_that_cannot_be_read_says_so(empty: Terminal) -> None:
    for name in ("missing.json", str(empty.folder), "a\0b"):
        answer = empty("intents", "import", name)
        assert (answer.code, "cannot be read" in answer.err) == (1, True)
    (empty.folder / "text.json").write_text("hello", encoding="utf-8")
    assert "This is no export of rules: it is not JSON" in empty("intents", "import", "text.json").err


def test_an_import_makes_no_database(terminal: Terminal) -> None:
    assert terminal("intents", "import", document(terminal, a_row()), *KEEP).code == 1
    assert not terminal.database.parent.exists()
