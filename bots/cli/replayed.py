"""What `remembrancer audit replay` prints."""

import json
from dataclasses import asdict

from bots.cli.output import counted, print_line, print_note, print_table
from core.catalogue import say
from core.operations.replay import MISSING, ROW, UNREADABLE, Contradiction, Difference
from core.services.replay import ReplayReport

SHOWN = 50
"""How many differences, and how many contradictions, are named to people."""


def as_data(report: ReplayReport) -> dict[str, object]:
    """The report for machines."""
    return {
        "equal": report.equal,
        "chains": report.chains,
        "operations": report.operations,
        "kinds": {kind: asdict(count) for kind, count in report.kinds.items()},
        "not_rebuilt": dict(sorted(report.untaken.items())),
        "differences": [asdict(one) for one in report.differences],
        "contradictions": [asdict(one) for one in report.contradictions],
    }


def print_replay(report: ReplayReport) -> None:
    """The report for people: counts, then what differs."""
    rows = [(_kind(kind), count.rows, count.partial) for kind, count in report.kinds.items()]
    print_table(say("replay.columns").split(", "), rows)
    for difference in report.differences[:SHOWN]:
        print_line(_difference(difference))
    _print_more(len(report.differences))
    for contradiction in report.contradictions[:SHOWN]:
        print_line(_contradiction(contradiction))
    _print_more(len(report.contradictions))
    if any(count.partial for count in report.kinds.values()):
        print_note(say("replay.partial"))
    counts = {"operations": counted("operation", report.operations), "chains": counted("chain", report.chains)}
    if report.equal:
        print_line(say("replay.equal", **counts))
        return
    differences = counted("difference", len(report.differences))
    contradictions = counted("contradiction", len(report.contradictions))
    print_line(say("replay.differs", differences=differences, contradictions=contradictions, **counts))


def _print_more(count: int) -> None:
    if count > SHOWN:
        print_line(say("replay.more", count=count - SHOWN))


def _kind(kind: str) -> str:
    return say(f"replay.kind.{kind}")


def _name(handle: str, key: str) -> str:
    return f"{handle} ({key})" if handle else key


def _difference(one: Difference) -> str:
    about = {"kind": _kind(one.kind), "name": _name(one.handle, one.id)}
    if one.field == ROW:
        sentence = "unreadable" if one.stored == UNREADABLE else "missing" if one.stored == MISSING else "strange"
        return say(f"replay.{sentence}", **about)
    sides = {"stored": _shown(one.stored), "recorded": _shown(one.recorded)}
    return say("replay.difference", field=one.field, **about, **sides)


def _contradiction(one: Contradiction) -> str:
    return say(
        "replay.contradiction",
        number=one.sequence_num,
        namespace=one.namespace_id,
        id=one.operation_id,
        kind=_kind(one.kind),
        name=one.id,
        field=one.field,
        rebuilt=_shown(one.rebuilt),
        told=_shown(one.told),
    )


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
