"""Typed lines that are kept between two runs."""

import stat

from adapters.console.history import MAX_CHARS, MAX_LINES, KeptHistory


def test_lines_are_there_after_a_restart_newest_first(tmp_path):
    path = tmp_path / "console.db.history"
    first = KeptHistory(path)
    for text in ("one", "two\nlines", "回\udcff"):
        first.store_string(text)
    assert list(KeptHistory(path).load_history_strings()) == ["回\udcff", "two\nlines", "one"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_oldest_go_when_it_is_full(tmp_path):
    path = tmp_path / "h"
    history = KeptHistory(path)
    for number in range(MAX_LINES + 1):
        history.store_string(str(number))
    kept = list(KeptHistory(path).load_history_strings())
    assert (len(kept), kept[0], kept[-1]) == (MAX_LINES, str(MAX_LINES), "1")
    assert len(path.read_text().splitlines()) == MAX_LINES


def test_a_line_of_the_longest_length_is_kept_and_a_longer_one_is_not(tmp_path):
    history = KeptHistory(tmp_path / "h")
    history.store_string("x" * MAX_CHARS)
    history.store_string("x" * (MAX_CHARS + 1))
    assert len(list(KeptHistory(tmp_path / "h").load_history_strings())) == 1


def test_a_file_that_others_could_read_is_closed_to_them(tmp_path):
    path = tmp_path / "h"
    path.touch(0o644)
    KeptHistory(path).store_string("one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_broken_or_cannot_be_written_is_done_without(tmp_path):
    broken = tmp_path / "h"
    broken.write_bytes(b"\xff\x00 no json\n")
    assert list(KeptHistory(broken).load_history_strings()) == []
    KeptHistory(tmp_path).store_string("one")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere")
    KeptHistory(link).store_string("one")
    assert not (tmp_path / "elsewhere").exists()
