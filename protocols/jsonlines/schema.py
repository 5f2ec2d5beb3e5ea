"""The JSON Schema of all that is said of one game, made of its attrs classes.

The root describes what a program is told about a table of the game; ``$defs`` has every class by its name, and
``Move``, ``Event``, ``Message``, ``Options`` and ``House`` besides.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import attrs

from gamecore.codec import TAG
from gamecore.rules import AnyRules, Move, View
from gamecore.settings import Setting, settings_of
from gamecore.table_events import TABLE_EVENTS
from gamecore.table_options import TableOptions
from gamecore.table_view import TableView

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SIMPLE: Mapping[object, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    NoneType: {"type": "null"},
}
_CODE: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer", "minimum": 0}
_SEATS: Schema = {"type": "array", "items": _NUMBER}
_DUE: Schema = {"type": "object", "additionalProperties": {"type": "number"}}


def schema_of(rules: AnyRules) -> Schema:
    """Describe one game."""
    return _described(cast(Hashable, rules))


@cache
def _described(rules: Any) -> Schema:
    return _Describing(rules).all()


class _Describing:
    """One schema in the making: the classes met so far, each under a name of its own."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules
        self._defs: dict[str, Schema] = {}
        self._names: dict[type, str] = {}

    def all(self) -> Schema:
        """Describe every message, and all that is in it."""
        events = [each for each in (*TABLE_EVENTS, *self._rules.events) if attrs.has(each)]
        unique = list(dict.fromkeys(events))
        self._defs |= {"Move": self._any_of(self._rules.moves)}
        self._defs |= {"Event": {"anyOf": [self._event(each) for each in unique]}}
        self._defs |= {"Options": _settings(self._rules.options), "House": _settings(TableOptions)}
        if self._rules.brings is not None:
            self._defs["Brings"] = self._class(self._rules.brings)
        parts = [{"$ref": "#/$defs/Event"}, self._shown(), self._turn()]
        self._defs["Message"] = {"anyOf": parts}
        title = f"What is said of a table of {self._rules.title}"
        return {"$schema": DIALECT, "title": title, "$ref": "#/$defs/Message", "$defs": self._defs}

    def _shown(self) -> Schema:
        return _object({"view": self._class(TableView), "table": _CODE, "n": _NUMBER})

    def _turn(self) -> Schema:
        moves = {"type": "array", "items": {"$ref": "#/$defs/Move"}}
        at = {"type": "number"}
        fields = {"turn": _SEATS, "table": _CODE, "at": at, "due": _DUE, "moves": moves}
        return _object(fields, optional=("moves",))

    def _event(self, kind: type[attrs.AttrsInstance]) -> Schema:
        head = {"n": _NUMBER, "table": _CODE, "event": {"const": kind.__name__}}
        return _object({**head, **self._fields(kind)})

    def _class(self, kind: type[attrs.AttrsInstance]) -> Schema:
        """Describe a class once, and point to it."""
        if kind not in self._names:
            name = self._names[kind] = self._name_for(kind)
            self._defs[name] = {}  # a class may hold others of its kind
            tagged = {TAG: {"const": kind.__name__}, **self._fields(kind)}
            optional = _defaulted(kind) if issubclass(kind, Move) or self._is_brought(kind) else ()
            self._defs[name] = _object(tagged, optional)
        return {"$ref": f"#/$defs/{self._names[kind]}"}

    def _name_for(self, kind: type) -> str:
        name = kind.__name__
        return name if name not in self._defs else f"{kind.__module__}.{name}"

    def _is_brought(self, kind: type) -> bool:
        return kind is self._rules.brings

    def _fields(self, kind: type[attrs.AttrsInstance]) -> dict[str, Schema]:
        hints = get_type_hints(kind)
        return {each.name: self._type(hints[each.name]) for each in attrs.fields(kind)}

    def _any_of(self, hints: Sequence[object]) -> Schema:
        return {"anyOf": [self._type(each) for each in hints]}

    def _type(self, hint: Any) -> Schema:
        """Describe what a field of one annotated type holds."""
        origin, inner = get_origin(hint), get_args(hint)
        if hint in _SIMPLE:
            return _SIMPLE[hint]
        if origin in (Union, UnionType):
            return self._any_of(inner)
        if origin is Literal:
            return {"enum": list(inner)}
        if origin is not None:
            return self._container(origin, inner)
        if not isinstance(hint, type):
            return {}
        if issubclass(hint, Enum):
            return {"enum": [each.value for each in hint]}
        if hint is View:
            return self._board()
        return self._class(hint) if attrs.has(hint) else {}

    def _container(self, origin: Any, inner: Sequence[Any]) -> Schema:
        if issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self._type(inner[1])}
        if origin is not tuple or inner[-1:] == (...,):
            unique = {"uniqueItems": True} if issubclass(origin, AbstractSet) else {}
            return {"type": "array", "items": self._type(inner[0]), **unique}
        items = [self._type(each) for each in inner]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}

    def _board(self) -> Schema:
        """Describe the game's own View: what its positions are annotated to show."""
        begin: Any = self._rules.begin
        position: Any = begin if isinstance(begin, type) else get_type_hints(begin)["return"]
        return self._type(get_type_hints(position.seen_by)["return"])


def _object(properties: dict[str, Schema], optional: Sequence[str] = ()) -> Schema:
    required = [name for name in properties if name not in optional]
    fields = {"properties": properties, "required": required}
    return {"type": "object", **fields, "additionalProperties": False}


def _defaulted(kind: type[attrs.AttrsInstance]) -> Sequence[str]:
    """Name the fields that a program may leave out."""
    return [each.name for each in attrs.fields(kind) if each.default is not attrs.NOTHING]


def _settings(options: type[attrs.AttrsInstance]) -> Schema:
    properties = {each.name: _setting(each) for each in settings_of(options)}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _setting(setting: Setting) -> Schema:
    bounds = setting.bounds
    schema = {**_SIMPLE[type(setting.default)], "description": bounds.help}
    schema["default"] = setting.default
    if bounds.choices:
        schema["enum"] = list(bounds.choices)
    for name, bound in (("minimum", bounds.low), ("maximum", bounds.high)):
        if bound is not None:
            schema[name] = bound
    return schema
