"""Options as attrs classes: every setting with its default, its bounds and a line of help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import isfinite
from typing import TypeVar

import attrs
from attrs import frozen

from gamecore.errors import Refused

Value = bool | int | float | str
V = TypeVar("V", bool, int, float, str)
O = TypeVar("O", bound=attrs.AttrsInstance)  # noqa: E741 (the design's own letter for options)

_YES = {"yes", "true", "on", "1"}
_NO = {"no", "false", "off", "0"}


@frozen
class Bounds:
    """What one setting may be: a range for numbers, a list of words for text.

    ``usual`` is what is chosen for who says nothing, where that is not the default of the class; ``said`` is how
    people read a choice that does not say itself what it does.
    """

    help: str
    low: float | None = None
    high: float | None = None
    choices: Sequence[str] = ()
    usual: Value | None = None
    said: Mapping[str, str] = attrs.field(factory=dict, hash=False)

    def check(self, name: str, value: Value) -> None:
        """Refuse a value outside the bounds (``setting-out-of-bounds``, ``setting-not-a-choice``)."""
        if self.choices and value not in self.choices:
            raise Refused("setting-not-a-choice", name=name, choices=", ".join(self.choices))
        if isinstance(value, str):
            return
        if (isinstance(value, float) and not isfinite(value)) or not self._within(value):
            raise Refused("setting-out-of-bounds", name=name, low=self.low, high=self.high)

    def _within(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


@frozen
class Setting:
    """One setting of an options class, as help texts and forms show it; the default is for new tables."""

    name: str
    default: Value
    bounds: Bounds


@frozen
class NoSettings:
    """The settings of whatever has none of its own."""


def setting(
    default: V,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[str] | Mapping[str, str] = (),
    usual: V | None = None,
) -> V:
    """Declare a setting in an options class; its type is that of its default.

    The default is what holds for a record made before there was the setting; ``usual``, if it is something else,
    is what new tables have.  ``choices`` are words, which may each be given how people read it.
    """
    said = choices if isinstance(choices, Mapping) else {}
    bounds = Bounds(help, low, high, tuple(choices), usual, said)

    def validate(_: object, attribute: attrs.Attribute[V], value: V) -> None:
        bounds.check(attribute.name, value)

    return attrs.field(default=default, validator=validate, metadata={"bounds": bounds})


@cache
def settings_of(options: type[attrs.AttrsInstance]) -> Sequence[Setting]:
    """List the settings of an options class in the order of their declaration."""
    return tuple(_list_settings(options))


def _list_settings(options: type[attrs.AttrsInstance]) -> Iterator[Setting]:
    for field in attrs.fields(options):
        bounds: Bounds = field.metadata["bounds"]
        yield Setting(field.name, field.default if bounds.usual is None else bounds.usual, bounds)


def read_settings(options: type[O], given: Mapping[str, Value]) -> O:
    """Build options from values or their text, defaults for the rest.

    Raises Refused: ``no-such-setting``, ``setting-not-a-number``, ``setting-not-yes-or-no``,
    ``setting-not-a-choice`` or ``setting-out-of-bounds``.
    """
    known = {setting.name: setting for setting in settings_of(options)}
    unknown = [name for name in given if name not in known]
    if unknown:
        raise Refused("no-such-setting", name=unknown[0], known=", ".join(known))
    return options(**{name: _read(known[name], value) for name, value in given.items()})


def choose_settings(options: type[O], given: Mapping[str, Value]) -> O:
    """Build the options of a new table: what nobody has chosen is as usual; raises as :func:`read_settings`."""
    usual = {each.name: each.default for each in settings_of(options)}
    return read_settings(options, {**usual, **given})


def _read(setting: Setting, value: Value) -> Value:
    """Bring one value to the type of its setting's default."""
    if isinstance(setting.default, bool):
        return _read_yes_or_no(setting.name, value)
    if isinstance(setting.default, str):
        return str(value)
    try:
        if isinstance(value, bool):
            raise TypeError
        number = type(setting.default)(value)
    except (TypeError, ValueError, OverflowError):
        raise Refused("setting-not-a-number", name=setting.name) from None
    if not isinstance(value, str) and number != value:
        raise Refused("setting-not-a-number", name=setting.name)
    return number


def _read_yes_or_no(name: str, value: Value) -> bool:
    word = str(value).lower()
    if word not in _YES | _NO:
        raise Refused("setting-not-yes-or-no", name=name)
    return word in _YES


def plain_settings(options: attrs.AttrsInstance) -> dict[str, Value]:
    """Write options as the mapping that :func:`read_settings` takes."""
    return {field.name: getattr(options, field.name) for field in attrs.fields(type(options))}
