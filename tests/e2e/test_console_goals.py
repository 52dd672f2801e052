"""`/goal` in the terminal: typed, read back, listed, asked about, and its risks at the first turn."""

import re
from dataclasses import replace

import pytest

from adapters.base.goals import Goals
from core.errors import InvalidInput
from core.goals.objects import EpistemicType, IntentState, IntentType
from core.goals.said import TYPES
from core.limits import LIMITS
from core.services.read_goals import ListGoals, Wanted
from core.turn import ADMIN
from tests.fakes.console import Chat

EVERYTHING = Wanted(everything=True)


def handle_of(shown):
    return re.search(r"\bg-[0-9a-z]{4,6}\b", shown)[0]


def made(chat, text):
    shown = chat(f"/goal add {text}")
    assert "is saved" in shown, shown
    return handle_of(shown)


def rows(chat):
    return {row.handle: row for row in ListGoals(chat.ctx)(ADMIN, None, EVERYTHING, size=1_000).rows}


def test_what_was_made_is_read_back_in_full(chat):
    chat("/as bob", "/as ada")
    before = made(chat, "Rent a database")
    shown = chat(
        f'/goal add type:commitment Ship the API --priority high --due "friday 17:00" --with @bob --depends {before}'
        " --criteria it runs; it is read --note ask Dana"
    )
    handle = handle_of(shown)
    assert f"Commitment {handle} is saved: Ship the API." in shown
    assert "Priority: high. Owner: @ada." in shown and "Together with: @bob" in shown
    assert "Due: Fri 4 Dec 2026 17:00 UTC" in shown
    assert "  - it runs" in shown and "Note: ask Dana" in shown
    assert f"{handle} waits for:" in shown and f"{before} (active) Rent a database." in shown
    assert f"/goal edit {handle}" in shown
    row = rows(chat)[handle]
    assert (row.intent_type, row.epistemic_type, row.criteria) == (
        IntentType.COMMITMENT,
        EpistemicType.ASSERTED,
        "it runs\nit is read",
    )


def test_a_day_without_an_hour_is_its_end_and_that_is_said(chat):
    shown = chat("/goal add Ship it --due friday")
    assert "Due: Fri 4 Dec 2026 23:59 UTC" in shown and "You named no hour" in shown
    chat("/time +4d", "/time +13h")
    assert rows(chat)[handle_of(shown)].intent_state is IntentState.ACTIVE
    chat("/time +59min")
    assert rows(chat)[handle_of(shown)].intent_state is IntentState.ACTIVE
    chat("/time +1min")
    assert rows(chat)[handle_of(shown)].intent_state is IntentState.EXPIRED


def test_a_deadline_that_was_guessed_is_asked_about_first(chat):
    chat("/settings language de")
    shown = chat("/goal add Die Blumen gießen due:übermorgen")
    assert "That time is a guess." in shown and "[1] Yes, save it" in shown
    assert "Nothing was saved." in chat("no") and not rows(chat)
    chat("/goal add Die Blumen gießen due:übermorgen")
    assert "is saved: Die Blumen gießen." in chat("yes")
    [row] = rows(chat).values()
    shown = chat(f"/goal edit {row.handle} --due übermorgen")
    assert "Shall that be the deadline?" in shown
    assert "Not saved: you went on talking." in chat("I do not know yet, let us see about it")


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("risk", "risk"),
        ("question", "question"),
        ("commit", "commitment"),
        ("decide", "decision"),
        ("followup", "followup"),
    ],
)
def test_the_short_forms_make_one_of_their_type_and_list_them(chat, command, word):
    shown = chat(f"/{command} Something to think about due:friday")
    assert rows(chat)[handle_of(shown)].intent_type is TYPES[word]
    made(chat, "Something else")
    listed = chat(f"/{command}")
    assert "Something to think about" in listed and "Something else" not in listed


