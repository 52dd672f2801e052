"""The composition root, and one beat of the heartbeat on a real store."""

import asyncio
import stat
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bots.bootstrap import App, beat_of, context_of, heartbeat_of, open_app
from bots.runtime import ShiftedClock, SystemClock
from config.settings import Settings
from core.errors import ConfigError, StorageError
from core.limits import LIMITS
from core.services.aspirations import AddAspiration
from core.services.create_intent import CreateIntent
from core.services.tick import LAST_SUCCESS
from core.settings import Setting
from core.standing.intent import Status
from tests.builders import HOME, a_draft, an_owner


def settings_in(folder: Path, **fields: object) -> Settings:
    return Settings(data_dir=folder / "data", **fields)  # type: ignore[arg-type]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(settings_in(tmp_path, heartbeat_seconds=0.05))
    yield opened
    opened.close()


def last_success(app: App) -> str | None:
    with app.store.read() as tx:
        return tx.records.fact(LAST_SUCCESS)


def test_the_data_directory_is_made_for_its_owner_only(app: App) -> None:
    assert stat.S_IMODE(app.settings.data_dir.stat().st_mode) == 0o700
    assert (app.settings.data_dir / "remembrancer.db").is_file()


def test_bounds_and_defaults_come_from_the_settings(tmp_path: Path) -> None:
    opened = open_app(settings_in(tmp_path, turn_deadline_seconds=0.5, zone="Asia/Tokyo", language="de"))
    assert opened.context.limits == replace(LIMITS, turn_deadline=timedelta(seconds=0.5))
    assert opened.context.settings({})[Setting.ZONE] == "Asia/Tokyo"
    assert opened.context.settings({})[Setting.LANGUAGE] == "de"
    opened.close()


@pytest.mark.parametrize(
    ("setting", "limit"),
    [
        ("turn_deadline_seconds", "turn_deadline"),
        ("turn_max_age_seconds", "turn_max_age"),
        ("reservation_seconds", "reservation_age"),
        ("send_lease_seconds", "send_lease"),
        ("notice_gap_seconds", "notice_gap"),
    ],
)
def test_each_bound_that_is_a_setting_changes_that_bound_alone(app: App, setting: str, limit: str) -> None:
    changed = context_of(app.settings.model_copy(update={setting: 7.5}), app.store, SystemClock())
    assert changed.limits == replace(LIMITS, **{limit: timedelta(seconds=7.5)})


def test_a_data_directory_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(ConfigError, match="data directory"):
        open_app(settings_in(tmp_path))


def test_a_closed_application_refuses_instead_of_hanging(tmp_path: Path) -> None:
    opened = open_app(settings_in(tmp_path))
    opened.close()
    with pytest.raises(StorageError):
        last_success(opened)


def test_the_heartbeat_keeps_the_store_in_order_and_its_success_is_visible(tmp_path: Path) -> None:
    clock = ShiftedClock(SystemClock())
    app = open_app(settings_in(tmp_path, heartbeat_seconds=0.05), clock=clock)
    row = CreateIntent(app.context)(a_draft(expires_in=timedelta(hours=1)), an_owner(), HOME)
    assert last_success(app) is None

    async def story() -> None:
        beat = heartbeat_of(app)
        beat.start()
        clock.shift(timedelta(hours=25))
        for _ in range(200):
            await asyncio.sleep(0.05)
            with app.store.read() as tx:
                found = tx.intents.by_id(row.id)
            if found is not None and found.status is Status.EXPIRED:
                break
        await beat.stop()
        assert beat.failures == 0
        assert beat.last_success is not None

    asyncio.run(story())
    with app.store.read() as tx:
        found = tx.intents.by_id(row.id)
    assert found is not None
    assert found.status is Status.EXPIRED
    assert last_success(app) is not None
    app.close()


def test_a_process_with_another_analyser_refuses_to_start_until_the_first_has_ended(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    beat_of(app)
    monkeypatch.setattr("bots.bootstrap.FINGERPRINT", "another")
    other = open_app(app.settings)
    with pytest.raises(StorageError) as refusal:
        beat_of(other)
    assert "another way" in refusal.value.sentence
    app.close()
    beat_of(other)()
    other.close()


def test_a_beat_files_anew_what_an_older_analyser_filed(app: App) -> None:
    row = CreateIntent(app.context)(a_draft(), an_owner(), HOME)
    with app.store.write() as tx:
        stored = tx.intents.by_id(row.id)
        assert stored is not None
        from core.services.refile import index_rows

        tx.index.file(stored, stored.scope_key(), index_rows(stored), "older")
        tx.commit()
    with app.store.read() as tx:
        assert tx.index.stale("another", 10)
    beat_of(app)()
    from core.text.analyse import FINGERPRINT

    with app.store.read() as tx:
        assert tx.index.stale(FINGERPRINT, 10) == ()


def test_aspirations_lie_in_the_data_directory(app: App) -> None:
    item = AddAspiration(app.context)("Improve the checklist", None, an_owner(), HOME).item
    [path] = (app.settings.data_dir / "aspirations").glob("*.md")
    assert item.handle in path.read_text()
