"""English: notices, delivery elsewhere and the end of membership."""

NOTICES: dict[str, str] = {
    # what a person is told
    "notice.expiring": "**{handle}** was never needed so far and ends {ends}: {text}",
    "notice.expiring.keep": "  [Keep 90 days]: /intent keep {handle}",
    "notice.cancelled": "{who} cancelled your rule {handle}: {text}",
    "notice.cancelled.all": "{who} cancelled {count} of your rules. See them: /intent list --status cancelled",
    "notice.refunded": "A reminder of **{handle}** could not be delivered and does not count: {text}",
    "notice.left": (
        "{who} left or is no owner any more. Rules of theirs that are paused now: {count}."
        " See them: /intent list --status paused"
    ),
    "notice.watched": "A rule of {who} watches what you say in {where} ({handle}).",
    "notice.imported": "{count} imported rules wait for your yes. See them: /intent list --status paused",
    "notice.imported.one": "1 imported rule waits for your yes. See it: /intent list --status paused",
    "notice.waiting": "{count} more notices wait for the next time.",
    "notice.waiting.one": "1 more notice waits for the next time.",
    "notice.admin": "An administrator",
    "notice.erased": "(its words were erased)",
    "notice.private": "a private channel",
    # reminders that go elsewhere
    "reminder.head.in": "Reminder for @{creator}: **{text}** (@{sender} said *{entry}* in {place})",
    # quiet hours
    "setting.quiet_hours": "{value} are no quiet hours.",
    "setting.quiet_hours.hint": "Write them as 22:00-07:00, from 00:00 to 23:59, or off.",
    "setting.quiet_hours.equal": "{value} begin and end at the same time.",
    "setting.quiet_hours.equal.hint": "Choose two different times, for example 22:00-07:00, or off.",
    # keeping what is about to end
    "rule.kept": "**{handle}** is kept until {ends}.",
    # leaving, and cancelling all of a person
    "rights.resume": "Only owners of this space can wake a rule.",
    "rights.resume.direct": "This rule tells its creator by direct message: only they can wake it.",
    "rights.resume.direct.hint": "Ask its creator, or cancel it.",
    "rights.change": "Only owners of this space can change a rule.",
    "rights.change.hint": "Ask an owner of this space; you can still pause or cancel a rule of your own.",
    "rights.change.unconfirmed": "This rule waits for its creator's yes: nobody else can change it.",
    "rights.change.unconfirmed.hint": "Cancel it, or wait until its creator confirmed it.",
    "rights.change.anywhere": "Only an operator can change or wake a rule that listens everywhere.",
    "rights.change.anywhere.hint": "Ask an operator; its creator can still pause or cancel it.",
    "rights.end": "Only owners of this space can end somebody else's membership.",
    "rights.end_space": "Only owners of this space can take Remembrancer out of it.",
    "rights.cancel_all": "Only owners of this space can cancel the rules of somebody else.",
    "console.left": "**{name}** left; rules paused: {count}. You are now **{now}**.",
    "console.owner.off": "**{name}** is no owner any more; rules paused: {count}.",
    "console.owner.off.refused": "Only an owner can take the ownership of somebody else away.",
    "console.owner.none": "{name} is no owner.",
    "console.owner.last": "{name} is the last owner of this workspace.",
    "console.owner.last.hint": "Make somebody else an owner first: /owner bob",
    "console.owner.usage": "“{text}” after a name means nothing here.",
    "console.owner.usage.hint": "For example: /owner bob, or /owner bob off",
    "console.cancel.all": "**@{name}** has live rules here: {count}. Cancel them all, for good?",
    "console.cancel.all.none": "@{name} has no live rules here.",
    "console.cancel.all.done": "Cancelled for good: {count} of the rules of @{name}.",
    # the command line
    "intents.cancel.which": "Say which intent to cancel, or with --creator whose.",
    "intents.cancel.which.hint": "For example: intents cancel i-7k2m, or intents cancel --creator console:local:bob",
    "intents.cancel.unasked": "{creator} has live intents: {count}. Nothing was cancelled.",
    "intents.cancel.unasked.hint": "Add --yes to cancel them all, for good.",
    "intents.cancel.ask": "{creator} has live intents: {count}. Cancel them all, for good?",
    "intents.cancelled.all": "Intents of {creator} that were cancelled: {count}.",
}
