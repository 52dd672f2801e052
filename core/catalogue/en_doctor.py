"""English for what `doctor` finds at a chat platform, and what to do there."""

DOCTOR: dict[str, str] = {
    "doctor.bots.none": "none has a token",
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
