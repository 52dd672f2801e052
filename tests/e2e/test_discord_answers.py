"""How the bot answers on Discord: at once, to whoever asked alone, by forms, pages, choices and buttons."""

import re

import pytest

from tests.fakes.discord.scene import Scene
from tests.fakes.discord.talking import WORDS, asked, clock, refused, told

PLATFORM = "discord"
pytestmark = pytest.mark.thorough
SECOND = 1.0


@pytest.fixture
def here(world, process):
    return Scene(world, process)


@pytest.fixture
def mia(here):
    """Another owner."""
    person = here.world.person("Mia")
    here.guild.add(person, here.guild.role("managers", manage_guild=True))
    return person


# to one person alone


def test_t139_nobody_else_sees_what_an_owner_asks_for(here):
    handle = here.make()
    before = here.world.visible(here.ops, here.bob)
    answers = [
        here.ada.slash(here.ops, "intent list"),
        here.ada.slash(here.ops, "intent show", handle=handle),
        here.ada.slash(here.ops, "intent why"),
        here.ada.slash(here.ops, "intent preview", handle=handle),
        here.ada.slash(here.ops, "intent history", handle=handle),
        here.ada.slash(here.ops, "remembrancer settings"),
        here.ada.slash(here.ops, "intent show", handle="i-zzzz"),
    ]
    for answer in answers:
        told(answer)
    assert len(here.world.visible(here.ops, here.ada)) >= len(before) + len(answers)
    assert here.world.visible(here.ops, here.bob) == before


def test_what_a_button_tells_is_seen_by_whoever_pressed_it_alone(here):
    here.make()
    reminder = here.once(here.bob.says(here.ops, WORDS))
    before = here.world.visible(here.ops, here.bob)
    assert WORDS in told(here.ada.clicks(reminder, "Why?"))
    assert here.world.visible(here.ops, here.bob) == before
    refused(here.bob.clicks(reminder, "Done"))
    assert "Done" in reminder.labels


# at once


def values(handles):
    """What every option that is needed is given."""
    return {
        "handle": handles["i"],
        "time": "in 2h",
        "text": "water the plants",
        "words": "zebra",
        "review": "2027-03-31",
        "setting": "zone",
        "on": handles["g2"],
        "others": handles["g2"],
        "answer": "keep",
        "rule": handles["i"],
    }


def commands(here, handles):
    """Every command that an owner is offered, with what it needs."""
    known = values(handles)
    for name in here.ada.offered(here.ops):
        group, _, verb = name.partition(" ")
        command = here.world.backend.find_command(group, here.guild.id, 1)
        options = next(one for one in command["options"] if one["name"] == verb).get("options") or []
        kind = {"remind": "r", "aspire": "m", "goal": "g"}.get(group, "i")
        given = {one["name"]: known[one["name"]] for one in options if one.get("required")}
        yield name, given | ({"handle": handles[kind]} if "handle" in given else {})


def test_every_command_is_put_off_in_its_first_call_within_a_second(here):
    told(here.ada.slash(here.ops, "aspire add", text="improve the checklist"))
    aspiration = here.ada.completes(here.ops, "aspire done", "handle", "improve").suggestions()[0].value
    goals = [here.ada.slash(here.ops, "goal add", text=text).says("g-").words for text in ("Ship it", "Sign it")]
    goal, other = (re.findall(r"\bg-[0-9a-z]{4,6}\b", words)[0] for words in goals)
    handles = {"i": here.make(), "r": clock(here.ada, here.ops), "m": aspiration, "g": goal, "g2": other}
    late, forms = {}, []
    for name, given in commands(here, handles):
        answer = here.ada.slash(here.ops, name, **given).acknowledges()
        if answer.modal is not None:
            forms.append(name)
            continue
        answer.says()
        assert answer.deferred and answer.ephemeral, answer
        assert answer.calls[0].path.endswith("/callback"), answer
        if answer.acknowledged_after > SECOND:
            late[name] = answer.acknowledged_after
    assert sorted(forms) == ["goal add", "goal edit", "intent add", "intent edit"]
    assert late == {}


# while somebody types


def offered(who, place, command, typed=""):
    return [one.value for one in who.completes(place, command, "handle", typed).suggestions()]


def test_what_is_offered_while_somebody_types_is_what_they_may_see_in_that_channel(here, mia):
    secret = here.guild.text("secret", only=[here.ada, mia, here.world.bot])
    public, private = here.make("zebra", "Feed it"), here.make("board", "Tell them", secret)
    for who in (here.ada, mia):
        assert offered(who, here.ops, "intent show") == [public]
        assert offered(who, secret, "intent show") == [private]
    assert offered(mia, here.ops, "intent show", "feed") == [public]
    assert offered(mia, here.ops, "intent show", "nothing like it") == []


def test_a_member_is_offered_their_own_reminders_alone(here):
    mine, other = clock(here.bob, here.ops), clock(here.ada, here.ops, text="call the bank")
    assert offered(here.bob, here.ops, "remind show") == [mine]
    assert other not in offered(here.bob, here.ops, "remind done", "bank")


# forms


