"""A preview is what the matcher would have done: the same turns, simulated and really sent."""

from dataclasses import replace
from datetime import timedelta
from itertools import accumulate

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.limits import LIMITS
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.mute import MutePlace
from core.services.receive_turn import ReceiveTurn
from core.standing.gates import TurnFacts
from core.standing.intent import ChannelScope, CooldownPer, Draft
from core.standing.mutes import mute_at
from core.standing.preview import simulate
from core.text.analyse import analyse
from core.text.zones import MarkedText
from core.turn import PlaceKind, Principal, Turn, TurnKind, Visibility, Where, machine, machine_kind
from tests.builders import ADA, NOW, an_owner
from tests.fakes.clock import FakeClock
from tests.fakes.ids import SeededIds

WORDS = ["deploy", "deploys", "deployed", "plan"]
PLACES = [("ops", "ops"), ("ops", "thread"), ("dev", "dev")]
SAID_IN = st.sampled_from([*PLACES, PLACES[0], PLACES[0], PLACES[1]])
ROBOT = machine(TurnKind.WEBHOOK, "console", "local", "ci")
PEOPLE = [ADA, replace(ADA, user_id="bob"), replace(ADA, user_id="cyd"), ROBOT]
GAPS = [timedelta(seconds=seconds) for seconds in (0, 40, 60, 3_600, 5 * 3_600, 86_400)]
IDS, SPACES = SeededIds(7), iter(range(10**9))

entries = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=2, unique=True), min_size=1, max_size=2)
drafts = st.builds(
    Draft,
    triggers=entries.map(lambda found: "\n".join(dict.fromkeys(" ".join(sorted(words)) for words in found))),
    description=st.just("Look."),
    channel_scope=st.sampled_from([ChannelScope.CONVERSATION, ChannelScope.CHANNEL, ChannelScope.SPACE]),
    anyone=st.sampled_from([True, True, False]),
    max_fires=st.integers(1, 4),
    cooldown=st.sampled_from(GAPS),
    cooldown_per=st.sampled_from(list(CooldownPer)),
    word_forms=st.booleans(),
    on_edits=st.booleans(),
    expires_in=st.sampled_from([timedelta(days=90), timedelta(days=90), timedelta(hours=8)]),
)
messages = st.tuples(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    SAID_IN,
    st.sampled_from(PEOPLE),
    st.sampled_from(GAPS),
    st.integers(0, 15),
    st.sampled_from([False, False, False, True]),
)


def place_of(space: str, place: tuple[str, str]) -> Where:
    return Where("console", "local", space, *place, Visibility.PUBLIC)


def turns_of(space: str, said: list) -> list[Turn]:
    times = accumulate((gap for _, _, _, gap, _, _ in said), initial=NOW + timedelta(seconds=1))
    return [
        Turn(
            place_of(space, place),
            f"m{number}",
            MarkedText(text),
            at,
            at,
            who,
            who.user_id,
            machine_kind(who) or TurnKind.USER,
            edited,
        )
        for (text, place, who, _, number, edited), at in zip(said, times, strict=False)
    ]


def facts_of(ctx: Context, turns: list[Turn]) -> list[TurnFacts]:
    found = []
    with ctx.store.write() as tx:
        for turn in turns:
            spot = tx.places.ensure(turn.where, ctx.ids.uuid())
            mute = mute_at(tx.records.settings(spot.space), spot, turn.sent_at)
            found.append(TurnFacts(turn, spot, analyse(turn.text.text), turn.sent_at, mute=mute))
        tx.commit()
    return found


def sent(ctx: Context, clock: FakeClock, turns: list[Turn]) -> list[tuple[str, str]]:
    fired = []
    for turn in turns:
        clock.set(turn.sent_at)
        fired += [(turn.message_id, reminder.entry) for reminder in ReceiveTurn(ctx)(turn).fires]
    return fired


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    draft=drafts,
    excepted=st.sampled_from([(), (), (), *((place,) for place in PLACES)]),
    muted=st.sampled_from([None, None, None, None, *PlaceKind]),
    span=st.sampled_from([None, timedelta(hours=3)]),
    robot=st.sampled_from([None, None, ROBOT]),
    said=st.lists(messages, min_size=8, max_size=16),
)
def test_a_preview_is_what_the_matcher_really_does(sqlite_store, draft, excepted, muted, span, robot, said):
    clock, space = FakeClock(NOW), f"space-{next(SPACES)}"
    who = Principal("console", "local", "ada")
    ctx, home = Context(sqlite_store, clock, IDS, replace(LIMITS, live_intents_per_creator=10_000)), PLACES[0]
    draft = replace(draft, except_in=tuple(place_of(space, place) for place in excepted))
    if robot is not None:
        draft = replace(draft, anyone=False, sender=robot, sender_name="CI")
    made = CreateIntent(ctx)(draft, an_owner(who), place_of(space, home), "created")
    if muted is not None:
        MutePlace(ctx)(muted, span, an_owner(who), place_of(space, home))
    turns = turns_of(space, said)
    found = simulate(made, facts_of(ctx, turns), LIMITS)
    assert [(hit.turn.message_id, hit.entry) for hit in found.hits] == sent(ctx, clock, turns)
