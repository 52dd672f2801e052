"""English. Keys are dotted by subject; a `.hint` says what to do next. Texts use `str.format` fields."""

from core.catalogue.en_aspirations import ASPIRATIONS
from core.catalogue.en_bundle import BUNDLE
from core.catalogue.en_chat import CHAT
from core.catalogue.en_cli import CLI
from core.catalogue.en_config import CONFIG
from core.catalogue.en_console import CONSOLE
from core.catalogue.en_discord import DISCORD
from core.catalogue.en_doctor import DOCTOR
from core.catalogue.en_goals import GOALS
from core.catalogue.en_notices import NOTICES
from core.catalogue.en_portable import PORTABLE
from core.catalogue.en_preview import PREVIEW
from core.catalogue.en_replay import REPLAY
from core.catalogue.en_running import RUNNING
from core.catalogue.en_storage import STORAGE
from core.catalogue.en_telegram import TELEGRAM
from core.catalogue.en_timed import TIMED
from core.catalogue.en_times import TIMES
from core.catalogue.en_triggers import TRIGGERS

MESSAGES: dict[str, str] = {
    **ASPIRATIONS,
    **BUNDLE,
    **CHAT,
    **CLI,
    **CONFIG,
    **CONSOLE,
    **DISCORD,
    **DOCTOR,
    **GOALS,
    **NOTICES,
    **PORTABLE,
    **PREVIEW,
    **REPLAY,
    **RUNNING,
    **STORAGE,
    **TELEGRAM,
    **TIMED,
    **TIMES,
    **TRIGGERS,
    # drafts
    "draft.description.control": "The reminder text holds a control character or a broken one.",
    "draft.description.control.hint": "Type it again without it.",
    "draft.description.empty": "There is nothing to be reminded of.",
    "draft.description.empty.hint": "Say it after the trigger, for example: remind me to confirm the owner.",
    "draft.description_chars": "The reminder text has {used} characters; at most {limit} fit.",
    "draft.description_chars.hint": "Shorten it to {limit} characters.",
    "draft.block_chars": "The reminder text has too many signs such as < and &: {used} characters once escaped.",
    "draft.block_chars.hint": "Use fewer of them; {limit} characters fit.",
    "draft.max_fires": "A rule cannot have {used} reminders.",
    "draft.max_fires.hint": "Choose a number from 1 to {limit}.",
    "draft.cooldown": "{used} is no quiet time between two reminders.",
    "draft.cooldown.hint": "Choose from 0s to {limit} days, for example 24h.",
    "draft.expiry": "The end must lie in the future, and not too far.",
    "draft.expiry.hint": "Choose a time within {limit} years, for example 90d or 2027-01-31.",
    "draft.live_intents_per_creator": "You have {limit} live rules; that is the most one person may have.",
    "draft.live_intents_per_creator.hint": "Cancel one that you no longer need: /intent list, /intent cancel.",
    "draft.live_intents_per_space": "This space has {limit} live rules; that is the most it may have.",
    "draft.live_intents_per_space.hint": "Cancel one that nobody needs: /intent list, /intent cancel.",
    "handle.exhausted": "No free name for the rule was found.",
    "handle.exhausted.hint": "Try again.",
    # rights
    "rights.create.nobody": "Rules are created in a channel by a signed-in owner, never from here.",
    "rights.create.nobody.hint": "Open the channel and say it there.",
    "rights.create": "Only owners of this space can create rules.",
    "rights.create.hint": "Ask an owner of this space.",
    "rights.create.direct": "Rules are made in a channel or a group, by its owners; here only operators make some.",
    "rights.create.direct.hint": "Say it there. Reminders by the clock work here, too: /remind in 2h check the logs",
    "rights.anywhere": "Only an operator of this installation can create a rule that listens everywhere.",
    "rights.anywhere.hint": "Use the scope space, channel or conversation.",
    "rights.anywhere.private": "What is made in a private channel or a direct message stays there.",
    "rights.anywhere.private.hint": "Make a rule that listens everywhere in a public channel.",
    "rights.admin": "An administrator can inspect and cancel, but not change a rule.",
    "rights.admin.hint": "Its creator or an owner of the space can, in chat.",
    "rights.settings": "Only owners of this space can change its settings.",
    "rights.settings.hint": "Ask an owner of this space; /settings shows what is in force.",
    # settings of a space
    "setting.unknown": "There is no setting {name}.",
    "setting.unknown.hint": "The settings are: {names}.",
    "setting.switch": "{name} is on or off, not {value}.",
    "setting.switch.hint": "Say on or off, for example: /settings {name} on",
    "setting.text": "{value} is no value of {name}.",
    "setting.text.hint": "For example: /settings {name} {example}",
    "setting.zone": "There is no time zone {value}.",
    "setting.zone.hint": "Use a name as in Europe/Berlin, America/New_York or UTC.",
    # standing intents
    "intent.unknown": "There is no rule {handle} here.",
    "intent.unknown.hint": "See yours: /intent list.",
    "intent.unknown.member.hint": "Only its creator and the owners of this space can see a rule.",
    "intent.raced": "{handle} was changed by somebody else at the same moment.",
    "intent.raced.hint": "Look at it and try again.",
    "place.raced": "This chat got another id at the same moment; nothing was stored.",
    "turn.deadline": "The deadline of this message has passed.",
    "turn.deadline.hint": "Nothing was charged; the next message counts again.",
    "intent.crowded": "Too many rules here already listen for the rarest word of “{entry}”.",
    "intent.crowded.hint": "Add a rarer word to the entry, or narrow the scope.",
    "intent.moved.same": "{handle} is {old} already.",
    "intent.moved.same.pending.hint": "Wake it: /intent resume {handle}",
    "intent.moved.same.cancelled.hint": "It is still listed: /intent list --all",
    "intent.unconfirmed": "{handle} was imported: only its creator can wake it, by confirming it.",
    "intent.unconfirmed.hint": "Read it and say yes: /intent confirm {handle}",
    "intent.confirmed": "{handle} needs no confirmation: it is paused.",
    "intent.moved.awake": "{handle} is awake already: it is {old}, not paused.",
    "intent.moved.awake.hint": "Pause it: /intent pause {handle}",
    "intent.moved.over": "{handle} is {old} already and cannot be {new} any more.",
    "intent.moved.over.hint": "It stays in the list; make a new rule if you want to be reminded again.",
    "intent.moved.never": "{handle} is {old}; it cannot become {new}.",
    "intent.moved.live.hint": "See what it is doing: /intent show {handle}",
    "intent.edit.final": "{handle} is {status} and cannot be changed any more.",
    "intent.edit.final.hint": "Create a new rule.",
    "intent.edit.nothing": "Nothing would change.",
    "intent.edit.nothing.hint": "Say what to change, for example: /intent edit i-7k2m --cooldown 2h.",
    "intent.edit.budget": "It has fired {used} times already; the budget must be larger.",
    "intent.edit.budget.hint": "Choose a larger number, or cancel it.",
}