def test_completing_one_that_still_waits_asks_first(chat):
    before, handle = made(chat, "Rent a database"), made(chat, "Ship it")
    chat(f"/goal depends {handle} on {before}")
    shown = chat(f"/goal done {handle}")
    assert f"{handle} still waits for {before}." in shown and "Is it completed all the same?" in shown
    assert "Everything stays as it is." in chat("no")
    assert rows(chat)[handle].intent_state is IntentState.ACTIVE
    chat(f"/goal done {handle}")
    assert f"{handle} is completed: Ship it." in chat("1")
    assert rows(chat)[handle].intent_state is IntentState.COMPLETED


@pytest.mark.parametrize(
    ("command", "asked", "state"),
    [
        ("cancel {}", "Cancel it for good all the same?", IntentState.CANCELLED),
        ("done {}", "Mark it as completed all the same?", IntentState.COMPLETED),
        ("hold {}", "Put it on hold all the same?", IntentState.ON_HOLD),
        ("supersede {} Ship more", "Replace it all the same?", IntentState.SUPERSEDED),
    ],
)
def test_doing_something_to_somebody_elses_asks_first_with_owner_and_words(chat, command, asked, state):
    chat("/as bob", "/as ada")
    handle = made(chat, "Ship it --owner @bob")
    shown = chat(f"/goal {command.format(handle)}")
    assert f"{handle} belongs to @bob: Ship it. {asked}" in shown
    assert "Everything stays as it is." in chat("no")
    assert rows(chat)[handle].intent_state is IntentState.ACTIVE
    chat(f"/goal {command.format(handle)}", "yes")
    assert rows(chat)[handle].intent_state is state
    assert handle in chat("/as bob")  # who owns it is told


def test_changing_somebody_elses_asks_first_and_ones_own_does_not(chat):
    chat("/as bob", "/as ada")
    handle = made(chat, "Ship it --owner @bob")
    assert "Change it all the same?" in chat(f"/goal edit {handle} Ship more")
    assert "is changed" in chat("yes")
    chat("/as bob")
    assert "is changed" in chat(f"/goal edit {handle} --priority low --due none")


def test_who_may_not_is_refused_at_once_without_a_question(chat):
    handle = made(chat, "Ship it")
    theirs = made(chat, "Help")
    chat("/as bob", "/as ada", f"/goal edit {theirs} --with @bob", "/as bob")
    assert f"There is nothing called {handle} here." in chat(f"/goal cancel {handle}")
    shown = chat(f"/goal cancel {theirs}")
    assert "is not yours to change" in shown and "[1]" not in shown
    assert "Only owners of this space" in chat("/goal add Ship it")
    assert "Mark it as completed" in chat(f"/goal done {theirs}")
    assert "is completed" in chat("yes")


def test_what_was_typed_is_kept_as_evidence(chat):
    handle = made(chat, "Ship it --priority high")
    [event] = rows(chat)[handle].evidence_ids
    with chat.ctx.store.read() as tx:
        said = tx.records.content(tx.records.evidence(event))
    assert said == "/goal add Ship it --priority high"


def test_the_four_answers_to_the_question_of_a_prerequisite(chat):
    handles = {answer: made(chat, f"Wait to {answer}") for answer in ("keep", "replace", "hold", "cancel")}
    before, instead = made(chat, "Rent a database"), made(chat, "Buy one")
    for handle in handles.values():
        chat(f"/goal depends {handle} on {before}")
    asked = chat(f"/goal cancel {before}")
    assert asked.count("What now?") == 4
    assert "goes on without it" in chat(f"/goal answer {handles['keep']} keep")
    assert f"{instead} (active) Buy one." in chat(f"/goal answer {handles['replace']} replace {instead}")
    assert "is on hold" in chat(f"/goal answer {handles['hold']} hold --of {before}")
    assert "is given up" in chat(f"/goal answer {handles['cancel']} cancel")
    kept = rows(chat)
    states = [kept[handles[answer]].intent_state for answer in ("keep", "replace", "hold", "cancel")]
    assert states == [IntentState.ACTIVE, IntentState.ACTIVE, IntentState.ON_HOLD, IntentState.CANCELLED]
    assert "Nothing is asked about" in chat(f"/goal answer {handles['keep']} keep")


