"""English for what `doctor` finds at a chat platform, and what to do there."""

DOCTOR: dict[str, str] = {
    "doctor.bots.none": "none has a token",
    "doctor.discord.token": "{name}",
    "doctor.discord.refused": "Discord refuses it",
    "doctor.discord.refused.hint": (
        "Get a new one: https://discord.com/developers/applications, your application, Bot, Reset Token. The old one"
        " works no more after that."
    ),
    "doctor.discord.content": "it reads what people write on its servers (Message Content intent)",
    "doctor.discord.content.off": "the Message Content intent is off: the bot does not start, as it could read nothing",
    "doctor.discord.content.off.hint": (
        "In https://discord.com/developers/applications: your application, Bot, Privileged Gateway Intents, switch on"
        " Message Content Intent, Save Changes."
    ),
    "doctor.discord.content.limited": (
        "the Message Content intent is on for an unverified bot only, and this one is on {count} servers"
    ),
    "doctor.discord.content.limited.hint": (
        "In https://discord.com/developers/applications: your application, App Verification, and ask for the intent."
    ),
    "doctor.discord.members": "it hears who leaves, and finds people by their names (Server Members intent)",
    "doctor.discord.members.off": (
        "the Server Members intent is off: rules of people who leave go on, and people are found by a mention only"
    ),
    "doctor.discord.members.off.hint": (
        "In https://discord.com/developers/applications: your application, Bot, Privileged Gateway Intents, switch on"
        " Server Members Intent, Save Changes; then start `remembrancer run` anew."
    ),
    "doctor.discord.endpoint": "commands and buttons go to another address (Interactions Endpoint URL), not to it",
    "doctor.discord.endpoint.hint": (
        "In https://discord.com/developers/applications: your application, General Information, empty Interactions"
        " Endpoint URL, Save Changes."
    ),
    "doctor.discord.grant": "nobody can invite it: Requires OAuth2 Code Grant is on",
    "doctor.discord.grant.hint": (
        "In https://discord.com/developers/applications: your application, Bot, switch off Requires OAuth2 Code Grant,"
        " Save Changes."
    ),
    "doctor.discord.commands.missing": "Discord does not show all of them; missing: {names}",
    "doctor.discord.commands.missing.hint": "Start the bot again: it registers what is missing.",
    "doctor.discord.commands.none": "none is registered yet",
    "doctor.discord.commands.none.hint": "`remembrancer run` registers them when it starts for the first time.",
    "doctor.discord.servers": "it is on {count} servers",
    "doctor.discord.servers.one": "it is on 1 server",
    "doctor.discord.servers.many": "it is on {count} servers or more; the first {count} were looked at",
    "doctor.discord.servers.none": "it is on no server",
    "doctor.discord.servers.none.hint": "Open this link, choose your server, Continue, Authorize: {link}",
    "doctor.discord.permissions": "it may do on its servers what it needs; single channels can still forbid it",
    "doctor.discord.permissions.lacking": "on {server} it lacks: {names}",
    "doctor.discord.permissions.more": "on {count} more servers it lacks something",
    "doctor.discord.permissions.lacking.hint": (
        "On that server: Server Settings, Roles, the bot's role, Permissions; switch them on, Save Changes."
    ),
    "doctor.discord.permission.read_messages": "View Channels",
    "doctor.discord.permission.send_messages": "Send Messages",
    "doctor.discord.permission.send_messages_in_threads": "Send Messages in Threads",
    "doctor.discord.permission.read_message_history": "Read Message History",
    "doctor.discord.wait": "Discord asks to wait: too much was asked of it with this token or from this address",
    "doctor.discord.wait.hint": "Run `remembrancer doctor` once more in some minutes; hours, if it goes on.",
    "doctor.discord.away": "Discord cannot be reached at {address} ({kind})",
    "doctor.discord.away.hint": (
        "Check the network of this machine, its names (DNS), its clock, and discord_api_url if you set it. Is Discord"
        " well? https://discordstatus.com"
    ),
    "doctor.discord.other": "{address} does not answer as Discord does ({kind})",
    "doctor.discord.other.hint": "Check discord_api_url, and what stands between this machine and Discord.",
    "doctor.telegram.token": "@{name}",
    "doctor.telegram.refused": "Telegram refuses it",
    "doctor.telegram.refused.hint": (
        "Copy it again: @BotFather, /mybots, your bot, API Token. One that was revoked or renewed works no more."
    ),
    "doctor.telegram.reads": "it reads all messages of the groups that it was added to since this was set",
    "doctor.telegram.privacy": "privacy mode is on: in groups it sees commands and replies only, so nothing is found",
    "doctor.telegram.privacy.hint": (
        "In @BotFather: /mybots, @{name}, Bot Settings, Group Privacy, Turn off. Then remove the bot from each of its"
        " groups and add it again: the old way stays in force there. Or make it an administrator of the group."
    ),
    "doctor.telegram.groups": "it cannot be added to groups",
    "doctor.telegram.groups.hint": "In @BotFather: /mybots, @{name}, Bot Settings, Allow Groups?, Turn groups on.",
    "doctor.telegram.polling": "long polling",
    "doctor.telegram.hook": "Telegram calls {host}",
    "doctor.telegram.hooked": "long polling is set here, but Telegram calls {host}",
    "doctor.telegram.hooked.hint": (
        "While that lasts nothing can be polled. If another program uses this bot, make another bot for Remembrancer;"
        " if not, `remembrancer run` takes the address away when it starts."
    ),
    "doctor.telegram.unhooked": "Telegram calls nobody yet",
    "doctor.telegram.unhooked.hint": "`remembrancer run` tells it telegram_webhook_url when it starts.",
    "doctor.telegram.elsewhere": "Telegram calls {host}, at another address than telegram_webhook_url",
    "doctor.telegram.elsewhere.hint": (
        "If another program uses this bot, make another bot for Remembrancer; if not, start `remembrancer run` anew."
    ),
    "doctor.telegram.pending": "{count} updates wait to be taken",
    "doctor.telegram.pending.hint": "The bot does not keep up, or nothing reaches it: see its log.",
    "doctor.telegram.error": "Telegram could not reach it at {time} UTC: {why}",
    "doctor.telegram.error.hint": (
        "Check the certificate, the port (443, 80, 88 or 8443) and what stands between the internet and"
        " telegram_webhook_listen."
    ),
    "doctor.telegram.poller": "another process polls with this token; messages go to either of the two",
    "doctor.telegram.poller.hint": (
        "Stop the other one: an older start of this program, another machine, another bot program. If you cannot find"
        " it, renew the token (@BotFather, /mybots, your bot, API Token, Revoke). `remembrancer run` waits meanwhile."
    ),
    "doctor.telegram.poller.ours": "a bot runs on this database; its log says if another process polls, too",
    "doctor.telegram.poller.none": "no other process was seen polling",
    "doctor.telegram.wait": "Telegram asks to wait: too much was asked of it with this token",
    "doctor.telegram.wait.hint": "Run `remembrancer doctor` again in a few minutes.",
    "doctor.telegram.away": "{address} cannot be reached ({kind})",
    "doctor.telegram.away.hint": (
        "Check the network of this machine, its proxy (HTTPS_PROXY), its clock, and telegram_api_url if you set it."
    ),
    "doctor.telegram.other": "{address} does not answer as Telegram does ({kind})",
    "doctor.telegram.other.hint": "Check telegram_api_url, and what stands between this machine and the service.",
}
