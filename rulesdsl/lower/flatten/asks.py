"""Builds questions: the options that are offered, and the ways on where nobody need be asked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.proofs import atoms, uses
from rulesdsl.check.world import TrackInfo
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flatten import domains
from rulesdsl.lower.flatten.conditions import conditions
from rulesdsl.lower.flatten.told import functions
from rulesdsl.lower.flatten.writer import NONE, ONE, ZERO, Writer
from rulesdsl.lower.fold import negated, op

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.lower.flatten.machines import MachineBuilder

COLUMNS = 1 << 16  # more than a field has, and none
OFFERED = fl.Buffer(fl.OPTIONS)
NUMBER = fl.Length(OFFERED)


@attrs.frozen
class BlockQuestion:
    """A step at which a block ends, with the blocks that its lines lead to, that of `stop` last.

    `slot` keeps the lines that can be taken only once and were, or the answers of all players.
    """

    step: ty.Asking
    targets: tuple[int, ...]
    slot: str | None


def test_and_ask(m: MachineBuilder, condition: ty.Value, yes: int, no: int) -> bool:
    """Write a test whether there is anything to choose joined with the asking: one look."""
    at = m.past(yes)
    question = m.blocks[at].question
    if m.blocks[at].steps or question is None or not isinstance(question.step, ty.Decide):
        return False
    if question.step.choice is None:
        return False
    w, choice, parts = m.w, question.step.choice, atoms(condition)
    for part in parts:
        if isinstance(part, ty.AnyOf) and _same_things(part.domain, choice[1]):
            rest = [w.later(each) for each in parts if each is not part]
            asked = partial(_ask_if_any, m, at, question, choice)
            w.when(conditions(w, "and", rest), asked)
            w.add(fl.Goto(m.past(no)))
            return True
    return False


def _same_things(one: ty.Domain, other: ty.Domain) -> bool:
    """Return whether two domains are of the same things, whatever their candidates are called."""
    if not isinstance(one, ty.Filtered) or not isinstance(other, ty.Filtered):
        return one == other
    mine = ty.Local(other.variable, type=one.base.element)
    condition = ty.substitute(one.condition, one.variable, mine)
    return condition == other.condition and _same_things(one.base, other.base)


def ask(m: MachineBuilder, at: int, question: BlockQuestion) -> None:
    """Write a question."""
    w, node = m.w, question.step
    if isinstance(node, ty.Secretly):
        _ask_all(m, at, question, node)
        return
    if node.choice is not None:
        _candidates(w, OFFERED, *node.choice)
        _open_choice(m, at, question, node.choice[0])
        return
    decision = _declare(m, at, question)
    w.add(fl.Clear(OFFERED))
    spent = None if question.slot is None else fl.Buffer(question.slot)
    for number, line in enumerate(node.lines):
        _line(w, number, line, spent)
    targets = [m.past(each) for each in question.targets]
    if node.stop is None:
        w.when(_alone(w, node.lines), lambda: _only(w, targets))
    else:
        _nothing_left(w, node.lines, targets[-1], spent)
        only = node.lines[0] if len(node.lines) == 1 else None
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
    m: MachineBuilder, at: int, question: BlockQuestion, choice: tuple[str, ty.Domain]
) -> None:
    _candidates(m.w, OFFERED, *choice)
    m.w.when(op("<>", NUMBER, ZERO), lambda: _open_choice(m, at, question, choice[0]))


def _open_choice(m: MachineBuilder, at: int, question: BlockQuestion, name: str) -> None:
    """Write a question about things: one alone is taken, unless that is a secret."""
    decision = _declare(m, at, question)
    if isinstance(question.step, ty.Decide) and not question.step.secret:
        target = m.past(question.targets[0])
        taken = (fl.Set(name, fl.Item(OFFERED, ZERO)), fl.Goto(target))
        m.w.add(fl.If(op("=", NUMBER, ONE), taken))
    m.w.add(fl.Ask(decision))


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


def _alone(w: Writer, lines: tuple[ty.Line, ...]) -> fl.Expr:
    """Return whether one line alone is offered, and no other might be as far as all know."""

    def none_might() -> fl.Expr:
        others = [(at, line.might) for at, line in enumerate(lines) if line.might != ty.NO]
        return negated(
            conditions(w, "or", [_hidden(w, at << fl.LINE_BITS, might) for at, might in others])
        )

    return conditions(w, "and", [lambda: op("=", NUMBER, ONE), none_might])


def _hidden(w: Writer, option: int, might: ty.Value) -> Callable[[], fl.Expr]:
    missing = negated(fl.Contains(OFFERED, fl.Const(option)))
    return lambda: conditions(w, "and", [lambda: missing, w.later(might)])


def _only(w: Writer, targets: list[int]) -> None:
    """Write the way on to the one line that is offered."""
    ways = [partial(w.add, fl.Goto(each)) for each in targets]
    w.one_of(fl.Item(OFFERED, ZERO), ways, step=1 << fl.LINE_BITS)


def _nothing_left(
    w: Writer, lines: tuple[ty.Line, ...], last: int, spent: fl.Buffer | None
) -> None:
    """Write the end of lines that all know to be none; else the word alone is left."""
    none = op("=", NUMBER, ZERO)
    done = fl.Goto(last)
    with w.body() as maybe:
        for number, line in enumerate(lines):
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
def _ask_all(m: MachineBuilder, at: int, question: BlockQuestion, node: ty.Secretly) -> None:
    """Write a question to all players at once."""
    w, decision = m.w, _declare(m, at, question)
    assert question.slot is not None
    w.list(question.slot, w.layout.players)
    w.add(fl.Clear(OFFERED, w.layout.players))

    def options(player: fl.Expr) -> None:
        with w.given({node.me: player}):
            _candidates(w, fl.Buffer(fl.OPTIONS, player), "option", node.domain)

    w.loop(node.me, fl.Range(ZERO, fl.Const(w.layout.players)), options)
    w.add(fl.Ask(decision))


# -------------------------------------------------------------------- what an option leads to
def _declare(m: MachineBuilder, at: int, question: BlockQuestion) -> int:
    """Return the number of a decision, which is declared where it is met first."""
    shared, where = m.shared, (m.key, at)
    if where not in shared.declared:
        decision = _decision(m, at, question)
        shared.declared[where] = len(shared.flat.decisions)
        shared.flat.decisions.append(decision)
        shared.sources.append(question.step)
    return shared.declared[where]


def _decision(m: MachineBuilder, at: int, question: BlockQuestion) -> fl.Decision:
    shared, node, slot = m.shared, question.step, question.slot
    slots = shared.flat.machines[m.key].slots
    told = partial(functions, shared, m.key, slots)
    then = tuple(map(m.past, question.targets))
    if isinstance(node, ty.Secretly):
        words = tuple(map(told, (node.prompt, node.label)))
        plain = True  # an option is a thing
        return fl.Decision(m.key, at, plain, then, slot, None, words=words, sealed=True)
    me, choice = node.me, node.choice
    seat = me.value if isinstance(me, ty.Const) else None
    return fl.Decision(
        m.key,
        at,
        choice is not None,
        then,
        slot if choice is None else choice[0],
        me.name if isinstance(me, ty.Local) else seat,
        tuple(each.variable for each in node.lines),
        tuple(each.once for each in node.lines),
        tuple(_key(m.w, m.key, slots, each) for each in node.lines),
        tuple(map(told, (node.prompt, *(each.label for each in node.lines)))),
        hidden=any(each.hidden for each in node.lines),
    )


def _key(w: Writer, machine: str, slots: tuple[str, ...], line: ty.Line) -> str | None:
    """Return the function that tells which effect a line would carry out, if only that."""
    only = line.effect
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
