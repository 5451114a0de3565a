"""From phrases to cells: which places are meant, and whose they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.types import SEAT, UNKNOWN, Type, a_or_an, entry, mending, piece
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.check.scope import Scope
    from rulesdsl.check.world import PlaceInfo, World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span


def word_of(expr: ex.Expr) -> str:
    """Return the word that an expression consists of, nothing where it is more than a word."""
    return expr.name if isinstance(expr, ex.Name | ex.My) else ""


class CellResolver:
    """Resolves places; what the classes built on it share."""

    def __init__(
        self,
        world: World,
        findings: Findings,
        scope: Scope,
        value_type: Callable[[str], tuple[Type, bool]],
        value_body: Callable[[str, int], ty.Value | None],
    ) -> None:
        self.world = world
        self.findings = findings
        self.scope = scope
        self.value_type = value_type
        self.value_body = value_body
        self.positive: set[ty.Value] = set()

    def report(self, code: str, span: Span, message: str, help_text: str) -> None:
        """Report a finding."""
        self.scope.failed = True
        self.findings.report(code, span, message, help_text)

    def doubtful(self, name: str) -> bool:
        """Whether a name may be unknown because of something else; what uses it is open then."""
        found = self.world.doubtful(name)
        self.scope.failed = self.scope.failed or found
        return found

    def unknown(self, span: Span) -> ty.Value:
        """Return a stand-in for what was reported already."""
        return ty.Const(0, type=UNKNOWN, span=span)

    def _mismatch(self, span: Span, have: ty.Value, want: Type | str) -> None:
        if have.type == UNKNOWN or (isinstance(want, Type) and self.sort_given(span, have, want)):
            return
        help_text = mending(have.type, want) if isinstance(want, Type) else ""
        self.report("E301", span, f"This is {have.type}, where {want} is needed.", help_text)

    def sort_given(self, span: Span, have: ty.Value, want: Type) -> bool:
        """Report what is printed on pieces where one of these pieces is wanted."""
        kind = want.of
        printed = kind in self.world.pieces and kind in self.world.kinds
        if not printed or want.family != "piece" or have.type.total() != entry(kind):
            return False
        names = self.world.kinds[kind].index
        at = have.value if isinstance(have, ty.Const) else None
        name = next((each for each, number in names.items() if number == at), "")
        self.report(
            "E301",
            span,
            f"{f'`{name}`' if name else 'This'} is a sort of {kind}; there may be several.",
            f"Point at one: `{a_or_an(kind)} in ... where it = {name or '...'}`.",
        )
        return True

    # what the classes built on this one know
    def value(self, expr: ex.Expr, want: Type | None = None) -> ty.Value:
        """Return the value of an expression."""
        raise NotImplementedError

    def number(self, expr: ex.Expr) -> ty.Value:
        """Return a number."""
        raise NotImplementedError

    def condition(self, expr: ex.Expr) -> ty.Value:
        """Return a yes or no."""
        raise NotImplementedError

    def of_type(self, expr: ex.Expr, want: Type) -> ty.Value:
        """Return a value of a type, never none."""
        raise NotImplementedError

    def total(self, value: ty.Value, span: Span) -> ty.Value:
        """Return a value that is surely there."""
        raise NotImplementedError

    def me(self, span: Span) -> ty.Value:
        """Return the acting seat."""
        raise NotImplementedError

    def count_of(self, domain: ty.Domain | None, span: Span) -> ty.Value:
        """Return how many there are."""
        raise NotImplementedError

    # ---------------------------------------------------------------- places
    def place_type(self, name: str) -> Type:
        """Return the type of the cells of a kind of places."""
        place = self.world.places[name]
        if place.dims == (name,):
            return entry(name)
        if len(place.dims) == 1:
            dim = place.dims[0]
            return SEAT if dim in {"seat", "player"} else entry(dim)
        return Type("cell", name)

    def check_holds(self, place: str, kind: str, span: Span) -> None:
        """Complain where a place cannot hold such a piece."""
        holds = self.world.places[place].holds
        if self.world.places[place].unsure:
            return
        if kind not in holds and kind in self.world.pieces:
            self.report(
                "E303",
                span,
                f"{a_or_an(place).capitalize()} does not hold {self.world.pieces[kind].plural}.",
                f"It holds {', '.join(holds)}; add `{kind}` to its declaration if it should.",
            )

    def one_cell(self, expr: ex.Expr) -> ty.Cells | None:
        """Return exactly one cell."""
        cells = self.cells(expr)
        if cells is not None and not cells.one:
            self.report(
                "E301",
                expr.span,
                f"This means several {self.world.places[cells.place].plural}, one is needed.",
                "Say whose or which.",
            )
            return None
        return cells

    def one_stack(self, expr: ex.Expr) -> ty.Cells | None:
        """Return exactly one cell whose pieces lie in an order."""
        cells = self.one_cell(expr)
        return cells if cells is not None and self.in_order(cells, expr.span) else None

    def in_order(self, cells: ty.Cells, span: Span) -> bool:
        """Whether pieces lie in an order there; reported where they do not."""
        place = self.world.places[cells.place]
        if not place.stack:
            self.report(
                "E301",
                span,
                f"{a_or_an(place.name).capitalize()} is no stack: what is in it has no order.",
                f"Declare it as `stack {place.name} ...`, or take `a random ... in` it.",
            )
        return place.stack

    def cells(self, expr: ex.Expr) -> ty.Cells | None:
        """Return the cells that a phrase means; reported and None where it means none."""
        found = self._cells(expr)
        if isinstance(found, ty.Cells):
            self.world.places[found.place].used = True
            return found
        if found is None:
            self.report(
                "E301",
                expr.span,
                "This is not a place.",
                self._place_hint(expr),
            )
        return None

    def _place_hint(self, expr: ex.Expr) -> str:
        plurals = [place.plural for place in self.world.places.values()]
        return did_you_mean(word_of(expr), [*self.world.places, *plurals])

    def _cells(self, expr: ex.Expr) -> ty.Cells | bool | None:
        """Return cells, None where it is no place, False where that was reported."""
        if isinstance(expr, ex.Name) and expr.name not in self.scope.locals:
            place = self.world.places.get(self.world.singular(expr.name))
            if place is not None:
                return self._whole(place, expr.span)
        elif isinstance(expr, ex.My):
            place = self.world.places.get(self.world.singular(expr.name))
            if place is not None:
                return self._indexed(place, [self.me(expr.span)], expr.span)
        elif isinstance(expr, ex.Of):
            place = self.world.places.get(self.world.singular(expr.name.text))
            if place is not None and not self._is_container(expr, place):
                return self._indexed(place, [self.value(expr.owner)], expr.span)
        elif isinstance(expr, ex.At):
            base = self._cells(expr.base)
            if isinstance(base, ty.Cells):
                return self._narrowed(base, self.value(expr.key), expr.span)
            if base is False:
                return False
        return self._cell_value(expr)

    def _is_container(self, expr: ex.Of, place: PlaceInfo) -> bool:
        """Whether `P of X` means the P that a piece X lies in."""
        if not place.table:
            return False
        owner = self.value(expr.owner)
        return owner.type.family == "piece"

    def _cell_value(self, expr: ex.Expr) -> ty.Cells | bool | None:
        found = self.value(expr)
        if found.type == UNKNOWN:
            return False
        if found.type.family in {"entry", "list"} and found.type.of in self.world.places:
            place = self.world.places[found.type.of]
            if place.dims == (place.name,):
                value = found if found.type.family == "list" else self.total(found, expr.span)
                return ty.Cells(place.name, (value,), span=expr.span)
            if place.table:
                return self._indexed(place, [found], expr.span)
        return None

    def _whole(self, place: PlaceInfo, span: Span) -> ty.Cells:
        dims: tuple[ty.Value | None, ...] = tuple(None for _ in place.dims)
        return ty.Cells(place.name, dims, span=span)

    def _indexed(self, place: PlaceInfo, owners: list[ty.Value], span: Span) -> ty.Cells | bool:
        cells: ty.Cells | bool = self._whole(place, span)
        for owner in owners:
            if isinstance(cells, ty.Cells):
                cells = self._narrowed(cells, owner, span)
        return cells

    def _narrowed(self, cells: ty.Cells, key: ty.Value, span: Span) -> ty.Cells | bool:
        if key.type == UNKNOWN:
            return False
        key = self.total(key, span)
        place = self.world.places[cells.place]
        for at, dim in enumerate(place.dims):
            if cells.dims[at] is None and self.fits_dim(key.type, dim):
                dims = list(cells.dims)
                dims[at] = key
                return attrs.evolve(cells, dims=tuple(dims))
        self.report(
            "E301",
            span,
            f"{a_or_an(place.name).capitalize()} does not belong to {key.type}.",
            f"There is one per {' per '.join(place.dims)}."
            if place.dims
            else "There is only one.",
        )
        return False

    def fits_dim(self, have: Type, dim: str) -> bool:
        """Whether a value can index a dimension."""
        if dim in {"seat", "player"}:
            return have.family in {"seat", "player"}
        if dim not in self.world.pieces and dim not in self.world.kinds:
            return True  # reported where it is declared
        if dim in self.world.pieces and dim not in self.world.kinds:
            return have == piece(dim)
        if dim in self.world.pieces:
            return have.family == "piece" and have.of == dim
        return have.family == "entry" and have.of == dim
