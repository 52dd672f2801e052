"""`/settings`: what is in force in this space, and changing one."""

from zoneinfo import available_timezones

from adapters.base.desk import Desk
from core.catalogue import say
from core.errors import InvalidInput
from core.services.space_settings import ChangeSetting, ReadSettings
from core.settings import Setting, read, settings_of
from core.text.forms import has_forms
from core.wording.lines import Mood, line


def settings_command(desk: Desk, rest: str) -> None:
    """Show every setting, or set the one that is named. Raises InvalidInput or NotAllowed."""
    name, _, value = rest.partition(" ")
    if not value.strip():
        found = ReadSettings(desk.ctx)(desk.where)
        desk.private(
            *(line("settings.row", name=key, value=_words(found[key])) for key in settings_of(desk.where.provider)),
            line("settings.hint", Mood.FAINT),
        )
        return
    setting, wanted = read(name.casefold(), value.strip(), desk.where.provider)
    if setting is Setting.ZONE:
        wanted = known_zone(str(wanted))
    changed = ChangeSetting(desk.ctx)(setting, wanted, desk.actor(), desk.where)
    desk.private(line("settings.done", Mood.GOOD, name=setting, value=_words(wanted)))
    if setting is Setting.LANGUAGE and not has_forms(str(wanted)):
        desk.private(line("settings.no_forms", Mood.WARNING, language=wanted))
    if changed:
        key = "settings.refiled.one" if changed == 1 else "settings.refiled.many"
        desk.private(line(key, Mood.FAINT, count=changed))


def known_zone(name: str) -> str:
    """The name of a zone that the zone data has, in any case; UTC or a region, whose clock changes are known.

    Raises InvalidInput, for a bare abbreviation too: EST has no summer.
    """
    known = {zone.casefold(): zone for zone in available_timezones() if "/" in zone or zone == "UTC"}
    if name.casefold() not in known:
        raise InvalidInput(say("setting.zone", value=name[:32]), say("setting.zone.hint"))
    return known[name.casefold()]


def _words(value: object) -> str:
    if isinstance(value, bool):
        return say("settings.on") if value else say("settings.off")
    return str(value)
