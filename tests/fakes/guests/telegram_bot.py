"""A python-telegram-bot application of somebody else, with a bit of everything, and Remembrancer in it."""

import logging
import os
from zoneinfo import ZoneInfo

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    CommandHandler,
    ConversationHandler,
    Defaults,
    MessageHandler,
    filters,
)

from bots.embed import Remembrancer

logging.basicConfig(level=logging.INFO)
logging.getLogger("httpx").setLevel(logging.WARNING)


async def start(update, context):
    await update.effective_message.reply_text("their start")


async def ping(update, context):
    await update.effective_message.reply_text("pong")


async def boom(update, context):
    raise ValueError("boom")


async def panel(update, context):
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Press me", callback_data="menu:help")]])
    await update.effective_message.reply_text("a panel", reply_markup=keyboard)


async def pressed(update, context):
    await update.callback_query.answer(f"pressed {update.callback_query.data}", show_alert=True)


async def talk(update, context):
    if update.effective_message.text == "anybody there":
        await update.effective_message.reply_text("I am")


async def unknown(update, context):
    await update.effective_message.reply_text("unknown command")


async def failed(update, context):
    await update.effective_message.reply_text(f"their handler failed: {context.error}")


async def begun(application):
    print("their post_init", flush=True)


async def ended(application):
    print(f"their post_shutdown, used by {remembrancer.users}", flush=True)


builder = Application.builder().token(os.environ["MY_TELEGRAM_TOKEN"]).job_queue(None)
builder = builder.defaults(Defaults(tzinfo=ZoneInfo("Asia/Tokyo"))).post_init(begun).post_shutdown(ended)
application = builder.build()
application.add_handler(CommandHandler("start", start))
application.add_handler(CommandHandler("ping", ping))
application.add_handler(CommandHandler("boom", boom))
application.add_handler(CommandHandler("panel", panel))
application.add_handler(
    ConversationHandler([CommandHandler("ask", ping)], {1: []}, fallbacks=[CommandHandler("cancel", ping)])
)
application.add_handler(CallbackQueryHandler(pressed))
application.add_handler(MessageHandler(filters.TEXT & ~filters.COMMAND, talk))
application.add_handler(MessageHandler(filters.COMMAND, unknown))
application.add_error_handler(failed)

remembrancer = Remembrancer()
remembrancer.telegram(application)

application.run_polling(allowed_updates=Update.ALL_TYPES)
