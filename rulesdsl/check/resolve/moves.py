"""From `move` to the step that moves: which pieces, whose, from where, into what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.resolve.calls import CallResolver
from rulesdsl.check.resolve.cells import word_of
from rulesdsl.check.types import SEAT, UNKNOWN, YES_NO, a_or_an, entry, piece
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.source.span import Span
    from rulesdsl.syntax import statements as st


class MoveResolver(CallResolver):
    """Resolves `move`."""

    def move(self, stmt: st.Move) -> list[ty.Step]:
        """Return the step of a move."""
        target, top = self.target(stmt.into)
        if target is None:
            return []
        what = stmt.what
        if isinstance(what, ex.Amount) or (
            isinstance(what, ex.Per) and isinstance(what.rate, ex.Amount)
        ):
            return self.move_amount(stmt, what, target, top=top)
        if stmt.source is not None:
            self.report(
                "E205",
                stmt.source.span,
                "`from` goes with a number of pieces.",
                "For example `move 2 coins from my purse into box`.",
            )
            return []
        if isinstance(what, ex.All) or (isinstance(what, ex.Ends) and what.count is not None):
            return self.move_all(stmt, what, target, top=top)
        return self.move_one(stmt, target, top=top)

    def target(self, expr: ex.Expr) -> tuple[ty.Cells | None, bool]:
        """Return the cell where pieces go, and whether on top."""
        if isinstance(expr, ex.Ends) and expr.count is None:
            return self.one_stack(expr.stack), expr.end == "top"
        return self.one_cell(expr), True

    def actor(self) -> ty.Value:
        """Return who acts, or nobody."""
        return self.scope.me or ty.Const(-1, type=SEAT)

    # ---------------------------------------------------------------- numbers of pieces
    def move_amount(
        self, stmt: st.Move, what: ex.Amount | ex.Per, target: ty.Cells, *, top: bool
    ) -> list[ty.Step]:
        """Return a move of so many pieces of a noun."""
        noun_word = what.noun if isinstance(what, ex.Amount) else None
        if noun_word is not None and self._is_printed_entry(noun_word.text):
            return self.move_entries(stmt, what, target, top=top)
        amount = self.amount(what)
        assert amount is not None
        number, noun, span = amount
        info = self.world.pieces.get(noun)
        if info is None:
            if noun in self.world.tracks:
                self.report(
                    "E301",
                    span,
                    f"`{noun}` is a track: there are no pieces to move.",
                    f"Raise or lower it: `raise my {noun} by ...`.",
                )
            return []
        if stmt.source is None:
            self.report(
                "E205",
                stmt.span,
                "A number of pieces comes from somewhere.",
                f"Say where: `move 2 {info.plural} from ... into ...`.",
            )
            return []
        source = self.one_cell(stmt.source)
        if source is None or number.type == UNKNOWN:
            return []
        self.check_holds(source.place, noun, stmt.source.span)
        self.check_holds(target.place, noun, stmt.into.span)
        if info.style == "printed":
            domain = ty.Lying(noun, source, element=piece(noun), span=stmt.source.span)
            return [self.some(stmt, domain, number, target, up_to=stmt.up_to, top=top)]
        owner = self.owner_of_move(noun, None, source, target, stmt.span)
        if info.style == "single":
            return self.move_single_amount(stmt, noun, source, target, owner)
        return [
            ty.MoveCounted(
                noun, number, stmt.up_to, source, target, owner, self.actor(), span=stmt.span
            )
        ]

    def move_single_amount(
        self, stmt: st.Move, noun: str, source: ty.Cells, target: ty.Cells, owner: ty.Value | None
    ) -> list[ty.Step]:
        """Return a move of a single piece that is spoken of by number."""
        subject = owner or ty.Const(0)
        subject = _as_piece(subject, noun)
        domain = ty.Lying(noun, source, element=piece(noun), span=stmt.span)
        there = ty.MemberOf(subject, domain, type=YES_NO, span=stmt.span)
        step = ty.MoveSingle(noun, subject, target, self.actor(), span=stmt.span)
        if stmt.up_to:
            block = ty.Block((step,), span=stmt.span)
            return [ty.Branching(((there, block),), ty.Block(()), span=stmt.span)]
        return [ty.Require(there, span=stmt.span), step]

    def _is_printed_entry(self, name: str) -> bool:
        if self.world.singular(name) in self.world.pieces:
            return False
        owners = self.world.owners.get(name, [])
        return any(self.world.kinds[kind].role == "piece" for kind in owners)

    def move_entries(
        self, stmt: st.Move, what: ex.Amount | ex.Per, target: ty.Cells, *, top: bool
    ) -> list[ty.Step]:
        """Return a move of pieces with a certain print."""
        assert isinstance(what, ex.Amount)
        number = self.number(what.count)
        name = what.noun.text
        kind = next(k for k in self.world.owners[name] if self.world.kinds[k].role == "piece")
        if stmt.source is None:
            self.report("E205", stmt.span, "A number of pieces comes from somewhere.", "")
            return []
        cells = self.cells(stmt.source)
        if cells is None:
            return []
        self.check_holds(cells.place, kind, stmt.source.span)
        self.check_holds(target.place, kind, stmt.into.span)
        self.world.pieces[kind].used = True
        which = ty.Const(self.world.kinds[kind].index[name], type=entry(kind))
        domain = ty.Lying(kind, cells, None, which, element=piece(kind), span=stmt.span)
        return [self.some(stmt, domain, number, target, up_to=stmt.up_to, top=top)]

    # ---------------------------------------------------------------- all and one
    def move_all(
        self, stmt: st.Move, what: ex.All | ex.Ends, target: ty.Cells, *, top: bool
    ) -> list[ty.Step]:
        """Return a move of all pieces of a selection."""
        domain = self.selection(what)
        if domain is None:
            return []
        base = domain.unfiltered
        if not isinstance(base, ty.Lying | ty.EndPieces):
            self.report("E301", what.span, "Only pieces in a place can be moved.", "`all X in P`.")
            return []
        self.check_holds(target.place, base.piece, stmt.into.span)
        if Use.MOVE in uses(self.world, domain):
            return [self.some(stmt, domain, None, target, up_to=True, top=top)]
        if not isinstance(domain, ty.Lying) or Use.LIST in uses(self.world, domain):
            return self._move_all_singles(stmt, domain, base.piece, target)
        owner = self.owner_of_move(
            base.piece, domain.owner, domain.cells, target, stmt.span, everybody=True
        )
        up_to, me = True, self.actor()
        cells = domain.cells
        return [ty.MoveCounted(base.piece, None, up_to, cells, target, owner, me, span=stmt.span)]

    def _move_all_singles(
        self, stmt: st.Move, domain: ty.Domain, kind: str, target: ty.Cells
    ) -> list[ty.Step]:
        local = self.scope.fresh("one", domain.element)
        step = ty.MoveSingle(kind, local, target, self.actor(), span=stmt.span)
        block = ty.Block((step,), span=stmt.span)
        return [ty.ForEach(local.name, domain, None, block, span=stmt.span)]

    def move_one(self, stmt: st.Move, target: ty.Cells, *, top: bool) -> list[ty.Step]:
        """Return a move of one piece; one that is still to be chosen is chosen first."""
        steps: list[ty.Step] = []
        if isinstance(stmt.what, ex.Choice):
            value = self.pick(stmt.what, None, None, steps) or self.unknown(stmt.what.span)
        else:
            value = self.value(stmt.what)
        if value.type == UNKNOWN:
            return steps
        if value.type.family != "piece":
            if self.sort_given(stmt.what.span, value, piece(value.type.of)):
                return []
            self.report(
                "E301",
                stmt.what.span,
                f"This is {value.type}: only pieces can be moved.",
                did_you_mean(word_of(stmt.what), self.world.pieces),
            )
            return []
        kind = value.type.of
        self.check_holds(target.place, kind, stmt.into.span)
        info = self.world.pieces[kind]
        if info.style == "printed":
            moved = ty.MovePrinted(kind, value, target, top, self.actor(), span=stmt.span)
            return [*steps, moved]
        value = self.total(value, stmt.what.span)
        return [*steps, ty.MoveSingle(kind, value, target, self.actor(), span=stmt.span)]

    def some(
        self,
        stmt: st.Move,
        domain: ty.Domain,
        amount: ty.Value | None,
        target: ty.Cells,
        *,
        up_to: bool,
        top: bool,
    ) -> ty.Step:
        """Return a move of printed pieces: all of a domain, or the first so many."""
        return ty.MoveSome(domain, amount, up_to, target, top, self.actor(), span=stmt.span)

    # ---------------------------------------------------------------- whose
    def owner_of_move(
        self,
        noun: str,
        given: ty.Value | None,
        source: ty.Cells,
        target: ty.Cells,
        span: Span,
        *,
        everybody: bool = False,
    ) -> ty.Value | None:
        """Return whose pieces are moved; None where they are nobody's or everybody's."""
        if not self.world.pieces[noun].owned:
            return None
        here, there = self._seat_dim(source), self._seat_dim(target)
        owner = given or here or there
        if here is not None and there is not None and here != there:
            self.report(
                "E303",
                span,
                f"{a_or_an(noun).capitalize()} of one seat cannot lie in a place of another.",
                "They can go into places that are nobody's, or back to their own seat.",
            )
        if owner is None and not everybody:
            return self.me(span)
        return owner

    def _seat_dim(self, cells: ty.Cells) -> ty.Value | None:
        at = self.world.places[cells.place].owner_dim
        return None if at is None else cells.dims[at]


def _as_piece(subject: ty.Value, noun: str) -> ty.Value:
    return attrs.evolve(subject, type=piece(noun))
