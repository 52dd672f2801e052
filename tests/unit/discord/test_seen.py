"""What was seen in servers: bounded, and kept apart."""

from dataclasses import replace

from adapters.discord import seen as module
from adapters.discord.seen import ACTED, CONVERSATIONS, ROBOTS, SPACES, Seen
from core.turn import TurnKind, Visibility, machine
from tests.builders import a_turn

WHERE = a_turn().where


def said(number=1, **place):
    """Something that a person said in a channel of its own."""
    return a_turn(where=replace(WHERE, **{"channel": str(number), "conversation": str(number)} | place))


def posted(name, kind=TurnKind.BOT, where=WHERE):
    return a_turn(where=where, kind=kind, sender=machine(kind, "discord", "99", name), sender_name=name)


def test_a_bot_and_a_webhook_are_found_by_name_in_their_server_alone():
    seen = Seen()
    for name, kind in {"CI": TurnKind.BOT, "Deploys": TurnKind.WEBHOOK}.items():
        seen.remember(posted(name, kind))
    assert dict(seen.robots(WHERE)) == {
        machine(TurnKind.BOT, "discord", "99", "CI"): "CI",
        machine(TurnKind.WEBHOOK, "discord", "99", "Deploys"): "Deploys",
    }
    assert seen.robots(replace(WHERE, space="elsewhere")) == {}


def test_who_posts_in_a_private_channel_is_known_there_alone():
    hidden = replace(WHERE, channel="5", conversation="5", visibility=Visibility.PRIVATE)
    seen = Seen()
    seen.remember(posted("CI", where=hidden))
    assert list(seen.robots(hidden).values()) == ["CI"]
    assert seen.robots(WHERE) == {}


def test_the_newest_message_is_that_of_a_person():
    seen, first = Seen(), said()
    seen.remember(first)
    for kind in set(TurnKind) - {TurnKind.USER}:
        seen.remember(replace(first, kind=kind, message_id=kind.value))
    assert seen.newest("1", "1") == first
    assert seen.newest("1", "2") is None
    second = replace(first, message_id="second")
    seen.remember(second)
    assert seen.newest("1", "1") == second


def test_of_too_many_conversations_the_one_that_was_silent_longest_goes():
    seen = Seen()
    for number in range(CONVERSATIONS):
        seen.remember(said(number))
    seen.remember(said(0))
    assert seen.newest("1", "1") is not None
    seen.remember(said(CONVERSATIONS))
    assert seen.newest("1", "1") is None
    assert all(seen.newest(key, key) is not None for key in ("0", "2", str(CONVERSATIONS)))


def test_of_too_many_bots_in_a_server_the_one_that_was_silent_longest_goes():
    seen = Seen()
    for number in range(ROBOTS):
        seen.remember(posted(f"b{number}"))
    seen.remember(posted("b0"))
    assert len(seen.robots(WHERE)) == ROBOTS
    seen.remember(posted("one more"))
    assert len(seen.robots(WHERE)) == ROBOTS
    names = set(seen.robots(WHERE).values())
    assert "b0" in names and "b1" not in names


def test_of_too_many_servers_the_one_that_was_silent_longest_goes(monkeypatch):
    monkeypatch.setattr(module, "SPACES", 3)
    assert SPACES > 3
    spaces = [replace(WHERE, space=str(number)) for number in range(4)]
    seen = Seen()
    for where in spaces[:3]:
        seen.remember(posted("CI", where=where))
    seen.remember(posted("CI", where=spaces[0]))
    assert seen.robots(spaces[1])
    seen.remember(posted("CI", where=spaces[3]))
    assert not seen.robots(spaces[1])
    assert all(seen.robots(spaces[number]) for number in (0, 2, 3))


def test_a_message_is_acted_on_once_as_long_as_it_is_remembered():
    seen = Seen()
    assert all(seen.first(number) for number in range(ACTED))
    assert not seen.first(0)
    assert seen.first(ACTED)
    assert not seen.first(1)
    assert seen.first(0), "it was forgotten as the oldest"
