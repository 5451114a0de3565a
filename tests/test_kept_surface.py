"""Tests that the public surface stays: the API, the codes of findings, commands and options.

`kept_surface.txt` lists it from 03f27c4 on. `pytest --update-golden` adds new lines and removes
none; lines that were deleted on purpose are listed in `DELETED`.
"""

import inspect
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Annotated, get_args, get_origin, get_type_hints

from typer.models import OptionInfo, ParameterInfo

import rulesdsl
from coloma.commands import COMMANDS
from rulesdsl.source.diagnostics import TABLE

GOLDEN = Path(__file__).parent / "kept_surface.txt"
DELETED = {
    "api Game.leading_to(self, action, player)",
    "api Game.story(self, viewer, start=0)",  # takes `brief` as well
    "api Pack.asked",
    "api Pack.form",
    "api lint(path, mods=(), memories=None)",
    "command schema --check: bool",
    "command test --changed: bool",
}
"""Lines of the record that are gone on purpose; each has a line in CHANGELOG.md."""


def test_nothing_goes_but_what_is_listed(update_golden: bool) -> None:
    now = {*_api(), *_codes(), *_commands()}
    recorded = {*GOLDEN.read_text(encoding="utf-8").splitlines()} if GOLDEN.exists() else set()
    if update_golden:
        recorded |= now
        GOLDEN.write_text("".join(f"{each}\n" for each in sorted(recorded)), encoding="utf-8")
    assert recorded - now == DELETED
    assert now <= recorded, "something is new: pytest --update-golden"


def _api() -> Iterator[str]:
    for name in rulesdsl.__all__:
        found = getattr(rulesdsl, name)
        yield f"api {name}{_call(found) if inspect.isfunction(found) else ''}"
        ours = [each for each in getattr(found, "__mro__", ()) if _is_ours(each)]
        for cls in ours if inspect.isclass(found) else ():
            for member, value in vars(cls).items():
                if not member.startswith("_"):
                    yield f"api {name}.{member}{_call(value)}"


def _is_ours(cls: type) -> bool:
    return cls.__module__.startswith("rulesdsl.")


def _call(value: object) -> str:
    if isinstance(value, classmethod | staticmethod):
        value = value.__func__
    if not inspect.isfunction(value):
        return ""
    plain = inspect.signature(value)  # annotations name classes that may be called otherwise
    given = [each.replace(annotation=each.empty) for each in plain.parameters.values()]
    return str(plain.replace(parameters=given, return_annotation=plain.empty))


def _codes() -> Iterator[str]:
    for code, (name, severity, _) in TABLE.items():
        yield f"code {code} {name} {severity}"


def _commands() -> Iterator[str]:
    for name, command in COMMANDS.items():
        yield f"command {name}"
        hints = get_type_hints(command, include_extras=True)
        for each in inspect.signature(command).parameters.values():
            if get_origin(hints[each.name]) is Annotated:
                kind, given = get_args(hints[each.name])
                yield f"command {name} {_words(each.name, given)}: {_kind(kind)}{_usual(each)}"


def _words(name: str, given: ParameterInfo) -> str:
    words = [given.default, *(given.param_decls or ())] if isinstance(given, OptionInfo) else []
    return "/".join(map(str, words)) or name


def _kind(annotation: object) -> str:
    kinds = [each for each in (get_args(annotation) or (annotation,)) if each is not NoneType]
    many = any(get_origin(each) is list for each in (annotation, *kinds))
    plain = [inner for each in kinds for inner in (get_args(each) or (each,))]
    types = ["|".join(each) if issubclass(each, Enum) else each.__name__ for each in plain]
    return f"{'|'.join(types)}{' again' if many else ''}"


def _usual(given: inspect.Parameter) -> str:
    if given.default is given.empty:
        return " needed"
    return "" if given.default in (None, False, "") else f" = {given.default}"
