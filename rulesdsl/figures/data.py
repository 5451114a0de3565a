"""Figures as plain data, and back: to keep them in a file, and to add to them another day."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from rulesdsl.figures.games import Figures
from rulesdsl.figures.together import Company, Together
from rulesdsl.figures.uses import Use, Uses

if TYPE_CHECKING:
    from cattrs import Converter


def to_data(figures: Figures) -> dict[str, Any]:
    """Return figures as tables, lists, texts and whole numbers: `json` writes them."""
    data: dict[str, Any] = _converter().unstructure(figures)
    return data


def from_data(data: Mapping[str, Any]) -> Figures:
    """Return the figures that `to_data` wrote; ValueError for anything else."""
    from cattrs.errors import BaseValidationError  # noqa: PLC0415 - seldom asked

    try:
        return _converter().structure(data, Figures)
    except (BaseValidationError, ValueError, TypeError, KeyError) as error:
        raise ValueError(f"these are no figures: {error}") from None


@cache
def _converter() -> Converter:
    """Return a converter; what is named by pairs is a list of pairs, each with what it has."""
    from cattrs import Converter  # noqa: PLC0415 - seldom asked
    from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override  # noqa: PLC0415

    made = Converter(forbid_extra_keys=True)
    for cls, field, of in ((Uses, "items", Use), (Together, "pairs", Company)):

        def out(pairs: Mapping[tuple[str, str], Any]) -> list[list[Any]]:
            return [[*pair, made.unstructure(each)] for pair, each in sorted(pairs.items())]

        def back(rows: list[list[Any]], _: object, of: type = of) -> dict[tuple[str, str], Any]:
            return {(one, two): made.structure(each, of) for one, two, each in rows}

        named: dict[str, Any] = {field: override(unstruct_hook=out, struct_hook=back)}
        made.register_unstructure_hook(cls, make_dict_unstructure_fn(cls, made, **named))
        made.register_structure_hook(cls, make_dict_structure_fn(cls, made, **named))
    return made
