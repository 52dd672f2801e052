"""Interactions as Discord's client makes them; what the client would not offer is an AssertionError."""

import time
from typing import TYPE_CHECKING, Any

from tests.fakes.discord.answers import Answer
from tests.fakes.discord.engine import (
    OptionError,
    OptionType,
    Payload,
    command_access,
    interactions,
    serializers,
)
from tests.fakes.discord.messages import Message
from tests.fakes.discord.places import Channel, Role

if TYPE_CHECKING:
    from tests.fakes.discord.people import Person

COMMAND, COMPONENT, COMPLETION, FORM = 2, 3, 4, 5
SLASH, USER_MENU, MESSAGE_MENU = 1, 2, 3
BUTTON, STRING_SELECT, TEXT_INPUT, LABEL = 2, 3, 4, 18
THINGS = {
    OptionType.USER: (OptionType.USER,),
    OptionType.CHANNEL: (OptionType.CHANNEL,),
    OptionType.ROLE: (OptionType.ROLE,),
    OptionType.MENTIONABLE: (OptionType.USER, OptionType.ROLE),
}
"""What an option takes."""
SELECT_TYPES = {5: OptionType.USER, 6: OptionType.ROLE, 7: OptionType.MENTIONABLE, 8: OptionType.CHANNEL}


def ask(
    person: "Person", channel: Channel, kind: int, data: Payload, asked: str, source: Message | None = None
) -> Answer:
    """Tell the bot of an interaction."""
    world = person.world
    guild = channel.guild
    assert channel.open_to(person), f"{person.name} does not see {channel}"
    assert guild is None or world.reachable(guild.id), f"the bot is not in {guild}"
    state, payload = interactions.base_payload(
        world.backend,
        type=kind,
        channel_id=channel.id,
        guild_id=None if guild is None else guild.id,
        user_id=person.id,
        data=data,
    )
    state.initial_response_deadline = world.backend.iso_after(world.answer_seconds)
    state.expires_at = world.backend.iso_after(world.token_seconds)
    if source is not None:
        state.source_message_id = source.id
        payload["message"] = dict(serializers.message_payload(world.backend, source.state))
    answer = Answer(world, person, channel, state, asked)
    world.answers[state.token] = answer
    world.backend.emit("INTERACTION_CREATE", payload)
    return answer


# ---- commands


def offered(person: "Person", channel: Channel) -> list[str]:
    """The names of the slash commands that somebody is offered, with their subcommands."""
    world = person.world
    with world.lock:
        if channel.guild is not None and not world.reachable(channel.guild.id):
            return []
        commands = world.backend.visible_commands(user_id=person.id, channel_id=channel.id)
        return [" ".join(path) for one in commands for path, _ in interactions.command_leaves(one)]


def _command(person: "Person", channel: Channel, name: str, kind: int) -> Payload:
    world = person.world
    command = world.backend.find_command(name, channel.state.guild_id, kind)
    assert command is not None, f"no command {name!r} was ever synced, only {world.commands()}"
    access = command_access(world.backend, command, user_id=person.id, channel_id=channel.id)
    assert access.allowed, f"{person.name} is not offered {name!r} in {channel}: {access.reason}"
    return command


def _basic(command: Payload) -> Payload:
    data = {"id": command["id"], "name": command["name"], "type": int(command["type"])}
    return data | ({"guild_id": command["guild_id"]} if command.get("guild_id") else {})


FILLING_SECONDS = 0.2
"""The library knows a form only once it has read the answer to having sent it."""


def slash(person: "Person", channel: Channel, words: str, given: Payload) -> Answer:
    """Use a slash command."""
    with person.world.lock:
        command, leaf, nesting = _leaf(person, channel, words)
        resolved: Payload = {}
        options = _options(person, channel, words, leaf, given, resolved)
        missing = [one["name"] for one in leaf.get("options") or [] if one.get("required")]
        missing = [name for name in missing if name not in {one["name"] for one in options}]
        assert not missing, f"/{words} needs {missing}"
        data = _basic(command) | {"options": interactions.nest_options(command, nesting, options)}
        return ask(person, channel, COMMAND, data | ({"resolved": resolved} if resolved else {}), f"/{words}")


