"""Results as a text file for people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.long.keep import DONE, Record
from benchmarks.long.step import Aim, Sheet, Step

COMMAND = "scripts/test --long"
KEY = 10
NAME = 44
ACROSS = 12  # longer lists of numbers are left to the JSON files


def render(sheet: Sheet, steps: Sequence[tuple[Step, Record | None]], head: Mapping[str, str]) -> str:
    """The text of one sheet: what it was measured on, then every step with its figures and aims."""
    lines = [sheet.title, "=" * len(sheet.title), ""]
    lines += [f"{key:<{KEY}} {value}" for key, value in head.items()]
    for step, record in steps:
        lines += ["", "", *_step(step, record, head)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def met(step: Step, record: Record) -> bool:
    """Whether all that must be right is."""
    return record["status"] == DONE and all(aim.met(record["result"]) for aim in step.aims if aim.must)


def _step(step: Step, record: Record | None, head: Mapping[str, str]) -> Iterator[str]:
    yield f"{step.name}: {step.what}"
    yield "-" * len(f"{step.name}: {step.what}")
    yield f"{'run':<{KEY}} {COMMAND} {step.name}"
    if record is None:
        yield f"{'outcome':<{KEY}} not run"
        return
    yield f"{'with':<{KEY}} {', '.join(f'{key} {_spelt(value)}' for key, value in record['parameters'].items())}"
    yield f"{'outcome':<{KEY}} {record['status']} in {record['seconds']:,.1f} s"
    for key in ("date", "error", "reason"):
        if record.get(key) and record[key] != head.get(key):
            yield from _long(key, record[key])
    if record["status"] == DONE:
        yield from _figures(record["result"], record["parameters"])
        yield from (_aim(aim, record["result"]) for aim in step.aims)


def _long(key: str, text: str) -> Iterator[str]:
    first, *more = text.splitlines()
    yield f"{key:<{KEY}} {first}"
    yield from (f"{'':<{KEY}} {line}" for line in more)


def _figures(result: Mapping[str, Any], parameters: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """A line for each figure; percentiles of one thing share a line."""
    for key, value in result.items():
        name = f"{above} {key}".strip().replace("_", " ")
        if not above and parameters.get(key) == value:
            continue
        if isinstance(value, Mapping) and "p50" in value:
            yield f"  {name:<{NAME}} " + "  ".join(f"{kind} {_number(one)}" for kind, one in value.items())
        elif isinstance(value, Mapping):
            yield from _figures(value, {}, name)
        elif isinstance(value, list):
            yield from _list(name, value) if value else ()
        else:
            yield f"  {name:<{NAME}} {_spelt(value)}"


def _list(name: str, values: list[Any]) -> Iterator[str]:
    if all(isinstance(value, int | float) for value in values) and len(values) > ACROSS:
        step = -(-len(values) // ACROSS)
        yield f"  {name:<{NAME}} {_spelt(values[::step])} (one in {step})"
        return
    yield f"  {name}"
    yield from (f"    {value}" for value in values)


def _aim(aim: Aim, result: Mapping[str, Any]) -> str:
    value = aim.value(result)
    measured = "not measured" if value is None else f"{_number(value)}{aim.unit}"
    verdict = "met" if aim.met(result) else "MISSED"
    return f"{'aim':<{KEY}} {aim.what}: {measured}, at most {_number(aim.most)}{aim.unit}: {verdict}"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}".rstrip("0").rstrip(".")


def _spelt(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "all"}[value]
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list | tuple):
        return "; ".join(_words(one) for one in value)
    return str(value)


def _words(value: object) -> str:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return " ".join(str(one) for one in value)
    return _spelt(value)
