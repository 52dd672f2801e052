"""What a text is about, and whether two are about the same."""

import pytest

from core.context.entities import plain, read, read_names
from core.context.met import Aliases, Index, Subject
from core.text.zones import MarkedText, Zone, ZoneKind
from tests.builders import ADA, BOB


def meets(value: str, text: str, aliases: dict[str, str] | None = None, language: str = "en") -> bool:
    index = Index([Subject(1, read(value, language))], language)
    return bool(index.met(Aliases(aliases or {}).widen(read(text, language))))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Ship the API by end of month", "is the api ready"),
        ("Review Sarah's PR", "did sarah answer?"),
        ("Review Sarah’s PR", "and SARAH?"),
        ("Renew with Acme", "acme's offer came"),
        ("Renew with Acme Corp", "news from Acme"),
        ("Finish #billing", "how is #billing going"),
        ("Ask @bob about it", "@Bob are you there"),
        ('Confirm the "rollback owner"', "who is the rollback owner now"),
        ("Confirm the rollback owner", 'who is the "rollback owner"?'),
        ("Fix PROJ-42", "proj-42 again"),
        ("Move to v2.1", "when is v2.1 due"),
        ("Meet Anne-Marie", "anne-marie writes"),
        ("Migrate from Postgres", "PostgreSQL or postgres?"),
        ("Sarah reviews it", "ask Sarah first"),
        ("call Mark", "I asked Mark"),
        ("Migrer vers l'API", "l’api est là"),
        ("「発売日」を決める", "発売日はいつですか"),
        ("発売日を決める", "「発売日」はいつ"),
        ("update acme contract", "What does Acme say"),
    ],
)
def test_texts_that_share_an_entity_meet(value: str, text: str) -> None:
    assert meets(value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Ship the API", "I will ship it"),
        ("Review the PR", "please review this"),
        ("call Mark", "mark the date"),
        ("Send the Bill", "bill them"),
        ("The End", "the end"),
        ('Say "the"', "the"),
        ("Call at 10am", "it is 10am"),
        ("Fix PROJ-42", "PROJ-77 and 42"),
        ("by 2026", "2026 it is"),
        ("launch checklist", "the launch checklist is ready"),
        ("Finish #launch", "the launch went well"),
        ("SHIP IT NOW", "ship it"),
        ("", "Acme"),
        ("Acme", ""),
    ],
)
def test_common_words_measures_and_words_without_a_capital_do_not(value: str, text: str) -> None:
    assert not meets(value, text)


def test_german_nouns_are_no_names() -> None:
    assert not meets("Bitte die Zeit prüfen", "Hast du Zeit", language="de")
    assert meets("Mit Acme reden", "acme ruft an", language="de")


@pytest.mark.parametrize("text", ["is pg slow", "POSTGRES is slow", "the big elephant", "大象 is slow"])
@pytest.mark.parametrize("value", ["Tune pg", "Tune Postgres", "feed the big elephant", "喂大象"])
def test_an_alias_stands_for_the_name_on_either_side(value: str, text: str) -> None:
    aliases = {"pg": "Postgres", "big elephant": "Postgres", "大象": "Postgres"}
    assert meets(value, text, aliases)
    assert not meets(value, "is it slow", aliases)


def test_an_alias_of_several_words_is_found_as_such_alone() -> None:
    assert not meets("feed the elephant", "is pg slow", {"big elephant": "pg"})


def test_people_are_met_by_mention_and_by_name() -> None:
    index = Index([Subject(1, read("Ship it"), [ADA], read_names(["Ada Lovelace"]))])
    assert index.met(read("hello"), [ADA]) == {1}
    assert index.met(read("has ada seen this")) == {1}
    assert index.met(read("hello"), [BOB]) == frozenset()


def test_code_and_quoted_messages_are_not_read_and_mentions_are_read_by_name() -> None:
    text = MarkedText("> Acme said\n<@1> hi", (Zone(0, 11, ZoneKind.QUOTE), Zone(12, 16, ZoneKind.MENTION, "Zephyr")))
    said = read(plain(text))
    assert "zephyr" in said.sure
    assert "acme" not in said.words


@pytest.mark.parametrize("text", ["", "'", "#", "@", "__", "''s", "-", "\ud800", "ﷺ", "a'", "#'s", "ß'S"])
def test_any_text_can_be_read(text: str) -> None:
    assert read(text) == read(text)
