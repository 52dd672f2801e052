"""Every bound of the system, by name. Each is tested at N and N + 1."""

from dataclasses import dataclass
from datetime import timedelta

EXPIRY_NOTICE = timedelta(days=7)
"""How long before its expiry the creator of an unused intent is asked. Part of an index: not a setting."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds. Sizes count Unicode code points after trimming unless the name says otherwise."""

    # trigger entries (design 01, section 2)
    entries: int = 24
    terms_per_entry: int = 8
    term_chars: int = 64
    entry_chars: int = 1_000
    entries_per_scope_and_anchor: int = 500
    # a turn (design 01, sections 3 and 4)
    turn_chars: int = 20_000
    turn_terms: int = 4_096
    marks_per_base: int = 30
    probed_rows: int = 20_000
    candidates: int = 256
    fires_per_turn: int = 3
    block_chars: int = 1_200
    turn_max_age: timedelta = timedelta(minutes=10)
    turn_deadline: timedelta = timedelta(seconds=2)
    # a standing intent (design 01, section 1)
    description_chars: int = 500
    max_fires: int = 1_000
    cooldown: timedelta = timedelta(days=365)
    machine_cooldown: timedelta = timedelta(seconds=60)
    lifetime: timedelta = timedelta(days=5 * 365)
    # rows
    live_intents_per_creator: int = 200
    live_intents_per_space: int = 1_000
    page: int = 10
    # what is typed, and the terminal chat
    name_chars: int = 32
    command_chars: int = 30_000
    console_people: int = 200
    console_places: int = 500
    console_history: int = 200
    shown_chars: int = 2_000
    except_places: int = 10
    mutes_per_space: int = 100
    mute: timedelta = timedelta(days=365)
    # looking back
    preview_messages: int = 200
    preview_chars: int = 100_000
    preview_shown: int = 5
    preview_near: int = 3
    snippet_chars: int = 80
    # notices
    notice_gap: timedelta = timedelta(hours=1)
    notices_at_once: int = 50
    owed_rows: int = 1_000
    owed_pages: int = 20
    on_time: timedelta = timedelta(minutes=1)
    notice_age: timedelta = timedelta(days=7)
    reach_gap: timedelta = timedelta(days=1)
    # sending to platforms
    send_attempts: int = 8
    send_age: timedelta = timedelta(hours=24)
    send_lease: timedelta = timedelta(seconds=60)
    send_parallel: int = 8
    retry_first: timedelta = timedelta(seconds=2)
    retry_most: timedelta = timedelta(minutes=10)
    expiry_notice: timedelta = EXPIRY_NOTICE
    # timed reminders
    reminders_per_person: int = 100
    repeats_checked: int = 20
    missed_counted: int = 100
    # goal memory (design 02)
    goal_chars: int = 500
    goal_criteria: int = 20
    goal_criterion_chars: int = 1_000
    goal_note_chars: int = 1_000
    goal_structured_chars: int = 4_000
    goal_stakeholders: int = 20
    goal_depth: int = 10
    goal_dependents: int = 20
    goal_prerequisites: int = 50
    goal_links: int = 50
    goal_proposals: int = 200
    goals_named: int = 5
    open_goals_per_space: int = 2_000
    goal_review: timedelta = timedelta(days=14)
    goal_session: timedelta = timedelta(minutes=30)
    goal_touch_gap: timedelta = timedelta(days=1)
    risks_told: int = 20
    risk_gap: timedelta = timedelta(days=1)
    decay_gap: timedelta = timedelta(days=1)
    # the bundle (design 02, section 6)
    bundle_tokens: int = 1_024
    bundle_least: int = 200
    bundle_most: int = 100_000
    bundle_short_chars: int = 80
    bundle_summaries: int = 5
    bundle_recalled_tokens: int = 256
    bundle_ids: int = 100
    bundle_rows: int = 2_000
    # the graph of goals, drawn
    graph_lines: int = 300
    graph_nodes: int = 300
    graph_chars: int = 72
    # export and import
    import_rows: int = 1_000
    import_bytes: int = 50_000_000
    import_id_chars: int = 200
    # aspirations
    aspirations_per_space: int = 200
    aspiration_chars: int = 500
    aspiration_file_bytes: int = 1_000_000
    aspiration_ahead: timedelta = timedelta(days=5 * 365)
    aspiration_tries: int = 5
    # times as people say them
    when_chars: int = 200
    when_words: int = 24
    due_ahead: timedelta = timedelta(days=5 * 365 + 2)
    repeat_gap: timedelta = timedelta(minutes=5)
    repeat_count: int = 1_000
    rule_chars: int = 140
    rule_steps: int = 20_000
    reader_chars: int = 64
    reader_tries: int = 8
    # places
    left_purge: timedelta = timedelta(days=30)
    people_named: int = 10
    conversations: int = 100
    # the heartbeat
    console_ahead: timedelta = timedelta(days=50 * 365)
    reservation_age: timedelta = timedelta(minutes=10)
    chunk: int = 100
    chunk_time: timedelta = timedelta(milliseconds=30)


LIMITS = Limits()

ALL_ROWS = 1_000_000
"""More rows than one person can have: what asks for so many asks for all, in one statement."""

DEFAULT_COOLDOWN = timedelta(hours=24)
DEFAULT_MAX_FIRES = 3
DEFAULT_LIFETIME = timedelta(days=90)
