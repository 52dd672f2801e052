"""Aspirations in the terminal: typed, read back, edited by hand, told on their day."""

import pytest

from storage.aspirations import FolderFiles
from tests.fakes.aspiring import the_file
from tests.fakes.console import Chat

ADD = "/aspire add Improve the checklist (review 2026-12-31)"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "aspirations"


@pytest.fixture
def chat(sqlite_store, clock, ids, folder):
    return Chat(sqlite_store, clock, ids, aspirations=FolderFiles(folder, 1_000_000))


def handle(folder, number=-1):
    return the_file(folder).read_text().splitlines()[number].split("<!-- ")[1].split()[0]


def test_an_aspiration_is_read_back_with_its_day_and_its_file(chat, folder):
    shown = chat(ADD)
    name = handle(folder)
    assert (
        f"Kept as an aspiration, {name}: Improve the checklist. You are told on Thu 31 Dec 2026 at 09:00 (UTC)."
        in shown
    )
    assert f"Another day: /aspire review {name} 90d" in shown
    assert f"aspirations/{the_file(folder).name}" in shown


def test_without_a_day_the_end_of_the_quarter_is_named(chat):
    shown = chat("/aspire add Improve the checklist")
    assert "You named no day: you are told at the end of the quarter, Thu 31 Dec 2026" in shown


def test_the_list_is_numbered_by_nothing_and_sorted_by_day(chat, folder):
    chat("/aspire add Later (review 90d)", ADD)
    later, sooner = handle(folder, -2), handle(folder)
    shown = chat("/aspire list")
    first, second = (
        f"{sooner} Improve the checklist. · review Thu 31 Dec 2026 · @ada",
        f"{later} Later. · review Sun 28 Feb 2027 · @ada",
    )
    assert shown.index(first) < shown.index(second)
    assert "They stand in aspirations/" in shown


def test_t045_a_place_in_the_list_changes_nothing(chat, folder):
    chat(ADD, "/aspire add Another (review 90d)")
    before = the_file(folder).read_text()
    shown = chat("/aspire done 1", "/aspire review 1 90d")
    assert shown.count("by its short name") == 2
    assert the_file(folder).read_text() == before


def test_the_owner_is_told_on_the_day_and_only_then(chat, folder):
    chat(ADD)
    name = handle(folder)
    assert "It is time" not in chat("/time +30d")
    shown = chat("/time +1d")
    assert f"It is time to look at {name} again: Improve the checklist." in shown
    assert f"Another day: /aspire review {name} 90d    Reached or given up: /aspire done {name}" in shown
    assert "It is time" not in chat("/time +7d")
    assert "looked at again on Wed 7 Apr 2027" in chat(f"/aspire review {name} 90d")
    assert "It is time" in chat("/time +91d")
    assert f"{name} is done: Improve the checklist. It stays, ticked" in chat(f"/aspire done {name}")
    assert "No open aspirations here" in chat("/aspire list")
    assert f"{name} Improve the checklist. · done · @ada" in chat("/aspire list --all")


def test_somebody_else_sees_and_changes_nothing(chat, folder):
    chat(ADD)
    name = handle(folder)
    before = the_file(folder).read_text()
    shown = chat("/as bob", "/aspire list", f"/aspire done {name}", "/aspire done a-0000", "/aspire add Mine")
    assert "checklist" not in shown.replace("/aspire add Improve the checklist", "")
    assert f"There is no aspiration {name} here." in shown and "There is no aspiration a-0000 here." in shown
    assert "Only owners of this space can add aspirations." in shown
    assert "It is time" not in chat("/time +60d") and "It is time" in chat("/as ada")
    assert the_file(folder).read_text() == before


def test_a_private_channel_and_a_direct_message_have_lists_of_their_own(chat, folder):
    chat(ADD)
    for place in ("/in vault --private", "/dm"):
        assert "No open aspirations here" in chat(place, "/aspire list")
        chat("/aspire add Only here")
        assert "Only here" in chat("/aspire list")
    assert "Only here" not in chat("/in general", "/aspire list")
    assert len(list(folder.glob("*.md"))) == 3


def test_what_was_typed_into_the_file_is_taken_and_what_is_wrong_is_named(chat, folder):
    chat(ADD)
    path = the_file(folder)
    with path.open("a") as lines:
        lines.write("- Answer faster (review 2027-06-01)\n- Some note\n- Soon (review soon)\n")
    shown = chat("/aspire list")
    name = handle(folder, -3)
    assert f"Typed into the file by hand, and yours from now on: {name}" in shown
    assert f"{name} Answer faster. · review Tue 1 Jun 2027 · @ada" in shown
    count = len(path.read_text().splitlines())
    assert f"Line {count - 1} of the file: no day in it, so nobody is told." in shown
    assert f"Line {count} of the file: its day cannot be read." in shown
    assert "Some note\n- Soon (review soon)\n" in path.read_text()


def test_pages_and_the_many_lines_to_look_at_are_counted(chat, folder):
    for number in range(11):
        chat(f"/aspire add Number {number}")
    with the_file(folder).open("a") as lines:
        lines.write("- no day\n" * 7)
    shown = chat("/aspire list")
    assert "Page 1 of 2, 11 in all. Another page: /aspire list --page 2" in shown
    assert shown.count("of the file: no day") == 5 and "More lines to look at: 2" in shown
    assert "Number 10" in chat("/aspire list --page 2")


def test_one_without_a_day_any_more_says_so_and_can_be_given_one(chat, folder):
    chat(ADD)
    path, name = the_file(folder), handle(folder)
    path.write_text(path.read_text().replace(" (review 2026-12-31)", ""))
    assert f"{name} Improve the checklist. · no day · @ada" in chat("/aspire list")
    chat(f"/aspire review {name} 2026-12-31")
    assert "· review Thu 31 Dec 2026 ·" in chat("/aspire list")
    assert "· review is due since Thu 31 Dec 2026 ·" in chat("/time +40d", "/aspire list")


def test_where_no_files_are_kept_the_terminal_says_so(sqlite_store, clock, ids):
    chat = Chat(sqlite_store, clock, ids)
    assert "No aspirations are kept here." in chat("/aspire list")
    assert "It is now" in chat("/time +1d")


def test_help_and_completion_know_it(chat):
    assert "/aspire add Improve the checklist (review 90d)" in chat("/help")
    assert "aspire" in chat.app.commands()
