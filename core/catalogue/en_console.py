"""English for the terminal chat: its own commands, its status line and its help."""

CONSOLE: dict[str, str] = {
    # opening and leaving
    "console.open.who": "You are **{name}**, an owner of this workspace. Be somebody else: /as bob",
    "console.open.who.member": "You are **{name}**; it is owned by {owners}. Be somebody else: /as {owner}",
    "console.open.where": "You are in {place}. Go elsewhere: /in ops",
    "console.open.paste": (
        "Say this: **when someone mentions the launch checklist, remind me to confirm the rollback owner**"
    ),
    "console.open.help": "Then, as bob, mention the launch checklist. All commands: /help  Leave: /quit",
    "console.open.late": "Owed since the last time:",
    "console.open.clock": "The clock is {offset} ahead, as you left it. Back to real time: /time reset",
    "console.bye": "Bye. Everything is kept in {file}.",
    "console.bye.nothing": "Bye. Nothing is kept.",
    # people and places
    "console.as": "You are now **{name}**{role}.",
    "console.as.owner": ", an owner here",
    "console.as.bot": "Nobody can be {name}: that is the bot.",
    "console.as.usage": "Say who you are.",
    "console.as.usage.hint": "For example: /as bob",
    "console.bot.taken": "No other bot can be called {name} here.",
    "console.bot.usage": "Say which bot speaks, and what it says.",
    "console.bot.usage.hint": "For example: /bot CI build failed",
    "console.name.bad": "“{name}” cannot be a name here.",
    "console.name.bad.hint": "Use 1 to {limit} letters, digits, . _ or -",
    "console.people": "People: {names}",
    "console.people.owner": "{name} (owner)",
    "console.people.full": "There are {limit} people already; that is the most this terminal keeps.",
    "console.people.full.hint": "Be one of them: /people",
    "console.in": "You are in {place}.",
    "console.in.usage": "Say which channel.",
    "console.in.usage.hint": "For example: /in ops, or /in secret --private",
    "console.in.fixed": "#{name} is {visibility} since it was first used; that does not change.",
    "console.in.fixed.hint": "Choose another name.",
    "console.in.full": "There are {limit} places already; that is the most this terminal keeps.",
    "console.in.full.hint": "Go to one of them: /channels",
    "console.public": "public",
    "console.private": "private",
    "console.thread.usage": "Say the name of the thread.",
    "console.thread.usage.hint": "For example: /thread rollout. Back to the channel: /in {channel}",
    "console.thread.direct": "A direct message has no threads.",
    "console.thread.direct.hint": "Go to a channel first: /in ops",
    "console.channels": "Channels: {names}",
    "console.channels.private": "{name} (private)",
    "console.channels.dm": "direct message of {name}",
    "console.owners": "Owners: {names}",
    "console.owner.done": "**{name}** is an owner of this workspace now.",
    "console.owner.refused": "Only an owner can make somebody an owner.",
    "console.owner.refused.hint": "Ask one of them: {names}.",
    "console.owner.unknown": "Nobody here is called “{name}” yet.",
    "console.owner.unknown.hint": "Introduce them first: /as {name}",
    # the clock
    "console.time": "It is {time}.",
    "console.time.ahead": "It is {time}; the clock is {offset} ahead of real time. Back: /time reset",
    "console.time.moved": "It is now {time}.",
    "console.time.reset": "Back to real time: {time}. What happened while it was ahead keeps its times.",
    "console.time.back": "The clock only goes forward.",
    "console.time.back.hint": "Back to real time: /time reset",
    "console.time.usage": "“{text}” does not say how far to move the clock.",
    "console.time.usage.hint": "For example: /time +25h. Back to real time: /time reset",
    "console.time.far": "The clock can be moved 50 years ahead and no further.",
    "console.time.far.hint": "Move it by less, or go back to the real time: /time reset",
    # talking
    "console.edit.none": "You have said nothing here that could be edited.",
    "console.edit.none.hint": "Say something first.",
    "console.edit.usage": "Say what your last message should read.",
    "console.edit.usage.hint": "For example: /edit the launch checklist is ready",
    "console.unknown": "There is no command /{name}.",
    "console.unknown.hint": "All commands: /help",
    "console.rights.chat": "Only owners make rules; this was taken as an ordinary message.",
    "console.late": "That reminder would have come too late; nothing was charged.",
    "console.question": "Your answer: {choices}",
    "console.choice": "[{number}] {label}",
    "console.error": "✗ {text}",
    "console.hint": "  {text}",
    "console.dropped.saved.talked": "Not saved: you went on talking.",
    "console.dropped.saved.unanswered": "Not saved: the question was left unanswered.",
    "console.dropped.saved.left": "Nothing was saved: the last question was left unanswered.",
    "console.dropped.cancelled.talked": "Not cancelled: you went on talking.",
    "console.dropped.cancelled.unanswered": "Not cancelled: the question was left unanswered.",
    "console.dropped.cancelled.left": "Nothing was cancelled: the last question was left unanswered.",
    "console.answer": "Please answer with a number or yes / no; your message was not sent.",
    "console.answer.hint": "Numbers go from 1 to {count}; no leaves everything as it is.",
    "console.line.cut": "Only the first {limit} bytes of that line were read.",
    "console.defect": "Something went wrong on my side ({kind}).",
    "console.defect.hint": "The chat goes on; the log has the details: {log}",
    "console.log": "The log {file} cannot be written ({why}).",
    "console.log.hint": "Choose another file with --file, or make its folder writable.",
    "console.foreign": "{file} holds rows of {providers}; the terminal chat keeps a file of its own.",
    "console.foreign.hint": "Choose another with --file, or leave it out.",
    # help
    "console.help": """\
**Say it in words**
  when someone mentions the launch, remind me to confirm the owner
  when I say “release candidate”, remind me to ask for the notes
  when @bob brings up pricing or discounts, remind me to link the sheet
**Or type it**
  /intent add launch checklist; "go live" => Confirm the owner --anyone
    whose words:  --anyone  --me  --from @bob
    how often:    --max 3  --cooldown 2h  --per sender|conversation  --expires 90d
    where:        --scope thread|channel|space  --except #random  --deliver here|dm|#ops
    besides:      --exact  --edits  --priority low|medium|high|critical
  /intent list [text] [--all] [--status armed|quiet|paused] [--page 2]
  /intent show|edit|pause|resume|keep|confirm|cancel i-7k2m    /intent cancel --from @bob
  /intent why [i-7k2m] [a message to try]
  /intent preview i-7k2m, or words to watch for    /intent test|history i-7k2m
  /intent mute [--thread|--space] [--for 2h]    /intent mute i-7k2m    /intent unmute
**Reminders by the clock**, for everybody
  remind me tomorrow at 9 to call Dana
  /remind in 2h check the logs    /remind @bob on Friday at 9 to deploy    [--dm]
  /remind list [--all]    /remind show|done|cancel r-7k2m    /remind again r-7k2m 1h
**Goals, promises, questions and risks**, for owners
  /goal add Ship the API --due friday --priority high --owner @bob --criteria the tests pass
  /risk The contract ends due:"31 january"    also: /question  /commit  /decide  /followup
  /goal [list] [text] [--type risk] [--state expired] [--all]    /goal search launch    /goal graph
  /goal show|done|hold|resume|cancel|pin|unpin g-7k2m    /goal edit g-7k2m --due none
  /goal depends g-7k2m on g-9a1c    /goal answer g-7k2m keep    /goal supersede g-7k2m Ship it later
  /goal link g-7k2m i-5r3w    /goal review    /goal confirm|dismiss g-7k2m    /propose Ship the API
**Aspirations**
  /aspire add Improve the checklist (review 90d)
  /aspire list [--all] [--page 2]    /aspire review a-7k2m 2027-03-31    /aspire done a-7k2m
**People and places**
  /as bob     /people    /owner [bob] [off]    /leave    /bot CI build failed
  /in ops [--private]    /thread rollout    /dm    /channels
**The rest**
  /time [+25h|reset]     /edit new text of your last message
  /settings [language de]  [zone Europe/Berlin]  [fold_accents on]  [quiet_hours 22:00-07:00]  [reminders owners]
            [review speakers]  [summaries off]
  /help    /quit
Lines after │ are for the person typing; all else is said in the channel.""",
    # settings of the space
    "settings.row": "{name}: **{value}**",
    "settings.hint": "Change one: /settings language de",
    "settings.done": "{name} is now **{value}** in this space.",
    "settings.refiled.one": "1 live rule compares words that way from now on.",
    "settings.refiled.many": "{count} live rules compare words that way from now on.",
    "settings.no_forms": "No word forms are known for “{language}”: words count as they are typed.",
    "settings.on": "on",
    "settings.off": "off",
    # the status line
    "console.status.ahead": "clock {offset} ahead",
    "console.status.owner": " (owner)",
    "console.status.rules": "{count} rules here",
    "console.status.rule": "1 rule here",
    # the demonstration
    "console.edit.theirs": "**{handle}** is @{name}'s: {text} Change it all the same?",
    "console.pause.theirs": "**{handle}** is @{name}'s: {text} Pause it all the same?",
    "console.cancel.theirs": "**{handle}** is @{name}'s: {text} Cancel it all the same?",
    "console.demo.open": "A demonstration on a file that is thrown away at the end.",
    "console.demo.owner": "Ada owns this workspace. She says once what should happen.",
    "console.demo.bob": "Bob knows nothing of the rule. He just talks.",
    "console.demo.quiet": "Again at once: the rule is quiet for 24 h.",
    "console.demo.why": "Ada asks why.",
    "console.demo.later": "A day later.",
    "console.demo.end": "That was the demonstration.",
}
