"""Questions: what is offered, and whether it is one at all."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.proofs import atoms, uses
from rulesdsl.check.world import TrackInfo
from rulesdsl.lower import flat as fl
from rulesdsl.lower import form as fm
from rulesdsl.lower.flatten import domains
from rulesdsl.lower.flatten.conditions import conditions
from rulesdsl.lower.flatten.same import same_things
from rulesdsl.lower.flatten.told import functions
from rulesdsl.lower.flatten.writer import NONE, ONE, ZERO, Writer
from rulesdsl.lower.fold import negated, op

if TYPE_CHECKING:
    from collections.abc import Callable

COLUMNS = 1 << 16  # more than a field has, and none
OFFERED = fl.Buffer(fl.OPTIONS)
NUMBER = fl.Length(OFFERED)


def test_and_ask(w: Writer, made: fm.Machine, end: fm.Test) -> bool:
    """Write a test whether there is anything to choose joined with the asking: one look."""
    at = made.past(end.yes)
    asking = made.blocks[at].end
    if made.blocks[at].steps or not isinstance(asking, fm.Ask) or asking.choice is None:
        return False
    choice, parts = asking.choice, atoms(end.condition)
    for part in parts:
        if isinstance(part, ty.AnyOf) and same_things(part.domain, choice[1]):
            rest = [w.later(each) for each in parts if each is not part]
            w.when(conditions(w, "and", rest), lambda: _ask_if_any(w, made, at, asking, choice))
            w.add(fl.Goto(made.past(end.no)))
            return True
    return False


def ask(w: Writer, made: fm.Machine, at: int, end: fm.Ask) -> None:
    """Write a question."""
    if end.choice is not None:
        _candidates(w, OFFERED, *end.choice)
        _open_choice(w, made, at, end, end.choice[0])
        return
    decision = _declare(w, made, at, end)
    w.add(fl.Clear(OFFERED))
    spent = None if end.spent is None else fl.Buffer(end.spent)
    for number, line in enumerate(end.lines):
        _line(w, number, line, spent)
    if end.stop is None:
        w.when(_alone(w, end), lambda: _only(w, made, end))
    else:
        _nothing_left(w, made, end, spent)
        only = end.lines[0] if len(end.lines) == 1 else None
        if only is not None and only.confirm and only.about is None:
            w.add(_safe_first())
        else:
            w.add(fl.Push(OFFERED, NONE))
    w.add(fl.Ask(decision))


# -------------------------------------------------------------------- a thing
def _candidates(w: Writer, into: fl.Buffer, name: str, domain: ty.Domain) -> None:
    """Write what is offered; of things that are alike, one."""
    if into.at is None:
        w.add(fl.Clear(into))
    domains.through(w, domain, name, lambda thing: w.add(fl.Push(into, thing)))
    alike = looks(w, domain, into)
    if alike is not None:
        w.add(alike)


def _ask_if_any(
    w: Writer, made: fm.Machine, at: int, end: fm.Ask, choice: tuple[str, ty.Domain]
) -> None:
    _candidates(w, OFFERED, *choice)
    w.when(op("<>", NUMBER, ZERO), lambda: _open_choice(w, made, at, end, choice[0]))


def _open_choice(w: Writer, made: fm.Machine, at: int, end: fm.Ask, name: str) -> None:
    """Write a question about things: one alone is taken, unless that is a secret."""
    decision = _declare(w, made, at, end)
    if not end.secret:
        taken = (fl.Set(name, fl.Item(OFFERED, ZERO)), fl.Goto(made.past(end.targets[0])))
        w.add(fl.If(op("=", NUMBER, ONE), taken))
    w.add(fl.Ask(decision))


def looks(w: Writer, domain: ty.Domain, buffer: fl.Buffer) -> fl.Distinct | None:
    """Return what leaves one of those pieces that are alike; None where none are."""
    base = domain.unfiltered
    if not isinstance(base, ty.Lying) or base.apart:
        return None
    if w.world.pieces[base.piece].style != "printed":
        return None
    instances = w.layout.instances(base.piece)
    if len(set(instances)) == len(instances) or w.world.places[base.cells.place].stack:
        return None
    prints = w.shared.table(tuple(instances.index(each) for each in instances))
    marks: list[tuple[str, str, int]] = []
    for mark in w.world.marks(base.piece):
        letter = "t" if isinstance(mark, TrackInfo) else "f"
        rows = w.layout.cells_of_each(mark.dims, base.piece)
        table = w.shared.table(tuple(each for row in rows for each in row))
        marks.append((f"{letter}:{mark.name}", table, len(rows[0])))
    return fl.Distinct(buffer, base.piece, prints, not base.cells.one, tuple(marks))


# -------------------------------------------------------------------- lines
def _line(w: Writer, number: int, line: ty.Line, spent: fl.Buffer | None) -> None:
    """Write the adding of what a line offers."""
    if line.about is None:
        option = fl.Const(number << fl.LINE_BITS)
        asked = [lambda: _left(option, line, spent), w.later(line.guard)]
        w.when(conditions(w, "and", asked), lambda: _push(w, option))
        return
    name, domain = line.about
    parts = atoms(line.guard)
    before = [w.later(each) for each in parts if not uses(each, name)]
    about = [each for each in parts if uses(each, name)]

    def lines() -> None:
        alike = looks(w, domain, OFFERED)
        things = None if alike is None else w.buffer("alike", domains.most(w, domain))

        def offer(thing: fl.Expr) -> None:
            option = op("+", thing, fl.Const((number << fl.LINE_BITS) + 1))
            with w.given({name: thing}):
                asked = [lambda: _left(option, line, spent), *(w.later(e) for e in about)]
                holds = conditions(w, "and", asked)
                if things is not None:
                    w.when(holds, lambda: w.add(fl.Push(things, thing)))
                else:
                    w.when(holds, lambda: _push(w, option))

        domains.through(w, domain, name, offer)
        if things is not None:
            assert alike is not None
            w.add(attrs.evolve(alike, buffer=things))
            first = fl.Const((number << fl.LINE_BITS) + 1)
            w.loop(name, things, lambda thing: _push(w, op("+", thing, first)))

    w.when(conditions(w, "and", before), lines)


def _push(w: Writer, option: fl.Expr) -> None:
    w.add(fl.Push(OFFERED, option))


def _left(option: fl.Expr, line: ty.Line, spent: fl.Buffer | None) -> fl.Expr:
    if not line.once or spent is None:
        return ONE
    return negated(fl.Contains(spent, option))


def _alone(w: Writer, end: fm.Ask) -> fl.Expr:
    """Return whether one line alone is offered, and no other might be as far as all know."""

    def none_might() -> fl.Expr:
        others = [(at, line.might) for at, line in enumerate(end.lines) if line.might != ty.NO]
        return negated(
            conditions(w, "or", [_hidden(w, at << fl.LINE_BITS, might) for at, might in others])
        )

    return conditions(w, "and", [lambda: op("=", NUMBER, ONE), none_might])


def _hidden(w: Writer, option: int, might: ty.Value) -> Callable[[], fl.Expr]:
    missing = negated(fl.Contains(OFFERED, fl.Const(option)))
    return lambda: conditions(w, "and", [lambda: missing, w.later(might)])


def _only(w: Writer, made: fm.Machine, end: fm.Ask) -> None:
    """Write the way on to the one line that is offered."""
    targets = [fl.Goto(made.past(each)) for each in end.targets]
    ways = [partial(w.add, each) for each in targets]
    w.one_of(fl.Item(OFFERED, ZERO), ways, step=1 << fl.LINE_BITS)


def _nothing_left(w: Writer, made: fm.Machine, end: fm.Ask, spent: fl.Buffer | None) -> None:
    """Write the end of lines that all know to be none; else the word alone is left."""
    none = op("=", NUMBER, ZERO)
    done = fl.Goto(made.past(end.targets[-1]))
    with w.body() as maybe:
        for number, line in enumerate(end.lines):
            if line.perhaps is not None:
                _line(w, number, line.perhaps, spent)
    if maybe:
        maybe += [fl.If(none, (done,)), fl.Clear(OFFERED)]
    w.add(fl.If(none, tuple(maybe) or (done,)))


def _safe_first() -> fl.Stmt:
    """Return what puts `no` before the one thing that is offered, if it is."""
    no, yes = fl.Push(OFFERED, NONE), fl.Push(OFFERED, ZERO)
    return fl.If(op("=", NUMBER, ZERO), (no,), (fl.Clear(OFFERED), no, yes))


# -------------------------------------------------------------------- all at once
def ask_all(w: Writer, made: fm.Machine, at: int, end: fm.AskSecret) -> None:
    """Write a question to all players at once."""
    decision = _declare(w, made, at, end)
    w.list(end.answers, w.layout.players)
    w.add(fl.Clear(OFFERED, w.layout.players))

    def options(player: fl.Expr) -> None:
        with w.given({end.chooser: player}):
            _candidates(w, fl.Buffer(fl.OPTIONS, player), "option", end.domain)

    w.loop(end.chooser, fl.Range(ZERO, fl.Const(w.layout.players)), options)
    w.add(fl.Ask(decision))


# -------------------------------------------------------------------- what an option leads to
def _declare(w: Writer, made: fm.Machine, at: int, end: fm.Asking) -> int:
    """Return the number of a decision, which is declared where it is met first."""
    shared, where = w.shared, (made.key, at)
    if where not in shared.declared:
        decision = _decision(w, made, at, end)
        shared.declared[where] = len(shared.flat.decisions)
        shared.flat.decisions.append(decision)
        shared.sources.append(end)
    return shared.declared[where]


def _decision(w: Writer, made: fm.Machine, at: int, end: fm.Asking) -> fl.Decision:
    slots = w.shared.flat.machines[made.key].slots
    told = partial(functions, w.shared, made.key, slots)
    if isinstance(end, fm.AskSecret):
        then = (made.past(end.then),)
        words = tuple(map(told, (end.prompt, end.label)))
        plain = True  # an option is a thing
        return fl.Decision(made.key, at, plain, then, end.answers, None, words=words, sealed=True)
    me, choice = end.me, end.choice
    seat = me.value if isinstance(me, ty.Const) else None
    return fl.Decision(
        made.key,
        at,
        choice is not None,
        tuple(made.past(each) for each in end.targets),
        end.spent if choice is None else choice[0],
        me.name if isinstance(me, ty.Local) else seat,
        tuple(each.variable for each in end.lines),
        tuple(each.once for each in end.lines),
        tuple(_key(w, made.key, slots, each) for each in end.lines),
        tuple(map(told, (end.prompt, *(each.label for each in end.lines)))),
        hidden=any(each.hidden for each in end.lines),
    )


def _key(w: Writer, machine: str, slots: tuple[str, ...], line: ty.Line) -> str | None:
    """Return the function that tells which effect a line would carry out, if only that."""
    only = fm.effect_of(line)
    if only is None:
        return None
    name = f"key:{machine}.{len(w.shared.flat.functions)}"
    inner = Writer(w.shared, machine)
    subject = inner.value(only.subject)
    key = NONE if only.key is None else inner.value(only.key)
    # both in one number: which subject, and which column of it
    both = op("+", op("*", subject, fl.Const(COLUMNS)), op("+", key, ONE))
    inner.add(fl.Return(both))
    inner.function(name, slots)
    return name
