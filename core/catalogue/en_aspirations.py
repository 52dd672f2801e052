"""English: aspirations, their file and their days."""

ASPIRATIONS: dict[str, str] = {
    # typing
    "aspire.usage": "Say what you want to come to.",
    "aspire.usage.hint": "For example: /aspire add Improve the checklist (review 2026-12-31)",
    "aspire.unknown": "There is no /aspire {name}.",
    "aspire.list.usage": "That is no list of aspirations.",
    "aspire.list.usage.hint": "For example: /aspire list, or /aspire list --all --page 2",
    "aspire.review.usage": "Say which aspiration, and on which day to look at it again.",
    "aspire.review.usage.hint": "For example: /aspire review a-7k2m 2027-03-31, or /aspire review a-7k2m 90d",
    "aspire.handle": "Say which aspiration by its short name: a place in a list can be another one by now.",
    "aspire.handle.hint": "The names stand in the list: /aspire list. For example: /aspire {verb} a-7k2m",
    "aspire.text.control": "The text holds a control character or a broken one.",
    "aspire.text.empty": "There are no words in it.",
    "aspire.text.long": "The text has {used} characters; at most {limit} fit.",
    "aspire.day.bad": "“{text}” is no day to look at it again.",
    "aspire.day.bad.hint": "Write a date as in 2026-12-31, or a length of time as in 90d or 2 weeks.",
    "aspire.day.past": "The morning of {day} is over.",
    "aspire.day.past.hint": "Choose a day that is to come, for example 90d.",
    "aspire.day.far": "{day} is too far away: at most {years} years.",
    # doing
    "aspire.off": "No aspirations are kept here.",
    "aspire.off.hint": "Ask the person who runs this program.",
    "aspire.nobody": "An aspiration needs a person to come back to.",
    "aspire.rights": "Only owners of this space can add aspirations.",
    "aspire.none": "There is no aspiration {handle} here.",
    "aspire.none.hint": "See yours: /aspire list",
    "aspire.same": "{handle} has that day already.",
    "aspire.done.already": "{handle} is done already.",
    "aspire.done.already.hint": "Add it again, or take the x out of its box in the file.",
    "aspire.many": "There are {limit} open aspirations here; that is the most a space may have.",
    "aspire.many.hint": "Tick one that is reached or given up: /aspire list, /aspire done a-7k2m",
    "aspire.raced": "Somebody kept changing the file at the same moment; nothing was changed.",
    # said back
    "aspire.added": "Kept as an aspiration, **{handle}**: {text} You are told on {day} at {time} ({zone}).",
    "aspire.added.default": (
        "Kept as an aspiration, **{handle}**: {text} You named no day: you are told at the end of the quarter,"
        " {day} at {time} ({zone})."
    ),
    "aspire.added.more": "  Another day: /aspire review {handle} 90d",
    "aspire.added.file": "  It stands in {file}, for any editor.",
    "aspire.reviewed": "**{handle}** is looked at again on {day}; its owner is told at {time} ({zone}).",
    "aspire.done": "**{handle}** is done: {text} It stays, ticked, in {file}.",
    "aspire.row": "**{handle}** {text} · {when} · {who}",
    "aspire.when": "review {day}",
    "aspire.when.past": "review is due since {day}",
    "aspire.when.none": "no day",
    "aspire.nobodys": "nobody's",
    "aspire.empty": "No open aspirations here. Add one: /aspire add Improve the checklist (review 90d)",
    "aspire.taken": "Typed into the file by hand, and yours from now on: {handles}",
    "aspire.pages": "Page {page} of {pages}, {total} in all. Another page: /aspire list --page 2",
    "aspire.file": "They stand in {file}, for any editor.",
    "aspire.problem": "Line {line} of the file: {why}",
    "aspire.problem.more": "More lines to look at: {count}",
    "aspire.trouble.no_date": "no day in it, so nobody is told. End it with (review 2026-12-31).",
    "aspire.trouble.bad_date": "its day cannot be read. Write it as (review 2026-12-31).",
    "aspire.trouble.empty": "there are no words before its day.",
    "aspire.trouble.long": "it is longer than an aspiration may be, so nobody is told. Shorten it.",
    "aspire.trouble.many": "from here on there are too many open ones; nobody is told of them. Tick some.",
    "aspire.trouble.open": "what begins here never ends, so all below counts as code or as a comment.",
    # the file
    "aspire.file.head": """\
# Aspirations of {name}

One line each, with the day to look at it again at its end. Edit this file as you like; what stands in the comment
behind a line says whose it is.
""",
    "aspire.file.full": "The file {file} would be longer than {limit} bytes.",
    "aspire.file.full.hint": "Take out of it, in an editor, what is no longer needed.",
    "aspire.file.long": "The file {file} in the data directory is longer than {limit} bytes and was not read.",
    "aspire.file.twice": "There are two files of aspirations for this place: {files}.",
    "aspire.file.twice.hint": "Put their lines into one of them and move the other out of the folder.",
    "aspire.file.kind": "{file} in the data directory is no plain file.",
    "aspire.file.kind.hint": "Put the file itself there, not a link to it.",
    "aspire.file.utf8": "The file {file} in the data directory is no UTF-8 text: line {line}.",
    "aspire.file.utf8.hint": "Save it as UTF-8 in an editor; nothing of it was changed.",
    "aspire.file.failed": "{file} in the data directory cannot be used ({why}).",
    "aspire.file.failed.hint": "Make it readable and writable for the person who runs this program.",
}