def test_edges_are_made_and_ended_from_both_sides(chat):
    first, second = made(chat, "Rent it"), made(chat, "Ship it")
    assert f"{second} waits for:" in chat(f"/goal blocks {first} {second}")
    assert "That would close a circle" in chat(f"/goal depends {first} on {second}")
    assert f"{second} waits for nothing." in chat(f"/goal blocks {first} --off {second}")
    chat(f"/goal depends {second} on {first}")
    assert f"└─ {first}" in chat("/goal graph")
    assert f"{second} waits for nothing." in chat(f"/goal depends {second} --off {first}")


def test_a_successor_is_as_the_old_one_where_nothing_is_said(chat):
    chat("/as bob", "/as ada")
    old = made(chat, "Ship it type:commitment --priority high --due friday --with @bob --criteria it runs --note ask")
    shown = chat(f"/goal supersede {old} Ship more --priority critical")
    new = next(row for row in rows(chat).values() if row.value == "Ship more")
    assert f"{old} is replaced by {new.handle}." in shown and "Due: Fri 4 Dec 2026 23:59 UTC" in shown
    assert (new.intent_type, new.priority.name, new.criteria, new.note) == (
        IntentType.COMMITMENT,
        "CRITICAL",
        "it runs",
        "ask",
    )
    assert [one.name for one in new.stakeholders] == ["bob"]
    assert f"Replaced by {new.handle}" in chat(f"/goal show {old}")


def test_what_is_taken_up_again_after_its_deadline_expires_at_once(chat):
    held = made(chat, "Ship it --due friday")
    chat(f"/goal hold {held}", "/time +9d")
    assert "expired at once: its deadline has passed" in chat(f"/goal resume {held}")
    assert rows(chat)[held].intent_state is IntentState.EXPIRED
    shown = chat(f"/goal supersede {held} Ship it later")
    assert f"{held} is expired and cannot become superseded." in shown and "/goal add" in shown


def test_pins_holds_and_links(chat):
    handle = made(chat, "Ship it")
    chat("/intent add launch => Look", "yes")
    [rule] = chat.rules()
    assert "is pinned" in chat(f"/goal pin {handle}") and "pinned" in chat("/goal")
    assert "is pinned already" in chat(f"/goal pin {handle}")
    assert "not pinned any more" in chat(f"/goal unpin {handle}")
    assert f"Rule {rule.handle} belongs to {handle} now" in chat(f"/goal link {handle} {rule.handle}")
    chat(f"/goal done {handle}")
    assert "asleep" in chat("/intent list")
    assert "no goal any more" in chat(f"/goal link --off {rule.handle}")


def test_a_search_finds_what_is_over_and_its_summary(chat):
    handle = made(chat, "Ship the zebra")
    chat(f"/goal done {handle}")
    assert "Ship the zebra" not in chat("/goal")
    shown = chat("/goal search ZEBRA")
    assert "goal, completed" in shown and "Goal 'Ship the zebra' was completed on 2026-11-30." in shown


def test_a_list_is_narrowed_and_paged(chat):
    for number in range(11):
        made(chat, f"Step {number}")
    chat("/risk It rains")
    shown = chat("/goal list step")
    assert "11 in all, page 1 of 2. Next: /goal list step --page 2" in shown
    assert "page 2 of 2." in chat("/goal list step --page 2")
    assert "It rains" in chat("/goal list --type risk") and "Step" not in chat("/goal --type risk")


# proposals