def test_a_form_makes_a_rule(here):
    shown = here.ada.slash(here.ops, "intent add")
    title = shown.shows_modal()["title"]
    assert title == "A new rule"
    question = here.ada.submits(
        shown,
        {
            "What should I listen for?": "zebra\nelephant",
            "What should I remind you of?": "feed it",
            "Whose words count?": ["Anyone's"],
        },
    ).says("Reminder")
    assert question.ephemeral
    here.saved(question)
    here.once(here.bob.says(here.ops, "an elephant"), "Feed it")


def test_a_form_that_does_not_work_out_says_why(here):
    shown = here.ada.slash(here.ops, "intent add")
    shown.shows_modal()
    words = {"What should I listen for?": "zebra", "What should I remind you of?": "feed it"}
    refusal = told(here.ada.submits(shown, words | {"Quiet after a reminder (2h, 1d; 0s: none)": "a while"}))
    assert "a while" in refusal


def test_a_rule_is_made_from_a_message_with_its_rarest_words_filled_in(here):
    said = here.bob.says(here.ops, "we should look at the **rollback** runbook again")
    shown = here.ada.uses_menu(said, "Remember this")
    shown.shows_modal()
    words = next(field for field in shown.fields if field["label"] == "What should I listen for?")
    assert words["value"] == "rollback runbook"
    question = here.ada.submits(shown, {"What should I remind you of?": "print it"}).says("Reminder")
    here.saved(question)
    here.once(here.bob.says(here.ops, "where is the runbook of the rollback?"), "Print it")


# pages


def test_a_list_is_turned_over_by_its_buttons(here):
    for number in range(11):
        here.make(f"word{number}", f"Text {number}")
    page = here.ada.slash(here.ops, "intent list").says("rule")
    assert "Text 10" in page.words and "Text 0." not in page.words
    assert page.labels == ["Older ›"]
    here.ada.clicks(page, "Older ›")
    here.world.until(lambda: "Text 0." in page.words, what="the second page")
    assert "Text 10" not in page.words
    here.ada.clicks(page, "‹ Newer")
    here.world.until(lambda: "Text 10" in page.words, what="the first page again")


def test_a_list_that_shrank_meanwhile_still_turns(here):
    handles = [here.make(f"word{number}", f"Text {number}") for number in range(11)]
    page = here.ada.slash(here.ops, "intent list").says("rule")
    for handle in handles[:3]:
        told(here.ada.slash(here.ops, "intent cancel", handle=handle))
    here.ada.clicks(page, "Older ›")
    here.world.until(lambda: page.labels != ["Older ›"], what="what is left of the second page")


# many at once, and too late


def test_t015_twenty_presses_in_a_second_are_answered_or_dropped(here):
    here.make()
    reminder = here.once(here.bob.says(here.ops, WORDS))
    pressed = [here.ada.clicks(reminder, "Why?") for _ in range(10)]
    pressed += [here.ada.clicks(reminder, "Done") for _ in range(10)]
    for one in pressed:
        one.acknowledges()
        assert one.acknowledged_after < here.world.answer_seconds
    here.world.until(lambda: reminder.captions == ["✓ Done – Ada"], what="done")
    for one in pressed[:10]:
        told(one, WORDS)


def test_t015_a_press_that_discord_gave_up_does_nothing_and_is_no_crash(here):
    here.make()
    reminder = here.once(here.bob.says(here.ops, WORDS))
    here.world.faults.fail("POST", "/interactions/*/callback", 404, 10062)
    lost = here.ada.clicks(reminder, "Done")
    here.settled()
    assert not lost.acknowledged
    assert "Done" in reminder.labels
    here.ada.clicks(reminder, "Done")
    here.world.until(lambda: reminder.captions == ["✓ Done – Ada"], what="done")


def test_an_answer_whose_token_died_is_dropped_quietly(here):
    here.world.faults.fail("POST", "/webhooks/*", 404, 10015)
    answer = here.ada.slash(here.ops, "intent list").acknowledges()
    here.settled()
    assert answer.messages == []
    told(here.ada.slash(here.ops, "intent list"))
    assert "Traceback" not in here.process.output()


def test_the_buttons_of_an_answer_work_when_its_token_is_over(here):
    question = asked(here.ada, here.ops)
    here.world.advance(here.world.token_seconds + 60)
    here.ada.clicks(question, "Yes, save it").says("Saved as")
    here.once(here.bob.says(here.ops, WORDS))


# after a restart


@pytest.mark.thorough
def test_buttons_of_before_a_restart_work_and_an_old_question_says_that_it_is_over(here):
    for number in range(11):
        here.make(f"word{number}", f"Text {number}")
    here.make()
    reminder = here.once(here.bob.says(here.ops, WORDS))
    page = here.ada.slash(here.ops, "intent list").says("rule")
    question = asked(here.ada, here.ops, "zebra", "feed it")
    here.process.restarts()
    assert WORDS in told(here.ada.clicks(reminder, "Why?"))
    here.ada.clicks(page, "Older ›")
    here.world.until(lambda: "Text 0." in page.words, what="the second page")
    assert "Say it once more" in told(here.ada.clicks(question, "Yes, save it"), "once more")
    assert question.labels == []
    here.ada.clicks(reminder, "Done")
    here.world.until(lambda: reminder.captions == ["✓ Done – Ada"], what="done")
