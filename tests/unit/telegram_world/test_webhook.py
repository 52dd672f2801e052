"""Updates posted to a webhook."""

import urllib.error
import urllib.request

import pytest
from telegram.error import BadRequest, Conflict

from tests.fakes.telegram.probe import Probe, free_port

SECRET = "s3cret_token-1"


def test_a_webhook_gets_every_update_in_order_with_its_secret(cast) -> None:
    with Probe(cast.world, cast.bot, mode="webhook", secret=SECRET) as probe:
        for number in range(30):
            cast.bob.says(cast.ops, f"n{number}")
        probe.wait(30)
        assert probe.heard == [f"n{number}" for number in range(30)]
        assert cast.bot.webhook.secret == SECRET
        assert set(cast.bot.webhook.statuses) == {200}
        cast.world.settled()


@pytest.mark.parametrize("secret", ["wrong", None])
def test_a_stranger_without_the_secret_is_refused(cast, secret: str | None) -> None:
    with Probe(cast.world, cast.bot, mode="webhook", secret=SECRET) as probe:
        assert cast.world.knocks(cast.bot, "forged", secret=secret) == 403
        cast.bob.says(cast.ops, "real")
        probe.last("real")
        assert probe.heard == ["real"]


def test_what_is_not_taken_is_posted_again_and_the_error_is_told(cast) -> None:
    port = free_port()
    with Probe(cast.world, cast.bot, mode="") as probe:
        assert probe.call(lambda client: client.set_webhook(f"http://127.0.0.1:{port}/hook"))
        cast.bob.says(cast.ops, "first")
        cast.bob.says(cast.ops, "second")
        cast.world.until(lambda: len(cast.bot.webhook.statuses) >= 3)
        info = probe.call(lambda client: client.get_webhook_info())
        assert (info.pending_update_count, info.last_error_message) == (2, "Connection refused")
        with pytest.raises(Conflict, match="can't use getUpdates method while webhook is active"):
            probe.call(lambda client: client.get_updates())
    with Probe(cast.world, cast.bot, mode="webhook") as probe:
        probe.wait(2)
        assert probe.heard == ["first", "second"]


def test_an_answer_other_than_2xx_is_no_acknowledgement(cast) -> None:
    with Probe(cast.world, cast.bot, mode="webhook", secret=SECRET) as probe:
        hook = cast.bot.webhook
        probe.call(lambda client: client.set_webhook(hook.url, secret_token="another"))
        cast.bob.says(cast.ops, "once")
        cast.world.until(lambda: cast.bot.webhook.error)
        info = probe.call(lambda client: client.get_webhook_info())
        assert info.last_error_message == "Wrong response from the webhook: 403 Forbidden"
        assert (info.pending_update_count, probe.heard) == (1, [])
        probe.call(lambda client: client.set_webhook(hook.url, secret_token=SECRET))
        cast.world.until(lambda: probe.heard == ["once"])
        cast.world.settled()


def test_a_webhook_ends_a_waiting_poller(cast, probe) -> None:
    cast.world.until(lambda: cast.bot.polling)
    with Probe(cast.world, cast.bot, mode="") as other:
        other.call(lambda client: client.set_webhook(f"http://127.0.0.1:{free_port()}/hook"))
        cast.world.until(lambda: probe.errors)
        assert "terminated by setWebhook request" in str(probe.errors[0])
        assert other.call(lambda client: client.delete_webhook(drop_pending_updates=True))
        assert other.call(lambda client: client.get_webhook_info()).url == ""


def test_a_secret_of_other_characters_is_refused(cast) -> None:
    with Probe(cast.world, cast.bot, mode="") as probe, pytest.raises(BadRequest, match="unallowed characters"):
        probe.call(lambda client: client.set_webhook("http://127.0.0.1:1/hook", secret_token="a b"))


def test_nothing_listens_after_the_world_stopped(cast) -> None:
    url = f"{cast.world.base_url}{cast.bot.token}/getMe"
    with urllib.request.urlopen(url) as answer:
        assert answer.status == 200
    cast.world.stop()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(url)
    cast.world.start()
    with urllib.request.urlopen(url) as answer:
        assert answer.status == 200
