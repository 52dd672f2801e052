"""English: times as people say them, and how they are read back."""

TIMES: dict[str, str] = {
    "time.past": "{time} is past.",
    "time.past.hint": "Say one that is still to come, with its hour, for example: today at 17:00, tomorrow at 9.",
    "time.far": "That is too far ahead.",
    "time.far.hint": "Choose a time within {years} years.",
    "time.zero": "That is no time ahead.",
    "time.zero.hint": "Say how long, for example: in 5 minutes.",
    "time.twice": "That names more than one time.",
    "time.twice.hint": "Say one, for example: on Friday at 9. What belongs to the text can stand in quotes.",
    "time.mixed": "These ways of repeating do not go together.",
    "time.mixed.hint": "Say one of them, for example: every month on the 15th at 9.",
    "time.weekdays": "That names several days but not that it repeats.",
    "time.weekdays.hint": "Say for example: every Monday and Thursday at 9.",
    "time.none": "No such day comes within the next years.",
    "time.none.hint": "Look at the calendar and write the date, for example: 2027-01-31.",
    "time.no_clock": "No clock shows {time}.",
    "time.no_clock.hint": "Write it as 14:05 or 2:05 pm.",
    "time.no_date": "No month has a day {day}.",
    "time.no_day": "{month} has no day {day}.",
    "time.no_day.hint": "For the last day of a month say: end of the month.",
    "time.no_nth": "{month} has no such day number {number}.",
    "time.weekday": "{date} is a {day}.",
    "time.weekday.hint": "Say the date or the weekday alone.",
    "time.slashed": "“{said}” can be {one} or {other}.",
    "time.slashed.hint": "Write the month as a word, for example: {one}.",
    "time.zone.several": "“{zone}” is the name of more than one time zone: {names}.",
    "time.zone.several.hint": "Which one? Write its name behind the time, for example: at 9 {name}.",
    "time.zone.unknown": "There is no time zone {name} in the calendar data.",
    "time.zone.unknown.hint": "Name the region, as in Europe/Berlin or America/New_York.",
    "time.zone.offset": "{zone} is no zone that can be kept.",
    "time.every": "Something cannot be repeated every 0 days.",
    "time.every.hint": "Say for example: every day, every 2 weeks.",
    "time.often": "Every {step} is too often; the shortest is every {least}.",
    "time.often.hint": "Choose {least} or more.",
    "time.count": "{used} times is too many; at most {limit} can be said.",
    "time.count.hint": "Leave the number out: it then repeats until you end it.",
    "time.until": "It would end before it begins.",
    "time.until.hint": "Choose a later end.",
    "time.rule": "“{rule}” is no rule for repeating that can be read.",
    "time.rule.hint": "Say it in words, for example: every weekday at 9.",
} | {
    f"time.month.{number}": name
    for number, name in enumerate(
        "January February March April May June July August September October November December".split(), 1
    )
}
TIMES |= {
    f"time.day.{number}": name
    for number, name in enumerate("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
}
