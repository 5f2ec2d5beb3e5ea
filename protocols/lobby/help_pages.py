"""Help: a folder of short pages, one a word, in a language or else in English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamecore.rules import AnyRules
from gamecore.settings import Setting, settings_of
from gamecore.table_options import TableOptions
from protocols.i18n.game_text import GameText
from protocols.i18n.help_text import read_page
from protocols.i18n.retelling import shown
from protocols.i18n.translate import N_, Translator

PACKAGE = "protocols.lobby"
RULES_PAGE = "rules"
_FULL = 72  # letters, from which a line of a page had no room for more
_NOT_TYPED = ("private", "password")  # words of their own


def in_paragraphs(page: Sequence[str]) -> Sequence[str]:
    """Join the lines of a page that were broken because the next word had no room, for a screen that has less."""
    paragraphs: list[str] = []
    last = ""
    for line in page:
        if last and line[:1].strip() and len(last) + 1 + len(line.split(" ")[0]) > _FULL:
            paragraphs[-1] += f" {line}"
        else:
            paragraphs.append(line)
        last = line
    return paragraphs


def of_command(topic: str, say: Translator) -> Sequence[str]:
    """Find the page of one of our own commands."""
    return read_page(PACKAGE, say.language, topic)


def of_game(text: GameText, topic: str, say: Translator) -> Sequence[str]:
    """Find a game's page about one of its words, or its rules."""
    return read_page(text.package, say.language, topic)


def of_options(rules: AnyRules, say: Translator) -> Iterator[str]:
    """List all that can be chosen when a table of a game is opened, with bounds and defaults."""
    yield say("What can be chosen for {title}, as in OPEN {kind} name=value:", **_called(rules))
    for each in settings_of(rules.options):
        yield _option(each, say)
    yield say("And for any table:")
    for each in settings_of(TableOptions):
        if each.name not in _NOT_TYPED:
            yield _option(each, say)


def _called(rules: AnyRules) -> dict[str, object]:
    return {"title": rules.title, "kind": rules.kind}


def _option(option: Setting, say: Translator) -> str:
    sentence = N_("  {name}: {help} ({range}; {default} if you say nothing)")
    return say(
        sentence,
        name=option.name,
        help=say(option.bounds.help),
        range=_range(option, say),
        default=shown(option.default),
    )


def _range(option: Setting, say: Translator) -> str:
    low, high, choices = option.bounds.low, option.bounds.high, option.bounds.choices
    if choices:
        return say(" or ").join(choices)
    if isinstance(option.default, bool):
        return say("yes or no")
    if low is not None and high is not None:
        return say("{low} to {high}", low=shown(low), high=shown(high))
    if low is None and high is None:
        return say("any")
    if high is None:
        return say("at least {low}", low=shown(low))
    return say("at most {high}", high=shown(high))
