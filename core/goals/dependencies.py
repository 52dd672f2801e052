"""What an edge may not do: close a circle, or make a path or a bundle of dependents too large. Pure."""

from collections.abc import Sequence

from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded
from core.goals.objects import IntentObject

ARROW = " → "


class DependencyCycle(InvalidInput):
    """The edge would close a circle. `details["path"]` are the handles of the whole way, the first one twice."""

    code = "dependency_cycle"


def refuse_cycle(dependent: IntentObject, way: Sequence[IntentObject]) -> None:
    """`way` leads from the prerequisite to the dependent along what each depends on; () when there is none.

    Raises DependencyCycle with the whole path, each one waiting for the next.
    """
    if not way:
        return
    path = (dependent.handle, *(one.handle for one in way))
    key = "goal.cycle.self" if len(path) == 2 else "goal.cycle"
    raise DependencyCycle(say(key, path=ARROW.join(path), handle=dependent.handle), say(f"{key}.hint"), path=path)


def refuse_depth(levels: int, limit: int) -> None:
    """`levels` is how many open intents the longest path through the new edge has. Raises LimitExceeded."""
    if levels > limit:
        raise LimitExceeded(
            say("goal.limit.goal_depth", used=levels, limit=limit),
            say("goal.limit.goal_depth.hint"),
            name="goal_depth",
            used=levels,
            limit=limit,
        )


def refuse_crowd(prerequisite: IntentObject, dependents: int, limit: int) -> None:
    """`dependents` is how many open intents would wait for it. Raises LimitExceeded."""
    if dependents > limit:
        raise LimitExceeded(
            say("goal.limit.goal_dependents", handle=prerequisite.handle, limit=limit),
            say("goal.limit.goal_dependents.hint"),
            name="goal_dependents",
            used=dependents,
            limit=limit,
        )


def refuse_many(dependent: IntentObject, prerequisites: int, limit: int) -> None:
    """`prerequisites` is how many intents it would wait for. Raises LimitExceeded."""
    if prerequisites > limit:
        raise LimitExceeded(
            say("goal.limit.goal_prerequisites", handle=dependent.handle, limit=limit),
            say("goal.limit.goal_prerequisites.hint"),
            name="goal_prerequisites",
            used=prerequisites,
            limit=limit,
        )
