"""The recorded payloads are documented ones, and what the recorder makes."""

import json

import pytest

from tests.contract.adapters.kit import DATA
from tests.contract.adapters.record import written
from tests.fakes.telegram.judge import judge_update

PLATFORMS = "telegram", "discord", "console"
FILES = sorted(path.relative_to(DATA).as_posix() for kind in PLATFORMS for path in (DATA / kind).iterdir())


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("telegram/")])
def test_a_payload_of_telegram_is_as_the_bot_api_documents_it(name):
    judge_update((DATA / name).read_text(encoding="utf-8"))


def test_the_files_are_what_the_recorder_makes():
    made = written()
    assert sorted(made) == FILES
    for name, text in made.items():
        assert json.loads(text) == json.loads((DATA / name).read_text(encoding="utf-8")), name


def test_a_payload_that_is_not_documented_is_seen():
    wrong = json.loads((DATA / "telegram" / "plain.json").read_text(encoding="utf-8"))
    wrong["message"]["colour"] = "red"
    with pytest.raises(Exception, match="colour"):
        judge_update(json.dumps(wrong))