def complete(person: "Person", channel: Channel, words: str, option: str, typed: str, given: Payload) -> Answer:
    """Type into an option that has autocomplete."""
    with person.world.lock:
        command, leaf, nesting = _leaf(person, channel, words)
        resolved: Payload = {}
        options = _options(person, channel, words, leaf, given, resolved)
        declared = _declared(leaf, option, words)
        assert declared.get("autocomplete"), f"{option!r} of /{words} has no autocomplete"
        options.append({"name": declared["name"], "type": declared["type"], "value": typed, "focused": True})
        data = _basic(command) | {"options": interactions.nest_options(command, nesting, options)}
        asked = f"/{words} {option}:{typed}…"
        return ask(person, channel, COMPLETION, data | ({"resolved": resolved} if resolved else {}), asked)


def _leaf(person: "Person", channel: Channel, words: str) -> tuple[Payload, Payload, list[str]]:
    name, *path = words.split()
    command = _command(person, channel, name, SLASH)
    leaf, nesting = interactions.walk_to_subcommand(command, path)
    kinds = {one["type"] for one in leaf.get("options") or []}
    assert not kinds & {OptionType.SUBCOMMAND, OptionType.SUBCOMMAND_GROUP}, f"/{words} still has subcommands"
    return command, leaf, nesting


def _declared(leaf: Payload, name: str, words: str) -> Payload:
    options = leaf.get("options") or []
    for one in options:
        if one["name"] in (name, name.replace("_", "-")):
            return dict(one)
    raise AssertionError(f"/{words} has no option {name!r}, only {[one['name'] for one in options]}")


def _options(
    person: "Person", channel: Channel, words: str, leaf: Payload, given: Payload, resolved: Payload
) -> list[Payload]:
    made = []
    for name, value in given.items():
        declared = _declared(leaf, name, words)
        kind = OptionType(declared["type"])
        if kind in THINGS:
            wire = _resolve(person, channel, kind, value, resolved)
            wanted = declared.get("channel_types")
            assert not wanted or value.state.type in wanted, f"{name!r} takes channels of the types {wanted}"
        else:
            try:
                wire = interactions.validate_option_value(words, declared, value)
            except OptionError as error:
                raise AssertionError(str(error)) from error
        made.append({"name": declared["name"], "type": int(kind), "value": wire})
    return made


def _thing(value: Any) -> OptionType:
    if isinstance(value, Role):
        return OptionType.ROLE
    return OptionType.CHANNEL if isinstance(value, Channel) else OptionType.USER


def _resolve(person: "Person", channel: Channel, kind: OptionType, value: Any, resolved: Payload) -> str:
    """Describe a person, role or channel beside the options; its id."""
    backend = person.world.backend
    assert _thing(value) in THINGS[kind], f"{value!r} is not of the kind {kind.name}"
    key = str(value.id)
    if isinstance(value, Role):
        resolved.setdefault("roles", {})[key] = dict(serializers.role_payload(value.guild.state.roles[value.id]))
    elif isinstance(value, Channel):
        assert value.open_to(person), f"{person.name} does not see {value}"
        payload = value.payload
        if value.state.guild_id is not None:
            payload["permissions"] = str(backend.compute_permissions(value.state.guild_id, person.id, value.id))
        resolved.setdefault("channels", {})[key] = payload
    else:
        _user(channel, value, resolved)
    return key


def _user(channel: Channel, person: "Person", resolved: Payload) -> None:
    backend, key = person.world.backend, str(person.id)
    resolved.setdefault("users", {})[key] = dict(serializers.user_payload(backend.users[person.id]))
    guild = channel.guild
    if guild is not None and guild.has(person):
        member = dict(serializers.member_payload(backend, guild.state, guild.state.members[person.id], with_user=False))
        member["permissions"] = str(backend.compute_permissions(guild.id, person.id, channel.id))
        resolved.setdefault("members", {})[key] = member


def message_menu(person: "Person", message: Message, name: str) -> Answer:
    """Use a command of the context menu of a message."""
    world = person.world
    with world.lock:
        _seen(person, message)
        command = _command(person, message.channel, name, MESSAGE_MENU)
        payload = dict(serializers.message_payload(world.backend, message.state))
        data = {"target_id": str(message.id), "resolved": {"messages": {str(message.id): payload}}}
        return ask(person, message.channel, COMMAND, _basic(command) | data, name)


