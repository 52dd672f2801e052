"""`/privacy` in words."""

import pytest

from core.services.privacy import Watched
from core.wording.lines import Mood
from core.wording.privacy import privacy_lines


@pytest.mark.parametrize(
    ("watched", "said"),
    [
        (Watched(0, 0, 0), "No rule listens here."),
        (Watched(1, 1, 0), "1 rule listens here; to anyone: 1; to you by name: 0."),
        (Watched(7, 3, 2), "7 rules listen here; to anyone: 3; to you by name: 2."),
    ],
)
def test_it_tells_how_many_rules_listen_and_to_whom(watched, said):
    assert privacy_lines(watched)[0].text == said
    assert privacy_lines(watched)[0].mood is Mood.HEAD


def test_it_tells_what_is_kept_of_a_message_whatever_listens():
    kept = [line.text for line in privacy_lines(Watched(0, 0, 0))[1:]]
    assert kept == [line.text for line in privacy_lines(Watched(7, 3, 2))[1:]]
    assert "never the message itself" in " ".join(kept)
