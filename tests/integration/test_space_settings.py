"""Settings of a space on a real store: who may change them, what they do, what is on record."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from itertools import cycle
from threading import Barrier
from time import monotonic

import pytest

from core.errors import InvalidInput, NotAllowed, StorageError
from core.operations.log import OpType
from core.services.audit import VerifyAudit
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.mute import MutePlace
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.space_settings import ChangeSetting, ReadSettings
from core.settings import Setting, read
from core.turn import ADMIN, PlaceKind, Visibility
from tests.builders import HOME, NOW, a_draft, a_member, a_place, a_turn, an_owner
from tests.fakes.ids import SeededIds

AWAY = replace(HOME, space="away")


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids, defaults={Setting.ZONE: "Europe/Paris"})


def says(ctx, text, where=HOME):
    return [reminder.handle for reminder in ReceiveTurn(ctx)(a_turn(text, where=where)).fires]


def test_what_is_not_set_is_the_installations_default_then_the_built_in_one(ctx):
    assert ReadSettings(ctx)(HOME) == {
        Setting.LANGUAGE: "en",
        Setting.ZONE: "Europe/Paris",
        Setting.FOLD_ACCENTS: False,
        Setting.QUIET_HOURS: "off",
        Setting.REMINDERS: "members",
        Setting.OWNER_ROLE: "off",
        Setting.REVIEW: "owners",
        Setting.SUMMARIES: True,
    }


def test_a_setting_is_of_its_space_alone(ctx):
    ChangeSetting(ctx)(Setting.ZONE, "Asia/Tokyo", an_owner(), HOME)
    assert ReadSettings(ctx)(HOME)[Setting.ZONE] == "Asia/Tokyo"
    assert ReadSettings(ctx)(a_place("ops"))[Setting.ZONE] == "Asia/Tokyo"
    assert ReadSettings(ctx)(AWAY)[Setting.ZONE] == "Europe/Paris"


def test_a_language_is_that_of_new_and_of_live_rules(ctx):
    old = CreateIntent(ctx)(a_draft("Schaden"), an_owner(), HOME, "created")
    away = CreateIntent(ctx)(a_draft("Schaden"), an_owner(), AWAY, "created")
    vault = a_place("vault", visibility=Visibility.PRIVATE)
    hidden = CreateIntent(ctx)(a_draft("Schaden"), an_owner(), vault, "created")
    assert says(ctx, "die Schäden melden") == []
    assert ChangeSetting(ctx)(Setting.LANGUAGE, "de", an_owner(), HOME) == 2
    assert says(ctx, "die Schäden melden") == [old.handle]
    assert says(ctx, "die Schäden melden", vault) == [hidden.handle]
    assert says(ctx, "die Schäden melden", AWAY) == []
    assert ShowIntent(ctx)(away.handle, ADMIN, None).intent.options.language == "en"
    new = CreateIntent(ctx)(a_draft("Vertrag"), an_owner(), HOME, "created")
    assert new.options.language == "de"
    assert ChangeSetting(ctx)(Setting.LANGUAGE, "de", an_owner(), HOME) == 0


def test_folding_accents_applies_to_live_rules_and_back(ctx):
    CreateIntent(ctx)(a_draft("naïve", cooldown=a_draft().cooldown * 0), an_owner(), HOME, "created")
    for value, heard in ((True, True), (False, False)):
        ChangeSetting(ctx)(Setting.FOLD_ACCENTS, value, an_owner(), HOME)
        assert bool(says(ctx, "a naive idea")) is heard


@pytest.mark.parametrize("actor", [a_member(), ADMIN])
def test_only_owners_change_settings(ctx, actor):
    with pytest.raises(NotAllowed):
        ChangeSetting(ctx)(Setting.LANGUAGE, "de", actor, HOME)
    assert ReadSettings(ctx)(HOME)[Setting.LANGUAGE] == "en"


def test_a_change_is_one_operation_of_the_space(ctx):
    ChangeSetting(ctx)(Setting.LANGUAGE, "de", an_owner(), HOME)
    with ctx.store.read() as tx:
        spot = tx.places.find(HOME)
        [row] = tx.operations.of_target(str(spot.space), 9)
    assert (row.op_type, row.namespace_id) == (OpType.NAMESPACE_POLICY_UPDATE, spot.namespace_id)
    assert json.loads(row.payload) == {"setting": "language", "from": "en", "to": "de", "intents": 0}
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())


@pytest.mark.parametrize(
    "name, text, value",
    [
        ("language", "de", "de"),
        ("language", "DE", "de"),
        ("fold_accents", "on", True),
        ("fold_accents", "No", False),
        ("zone", "x" * 64, "x" * 64),
    ],
)
def test_a_value_is_read_as_people_type_it(name, text, value):
    assert read(name, text) == (Setting(name), value)


@pytest.mark.parametrize(
    "name, text",
    [
        ("colour", "red"),
        ("language", "d"),
        ("language", "deu"),
        ("language", ""),
        ("fold_accents", "maybe"),
        ("zone", "x" * 65),
        ("zone", "a\x00"),
        ("zone", "\ud800"),
    ],
)
def test_a_value_out_of_bounds_is_refused_with_what_would_be_right(name, text):
    with pytest.raises(InvalidInput) as refusal:
        read(name, text)
    assert refusal.value.hint


@pytest.mark.parametrize(
    ("setting", "values"), [(Setting.ZONE, ("UTC", "Asia/Tokyo")), (Setting.LANGUAGE, ("de", "en"))]
)
def test_settings_and_mutes_that_change_at_once_do_not_block_each_other(ctx, database, setting, values):
    CreateIntent(ctx)(a_draft("Schaden"), an_owner(), HOME, "created")
    contexts = [replace(ctx, store=database.open(migrate=False), ids=SeededIds(seed)) for seed in (2, 3)]
    together, end, errors = Barrier(2), monotonic() + 2, []

    def work(number):
        together.wait()
        for value in cycle(values):
            if monotonic() > end:
                return
            try:
                if number:
                    ChangeSetting(contexts[1])(setting, value, an_owner(), HOME)
                else:
                    MutePlace(contexts[0])(PlaceKind.SPACE, timedelta(hours=1), an_owner(), HOME)
            except StorageError as error:
                errors.append(error)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(work, range(2)))
    assert len(errors) == 0
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())
