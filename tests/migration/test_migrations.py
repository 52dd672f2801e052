"""All migrations together are the tables of `storage.tables`, on both databases."""

import threading

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, event

from core.errors import StorageError
from storage import upgrade
from storage.columns import Base
from storage.engine import make_engine, parse_url
from storage.unit_of_work import open_store

INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = ? AND tablename <> 'alembic_version'"
CONSTRAINTS = (
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE connamespace = ?::regnamespace AND conname <> 'alembic_version_pkc'"
)


def test_the_migrations_give_the_tables_of_the_code(database):
    engine = make_engine(parse_url(database.url, database.schema))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_sqlite_tables_and_indexes_are_line_for_line_those_of_the_code(sqlite_template, tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / 'made.db'}")
    Base.metadata.create_all(engine)
    engine.dispose()

    def schema(path):
        engine = create_engine(f"sqlite:///{path}")
        with engine.connect() as connection:
            rows = connection.exec_driver_sql(
                "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
                " AND type <> 'trigger' AND name NOT LIKE 'alembic%'"
            ).all()
        engine.dispose()
        return {name: definitions(sql) for name, sql in rows}

    assert schema(sqlite_template) == schema(tmp_path / "made.db")


def definitions(sql):
    """Columns, constraints and what follows, in no order: SQLite appends the text of an added column at the end."""
    if not sql.startswith("CREATE TABLE"):
        return [" ".join(sql.split())]
    body, found, depth, start = sql[sql.index("(") + 1 : sql.rindex(")")], [], 0, 0
    for at, char in enumerate(body):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and not depth:
            found.append(body[start:at])
            start = at + 1
    parts = [" ".join(part.split()) for part in (*found, body[start:], sql[sql.rindex(")") + 1 :])]
    return sorted(piece for part in parts for piece in apart(part))


def apart(part):
    """A column definition, and the constraint that an added column carries, as the table would state it."""
    column, said, constraint = part.partition(" CONSTRAINT ")
    if not said or part.startswith("CONSTRAINT"):
        return [part]
    if "REFERENCES" in constraint:
        constraint = constraint.replace("REFERENCES", f"FOREIGN KEY({column.split()[0]}) REFERENCES")
    return [column, f"CONSTRAINT {constraint}"]


@pytest.mark.postgres
def test_postgres_indexes_and_constraints_are_those_of_the_code(postgres_database):
    postgres_database.open()
    made = postgres_database.schema + "_made"
    postgres_database.execute(f"CREATE SCHEMA {made}")
    engine = make_engine(parse_url(postgres_database.url, made))
    Base.metadata.create_all(engine)
    engine.dispose()

    def seen(statement, schema):
        return sorted(str(row).replace(f"{schema}.", "") for row in postgres_database.execute(statement, schema))

    for statement in (INDEXES, CONSTRAINTS):
        assert seen(statement, postgres_database.schema) == seen(statement, made)
    postgres_database.execute(f"DROP SCHEMA {made} CASCADE")


def test_the_triggers_of_the_log_are_there(database, store):
    if database.sqlite:
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
        names = ["operations_no_delete", "operations_no_replace", "operations_no_update"]
    else:
        rows = database.execute(
            "SELECT DISTINCT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " WHERE NOT t.tgisinternal AND c.relnamespace = ?::regnamespace ORDER BY 1",
            database.schema,
        )
        names = ["operations_no_change", "operations_no_truncate"]
    assert [name for (name,) in rows] == names


def test_clustered_tables_have_no_rowid(sqlite_template):
    engine = create_engine(f"sqlite:///{sqlite_template}")
    with engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all()
    engine.dispose()
    assert {name for name, sql in rows if "WITHOUT ROWID" in sql} == {"trig", "standing_entries", "goal_edges"}


def test_upgrading_twice_changes_nothing(empty_database):
    url, schema = empty_database.url, empty_database.schema
    before = upgrade.upgrade(url, schema=schema)
    again = upgrade.upgrade(url, schema=schema)
    assert (before.current, before.up_to_date) == ("", False)
    assert again.up_to_date
    assert again == upgrade.inspect(url, schema=schema)
    assert empty_database.execute("SELECT id FROM namespaces") == [("system",)]


def test_two_upgrades_at_once_are_one(empty_database):
    start, failures = threading.Barrier(2), []

    def work():
        start.wait()
        try:
            upgrade.upgrade(empty_database.url, schema=empty_database.schema)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert upgrade.inspect(empty_database.url, schema=empty_database.schema).up_to_date


def test_a_newer_schema_is_refused_and_not_touched(database):
    [(current,)] = database.execute("SELECT version_num FROM alembic_version")
    database.execute("UPDATE alembic_version SET version_num = '9999'")
    try:
        before = database.path.read_bytes() if database.sqlite else b""
        for migrate in (None, True, False):
            with pytest.raises(StorageError, match=r"newer version of Remembrancer \(schema 9999\)"):
                open_store(database.url, schema=database.schema, migrate=migrate)
        with pytest.raises(StorageError, match="newer"):
            upgrade.upgrade(database.url, schema=database.schema)
        assert database.execute("SELECT version_num FROM alembic_version") == [("9999",)]
        assert (database.path.read_bytes() if database.sqlite else b"") == before
    finally:
        database.execute("UPDATE alembic_version SET version_num = ?", current)


def test_a_failing_migration_leaves_the_schema_as_it_was(empty_database):
    def fail(_connection, _cursor, statement, *_rest):
        if "CREATE TABLE fires" in statement:
            raise ZeroDivisionError

    target = parse_url(empty_database.url, empty_database.schema)
    with pytest.raises(ZeroDivisionError), upgrade._engine(target) as engine:
        event.listen(engine, "before_cursor_execute", fail)
        with upgrade._guarded(engine, target) as connection:
            config = upgrade._config()
            config.attributes["connection"] = connection
            upgrade.command.upgrade(config, "head")
    assert upgrade.inspect(empty_database.url, schema=empty_database.schema).current == ""
    assert upgrade.upgrade(empty_database.url, schema=empty_database.schema).current == ""


def test_an_older_schema_is_upgraded_step_by_step(empty_database):
    target = parse_url(empty_database.url, empty_database.schema)
    with upgrade._engine(target) as engine, upgrade._guarded(engine, target) as connection:
        config = upgrade._config()
        config.attributes["connection"] = connection
        upgrade.command.upgrade(config, "0001")
    with pytest.raises(StorageError, match=r"older schema.*remembrancer db upgrade"):
        open_store(empty_database.url, schema=empty_database.schema, migrate=False)
    assert upgrade.upgrade(empty_database.url, schema=empty_database.schema).current == "0001"
    assert upgrade.inspect(empty_database.url, schema=empty_database.schema).up_to_date


def test_a_sqlite_file_is_upgraded_when_it_is_opened(tmp_path):
    open_store(f"sqlite:///{tmp_path / 'store.db'}").close()
    assert upgrade.inspect(f"sqlite:///{tmp_path / 'store.db'}").up_to_date


@pytest.mark.postgres
def test_an_empty_postgres_database_waits_for_the_command(postgres_database):
    with pytest.raises(StorageError, match=r"no tables yet.*remembrancer db upgrade"):
        open_store(postgres_database.url)
    assert postgres_database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]


def test_there_is_one_line_of_revisions():
    scripts = upgrade.ScriptDirectory.from_config(upgrade._config())
    assert len(scripts.get_heads()) == 1
    assert [script.revision for script in scripts.walk_revisions()] == ["0006", "0005", "0004", "0003", "0002", "0001"]
