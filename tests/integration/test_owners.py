"""The owners of the terminal's workspace, changed by two at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from core.errors import NotAllowed
from core.services.audit import VerifyAudit
from core.services.context import Context
from core.services.workspace import KeepWorkspace
from tests.builders import ADA, BOB, HOME, NOW, an_owner
from tests.fakes.ids import SeededIds


@pytest.mark.parametrize("how", ["revoke", "leave"])
def test_of_two_owners_who_end_each_other_at_once_one_is_left(store, clock, how):
    clock.set(NOW)
    keeps = [KeepWorkspace(Context(store, clock, SeededIds(seed))) for seed in (11, 12)]
    keeps[0].grant("ada", "ada", an_owner())
    for _ in range(6):
        [owner] = keeps[0].load().owners
        keeps[0].grant("bob" if owner == "ada" else "ada", owner, an_owner())
        start = Barrier(2)

        def end(keep, who, by, start=start):
            start.wait()
            try:
                keep.revoke(who, an_owner(by), HOME) if how == "revoke" else keep.leave(by, an_owner(by), HOME)
            except NotAllowed:
                return "refused"
            return by.user_id

        with ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(end, keeps[0], BOB, ADA), pool.submit(end, keeps[1], ADA, BOB)]
            done = [job.result() for job in jobs]
        assert done.count("refused") == 1
        [left] = keeps[0].load().owners
        acted = next(who for who in done if who != "refused")
        assert (left == acted) is (how == "revoke")
    assert all(not report.why for report in VerifyAudit(keeps[0].ctx)())


def test_who_was_made_no_owner_ends_nobody(store, clock, ids):
    clock.set(NOW)
    keep = KeepWorkspace(Context(store, clock, ids))
    keep.grant("ada", "ada", an_owner())
    keep.grant("bob", "ada", an_owner())
    keep.revoke(ADA, an_owner(BOB), HOME)
    with pytest.raises(NotAllowed, match="Only an owner"):
        keep.revoke(BOB, an_owner(), HOME)
    assert keep.load().owners == ("bob",)
