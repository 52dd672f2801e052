"""Whatever a driver says when it fails comes out as a sentence with a hint, and leaks nothing."""

import sqlite3
import stat
import traceback
from contextlib import closing

import psycopg
import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from core.errors import StorageError
from storage.failures import explain
from storage.unit_of_work import open_store

BAD_URLS = (
    "sqlite:///x?mode=ro",
    "sqlite:///%00",
    "postgresql://h:port/d",
    "postgresql://[::1/d",
    "postgresql://h:70000/d",
)


def test_a_new_file_is_readable_by_its_owner_only(tmp_path):
    path = tmp_path / "new.db"
    store = open_store(f"sqlite:///{path}")
    with store.write() as tx:
        tx.records.put_fact("k", "v")
        tx.commit()
    for made in tmp_path.iterdir():
        assert stat.S_IMODE(made.stat().st_mode) == 0o600, made
    store.close()


def test_a_sqlite_connection_is_durable_and_checks_references(sqlite_store):
    with sqlite_store.read() as tx:
        driver = tx.link._driver
        read = {
            name: driver.execute(f"PRAGMA {name}").fetchall()[0][0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "recursive_triggers")
        }
    assert read == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 5000,
        "recursive_triggers": 1,
    }


@pytest.mark.parametrize("url", ["", "nonsense", "mysql://user@host/db", "sqlite://", "sqlite:///:memory:", *BAD_URLS])
def test_a_url_of_no_store_is_refused(url):
    with pytest.raises(StorageError, match="URL cannot be used"):
        open_store(url)


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(StorageError, match=r"folder .*/nowhere does not exist"):
        open_store(f"sqlite:///{tmp_path}/nowhere/store.db")


def test_a_folder_in_place_of_the_file_is_refused(tmp_path):
    with pytest.raises(StorageError, match="is a folder"):
        open_store(f"sqlite:///{tmp_path}")


def test_a_file_that_is_no_database_is_refused_and_not_touched(tmp_path):
    path = tmp_path / "store.db"
    path.write_bytes(b"not a database " * 100)
    with pytest.raises(StorageError, match="not a Remembrancer database"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == b"not a database " * 100


def test_a_damaged_file_is_refused_with_a_sentence(tmp_path, sqlite_template):
    path = tmp_path / "store.db"
    whole = sqlite_template.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(StorageError, match="damaged"):
        open_store(f"sqlite:///{path}")


def test_a_database_of_another_program_is_refused_and_not_touched(tmp_path):
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(StorageError, match="another program"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_a_version_table_without_a_version_is_no_leave_to_change_other_tables(empty_database):
    empty_database.execute(f"CREATE SCHEMA {empty_database.schema}") if empty_database.schema else None
    empty_database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY)")
    empty_database.execute("CREATE TABLE theirs (x INTEGER)")
    before = empty_database.path.read_bytes() if empty_database.sqlite else b""
    for migrate in (None, True, False):
        with pytest.raises(StorageError, match="another program"):
            open_store(empty_database.url, schema=empty_database.schema, migrate=migrate)
    assert empty_database.execute("SELECT * FROM alembic_version") == []
    assert (empty_database.path.read_bytes() if empty_database.sqlite else b"") == before


def test_a_version_table_of_another_shape_is_another_program_s(tmp_path):
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE alembic_version (theirs)")
    with pytest.raises(StorageError, match="another program"):
        open_store(f"sqlite:///{path}")


def test_a_full_disk_is_told_and_nothing_is_stored(sqlite_store):
    with sqlite_store.read() as tx:
        tx.link._driver.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StorageError, match="disk is full") as caught, sqlite_store.write() as tx:
        for n in range(1000):
            tx.records.put_fact(str(n), "x" * 5000)
    assert caught.value.hint
    with sqlite_store.read() as tx:
        assert tx.records.fact("0") is None


def test_a_read_only_file_is_told(tmp_path, sqlite_template):
    path = tmp_path / "store.db"
    path.write_bytes(sqlite_template.read_bytes())
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        with pytest.raises(sqlite3.OperationalError) as caught:
            connection.execute("DELETE FROM facts")
        assert "read-only" in explain(caught.value).sentence


@pytest.mark.parametrize(
    ("error", "sentence", "retry"),
    [
        (psycopg.errors.SerializationFailure(), "Another transaction", True),
        (psycopg.errors.DeadlockDetected(), "Another transaction", True),
        (psycopg.errors.DiskFull(), "disk of the PostgreSQL server is full", False),
        (psycopg.errors.ReadOnlySqlTransaction(), "read-only", False),
        (psycopg.errors.UniqueViolation("DETAIL: Key (handle)=(secret)"), "one of its rules", False),
        (psycopg.errors.AdminShutdown(), "does not answer", True),
        (psycopg.OperationalError("password=secret"), "does not answer", True),
        (psycopg.errors.SyntaxError("secret"), "could not do", False),
        (
            OperationalError("SELECT secret", {"p": "secret"}, psycopg.errors.DeadlockDetected()),
            "Another",
            True,
        ),
        (PoolTimeout("secret"), "in use", True),
        (sqlite3.ProgrammingError("secret"), "could not do", False),
    ],
)
def test_every_failure_has_a_sentence_a_hint_and_says_if_it_may_be_tried_again(error, sentence, retry):
    told = explain(error)
    assert sentence in told.sentence
    assert told.hint
    assert told.details["retry"] is retry
    assert "secret" not in f"{told} {told.details}"


def test_a_server_that_does_not_answer_is_told_without_the_password():
    password = "open" + "sesame"
    with pytest.raises(StorageError, match="does not answer") as caught:
        open_store(f"postgresql://user:{password}@127.0.0.1:1/none")
    told = "".join(traceback.format_exception(caught.value))
    assert password not in told
    assert "sqlalchemy.exc" not in told


@pytest.mark.postgres
@pytest.mark.parametrize("form", ["postgres://", "postgresql://", "postgresql+psycopg://"])
def test_every_form_of_a_postgres_url_is_accepted(postgres_database, form):
    url = form + postgres_database.url.split("://")[1]
    store = open_store(url, schema=postgres_database.schema, migrate=True)
    with store.read() as tx:
        assert tx.operations.namespaces() == ("system",)
    store.close()


@pytest.mark.postgres
def test_a_postgres_database_that_does_not_exist_is_told(postgres_url):
    with pytest.raises(StorageError, match="does not exist"):
        open_store(postgres_url.rsplit("/", 1)[0] + "/nowhere")


@pytest.mark.parametrize("schema", ["A", "a;b", 'a"b', "1a", "a" * 64])
def test_a_schema_name_that_would_need_quoting_is_refused(schema):
    with pytest.raises(StorageError, match="schema name"):
        open_store("postgresql://postgres@127.0.0.1:1/none", schema=schema)
