"""English for Telegram: its menus, its first words, and what only this platform needs."""

TELEGRAM: dict[str, str] = {
    # first words
    "telegram.start": """\
I remember to act. In a group, an administrator tells me once what should happen when something comes up, and I bring \
it back when it does. For example, in a group:
**when someone mentions the launch checklist, remind me to confirm the rollback owner**
Add me to a group to begin. All commands: /help  What I keep: /privacy""",
    "telegram.start.group": (
        "I am listening. Administrators make rules by saying them; all commands: /help  What I keep: /privacy"
    ),
    "telegram.hello": """\
Hello. I remember to act: an administrator tells me once what should happen when something comes up, and I bring it \
back.
Try: **when someone mentions the launch checklist, remind me to confirm the rollback owner**
All commands: /help  What I keep: /privacy""",
    "telegram.hello.private": """\
**But I cannot hear this group yet**: my privacy mode is on, so I only get commands and replies to me. Either make me \
an administrator here, or turn it off: open @BotFather, send /mybots, choose @{bot}, then Bot Settings, Group Privacy, \
Turn off; then remove me from this group and add me again.""",
    "telegram.hello.back": "Rules of before that are paused: {count}. See them: /intent list  Wake one: /intent resume",
    "telegram.help": """\
**Say it in words** (administrators)
when someone mentions the launch, remind me to confirm the owner
when I say “release candidate”, remind me to ask for the notes
**Or type it**
/intent – a menu
/intent add launch checklist => Confirm the owner --anyone
/intent list · show · edit · pause · resume · cancel · history, with i-7k2m behind it
/intent why [a message to try] – why a rule fired or not
/intent mute [--for 2h] · unmute
**By the clock** (everybody)
/remind in 2h check the logs · /remind every weekday at 9:30 stand-up · /remind list
**What is to be reached, and what stands in its way** (administrators)
/goal add Ship the API --due friday · /goal add type:risk Vendor contract ends
/goal list · show · edit · done · hold · cancel · depends · search, with g-7k2m behind it
**The rest**
/aspire add improve the checklist (review 2026-12-31) · /aspire list
/settings – language, zone, quiet hours of this chat
/privacy – what I keep, for everybody
/cancel – leave a question
Lists and explanations come in our private chat.""",
    # answers
    "telegram.privately": "I sent it to you privately.",
    "telegram.no_chat": "I cannot write to you yet. Open our private chat, press Start, and my answer will be there.",
    "telegram.open": "Open a private chat",
    "telegram.chosen": "→ **{choice}**",
    "telegram.over": "This question is no longer open. Say it again.",
    "telegram.not_yours": "Only {name} can answer this.",
    "telegram.left": "All right, that is off.",
    "telegram.left.nothing": "There was nothing to leave.",
    "telegram.missed": "I was away when you said this, so nothing was done. Say it again.",
    "telegram.unanswered": "Telegram did not tell me whether you may do that.",
    "telegram.old_button": "This button is out of date.",
    "telegram.anonymous": (
        "You write as the group or as a channel, so I cannot know who you are, and a rule needs a person who made it."
        " Turn off “Remain anonymous” for yourself in the group's administrators, then say it again."
    ),
    "person.hint.telegram": (
        "I know people once they have said something here. Or reply to a message of theirs with your command."
    ),
    "place.hint.telegram": "Use the name of a topic of this group in which something was said since I am here.",
    "telegram.defect": "Something went wrong on my side ({kind}). It is in the log; try again.",
    # buttons under a reminder
    "fired.done": "✓ Done – {name}",
    "fired.done.before": "✓ That was done already.",
    "fired.not_theirs": "That is for whoever made the rule, and for owners of this place.",
    "fired.not_for_you": "Only whom the reminder is for can put it off.",
    "fired.later": "Again {time}",
    "fired.later.1h": "In 1 hour",
    "fired.later.3h": "In 3 hours",
    "fired.later.1d": "In a day",
    "fired.later.7d": "In a week",
    "fired.muted": "{handle} stays quiet here. Wake it: /intent unmute {handle}",
    "fired.renewed": "Renewed as {handle}",
    "fired.kept": "{handle} is kept until {ends}",
    # buttons about goals
    "button.goal.hold": "Hold",
    "button.goal.resume": "Take it up again",
    "button.goal.cancel": "Cancel",
    "button.goal.confirm": "That is right",
    "button.goal.dismiss": "Dismiss",
    "button.goal.confirm.one": "Right: {handle}",
    "button.goal.dismiss.one": "Wrong: {handle}",
    "button.goal.answer.keep": "{handle}: go on without {other}",
    "button.goal.answer.replace": "{handle}: wait for something else",
    "button.goal.answer.hold": "{handle}: put on hold",
    "button.goal.answer.cancel": "{handle}: give up",
    "button.goal.sure": "Give {handle} up for good?",
    "goal.instead": "What shall **{handle}** wait for instead of **{other}**?",
    "goal.instead.typed": "Something else: /goal answer {handle} replace g-… --of {other}",
    "goal.instead.one": "{handle} {text}",
    # running
    "telegram.ready.polling": "@{name} is listening (long polling).",
    "telegram.ready.webhook": "@{name} is listening (webhook).",
    "telegram.token": "Telegram does not know this token.",
    "telegram.refused": "Telegram does not take the token of this bot any more.",
    "telegram.unreachable": "Telegram cannot be reached.",
    "telegram.unreachable.hint": "Check the network of this machine, and telegram_api_url where that is set.",
    "telegram.token.hint": "Get it from @BotFather (/mybots, API Token) and set TELEGRAM_TOKEN to it.",
    "telegram.two_pollers": (
        "Another program reads the updates of this bot. I wait and try again; stop the other one, or give it a bot of"
        " its own."
    ),
    # the menu
    "telegram.menu": "What would you like to do?",
    "telegram.menu.new": "New rule",
    "telegram.menu.list": "List rules",
    "telegram.menu.settings": "Settings",
    "telegram.menu.help": "Help",
    "telegram.new.words": (
        "What should I listen for? Answer with the words, for example **launch checklist**. Leave: /cancel"
    ),
    "telegram.field.words": "launch checklist",
    "telegram.new.text": "And what should I remind you of? For example **confirm the rollback owner**. Leave: /cancel",
    "telegram.field.text": "confirm the rollback owner",
    "page.before": "‹ Newer",
    "page.after": "Older ›",
    # what Telegram shows in its menu of commands
    "telegram.command.intent": "Rules: make, list, change",
    "telegram.command.goal": "Goals, commitments, risks and open questions",
    "telegram.command.remind": "A reminder by the clock: in 2h check the logs",
    "telegram.command.aspire": "What this group wants to come to",
    "telegram.command.settings": "Language, zone and quiet hours of this chat",
    "telegram.command.privacy": "What I keep of your messages",
    "telegram.command.help": "What I can do",
    "telegram.command.cancel": "Leave a question",
    "telegram.command.start": "Begin",
    # privacy, on every platform
    "privacy.rules.none": "No rule listens here.",
    "privacy.rules.one": "1 rule listens here; to anyone: {anyone}; to you by name: {you}.",
    "privacy.rules": "{count} rules listen here; to anyone: {anyone}; to you by name: {you}.",
    "privacy.kept": """\
I compare each message with the rules and forget it. When a rule fires I keep the message's number and link, who said \
it, the words of the rule that matched, and the time; never the message itself.
What I keep word for word is what somebody tells me to: the rules and the messages that made them.
Owners see the rules of this place; nobody else does.""",
}
