"""What the Bot API answers when it refuses, in its own words."""

from typing import Any


class ApiError(Exception):
    """An answer that is not ok: HTTP status, words, and the parameters a client acts on.

    `page` replaces the JSON body (a proxy's HTML page).
    """

    def __init__(
        self,
        code: int,
        description: str,
        *,
        retry_after: int | None = None,
        migrate_to: int | None = None,
        page: str | None = None,
    ) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.retry_after = retry_after
        self.migrate_to = migrate_to
        self.page = page

    def answer(self) -> dict[str, Any]:
        """The JSON body."""
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        parameters: dict[str, int] = {}
        if self.retry_after is not None:
            parameters["retry_after"] = self.retry_after
        if self.migrate_to is not None:
            parameters["migrate_to_chat_id"] = self.migrate_to
        return {**body, "parameters": parameters} if parameters else body


class Drop(Exception):
    """The connection ends without an answer."""


def bad_request(words: str) -> ApiError:
    """400."""
    return ApiError(400, f"Bad Request: {words}")


def forbidden(words: str) -> ApiError:
    """403."""
    return ApiError(403, f"Forbidden: {words}")


def unauthorized() -> ApiError:
    """A token of the right form that nobody has."""
    return ApiError(401, "Unauthorized")


def not_found() -> ApiError:
    """No such method, or a token of the wrong form."""
    return ApiError(404, "Not Found")


def chat_not_found() -> ApiError:
    """No such chat, or one this bot has never met."""
    return bad_request("chat not found")


def blocked() -> ApiError:
    """The person blocked the bot."""
    return forbidden("bot was blocked by the user")


def never_started() -> ApiError:
    """The person has not pressed Start."""
    return forbidden("bot can't initiate conversation with a user")


def deactivated() -> ApiError:
    """The person deleted the account."""
    return forbidden("user is deactivated")


def kicked(kind: str) -> ApiError:
    """The bot was removed from a `group`, `supergroup` or `channel`."""
    return forbidden(f"bot was kicked from the {kind} chat")


def not_a_member(kind: str) -> ApiError:
    """The bot left, or never was inside."""
    return forbidden(f"bot is not a member of the {kind} chat")


def may_not_write() -> ApiError:
    """The bot is inside and restricted."""
    return bad_request("not enough rights to send text messages to the chat")


def upgraded(new_id: int) -> ApiError:
    """The group became a supergroup with another id."""
    words = "Bad Request: group chat was upgraded to a supergroup chat"
    return ApiError(400, words, migrate_to=new_id)


def reply_not_found() -> ApiError:
    """The message replied to is gone."""
    return bad_request("message to be replied not found")


def thread_not_found() -> ApiError:
    """No such topic."""
    return bad_request("message thread not found")


def not_modified() -> ApiError:
    """An edit that changes nothing."""
    return bad_request(
        "message is not modified: specified new message content and reply markup are exactly the same as a current "
        "content and reply markup of the message"
    )


def query_too_old() -> ApiError:
    """A callback query that is unknown, answered or expired."""
    return bad_request("query is too old and response timeout expired or query ID is invalid")


def cant_parse_entities(why: str = "Unsupported start tag") -> ApiError:
    """Formatting that the service does not read."""
    return bad_request(f"can't parse entities: {why}")


def too_many_requests(seconds: int) -> ApiError:
    """A flood limit."""
    return ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


def other_poller() -> ApiError:
    """A second getUpdates with the same token."""
    words = "terminated by other getUpdates request; make sure that only one bot instance is running"
    return ApiError(409, f"Conflict: {words}")


def webhook_active() -> ApiError:
    """getUpdates while a webhook is set."""
    words = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
    return ApiError(409, f"Conflict: {words}")


def ended_by_webhook() -> ApiError:
    """setWebhook while a getUpdates waits."""
    return ApiError(409, "Conflict: terminated by setWebhook request")


def internal() -> ApiError:
    """A fault of the service."""
    return ApiError(500, "Internal Server Error")


def bad_gateway(page: bool = False) -> ApiError:
    """A fault in front of the service; with `page` as an HTML page and no JSON."""
    html = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>" if page else None
    return ApiError(502, "Bad Gateway", page=html)
