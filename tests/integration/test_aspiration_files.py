"""The files of aspirations in a folder: swapped whole or not at all, one a code, private."""

import multiprocessing
import os
import stat

import pytest

from core.aspirations.keys import FileKey
from core.errors import LimitExceeded, StorageError
from storage.aspirations import FolderFiles
from tests.fakes.aspiring import KEY, append_lines, the_file


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data" / "aspirations"


@pytest.fixture
def files(folder):
    return FolderFiles(folder, 100)


def test_there_is_no_file_before_the_first_text(files, folder):
    assert files.read(KEY) is None and files.stamps() == {} and not folder.exists()


@pytest.mark.parametrize("text", ["", "a\r\nb\rc\n", "\ufeffé 東京", "no end"])
def test_a_text_is_kept_byte_for_byte(files, folder, text):
    assert files.replace(KEY, None, text)
    assert files.read(KEY) == text
    assert the_file(folder).read_bytes() == text.encode()


def test_file_and_folder_are_for_their_owner_only(files, folder):
    files.replace(KEY, None, "one")
    files.replace(KEY, "one", "two")
    assert stat.S_IMODE(the_file(folder).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sorted(path.name for path in folder.iterdir()) == [".lock", KEY.file_name]


@pytest.mark.parametrize("expected", [None, "", "older"])
def test_what_somebody_else_saved_is_not_written_over(files, folder, expected):
    files.replace(KEY, None, "theirs")
    assert not files.replace(KEY, expected, "mine")
    assert files.read(KEY) == "theirs"
    assert not files.replace(FileKey("2-00000000", "away"), "there was one", "mine")


def test_a_file_keeps_its_code_when_people_rename_it_or_the_space(files, folder):
    files.replace(KEY, None, "one")
    the_file(folder).rename(folder / f"our plans, 2027-{KEY.code}.md")
    renamed = FileKey(KEY.code, "another-name")
    assert files.read(renamed) == "one" and files.replace(renamed, "one", "two")
    assert the_file(folder).name == f"our plans, 2027-{KEY.code}.md"
    assert files.shown(renamed) == f"aspirations/our plans, 2027-{KEY.code}.md"


def test_a_file_of_another_code_is_never_read(files):
    files.replace(FileKey("11-00000000", "home"), None, "theirs")
    files.replace(FileKey("1-00000001", "home"), None, "theirs")
    assert files.read(KEY) is None and len(files.stamps()) == 2


def test_two_files_of_one_code_are_an_error_that_names_both(files, folder):
    files.replace(KEY, None, "one")
    (folder / f"copy-{KEY.code}.md").write_text("two")
    for use in (lambda: files.read(KEY), lambda: files.replace(KEY, "one", "three")):
        with pytest.raises(StorageError, match=rf"copy-{KEY.code}\.md, home-{KEY.code}\.md"):
            use()
    assert sorted(path.read_text() for path in folder.glob("*.md")) == ["one", "two"]


@pytest.mark.parametrize(("size", "fits"), [(100, True), (101, False)])
def test_a_file_is_bounded_when_it_is_read_and_when_it_is_written(files, folder, size, fits):
    if fits:
        assert files.replace(KEY, None, "x" * size) and files.read(KEY) == "x" * size
        return
    with pytest.raises(LimitExceeded):
        files.replace(KEY, None, "x" * size)
    assert not list(folder.glob("*"))
    folder.mkdir(parents=True)
    (folder / KEY.file_name).write_text("x" * size)
    with pytest.raises(StorageError, match=rf"aspirations/home-{KEY.code}\.md .* longer than 100 bytes"):
        files.read(KEY)


def test_a_file_that_is_no_text_is_left_as_it_is_and_its_line_is_named(files, folder):
    folder.mkdir(parents=True)
    (folder / KEY.file_name).write_bytes(b"one\ntwo \xff\n")
    for use in (lambda: files.read(KEY), lambda: files.replace(KEY, "one", "two")):
        with pytest.raises(StorageError, match="no UTF-8 text: line 2"):
            use()
    assert the_file(folder).read_bytes() == b"one\ntwo \xff\n"


def test_links_folders_and_pipes_are_refused(files, folder, tmp_path):
    (tmp_path / "secret").write_text("secret")
    folder.mkdir(parents=True)
    path = folder / KEY.file_name
    path.symlink_to(tmp_path / "secret")
    with pytest.raises(StorageError, match="no plain file"):
        files.read(KEY)
    path.unlink()
    path.mkdir()
    with pytest.raises(StorageError, match="no plain file"):
        files.replace(KEY, "", "mine")
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(StorageError, match="no plain file"):
        files.read(KEY)


def test_a_folder_that_is_none_is_a_clear_error(files, folder):
    folder.parent.mkdir()
    folder.write_text("a file")
    for use in (lambda: files.read(KEY), lambda: files.replace(KEY, None, "x"), files.stamps):
        with pytest.raises(StorageError, match="in the data directory cannot be used"):
            use()


def test_a_stamp_changes_with_the_file(files, folder):
    files.replace(KEY, None, "one")
    first = files.stamps()
    assert files.stamps() == first
    files.replace(KEY, "one", "two")
    second = files.stamps()
    the_file(folder).write_text("three")
    assert len({*map(str, (first, second, files.stamps()))}) == 3 and set(first) == {KEY.code}


def test_what_a_killed_writer_left_is_no_file_and_hinders_nobody(files, folder):
    files.replace(KEY, None, "one")
    (folder / ".aspirations.part").write_text("half a te")
    assert files.replace(KEY, "one", "two") and files.read(KEY) == "two"
    assert not (folder / ".aspirations.part").exists()


def test_of_two_processes_that_write_one_file_neither_loses_a_line(folder):
    spawn, count = multiprocessing.get_context("spawn"), 40
    writers = [spawn.Process(target=append_lines, args=(str(folder), name, count)) for name in ("a", "b", "c")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    lines = the_file(folder).read_text().splitlines()
    assert sorted(lines) == sorted(f"{name}-{number}" for name in ("a", "b", "c") for number in range(count))
