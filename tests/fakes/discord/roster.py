"""The members of a guild, as the gateway lists them on request."""

from typing import TYPE_CHECKING

from tests.fakes.discord.engine import Payload, serializers

if TYPE_CHECKING:
    from tests.fakes.discord.world import World

CHUNK = 1000


def chunks(world: "World", asked: Payload) -> list[Payload]:
    """The answers to op 8: by ids, by the beginning of a name, or everybody; nothing for a guild out of reach."""
    guild_id = int(asked["guild_id"][0] if isinstance(asked["guild_id"], list) else asked["guild_id"])
    if not world.reachable(guild_id):
        return []
    guild = world.backend.get_guild(guild_id)
    members = list(guild.members.values())
    missing: list[str] = []
    if asked.get("user_ids"):
        ids = asked["user_ids"]
        wanted = {int(one) for one in (ids if isinstance(ids, list) else [ids])}
        members = [member for member in members if member.user_id in wanted]
        missing = [str(one) for one in sorted(wanted - {member.user_id for member in members})]
    elif asked.get("query"):
        start = asked["query"].lower()
        members = [
            member
            for member in members
            if world.backend.users[member.user_id].name.lower().startswith(start)
            or (member.nick or "").lower().startswith(start)
        ]
    if asked.get("limit"):
        members = members[: asked["limit"]]
    parts = [members[start : start + CHUNK] for start in range(0, len(members), CHUNK)] or [[]]
    return [
        {
            "guild_id": str(guild_id),
            "members": [dict(serializers.member_payload(world.backend, guild, member)) for member in part],
            "chunk_index": index,
            "chunk_count": len(parts),
            "not_found": missing if index == 0 else [],
            "nonce": asked.get("nonce"),
        }
        for index, part in enumerate(parts)
    ]
