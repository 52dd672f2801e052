"""A python-telegram-bot application with a command of its own, and Remembrancer."""

import os

from telegram import Update
from telegram.ext import Application, CommandHandler, ContextTypes

from bots.embed import Remembrancer


async def ping(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    await update.effective_message.reply_text("pong")


application = Application.builder().token(os.environ["MY_TELEGRAM_TOKEN"]).build()
application.add_handler(CommandHandler("ping", ping))

remembrancer = Remembrancer()
remembrancer.telegram(application)

application.run_polling(allowed_updates=Update.ALL_TYPES)
