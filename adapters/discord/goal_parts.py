"""What the options of `/goal` ask for. Pure: the parts go on as they are, so that none is read as another."""

from adapters.discord.composing import Chosen, bare
from core.catalogue import say
from core.errors import InvalidInput
from core.goals.commands import adding_of, editing_of, superseding_of
from core.goals.said import MAKING, state_of, type_of
from core.goals.typed import Answering, Depending, GoalCommand, GoalListing, Linking, OneGoal, Searching
from core.standing.options import Given

_HANDLES = frozenset({"depends", "blocks"})


def add(text: str, chosen: Chosen) -> GoalCommand:
    """Something new. Raises InvalidInput."""
    return adding_of(text, options(chosen))


def edit(handle: str, text: str, chosen: Chosen) -> GoalCommand:
    """A change; what is "" or None stays as it is. Raises InvalidInput."""
    return editing_of(bare(handle), text, options(chosen))


def supersede(handle: str, text: str, chosen: Chosen) -> GoalCommand:
    """Something new in the place of an old one. Raises InvalidInput."""
    return superseding_of(bare(handle), text, options(chosen))


def options(chosen: Chosen) -> tuple[Given, ...]:
    """The options as the typed command has them."""
    given = ((name, str(chosen[name] or "").strip()) for name in MAKING if name in chosen)
    return tuple(
        Given(name, ", ".join(handles(value)) if name in _HANDLES else value) for name, value in given if value
    )


def handles(text: str) -> tuple[str, ...]:
    """The handles in a text, which may have the words beside them that a choice shows."""
    words = [word.strip(",;`") for word in text.replace(",", " ").split()]
    named = [word for word in words if word.casefold().startswith("g-")]
    return tuple(dict.fromkeys(named or filter(None, words)))


def listing(words: str, kind: str, state: str, everything: bool, page: int) -> GoalCommand:
    """A list; `kind` and `state` are words of the grammar, "" for all that is open. Raises InvalidInput."""
    types = (type_of(kind),) if kind else ()
    return GoalListing(types, (state_of(state),) if state else (), everything, words.strip(), page=page)


def review(page: int) -> GoalCommand:
    """The proposals that wait for a yes."""
    return GoalListing(review=True, page=page)


def search(text: str, page: int) -> GoalCommand:
    """What holds these words."""
    return Searching(text.strip(), page)


def one(verb: str, handle: str) -> GoalCommand:
    """Something about one of them."""
    return OneGoal(verb, bare(handle))


def depend(handle: str, others: str, *, blocks: bool, off: bool) -> GoalCommand:
    """What waits for what. Raises InvalidInput without others."""
    found = handles(others)
    if not found:
        verb = "blocks" if blocks else "depends"
        raise InvalidInput(say(f"goal.{verb}.usage"), say(f"goal.{verb}.usage.hint"))
    return Depending(bare(handle), found, blocks, off)


def answer(handle: str, chosen: str, of: str, by: str) -> GoalCommand:
    """What to do now that something it waits for is over."""
    return Answering(bare(handle), chosen, _first(of), _first(by))


def _first(text: str) -> str:
    return next(iter(handles(text)), "")


def link(rule: str, handle: str, off: bool) -> GoalCommand:
    """A rule that belongs to a goal, or to none with `off`. Raises InvalidInput for neither and for both."""
    if off == bool(handle):
        raise InvalidInput(say("goal.link.usage"), say("goal.link.usage.hint"))
    return Linking(bare(rule), bare(handle))


def spelt(verb: str, *parts: str, chosen: Chosen | None = None) -> str:
    """The command as somebody would type it: what is kept of it as evidence, and nobody reads back."""
    typed = (f"--{given.name} {given.value}" for given in options(chosen or {}))
    return " ".join(filter(None, (f"/goal {verb}", *parts, *typed)))
