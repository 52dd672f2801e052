"""English for `remembrancer run`: how the bots fare, and why one cannot run."""

RUNNING: dict[str, str] = {
    "run.service": "{name}: {text}",
    "run.ready": "ready",
    "run.heartbeat": "every {seconds:g} s",
    "run.stopping": "Stopping: what is under way is finished first. A second signal ends at once.",
    "run.unknown": "There is no bot {name}.",
    "run.unknown.hint": "There are: {names}.",
    "run.no_tokens": "No bot has a token, so there is nothing to run.",
    "run.no_token": "The bot {name} has no token.",
    "run.no_token.telegram.hint": (
        "For Telegram: write /newbot to @BotFather, put the token that it gives you into the variable TELEGRAM_TOKEN"
        " (or into a file that telegram_token_file names), and start again. To try it without a bot: remembrancer chat"
    ),
    "run.no_token.discord.hint": (
        "For Discord: open https://discord.com/developers/applications, New Application, Bot, Reset Token, put the"
        " token that it shows into the variable DISCORD_TOKEN (or into a file that discord_token_file names), and start"
        " again. docs/discord.md has every click. To try it without a bot: remembrancer chat"
    ),
    "run.no_tokens.hint": (
        "For Telegram: write /newbot to @BotFather and put the token that it gives you into the variable TELEGRAM_TOKEN"
        " (or into a file that telegram_token_file names). For Discord: open"
        " https://discord.com/developers/applications, New Application, Bot, Reset Token, and put it into DISCORD_TOKEN"
        " (or into a file that discord_token_file names). Then start again. To try it without a bot: remembrancer chat"
    ),
    "run.ended": "It ended by itself.",
    "run.defect": "Something failed that should not ({kind}).",
    "run.again": "It is started again in {seconds} s.",
    "run.never": "It stays off until this is corrected and the program is started again.",
    "run.what_next": "{hint}\n  {then}",
    "run.none_left": "No bot is left that can run.",
    "run.none_left.hint": "What each one lacks stands above; correct it and start again.",
    # in somebody else's bot
    "embed.loops": "Two event loops use the same Remembrancer.",
    "embed.loops.hint": "Make one for each: they may share a database, but not what works on it.",
    "embed.twice": "Remembrancer is attached to this application already.",
    "embed.twice.hint": "Call telegram(application) once, before the application is run.",
    "embed.intents": "this bot has not asked Discord for {names}, so no rule hears what people write",
}
