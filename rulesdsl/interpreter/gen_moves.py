"""Python for what changes: moving pieces, counting on tracks, marking, shuffling."""

from __future__ import annotations

import ast

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.types import NUMBER
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_values import ValueGenerator
from rulesdsl.lower import form as fm
from rulesdsl.lower.fold import MAX_NUMBER

Code = list[ast.stmt]


class MoveGenerator(ValueGenerator):
    """Generates statements that change the state."""

    form: fm.Form

    def event(self, step: ty.Step, kind: str, *values: ast.expr) -> Code:
        """Return the writing of an event, where this code keeps a log."""
        raise NotImplementedError

    def mark(self, step: ty.Step) -> int:
        """Return the line number of generated code that stands for a step's place."""
        raise NotImplementedError

    # ---------------------------------------------------------------- moving
    def temp(self, name: str) -> str:
        """Return a Python name that generated code uses for a moment."""
        return f"{name}_"

    def steady(self, cell: ast.expr, name: str) -> tuple[Code, ast.expr]:
        """Return a cell that stays the same during a move: one that the state tells is kept."""
        if not any(isinstance(each, ast.Attribute | ast.Call) for each in ast.walk(cell)):
            return [], cell
        return [py.assign(py.name(name), cell)], py.name(name)

    def _MoveCounted(self, step: ty.MoveCounted) -> Code:
        field = py.field(py.identifier(step.piece, "n_"))
        if step.amount is None:
            return self._move_all_counted(step, field)
        owned = self.layout.world.pieces[step.piece].owned
        owner = step.owner if owned else None
        before, source = self.steady(self.code(step.piece, step.source, owner), "a_")
        more, target = self.steady(self.code(step.piece, step.target, owner), "b_")
        amount = self.value(step.amount)
        code: Code = [*before, *more]
        up_to = step.up_to
        if up_to and py.whole(amount) == 1:
            moved = self._moved_counted(step, field, amount, source, target)
            return [*code, ast.If(py.item(field, source), moved, [])]
        if isinstance(amount, ast.Constant) and not up_to:
            if not isinstance(amount.value, int) or amount.value <= 0:
                return []
        else:
            code.append(py.assign(py.name("n_"), amount))
            amount = py.name("n_")
            if up_to:
                code.append(py.assign(py.name("m_"), py.item(field, source)))
                beyond = py.compared(">", amount, py.name("m_"))
                code.append(ast.If(beyond, [py.assign(amount, py.name("m_"))], []))
        moved = self._moved_counted(step, field, amount, source, target)
        if isinstance(amount, ast.Constant):
            return [*code, *moved]
        return [*code, ast.If(py.compared(">", amount, py.const(0)), moved, [])]

    def _moved_counted(
        self,
        step: ty.MoveCounted,
        field: ast.expr,
        amount: ast.expr,
        source: ast.expr,
        target: ast.expr,
    ) -> Code:
        return [
            py.augment(py.item(field, source), "-", amount),
            py.augment(py.item(field, target), "+", amount),
            *self.event(step, "move", self.value(step.me), amount, source, target),
        ]

    def _move_all_counted(self, step: ty.MoveCounted, field: ast.expr) -> Code:
        owned = self.layout.world.pieces[step.piece].owned
        if owned and step.owner is None:
            code: Code = []
            for seat in range(self.layout.seats):
                owner = ty.Const(seat, type=NUMBER)
                code.extend(self._move_all_of(step, field, owner))
            return code
        return self._move_all_of(step, field, step.owner if owned else None)

    def _move_all_of(self, step: ty.MoveCounted, field: ast.expr, owner: ty.Value | None) -> Code:
        codes = self.codes(step.piece, self.of_owner(step.source, owner), owner)
        before, target = self.steady(self.code(step.piece, step.target, owner), "b_")
        source = py.name("k_")
        amount = py.name("n_")
        moved: Code = [
            py.assign(py.item(field, source), py.const(0)),
            py.augment(py.item(field, target), "+", amount),
            *self.event(step, "move", self.value(step.me), amount, source, target),
        ]
        body: Code = [
            py.assign(amount, py.item(field, source)),
            ast.If(amount, moved, []),
        ]
        over = ast.Tuple(codes, py.LOAD) if isinstance(codes, list) else codes
        return [*before, py.loop("k_", over, body)]

    def of_owner(self, cells: ty.Cells, owner: ty.Value | None) -> ty.Cells:
        """Return the cells of a seat, of cells that stand for those of all: pieces stay theirs."""
        at = self.layout.world.places[cells.place].owner_dim
        if owner is None or at is None or cells.dims[at] is not None:
            return cells
        return attrs.evolve(cells, dims=(*cells.dims[:at], owner, *cells.dims[at + 1 :]))

    def _MoveSingle(self, step: ty.MoveSingle) -> Code:
        subject = self.value(step.subject)
        target = self.code(step.piece, step.target)
        where = self.single_at(step.piece, subject)
        log = self.event(step, "place", self.value(step.me), subject, where, target)
        if log:  # where it goes to where it lies, that is no news
            log = [ast.If(py.compared("<>", where, target), log, [])]
        return [*log, py.assign(where, target)]

    def _MovePrinted(self, step: ty.MovePrinted) -> Code:
        piece = py.name("x_")
        code: Code = [py.assign(piece, self.value(step.subject))]
        moved = self.relocate(step, step.piece, piece, step.target, top=step.top)
        if not step.subject.type.maybe:
            return [*code, *moved]
        return [*code, ast.If(py.compared(">=", piece, py.const(0)), moved, [])]

    def relocate(
        self,
        step: ty.MovePrinted | ty.MoveSome,
        kind: str,
        piece: ast.expr,
        target: ty.Cells,
        *,
        top: bool,
        cell: ast.expr | None = None,
    ) -> Code:
        """Return the code that takes a printed piece from where it is to a cell."""
        piles = py.field(py.identifier(kind, "l_"))
        where = py.item(py.field(py.identifier(kind, "w_")), piece)
        old, new = py.name("a_"), py.name("b_")
        place = self.layout.world.places[target.place]
        put = (
            py.method(py.item(piles, new), "append", piece)
            if top or not place.stack
            else py.method(py.item(piles, new), "insert", py.const(0), piece)
        )
        me = getattr(step, "me", ty.Const(-1))
        return [
            py.assign(old, where),
            py.assign(new, cell or self.code(kind, target)),
            py.expression(py.method(py.item(piles, old), "remove", piece)),
            py.expression(put),
            py.assign(where, new),
            *([py.augment(py.field("learned"), "+", py.const(1))] if step.shown else []),
            *self._news(self.event(step, "piece", self.value(me), piece, old, new), target),
        ]

    def _news(self, event: Code, target: ty.Cells) -> Code:
        """Return an event that is left out where a piece goes to where it lies: no news."""
        if not event or self.layout.world.places[target.place].stack:
            return event
        return [ast.If(py.compared("<>", py.name("a_"), py.name("b_")), event, [])]

    def _MoveSome(self, step: ty.MoveSome) -> Code:
        base = step.domain.unfiltered
        assert isinstance(base, ty.Lying | ty.EndPieces)
        things = self.listed(step.domain)
        if step.amount is not None:
            # from a stack, the first ones are those on top
            place = self.layout.world.places[base.cells.place]
            if place.stack and isinstance(base, ty.Lying):
                things = py.item(things, ast.Slice(None, None, py.const(-1)))
            amount = self.value(ty.Arith("max", step.amount, ty.Const(0)))
            things = py.item(things, ast.Slice(None, amount, None))
        before, cell = self.steady(self.code(base.piece, step.target), "c_")
        moved = self.relocate(
            step, base.piece, py.name("x_"), step.target, top=step.top, cell=cell
        )
        return [*before, py.loop("x_", things, moved)]

    # ---------------------------------------------------------------- tracks and marks
    def _ChangeTrack(self, step: ty.ChangeTrack) -> Code:
        info = self.layout.world.tracks[step.track]
        cell = self.track(step.track, step.dims)
        amount = self.value(step.amount)
        moved = py.binary("+" if step.up else "-", cell, amount)
        value = py.name("t_")
        code: Code = [py.assign(value, moved)]
        bounds: list[tuple[str, int]] = []
        surely = isinstance(amount, ast.Constant) and isinstance(amount.value, int)
        if not (surely and step.up and amount.value >= 0):  # type: ignore[attr-defined]
            bounds.append(("<", info.low))
        if not (surely and not step.up and amount.value >= 0):  # type: ignore[attr-defined]
            bounds.append((">", min(info.high, MAX_NUMBER)))
        for op, bound in bounds:
            beyond = py.compared(op, value, py.const(bound))
            code.append(ast.If(beyond, [py.assign(value, py.const(bound))], []))
        lying: list[ast.expr] = [
            py.item(py.field(py.identifier(dim, "w_")), self.value(at))
            for dim, at in zip(info.dims, step.dims, strict=True)
            if dim in self.layout.world.pieces and self.style(dim) == "printed"
        ]
        where = ast.List(lying, py.LOAD)
        log = self.event(
            step, "track", self.value(step.me), self._index_of(cell), cell, value, where
        )
        if log:  # a change that changes nothing is no news
            log = [ast.If(py.compared("<>", cell, value), log, [])]
        return [*code, *log, py.assign(cell, value)]

    def _index_of(self, cell: ast.expr) -> ast.expr:
        return cell.slice if isinstance(cell, ast.Subscript) else py.const(0)

    def _SetFlag(self, step: ty.SetFlag) -> Code:
        return [py.assign(self.flag(step.flag, step.dims), py.const(int(step.on)))]

    def _ShiftPiece(self, step: ty.ShiftPiece) -> Code:
        """Return the code that takes a piece up or down; in a heap it stays where it is."""
        kind = step.piece
        piece, cell = py.name("x_"), py.name("a_")
        piles = py.field(py.identifier(kind, "l_"))
        by = self.value(step.amount)
        if not step.up:
            by = py.binary("-", py.const(0), by)
        moved: Code = [
            py.assign(py.name("b_"), py.call("shift", py.item(piles, cell), piece, by)),
            *self.event(step, "shift", self.value(step.me), piece, cell, py.name("b_")),
        ]
        ordered = [
            self.layout.place_of(kind, at)[0].stack for at in range(self.layout.cells(kind))
        ]
        if not all(ordered):
            moved = [ast.If(py.item(self.keep(tuple(ordered)), cell), moved, [])]
        return [
            py.assign(piece, self.value(step.subject)),
            py.assign(cell, py.item(py.field(py.identifier(kind, "w_")), piece)),
            *moved,
        ]

    def _ShuffleCells(self, step: ty.ShuffleCells) -> Code:
        code: Code = []
        for piece in self.layout.world.places[step.cells.place].holds:
            if self.style(piece) != "printed":
                continue
            piles = py.field(py.identifier(piece, "l_"))
            codes = self.codes(piece, step.cells)
            over = ast.Tuple(codes, py.LOAD) if isinstance(codes, list) else codes
            shuffled = py.call("shuffle", py.name("st"), py.item(piles, py.name("k_")))
            body: Code = [py.expression(shuffled)]
            body.extend(self.event(step, "shuffle", self.value(step.me), py.name("k_")))
            code.append(py.loop("k_", over, body))
            fields = self.layout.world.kinds[piece].fields.values()
            hidden = self.layout.world.places[step.cells.place].seen_by == "nobody"
            if not hidden or any(field.back for field in fields):  # the new order is seen
                code.append(py.augment(py.field("learned"), "+", py.const(1)))
        return code

    def _Peek(self, step: ty.Peek) -> Code:
        things = self.listed(step.domain)
        log = self.event(step, "peek", self.value(step.me), things)
        return [py.augment(py.field("learned"), "+", py.const(1)), *log]