def test_a_proposal_is_reviewed_by_an_owner_and_never_proposed_twice(chat):
    chat("/as bob")
    shown = chat("/propose type:risk priority:high It rains in spring")
    handle = handle_of(shown)
    assert "Proposed as" in shown and "@ada is asked" in shown
    assert rows(chat)[handle].epistemic_type is EpistemicType.INFERRED
    assert rows(chat)[handle].creator.name == "bob"
    assert "nobody is asked twice" in chat("/propose type:risk  it RAINS in spring")
    assert "Say what was concluded" in chat("/propose")
    shown = chat("/as ada")
    assert "@bob said something that looks like a new risk." in shown and f"/goal confirm {handle}" in shown
    assert "1 proposal waits for a yes: /goal review" in chat("/goal")
    assert "proposed, not confirmed" in chat("/goal review")
    assert f"{handle} is a proposal" in chat(f"/goal done {handle}", "yes")
    assert f"{handle} is confirmed." in chat(f"/goal confirm {handle}")
    assert "there is nothing to confirm" in chat(f"/goal confirm {handle}")
    assert "No proposals wait" in chat("/goal review")


def test_a_dismissed_proposal_stays_away(chat):
    handle = handle_of(chat("/propose Hire somebody"))
    assert "it is not proposed again" in chat(f"/goal dismiss {handle}")
    assert "nobody is asked twice" in chat("/propose hire  SOMEBODY")


# risks at the first turn


def test_open_urgent_risks_are_shown_at_the_first_turn_of_a_session_and_once(sqlite_store, clock, ids):
    first = Chat(sqlite_store, clock, ids)
    first("/as bob", "/as cyd", "/as ada")
    risk = handle_of(first("/risk It rains priority:critical with:@bob"))
    first("/risk It snows priority:high", "/risk It is cloudy", "/goal add Sing --priority critical")
    assert "risks that are" not in first("hello")
    later = Chat(sqlite_store, clock, ids)
    assert "It rains" not in later.opening
    shown = later("", "hello")
    assert "Open risks that are high or critical: 2" in shown and shown.index("It rains") < shown.index("It snows")
    assert "cloudy" not in shown and "Sing" not in shown
    assert "It rains" not in later("hello again", "/in ops", "hi")
    shown = later("/as bob", "hello")
    assert risk in shown and "It snows" not in shown  # bob has a stake in one of them
    assert "It rains" not in later("/as cyd", "hello")


def test_risks_of_a_private_channel_are_shown_there_alone(sqlite_store, clock, ids):
    first = Chat(sqlite_store, clock, ids)
    first("/in secret --private", "/risk It leaks priority:critical")
    later = Chat(sqlite_store, clock, ids)
    assert "It leaks" not in later("hello")
    assert "It leaks" in later("/in secret", "hello")


def test_a_graph_has_so_many_lines_and_not_one_more(sqlite_store, clock, ids):
    chat = Chat(sqlite_store, clock, ids, replace(LIMITS, graph_lines=2))
    made(chat, "One"), made(chat, "Two")
    assert "left out" not in chat("/goal graph")
    made(chat, "Three")
    assert "1 more are left out" in chat("/goal graph")


def test_what_people_typed_is_shown_as_typed(chat):
    shown = chat("/goal add Tell @everyone **not** to <panic> {now}")
    assert "Tell @everyone **not** to <panic> {now}" in shown


def test_me_is_who_types(chat):
    handle = made(chat, "Ship it owner:me")
    assert rows(chat)[handle].owner.name == "ada"


def test_the_graph_is_drawn_only_where_every_character_is_equally_wide(chat):
    with pytest.raises(InvalidInput) as caught:
        Goals(chat.app._desk).command("graph")
    assert "in the terminal only" in caught.value.sentence and "/goal show" in caught.value.hint


def test_help_names_the_commands(chat):
    shown = chat("/help")
    assert all(word in shown for word in ("/goal add", "/risk", "/propose", "/goal review", "summaries off"))


def test_a_handle_is_shown_as_it_is_however_it_was_typed(chat):
    handle = made(chat, "Ship it")
    chat("/intent add launch => Look", "yes")
    [rule] = chat.rules()
    assert f"belongs to {handle} now" in chat(f"/goal link `{handle.upper()}` {rule.handle}")
    assert f"{handle}: Ship it." in chat(f"/goal show {handle.upper()}")
