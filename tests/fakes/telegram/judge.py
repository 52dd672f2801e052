"""The judge: aiogram's models, generated from the documentation of the Bot API.

Every request is parsed by `aiogram.methods.*`, every result and update by `aiogram.types.*`, and fields that the
documentation does not know are faults too. So the loopback service cannot drift from the documented one unnoticed.
"""

import contextlib
import inspect
import json
import types
import typing
from collections.abc import Iterator
from typing import Any

from aiogram import methods
from aiogram.client.default import Default
from aiogram.types import Update
from pydantic import BaseModel, TypeAdapter, ValidationError

Params = dict[str, Any]


class Misjudged(Exception):
    """Something that the documented API does not know."""


class _Method:
    """One method: its model, the parameters that are text, and the shape of its result."""

    def __init__(self, model: type[Any]) -> None:
        self.name: str = model.__api_method__
        self.model = model
        self.fields: dict[str, Any] = model.model_fields
        self.texts = {name for name, field in self.fields.items() if set(_leaves(field.annotation)) == {str}}
        self._result: TypeAdapter[Any] | None = None

    @property
    def result(self) -> TypeAdapter[Any]:
        if self._result is None:
            self._result = TypeAdapter(self.model.__returning__)
        return self._result


def _leaves(annotation: Any) -> Iterator[Any]:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        for part in typing.get_args(annotation):
            yield from _leaves(part)
    elif annotation not in (type(None), Default):
        yield annotation


def _methods() -> dict[str, _Method]:
    found = {}
    for _, model in inspect.getmembers(methods, inspect.isclass):
        if issubclass(model, methods.TelegramMethod) and model is not methods.TelegramMethod:
            found[model.__api_method__.lower()] = _Method(model)
    return found


METHODS = _methods()


def decoded(name: str, raw: Params) -> Params:
    """Parameters of a form as values: what is not text is JSON."""
    method, values = METHODS[name], {}
    for key, value in raw.items():
        if isinstance(value, str) and key not in method.texts:
            with contextlib.suppress(ValueError):  # a user name where an id could stand
                value = json.loads(value)
        values[key] = value
    return values


def _unknown(value: Any, path: str) -> Iterator[str]:
    """Where a parsed value holds fields that its model does not declare."""
    if isinstance(value, BaseModel):
        for key in value.model_extra or ():
            yield f"{path}.{key}"
        for key, inner in value.__dict__.items():
            if isinstance(inner, BaseModel | list):
                yield from _unknown(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _unknown(inner, f"{path}[{number}]")


def _no_unknown(value: Any, what: str) -> None:
    if found := list(_unknown(value, what)):
        raise Misjudged(f"fields that the Bot API does not document: {', '.join(found)}")


def judge_request(name: str, params: Params) -> None:
    """Raise Misjudged where the parameters do not fit the method."""
    method = METHODS[name]
    try:
        value = method.model.model_validate(params)
    except ValidationError as error:
        raise Misjudged(f"{method.name} was called wrongly: {error}") from error
    _no_unknown(value, method.name)


def judge_result(name: str, result: Any) -> None:
    """Raise Misjudged where a result does not fit the method."""
    method = METHODS[name]
    try:
        value = method.result.validate_python(result)
    except ValidationError as error:
        raise Misjudged(f"a wrong result of {method.name}: {error}") from error
    _no_unknown(value, method.name)


def judge_update(body: str) -> None:
    """Raise Misjudged where an update, as JSON, is none."""
    try:
        value = Update.model_validate_json(body)
    except ValidationError as error:
        raise Misjudged(f"a wrong update: {error} in {body}") from error
    _no_unknown(value, "Update")
