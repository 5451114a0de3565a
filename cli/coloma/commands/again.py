"""The words of a command that does the same again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

_WITHOUT_EFFECT = {"jobs", "cluster", "json"}  # the figures are the same


def words_again(context: typer.Context, **settled: object) -> tuple[str, ...]:
    """Return the words of the command that is running, with all that was left to it.

    `settled` has, by parameter, what it came to; other values are those that it was given.
    """
    return (*context.command_path.split(), *_words(context, settled))


def _words(context: typer.Context, settled: dict[str, object]) -> Iterator[str]:
    options: list[str] = []
    for each in context.command.params:
        name = each.name or ""
        value = settled.get(name, context.params.get(name))
        values = value if isinstance(value, list | tuple) else [value]
        if name in _WITHOUT_EFFECT or value is None or value is False or value == "":
            continue
        if each.param_type_name == "argument":
            yield from map(str, values)
        else:
            long = max(each.opts, key=len)
            options += [word for given in values for word in (long, str(given))]
    yield from options