def user_menu(person: "Person", channel: Channel, target: "Person", name: str) -> Answer:
    """Use a command of the context menu of a person."""
    with person.world.lock:
        command = _command(person, channel, name, USER_MENU)
        resolved: Payload = {}
        _user(channel, target, resolved)
        data = {"target_id": str(target.id), "resolved": resolved}
        return ask(person, channel, COMMAND, _basic(command) | data, name)


# ---- components


def _seen(person: "Person", message: Message) -> None:
    assert message in person.world.visible(message.channel, person), f"{person.name} does not see {message}"


def click(person: "Person", message: Message, name: str) -> Answer:
    """Press a button that is on a message."""
    with person.world.lock:
        _seen(person, message)
        button = message.button(name)
        data = {"custom_id": button["custom_id"], "component_type": BUTTON, "id": button.get("id", 0)}
        return ask(person, message.channel, COMPONENT, data, f"the button {name!r}", message)


def select(person: "Person", message: Message, values: list[Any], name: str | None) -> Answer:
    """Choose in a menu that is on a message."""
    with person.world.lock:
        _seen(person, message)
        menu = message.select(name)
        least, most = menu.get("min_values", 1), menu.get("max_values", 1)
        assert least <= len(values) <= most, f"the menu takes {least} to {most} values, not {values}"
        data: Payload = {"custom_id": menu["custom_id"], "component_type": menu["type"], "id": menu.get("id", 0)}
        data["values"] = _chosen(person, message.channel, menu, values, data)
        return ask(person, message.channel, COMPONENT, data, f"the choice {values}", message)


def _chosen(person: "Person", channel: Channel, menu: Payload, values: list[Any], data: Payload) -> list[str]:
    if menu["type"] != STRING_SELECT:
        resolved: Payload = {}
        found = [_resolve(person, channel, SELECT_TYPES[menu["type"]], value, resolved) for value in values]
        data["resolved"] = resolved
        return found
    known = {one[key]: one["value"] for key in ("label", "value") for one in menu["options"]}
    unknown = [value for value in values if value not in known]
    assert not unknown, f"the menu does not offer {unknown}, only {sorted(known)}"
    return [known[value] for value in values]


def submit(person: "Person", shown: Answer, values: Payload) -> Answer:
    """Send a form; a field that is not named keeps what it was filled with. Nobody fills one in at once."""
    world = person.world
    time.sleep(FILLING_SECONDS)
    with world.lock:
        assert shown.modal is not None, f"{shown!r} showed no form"
        assert shown.person is person, f"the form was shown to {shown.person.name}"
        left = dict(values)
        parts = [_part(part, left) for part in shown.modal["components"]]
        assert not left, f"the form has no fields {sorted(left)}, only {[one['label'] for one in shown.fields]}"
        data = {"custom_id": shown.modal["custom_id"], "components": [part for part in parts if part]}
        source = shown.state.source_message_id
        message = world.find_message(shown.channel.id, source) if source else None
        return ask(person, shown.channel, FORM, data, f"the form {shown.modal['title']!r}", message)


def _part(part: Payload, values: Payload) -> Payload | None:
    """What a form sends for one row or label."""
    if part["type"] == LABEL:
        field = part["component"]
        filled = _filled(field, part.get("label"), values)
        return {"type": LABEL, "id": part.get("id", 0), "component": filled}
    if not part.get("components"):
        return None
    field = part["components"][0]
    return {"type": part["type"], "id": part.get("id", 0), "components": [_filled(field, field.get("label"), values)]}


def _filled(field: Payload, label: str | None, values: Payload) -> Payload:
    names = [name for name in (field["custom_id"], label) if name in values]
    sent: Payload = {"type": field["type"], "custom_id": field["custom_id"], "id": field.get("id", 0)}
    if field["type"] != TEXT_INPUT:
        chosen = values.pop(names[0]) if names else []
        known = {one[key]: one["value"] for key in ("label", "value") for one in field.get("options") or []}
        assert all(value in known for value in chosen), f"{label!r} does not offer {chosen}, only {sorted(known)}"
        return sent | {"values": [known[value] for value in chosen]}
    text = str(values.pop(names[0]) if names else field.get("value") or "")
    least, most = field.get("min_length") or 0, field.get("max_length") or 4000
    assert text or not field.get("required", True), f"the form needs {label!r}"
    assert not text or least <= len(text) <= most, f"{label!r} takes {least} to {most} characters, not {len(text)}"
    return sent | {"value": text}
