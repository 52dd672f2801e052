"""The audit's commands but for the walk itself, in English."""

REPLAY: dict[str, str] = {
    # replay
    "replay.kind.standing_intent": "rule",
    "replay.kind.fire": "fire",
    "replay.kind.timed_reminder": "reminder by the clock",
    "replay.kind.event": "evidence",
    "replay.kind.goal_intent": "intent of goal memory",
    "replay.kind.goal_edge": "dependency of goals",
    "replay.kind.goal_summary": "summary of a goal",
    "replay.columns": "what, rows, recorded in part",
    "replay.difference": "{kind} {name}: {field} is {stored}; the log tells {recorded}.",
    "replay.missing": "{kind} {name} is not stored; the log tells of it.",
    "replay.strange": "{kind} {name} is stored; the log does not tell of it.",
    "replay.unreadable": "{kind} {name} holds a value that this version does not know.",
    "replay.contradiction": (
        "Operation {number} of {namespace} ({id}) does not follow from those before it:"
        " {kind} {name}: {field} was {rebuilt}; it tells {told}."
    ),
    "replay.more": "{count} more; --json lists all.",
    "replay.equal": "{operations} in {chains} replayed: everything is stored as the log tells it.",
    "replay.differs": "{operations} in {chains} replayed: {differences}, {contradictions}.",
    "replay.partial": "Rows recorded in part were made or changed by an older release; what it recorded was compared.",
    # export
    "exported.exists": "{path} is there already.",
    "exported.exists.hint": "Name another file: an export is never written over.",
    "exported.written": "{operations} and {events} written to {path}.",
    "exported.unreadable.hint": "Name a file that `remembrancer audit export` wrote.",
    "exported.none": "This is no export of the operation log.",
    "exported.none.hint": "`remembrancer audit export --out FILE` writes one.",
    "exported.version": "This export has version {version}, which this program does not know.",
    "exported.version.hint": "Verify it with the program that made it, or with a newer one.",
    "exported.line": "Line {number} of the export is not as it was written, or missing.",
    "exported.line.hint": "The file was cut off or changed: make a new export.",
    "count.operation.one": "1 operation",
    "count.operation.many": "{count} operations",
    "count.difference.one": "1 difference",
    "count.difference.many": "{count} differences",
    "count.contradiction.one": "1 contradiction",
    "count.contradiction.many": "{count} contradictions",
    "count.event.one": "1 event",
    "count.event.many": "{count} events",
}
