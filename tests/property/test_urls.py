"""A path becomes a URL and is the same path again."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from config.settings import Settings
from config.urls import sqlite_path, sqlite_url
from storage.engine import make_engine, parse_url

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]) | st.sampled_from("%?#/:@&+= ~\\"))


@given(NAMES)
@example("w%41.db")
@example("a?mode=memory.db")
@example("a#b")
@example(":memory:")
@example("file:x?uri=true")
@example("\udcff")
def test_the_path_of_a_url_is_the_path_that_it_was_made_of(name: str) -> None:
    path = Path(f"/x/{name}")
    assert parse_url(sqlite_url(path)).path == sqlite_path(sqlite_url(path)) == str(path)


@given(NAMES)
def test_the_file_of_a_data_directory_is_in_it(name: str) -> None:
    folder = Path(f"/x/{name}")
    assert Settings(data_dir=folder).file() == folder / "remembrancer.db"


@pytest.mark.parametrize("name", ["w%41.db", "a?mode=memory.db", "a#b", "é\udcff", "new\nline"])
def test_the_file_that_is_opened_is_the_one_that_was_named(tmp_path: Path, name: str) -> None:
    engine = make_engine(parse_url(sqlite_url(tmp_path / name)))
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE here (x)")
    engine.dispose()
    assert [made.name for made in tmp_path.iterdir()] == [name]
    with closing(sqlite3.connect(tmp_path / name)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("here",)]
