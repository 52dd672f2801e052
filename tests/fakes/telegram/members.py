"""Members of a chat as the Bot API shows them."""

from dataclasses import dataclass, field
from typing import Any, Protocol

PRESENT = ("creator", "administrator", "member", "restricted")
ADMINISTRATORS = ("creator", "administrator")
STATUSES = (*PRESENT, "left", "kicked")
EVERYWHERE = (
    "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members", "can_promote_members",
    "can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories", "can_delete_stories",
    "can_send_welcome_messages",
)  # fmt: skip
GIVEN = {"can_manage_chat", "can_delete_messages", "can_change_info", "can_invite_users", "can_restrict_members"}
PERMISSIONS = (
    "can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos",
    "can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages",
    "can_add_web_page_previews", "can_react_to_messages", "can_edit_tag", "can_change_info", "can_invite_users",
    "can_pin_messages", "can_manage_topics",
)  # fmt: skip


class Account(Protocol):
    """A person or a bot."""

    id: int
    name: str

    def brief(self) -> dict[str, Any]:
        """The User payload."""
        ...


@dataclass
class Membership:
    """Somebody's standing in one chat; `rights` overrides single rights or permissions.

    `privacy` is the bot's privacy mode when it was added: a change of mode counts after it is added again.
    """

    account: Account
    status: str = "member"
    rights: dict[str, bool] = field(default_factory=dict)
    is_anonymous: bool = False
    custom_title: str | None = None
    is_member: bool = True
    privacy: bool = True

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"no such status: {self.status}; known are {', '.join(STATUSES)}")

    @property
    def present(self) -> bool:
        """Whether this account is inside the chat."""
        return self.status in PRESENT and (self.status != "restricted" or self.is_member)

    @property
    def administers(self) -> bool:
        """Whether this account is creator or administrator."""
        return self.status in ADMINISTRATORS

    def may(self, right: str) -> bool:
        """Whether this account has an administrator's right or a member's permission."""
        if self.status == "creator":
            return True
        if self.status == "administrator":
            return self.rights.get(right, right in GIVEN or right in PERMISSIONS or right.endswith("_messages"))
        if self.status == "restricted":
            return self.rights.get(right, False)
        return self.status == "member" and right in PERMISSIONS

    def payload(self, kind: str) -> dict[str, Any]:
        """The ChatMember payload, in a chat of this kind."""
        made: dict[str, Any] = {"status": self.status, "user": self.account.brief()}
        if self.administers:
            made["is_anonymous"] = self.is_anonymous
            if self.custom_title:
                made["custom_title"] = self.custom_title
        if self.status == "administrator":
            made |= {"can_be_edited": False, **{right: self.may(right) for right in EVERYWHERE}}
            more = ("can_post_messages", "can_edit_messages") if kind == "channel" else ("can_pin_messages",)
            made |= {right: self.may(right) for right in more}
        elif self.status == "restricted":
            made |= {"is_member": self.is_member, "until_date": 0}
            made |= {right: self.rights.get(right, False) for right in PERMISSIONS}
        elif self.status == "kicked":
            made["until_date"] = 0
        return made
