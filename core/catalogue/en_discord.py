"""English for Discord: its commands and forms, its first words, and what only this platform needs.

Discord cuts or refuses what is too long: descriptions of commands and options at 100 characters, labels and titles of
forms at 45, the name in a message's menu at 32. A test holds them.
"""

DISCORD: dict[str, str] = {
    # first words
    "discord.hello": """\
Hello. I remember to act: whoever manages this server tells me once what should happen when something comes up, and \
I bring it back when it does.
Say this in a channel: **when someone mentions the launch checklist, remind me to confirm the rollback owner**
Or type **/intent add**. All commands: /remembrancer help  What I keep: /remembrancer privacy""",
    "discord.hello.back": (
        "Hello again. Rules of before that are paused: {count}. See them: /intent list  Wake one: /intent resume"
    ),
    "discord.start": """\
I remember to act. On a server, whoever manages it tells me once what should happen when something comes up, and I \
bring it back when it does. Here I can remind you by the clock, for example:
**remind me in 2 hours to check the logs**
All commands: /remembrancer help  What I keep: /remembrancer privacy""",
    "discord.help": """\
**Say it in words** (owners: who manages the server)
when someone mentions the launch, remind me to confirm the owner
when I say “release candidate”, remind me to ask for the notes
**Or by command**
/intent add – a form: the words to listen for, and what to be reminded of
/intent list · show · edit · pause · resume · cancel · history
/intent why – why a rule fired or not, also for a message that you make up
/intent preview – what a rule would have done on what was said here
/intent mute · unmute – quiet in this channel, or one rule here
**From a message**: right-click it (hold it on a phone), Apps, **Remember this**
**By the clock** (everybody)
remind me in 2 hours to check the logs
/remind me · list · show · done · later · cancel
**What is to be reached, and what stands in its way** (owners)
/goal add – a goal, a commitment, a risk, an open question, a decision, a follow-up
/goal list · show · edit · done · hold · cancel · depends · search · review
**The rest**
/aspire add · list · review · done – what this server wants to come to
/remembrancer settings – language, zone, quiet hours
/remembrancer privacy – what I keep, for everybody
Only you see lists and explanations.""",
    "discord.help.member": """\
**By the clock** (everybody)
remind me in 2 hours to check the logs
/remind me · list · show · done · later · cancel
**What I keep of your messages**: /remembrancer privacy
Rules are made by whoever manages this server. I bring back what they asked for when it comes up.""",
    "discord.named": "I am listening. All commands: /remembrancer help  What I keep: /remembrancer privacy",
    # answers
    "discord.chosen": "Chosen: **{choice}**",
    "discord.over": "This question was open for 15 minutes, or I was restarted since. Say it once more.",
    "discord.not_yours": "I asked {name}, so only they can answer.",
    "discord.unanswered": "Discord did not tell me whether you may do that.",
    "discord.old_button": "This button no longer does anything. Ask for the list or the rule again.",
    "discord.anonymous": (
        "This was posted by a webhook, so I cannot know who wrote it, and a rule needs a person who made it. Say it in"
        " your own name."
    ),
    "person.hint.discord": "Mention them with @, and choose the name that Discord offers.",
    "place.hint.discord": "Name a channel of this server with #, one that both of us can see.",
    "place.silent": "One of us may not write in #{name}.",
    "place.silent.hint": "Choose a channel in which both of us may write.",
    "place.forum": "#{name} is a forum: nothing is posted there but in a post of it.",
    "place.forum.hint": "Name a channel, or make the rule in one of its posts.",
    "discord.several": "Several here are called “{name}”.",
    "discord.several.hint": "Mention the person with @, or choose the bot or webhook in the option bot.",
    "discord.exclude": "The options {one} and {other} exclude each other.",
    "discord.time": "“{time}” is no time that I can read, or holds more than a time.",
    "discord.time.hint": "For example: in 2h · tomorrow 9:00 · every weekday at 9:30.",
    "setting.owner_role": "“{value}” is no role.",
    "setting.owner_role.hint": "Pick one with @, as in @Moderators, or say off.",
    "discord.owner_role": "Who else decides here is for people who manage this server.",
    "discord.owner_role.hint": "Ask somebody with the permission Manage Server.",
    "discord.no_place": "I cannot see this channel.",
    "discord.no_place.hint": "Let me view it (Edit Channel, Permissions), or ask in a channel that I see.",
    "discord.setting": "Say which setting is to have that value.",
    "discord.setting.hint": "Choose it in the option setting.",
    "discord.old_command": "This command has changed since your Discord loaded it.",
    "discord.old_command.hint": "Reload Discord (Ctrl+R, or close and open it on a phone) and try again.",
    "discord.taken": "This bot has commands of these names already: {names}.",
    "discord.taken.hint": "Rename them, or take them out of its command tree, before Remembrancer is added.",
    "discord.too_many": "With Remembrancer's commands this bot would have more than the {limit} that Discord takes.",
    "discord.too_many.hint": "Take some out of its command tree, or put them together into groups.",
    "discord.defect": "Something went wrong on my side ({kind}). It is written down for whoever runs me; try again.",
    "discord.form.over": "This form was opened before I was restarted, so nothing was done.",
    "discord.form.over.hint": "Open it again and write it once more.",
    # below a list
    "discord.cancel.ask": "End {handle} for good?",
    "discord.pick.rule": "Look at a rule",
    "discord.pick.reminder": "Look at a reminder",
    "discord.pick.goal": "Look at one of these",
    "discord.pick.instead": "What it shall wait for instead",
    "discord.do.pause": "Pause",
    "discord.do.resume": "Resume",
    "discord.do.why": "Why, or why not?",
    "discord.do.test": "Test on me",
    "discord.do.history": "History",
    "discord.do.done": "Mark as done",
    "discord.do.cancel": "Cancel it",
    # running
    "discord.ready": "{name} is listening in {count} servers.",
    "discord.ready.one": "{name} is listening in one server.",
    "discord.ready.none": (
        "{name} is listening, but is in no server yet. remembrancer doctor shows a link that invites it."
    ),
    "discord.token": "Discord does not know this token.",
    "discord.token.hint": (
        "Get a new one at https://discord.com/developers/applications (your application, Bot, Reset Token) and set"
        " DISCORD_TOKEN to it."
    ),
    "discord.refused": "Discord does not take the token of this bot any more.",
    "discord.unreachable": "Discord cannot be reached.",
    "discord.unreachable.hint": (
        "Check the network of this machine, and discord_api_url and discord_gateway_url where they are set."
    ),
    "discord.intents": "The Message Content intent is off, so Discord shows this bot nothing of what people write.",
    "discord.intents.hint": (
        "Open https://discord.com/developers/applications, choose your application, then Bot; under Privileged Gateway"
        " Intents switch on Message Content Intent (and Server Members Intent), press Save Changes, and start again."
    ),
    # forms
    "discord.new.title": "A new rule",
    "discord.field.words": "What should I listen for?",
    "discord.field.words.hint": "One a line. All words of a line must come up.",
    "discord.field.text": "What should I remind you of?",
    "discord.edit.title": "Change a rule: empty fields stay as is",
    "discord.field.who": "Whose words count?",
    "discord.field.cooldown": "Quiet after a reminder (2h, 1d; 0s: none)",
    "discord.field.expires": "Until when? (90d, or 2027-01-31)",
    "discord.goal.title": "Something to remember",
    "discord.goal.edit.title": "Change it: empty fields stay as is",
    "discord.field.goal": "What is to be reached, decided or watched?",
    "discord.field.type": "What kind is it?",
    "discord.field.due": "Until when? (friday, tomorrow at 17:00)",
    "discord.field.criteria": "How can one tell that it is done?",
    "discord.field.note": "What else is to be known?",
    "discord.who.me": "Mine",
    "discord.who.anyone": "Anyone's",
    "discord.menu.remember": "Remember this",
    # what Discord shows in its list of commands
    "discord.command.intent": "Rules: make one, look at them, change them",
    "discord.command.intent.add": "Make a rule: when these words come up, remind me",
    "discord.command.intent.list": "The rules of this server",
    "discord.command.intent.show": "Everything about one rule",
    "discord.command.intent.edit": "Change a rule",
    "discord.command.intent.pause": "Let a rule rest until you wake it",
    "discord.command.intent.resume": "Wake a rule that rests",
    "discord.command.intent.cancel": "End a rule for good",
    "discord.command.intent.why": "Why a rule fired, or did not",
    "discord.command.intent.preview": "What a rule would have done on what was said here; nothing is kept",
    "discord.command.intent.test": "One reminder as it would look, for you alone; nothing is counted",
    "discord.command.intent.history": "When a rule fired, where, and at whose words",
    "discord.command.intent.mute": "Quiet: all rules in this channel, or one rule here",
    "discord.command.intent.unmute": "End the quiet",
    "discord.command.intent.keep": "Give a rule that is about to end 90 days more",
    "discord.command.intent.confirm": "Say yes to a rule that was imported",
    "discord.command.goal": "Goals, commitments, risks and open questions: what is to be reached",
    "discord.command.goal.add": "Have something remembered: a goal, a risk, an open question",
    "discord.command.goal.list": "What is open here",
    "discord.command.goal.show": "Everything about one: what it waits for, what waits for it",
    "discord.command.goal.edit": "Change one",
    "discord.command.goal.done": "Mark one as completed",
    "discord.command.goal.hold": "Put one on hold; it does not expire meanwhile",
    "discord.command.goal.resume": "Take one up again that is on hold, or that age archived",
    "discord.command.goal.cancel": "Give one up for good; what waits for it stays as it is",
    "discord.command.goal.supersede": "Put a new one in the place of an old one",
    "discord.command.goal.depends": "Let one wait for others",
    "discord.command.goal.blocks": "Let others wait for one",
    "discord.command.goal.pin": "Pin one, so that it stands out and does not fade",
    "discord.command.goal.unpin": "Take the pin away",
    "discord.command.goal.search": "Find words in what is open, in what is over, and in summaries",
    "discord.command.goal.answer": "Say what to do when something that one waits for is over",
    "discord.command.goal.review": "What was concluded from talk and waits for a yes",
    "discord.command.goal.confirm": "Say yes to a proposal",
    "discord.command.goal.dismiss": "Say no to a proposal; it is not made again",
    "discord.command.goal.link": "Let a rule sleep while a goal is closed",
    "discord.command.remind": "Reminders by the clock",
    "discord.command.remind.me": "Remind me at a time: in 2h check the logs",
    "discord.command.remind.list": "Reminders by the clock that you may see here",
    "discord.command.remind.show": "Everything about one reminder",
    "discord.command.remind.done": "Mark a reminder as done",
    "discord.command.remind.cancel": "End a reminder",
    "discord.command.remind.later": "Have a reminder again, later",
    "discord.command.aspire": "What this server wants to come to",
    "discord.command.aspire.add": "Write down what this server wants to come to",
    "discord.command.aspire.list": "The aspirations of this server",
    "discord.command.aspire.review": "Set the day on which to look at an aspiration again",
    "discord.command.aspire.done": "Tick an aspiration: it came true, or nobody wants it any more",
    "discord.command.remembrancer": "Help, privacy, settings",
    "discord.command.remembrancer.help": "What this bot can do",
    "discord.command.remembrancer.privacy": "What this bot keeps of your messages",
    "discord.command.remembrancer.settings": "Language, zone and quiet hours of this server",
    # what Discord shows beside an option
    "discord.option.words": 'What to listen for; several with ; between them: launch checklist; "go live"',
    "discord.option.text": "What to be reminded of: confirm the rollback owner",
    "discord.option.handle": "Which one: its short name, such as i-7k2m; begin to type and choose",
    "discord.option.cooldown": "Quiet after a reminder: 2h, 1d, or 0s for none",
    "discord.option.max": "How many reminders before the rule ends",
    "discord.option.expires": "When the rule ends: 90d, or a day such as 2027-01-31",
    "discord.option.per": "Whose reminder starts the quiet: one for all, one a person, or one a thread",
    "discord.option.who": "Whose words count: yours (unless you choose), or anyone's",
    "discord.option.only_from": "Only this person's words count",
    "discord.option.bot": "Only this bot's or webhook's posts count: its name, such as CI",
    "discord.option.scope": "Where it listens: this thread, this channel, the whole server",
    "discord.option.except": "A channel in which it stays quiet",
    "discord.option.deliver": "Where the reminder goes: here, privately to you, or a channel such as #ops",
    "discord.option.priority": "Which rule speaks first when several fire",
    "discord.option.exact": "Only these very words, not their other forms",
    "discord.option.edits": "Messages count too when they are edited",
    "discord.option.page": "Which page of the list",
    "discord.option.status": "Only rules in this state",
    "discord.option.filter": "Only rules with these words in them",
    "discord.option.message": "A message to try it on; left out: the newest one here",
    "discord.option.for": "For how long: 30m, 2h, 1d; left out: until you end it",
    "discord.option.place": "Where: this thread, this channel, the whole server",
    "discord.option.time": "When: in 2h, tomorrow 9:00, every weekday at 9:30",
    "discord.option.review": "When to look at it again: 90d, or a day such as 2027-03-31",
    "discord.option.setting": "Which setting; left out: show all of them",
    "discord.option.value": "What to set it to, such as Europe/Berlin; left out: show what is set",
    "discord.option.all": "Those that are over, too",
    "discord.option.goal.handle": "Which one: its short name, such as g-7k2m; begin to type and choose",
    "discord.option.goal.text": "In a few words: ship the API",
    "discord.option.goal.type": "What kind it is; left out: a goal",
    "discord.option.goal.list.type": "Only those of this kind",
    "discord.option.goal.edit.type": "What kind it is from now on",
    "discord.option.goal.state": "Only those in this state",
    "discord.option.goal.filter": "Only those with these words in them",
    "discord.option.goal.search.text": "The words to look for",
    "discord.option.goal.priority": "How much it matters; left out: medium",
    "discord.option.goal.edit.priority": "How much it matters from now on",
    "discord.option.goal.supersede.type": "What kind the new one is; left out: the same",
    "discord.option.goal.supersede.priority": "How much the new one matters; left out: the same",
    "discord.option.goal.due": "Until when: friday, tomorrow at 17:00, 2027-01-31",
    "discord.option.goal.edit.due": "Until when: friday, 2027-01-31, or none",
    "discord.option.goal.owner": "Who answers for it; left out: you",
    "discord.option.goal.edit.owner": "Who answers for it from now on",
    "discord.option.goal.supersede.owner": "Who answers for the new one; left out: the same person",
    "discord.option.goal.with": "Who has a stake in it: @ada @bob",
    "discord.option.goal.edit.with": "Who has a stake in it: @ada @bob, or none",
    "discord.option.goal.criteria": "How one can tell that it is done; several with ; between them",
    "discord.option.goal.note": "What else is to be known",
    "discord.option.goal.depends": "What it waits for: g-9a1c, g-4tq9",
    "discord.option.goal.blocks": "What waits for it: g-7k2m, g-5r3w",
    "discord.option.goal.on": "What it is to wait for: g-9a1c, g-4tq9",
    "discord.option.goal.others": "What is to wait for it, such as g-5r3w",
    "discord.option.goal.off": "End it instead",
    "discord.option.goal.answer.answer": "Go on without it, wait for something else, put it on hold, or give it up",
    "discord.option.goal.of": "Which one is over, where there are several",
    "discord.option.goal.by": "What takes its place, when the answer is replace",
    "discord.option.goal.rule": "Which rule: its short name, such as i-5r3w",
    "discord.option.goal.link.handle": "Which goal: its short name, such as g-7k2m; left out with off",
    "discord.option.intent.cancel.person": "Instead of one rule: all that this person made here",
    "discord.option.remind.handle": "Which one: its short name, such as r-7k2m; begin to type and choose",
    "discord.option.remind.me.person": "Whom to remind; left out: you",
    "discord.option.remind.me.deliver": "Where it comes: here, or privately",
    "discord.option.remind.later.time": "How long from now: 30m, 2h, 1d",
    "discord.option.aspire.handle": "Which one: its short name, such as a-7k2m; begin to type and choose",
    "discord.option.aspire.add.text": "What this server wants to come to: improve the launch checklist",
}
