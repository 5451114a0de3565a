"""Builder of state changes and of the values in messages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.types import SEAT, Type
from rulesdsl.check.typed.program import Eyes
from rulesdsl.check.typed.traits import bound_inside
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder import domains, fields, values
from rulesdsl.lower.builder.writer import NONE, ONE, ZERO, Shared, Writer
from rulesdsl.lower.flat.walk import MAX_NUMBER, known, op


def tell(w: Writer, step: ty.Tell | ty.EndTell) -> None:
    """Write a message event: the acting seat, the values, and for each of the faces two numbers.

    These are a piece and its cell, or -1 and the index of a track or flag.
    """
    if isinstance(step, ty.EndTell):
        w.tell(fl.Event("told", "", step.span, w.proc), [NONE])
        return
    numbers: list[fl.Expr] = [w.value(step.me)]
    if step.words is not None:
        numbers += values.given(w, step.words.values)
        for face in chain(*step.words.faces):
            is_cell = isinstance(face, ty.TrackCell | ty.FlagCell)
            numbers += [NONE, _index(w, face)] if is_cell else _lying(w, face)
    w.tell(fl.Event(step.what, "", step.span, w.proc, step.words, step.quiet), numbers)


def _lying(w: Writer, piece: ty.Value) -> list[fl.Expr]:
    """Return a piece and its cell; both are -1 if there is no piece."""
    thing = w.steady(piece, "piece")
    cell = w.set("cell", NONE)
    w.when(
        op(">=", thing, ZERO),
        lambda: w.add(fl.Set(cell.name, fl.Load(f"w:{piece.type.of}", thing))),
    )
    return [thing, cell]


def _index(w: Writer, cell: ty.Value) -> fl.Expr:
    assert isinstance(cell, ty.TrackCell | ty.FlagCell)
    info = w.world.counter(cell.counter)
    assert info is not None
    return fields.cell(w, info.dims, cell.dims)


def functions(
    shared: Shared,
    key: str,
    slots: tuple[str, ...],
    values_: Sequence[ty.Value],
    *,
    faces: bool = False,
) -> tuple[str, ...]:
    """Add functions that compute values in a message from a frame; return their names.

    Instead of the values of `faces` that are tracks and flags, they compute their indexes.
    """
    names: list[str] = []
    for value in values_:
        parts = shared.layout.world.bundle_nouns if value.type.family == "bundle" else ("",)
        for at, noun in enumerate(parts):
            inner = Writer(shared, key)
            result = values.part(inner, value, at) if noun else inner.value(value)
            if faces and isinstance(value, ty.TrackCell | ty.FlagCell):
                result = _index(inner, value)
            inner.add(fl.Return(result))
            names.append(f"words:{key}.{len(shared.flat.functions)}")
            inner.function(names[-1], slots)
    return tuple(names)


OWNER = ty.Local("whose pieces move", type=SEAT)
Change = (
    ty.MoveCounted
    | ty.MoveSingle
    | ty.MovePrinted
    | ty.MoveSome
    | ty.ChangeTrack
    | ty.ShiftPiece
    | ty.SetFlag
    | ty.ShuffleCells
    | ty.Peek
    | ty.ShowCell
)


def change(w: Writer, step: Change) -> None:
    """Write a change to the state, and its log event."""
    match step:
        case ty.MoveCounted():
            _move_counted(w, step)
        case ty.MoveSingle():
            _move_single(w, step)
        case ty.MovePrinted():
            thing = w.steady(step.subject, "piece")
            there = op(">=", thing, ZERO) if step.subject.type.maybe else ONE
            w.when(there, lambda: relocate(w, step, step.piece, thing))
        case ty.MoveSome():
            _move_some(w, step)
        case ty.ChangeTrack():
            _change_track(w, step)
        case ty.ShiftPiece():
            _shift(w, step)
        case ty.SetFlag():
            _set_flag(w, step)
        case ty.ShuffleCells():
            _shuffle(w, step)
        case ty.Peek():
            things = domains.listed(w, step.domain, "each")
            w.add(fl.LEARN)
            piece, base = step.domain.element.of, step.domain.unfiltered
            cells = base.cells if isinstance(base, ty.Lying | ty.EndPieces) else None
            cell = domains.cell(w, piece, cells) if cells and cells.one else fl.Literal(-1)
            to = NONE if step.to is None else w.value(step.to)
            w.note(
                step,
                "peek",
                piece,
                w.value(step.me),
                things,
                cell,
                to,
                cause=step.subject,
                keeps=step.keeps,
            )
        case ty.ShowCell():
            _show_cell(w, step)


# -------------------------------------------------------------------- pieces in locals
def hold(w: Writer, name: str, source: ty.Value | ty.Domain) -> None:
    """Write an event for a local that holds a piece from here on, if it does so in secret."""
    origin = w.program.procs[w.proc].held.get(name)
    if not w.shared.logging or origin is None:
        return
    kind = source.element if isinstance(source, ty.DomainNode) else source.type
    event = fl.Event("hold", kind.of, w.span, w.proc, quiet=True, cause=ty.Local(name, type=kind))
    _hold(w, event, source, w.named(name), origin.eyes)


def hold_arguments(w: Writer, step: ty.Run, arguments: Sequence[fl.Expr]) -> None:
    """Write events for the parameters of a called procedure that hold a piece in secret."""
    called = w.program.procs[step.proc]
    if not w.shared.logging or not called.held:
        return
    values_of = dict(zip(values.params(w, called.params), arguments, strict=True))
    for param, value in zip(called.params, step.arguments, strict=True):
        if param.name in called.held:
            event = fl.Event("hold", param.type.of, w.span, step.proc, quiet=True, cause=param)
            _hold(w, event, value, values_of[param.name], frozenset())


def _hold(
    w: Writer, event: fl.Event, source: ty.Value | ty.Domain, piece: fl.Expr, eyes: Eyes
) -> None:
    """Write the piece, those that it may be as far as all can tell, and who can tell more."""
    if isinstance(source, ty.Local):
        w.tell(attrs.evolve(event, source=(w.proc, source.name)), [NONE])
        return
    domain = source if isinstance(source, ty.DomainNode) else None
    if isinstance(source, ty.RandomOf | ty.BestOf):
        domain = source.domain
    assert event.cause is not None
    candidates = domains.listed(w, _public(domain, event.cause.type), "each")
    knowers = w.buffer("knowers", w.layout.seats)
    for seat in sorted(eyes or ()):
        w.add(fl.Push(knowers, w.value(ty.Local(seat, type=SEAT))))
    w.tell(event, (NONE, piece, candidates, knowers))


def _public(domain: ty.Domain | None, kind: Type) -> ty.Domain:
    base = None if domain is None else domain.unfiltered
    if isinstance(base, ty.Lying):
        return ty.Lying(base.piece, base.cells, element=base.element)
    return base if isinstance(base, ty.EndPieces) else ty.AnyWhere(kind.of, element=kind)


# -------------------------------------------------------------------- counted pieces
def _move_counted(w: Writer, step: ty.MoveCounted) -> None:
    owned = w.world.pieces[step.piece].owned
    owner = w.steady(step.owner, "owner") if owned and step.owner is not None else None
    if step.amount is None:
        every = [fl.Literal(seat) for seat in range(w.layout.seats)]
        for each in every if owned and owner is None else [owner]:
            _move_all(w, step, each)
        return
    source = w.kept(domains.cell(w, step.piece, step.source, owner), "source")
    target = w.kept(domains.cell(w, step.piece, step.target, owner), "target")
    amount = w.value(step.amount)
    if amount != ZERO and (step.up_to or w.shared.careful):
        there = fl.Load(f"n:{step.piece}", source)
        if amount == ONE:
            moved = partial(_moved, w, step, ONE, source, target)
            w.when(op("<>", there, ZERO), moved)
            return
        amount = op("min", amount, there)
    amount = w.kept(amount, "amount")
    w.when(op(">", amount, ZERO), lambda: _moved(w, step, amount, source, target))


def _moved(
    w: Writer, step: ty.MoveCounted, amount: fl.Expr, source: fl.Expr, target: fl.Expr
) -> None:
    array = f"n:{step.piece}"
    w.add(fl.Store(array, source, op("-", fl.Load(array, source), amount)))
    w.add(fl.Store(array, target, op("+", fl.Load(array, target), amount)))
    told = w.value(step.me), amount, source, target
    w.note(step, "move", step.piece, *told, imposed=_is_imposed(w, step.me))


def _is_imposed(w: Writer, me: ty.Value) -> bool:
    proc = w.program.procs.get(w.proc)
    return proc is not None and proc.verb and not ty.is_me(me)


def _move_all(w: Writer, step: ty.MoveCounted, owner: fl.Expr | None) -> None:
    array = f"n:{step.piece}"

    def each(source: fl.Expr) -> None:
        amount = w.set("amount", fl.Load(array, source))
        with w.body() as moved:
            w.add(fl.Store(array, source, ZERO))
            w.add(fl.Store(array, target, op("+", fl.Load(array, target), amount)))
            told = w.value(step.me), amount, source, target
            w.note(step, "move", step.piece, *told, imposed=_is_imposed(w, step.me))
        w.add(fl.Conditional(op("<>", amount, ZERO), tuple(moved)))

    with w.given({} if owner is None else {OWNER.name: owner}):
        target = w.kept(
            domains.cell(w, step.piece, _of_owner(w, step.target, owner), owner), "target"
        )
        domains.each_cell(w, step.piece, _of_owner(w, step.source, owner), each, owner)


def _of_owner(w: Writer, cells: ty.Cells, owner: fl.Expr | None) -> ty.Cells:
    at = w.world.places[cells.place].owner_dim
    if owner is None or at is None or cells.dims[at] is not None:
        return cells
    return attrs.evolve(cells, dims=(*cells.dims[:at], OWNER, *cells.dims[at + 1 :]))


# -------------------------------------------------------------------- single and printed pieces
def _move_single(w: Writer, step: ty.MoveSingle) -> None:
    subject = w.steady(step.subject, "owner")
    target = w.kept(domains.cell(w, step.piece, step.target), "target")
    where = domains.where(w, step.piece, subject)
    if w.shared.logging:  # a move to the current cell is not logged
        me = w.value(step.me)
        w.when(
            op("<>", where, target),
            lambda: w.note(step, "place", step.piece, me, subject, where, target),
        )
    w.add(fl.Store(where.array, where.index, target))


def relocate(
    w: Writer,
    step: ty.MovePrinted | ty.MoveSome,
    piece: str,
    thing: fl.Expr,
    cell: fl.Expr | None = None,
) -> None:
    """Write the move of a printed piece to a cell."""
    stack = w.world.places[step.target.place].stack
    new = w.kept(cell or domains.cell(w, piece, step.target), "target")
    old = w.set("source", fl.Load(f"w:{piece}", thing)) if w.shared.logging else NONE
    w.add(fl.PlacePiece(piece, thing, new, step.top or not stack))
    if step.shown:
        w.add(fl.LEARN)
    if w.shared.logging:
        subject = step.subject if isinstance(step, ty.MovePrinted) else None
        cause = subject if isinstance(subject, ty.Local) else None
        ends = _source_end(step), _stack_end(top=step.top) if stack else ""
        values_ = w.value(step.me), thing, old, new
        w.when(
            ONE if stack else op("<>", old, new),
            lambda: w.note(step, "piece", piece, *values_, cause=cause, ends=ends),
        )


def _source_end(step: ty.MovePrinted | ty.MoveSome) -> fl.StackEnd:
    source = step.subject if isinstance(step, ty.MovePrinted) else step.domain
    return _stack_end(top=source.top) if isinstance(source, ty.EndOf | ty.EndPieces) else ""


def _stack_end(*, top: bool) -> fl.StackEnd:
    return "top" if top else "bottom"


def _move_some(w: Writer, step: ty.MoveSome) -> None:
    base = step.domain.unfiltered
    assert isinstance(base, ty.Lying | ty.EndPieces)
    things = domains.listed(w, step.domain, "piece")
    cell = w.kept(domains.cell(w, base.piece, step.target), "target")
    if step.amount is None:
        w.loop("piece", things, lambda thing: relocate(w, step, base.piece, thing, cell))
        return
    length = fl.Length(things)
    count = w.kept(op("min", op("max", w.value(step.amount), ZERO), length), "amount")
    # the first pieces of a stack are those on top
    down = w.world.places[base.cells.place].stack and isinstance(base, ty.Lying)

    def each(at: fl.Expr) -> None:
        index = op("-", op("-", length, ONE), at) if down else at
        relocate(w, step, base.piece, w.set("piece", fl.ListItem(things, index)), cell)

    w.loop("at", fl.IntRange(ZERO, count), each)


def _shift(w: Writer, step: ty.ShiftPiece) -> None:
    """Write a move within a pile; in an unordered place the piece stays."""
    kind = step.piece
    thing = w.steady(step.subject, "piece")
    amount = w.value(step.amount)
    by = amount if step.up else op("-.", ZERO, amount)
    cell = w.set("cell", fl.Load(f"w:{kind}", thing))
    ordered = [int(w.layout.place_of(kind, at)[0].stack) for at in range(w.layout.cells(kind))]

    def shifted() -> None:
        old, new = w.fresh("old"), w.fresh("new")
        w.add(fl.Shift(kind, thing, by, old.name, new.name))
        if w.shared.logging:
            told = w.value(step.me), thing, cell, old, new
            w.when(op("<>", old, new), lambda: w.note(step, "shift", kind, *told))

    stays = ONE if all(ordered) else fields.table(w, ordered, cell)
    w.when(stays, shifted)


def _shuffle(w: Writer, step: ty.ShuffleCells) -> None:
    place = w.world.places[step.cells.place]
    for piece in place.holds:
        if w.world.pieces[piece].style != "printed":
            continue

        def each(at: fl.Expr, piece: str = piece) -> None:
            w.add(fl.PermutePile("shuffle", fl.Pile(piece, at)))
            if w.shared.logging:
                order = w.buffer("order", len(w.layout.instances(piece)))
                w.loop("piece", fl.Pile(piece, at), lambda each: w.add(fl.Push(order, each)))
                w.note(step, "shuffle", piece, w.value(step.me), at, order)

        domains.each_cell(w, piece, step.cells, each)
        fields_ = w.world.kinds[piece].fields.values()
        if place.seen_by != "nobody" or any(field.back for field in fields_):
            w.add(fl.LEARN)  # the new order is visible


# -------------------------------------------------------------------- flags and tracks
def _show_cell(w: Writer, step: ty.ShowCell) -> None:
    """Write a bit for the player who is shown a cell, or all bits."""
    name = step.cell.counter
    info, array = w.world.counter(name), w.world.shown[name].array
    assert info is not None
    index = w.kept(fields.cell(w, info.dims, step.cell.dims), "index")
    to = NONE if step.to is None else w.kept(w.value(step.to), "to")
    players, rivals = w.layout.players, w.layout.seats - w.layout.players
    bits: fl.Expr = fl.Literal((2 << players) - 1)
    if step.to is not None:
        bits = fields.table(w, [*(2 << at for at in range(players)), *[0] * rivals], to)
    w.add(fl.Store(array, index, op("|", fl.Load(array, index), bits)), fl.LEARN)
    cells = _marked_cells(w, info.dims, step.cell.dims) if w.shared.logging else []
    w.note(step, "show", name, w.value(step.me), index, fl.Load(info.array, index), to, *cells)


def _forget_shown(w: Writer, name: str, index: fl.Expr) -> None:
    """Write that nobody has been shown the new value of a cell."""
    if name in w.world.shown:
        w.add(fl.Store(w.world.shown[name].array, index, ZERO))


def _set_flag(w: Writer, step: ty.SetFlag) -> None:
    info, value = w.world.flags[step.flag], fl.Literal(int(step.on))
    index = fields.cell(w, info.dims, step.dims)
    if w.shared.logging:
        index = w.kept(index, "index")
        _mark(w, step, index, fl.Literal(1 if step.on else -1))
    if w.shared.logging and not info.quiet:
        told = w.value(step.me), index, value, *_marked_cells(w, info.dims, step.dims)
        turned = op("<>", fl.Load(f"f:{step.flag}", index), value)
        w.when(turned, lambda: w.note(step, "flag", step.flag, *told))
    w.add(fl.Store(f"f:{step.flag}", index, value))
    _forget_shown(w, step.flag, index)


def _marked_cells(w: Writer, dims: Sequence[str], values: Sequence[ty.Value]) -> list[fl.Expr]:
    """Return the cells of the printed pieces that a track or flag marks."""
    return [
        fl.Load(f"w:{dim}", w.value(at))
        for dim, at in zip(dims, values, strict=True)
        if _is_printed(w, dim)
    ]


def _change_track(w: Writer, step: ty.ChangeTrack) -> None:
    info = w.world.tracks[step.track]
    array = f"t:{step.track}"
    index = w.kept(fields.cell(w, info.dims, step.dims), "index")
    cell = fl.Load(array, index)
    _forget_shown(w, step.track, index)
    new = None if step.result is None else w.kept(w.value(step.result), "new")
    amount = w.value(step.amount) if new is None else op("-", new, cell)
    moved = new or op("+." if step.up else "-.", cell, amount)
    by = known(amount)
    grows = None if by is None or by < 0 else step.up
    if grows is not True:
        moved = op("max", moved, fl.Literal(info.low))
    if grows is not False:
        moved = op("min", moved, fl.Literal(min(info.high, MAX_NUMBER)))
    if not w.shared.logging or (info.quiet and not step.followed):
        w.add(fl.Store(array, index, moved))
        return
    value = w.set("value", moved)
    lying = _marked_cells(w, info.dims, step.dims)
    imposed, absolute = _is_imposed(w, step.me), new is not None
    event = fl.Event("track", step.track, step.span, w.proc, imposed=imposed, absolute=absolute)
    told: list[fl.Expr | fl.Buffer] = [w.value(step.me), index, cell, value, *lying]
    if step.followed and info.seen_by is not None:
        cause, per_piece, known_by = _cause(w, step)
        event = attrs.evolve(event, change=step, cause=cause, per_piece=per_piece)
        told.append(known_by)
    if info.seen_by is not None:  # logged even if unchanged: another piece might have changed it
        w.tell(event, told)
    else:  # a change without effect is not logged
        w.when(op("<>", cell, value), lambda: w.tell(event, told))
        _mark(w, step, index, amount if step.up else op("-.", ZERO, amount))
    w.add(fl.Store(array, index, value))


def _mark(w: Writer, step: ty.ChangeTrack | ty.SetFlag, index: fl.Expr, by: fl.Expr) -> None:
    """Write an event for a change on a printed piece, unless all see it: add `by` at `index`."""
    pieces = [each for each in step.dims if _is_printed(w, each.type.of)]
    if not w.shared.logging or step.followed or len(pieces) != 1:
        return
    cause = pieces[0] if isinstance(pieces[0], ty.Local) else None
    event = fl.Event(
        "mark", step.counter, step.span, w.proc, quiet=True, cause=cause, timed=step.timed
    )
    w.tell(event, (NONE, index, by))


def _cause(
    w: Writer, step: ty.ChangeTrack
) -> tuple[ty.Local | None, ty.Value | None, fl.Expr | fl.Buffer]:
    """Return the piece that determines a track change, the amount for it, and the value to log.

    The value is the piece, or the list of pieces whose amounts are summed. Without such a piece,
    it is the amount of the change.
    """
    amount = step.result or step.amount
    if isinstance(amount, ty.SumOf) and _is_printed(w, amount.domain.element.of):
        each = ty.Local(amount.variable, type=amount.domain.element)
        return each, amount.amount, domains.listed(w, amount.domain, "each")
    bound = bound_inside(amount)
    used = (e for e in ty.walk(amount) if isinstance(e, ty.Local) and e.name not in bound)
    piece = next((local for local in used if _is_printed(w, local.type.of)), None)
    return piece, piece and amount, w.value(piece or amount)


def _is_printed(w: Writer, name: str) -> bool:
    return name in w.world.pieces and w.world.pieces[name].style == "printed"
