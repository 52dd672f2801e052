"""Dropping a PostgreSQL schema that was made for one measurement or one test."""

from storage.engine import make_engine, parse_url
from storage.failures import DRIVER_ERRORS, explain


def drop_schema(url: str, schema: str) -> None:
    """Drop a schema with all that is in it; nothing when it is not there. Raises StorageError."""
    engine = make_engine(parse_url(url, schema))
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
    except DRIVER_ERRORS as error:
        raise explain(error) from None
    finally:
        engine.dispose()
