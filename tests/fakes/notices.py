"""Notices as the tests of them make and take them."""

from core.services import notices
from core.services.create_intent import CreateIntent
from core.services.notices import NoticeKind, NoticesTold, TakeNotices
from tests.builders import ADA, BOB, HOME, a_draft, an_owner


def create(ctx, where=HOME, who=ADA, **fields):
    return CreateIntent(ctx)(a_draft(**fields), an_owner(who), where, "created")


def owe(ctx, row, count=1, who=ADA, urgent=False):
    """So many notices that somebody left; each names another number."""
    with ctx.store.write() as tx:
        for number in range(1, count + 1):
            body = {"who": [BOB.provider, BOB.account, BOB.user_id], "count": number}
            notices.add(ctx, tx, NoticeKind.LEFT, who, row.conversation, body, urgent)
        tx.commit()


def take(ctx, who=ADA):
    """Take what somebody is to be told, and tell it."""
    notice = TakeNotices(ctx)(who)
    if notice is not None:
        NoticesTold(ctx)(notice)
    return notice


def kinds(notice):
    return [] if notice is None else [news.kind for news in notice.news]
