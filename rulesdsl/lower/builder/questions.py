"""Builder of questions: enumeration of options, and jumps that skip a question."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.conditions import atoms, uses
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder import domains
from rulesdsl.lower.builder.blocks import BlockGraph, BlockQuestion
from rulesdsl.lower.builder.changes import functions
from rulesdsl.lower.builder.domains import conditions
from rulesdsl.lower.builder.writer import NONE, ONE, ZERO, Writer
from rulesdsl.lower.flat.walk import negated, op

OFFERED = fl.Buffer(fl.OPTIONS)
NUMBER = fl.Length(OFFERED)


def test_and_ask(m: BlockGraph, condition: ty.Value, yes: int, no: int) -> bool:
    """Merge a test for candidates with the question about them, so they are enumerated once.

    Return False, without writing anything, if the test or the question is not of that kind.
    """
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
    """Return whether two domains are equal up to the names of their candidates."""
    if not isinstance(one, ty.Filtered) or not isinstance(other, ty.Filtered):
        return one == other
    mine = ty.Local(other.variable, type=one.base.element)
    condition = ty.substitute(one.condition, one.variable, mine)
    return condition == other.condition and _same_things(one.base, other.base)


def ask(m: BlockGraph, at: int, question: BlockQuestion) -> None:
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


# -------------------------------------------------------------------- candidates
def _candidates(w: Writer, into: fl.Buffer, name: str, domain: ty.Domain) -> None:
    if into.at is None:
        w.add(fl.Clear(into))
    domains.through(w, domain, name, lambda thing: w.add(fl.Push(into, thing)))
    alike = domains.looks(w, domain, into)
    if alike is not None:
        w.add(alike)


def _ask_if_any(
    m: BlockGraph, at: int, question: BlockQuestion, choice: tuple[str, ty.Domain]
) -> None:
    _candidates(m.w, OFFERED, *choice)
    m.w.when(op("<>", NUMBER, ZERO), lambda: _open_choice(m, at, question, choice[0]))


def _open_choice(m: BlockGraph, at: int, question: BlockQuestion, name: str) -> None:
    """Write a question about entities; a sole candidate is taken if all can tell that it is."""
    decision = _declare(m, at, question)
    if isinstance(question.step, ty.Decide) and not question.step.always_asks:
        target = m.past(question.targets[0])
        taken = (fl.Set(name, fl.ListItem(OFFERED, ZERO)), fl.Goto(target))
        m.w.add(fl.Conditional(op("=", NUMBER, ONE), taken))
    m.w.add(fl.Ask(decision))


# -------------------------------------------------------------------- lines
def _line(w: Writer, number: int, line: ty.OptionLine, spent: fl.Buffer | None) -> None:
    if line.about is None:
        option = fl.Literal(number << fl.LINE_BITS)
        asked = [lambda: _left(option, line, spent), w.later(line.guard)]
        w.when(conditions(w, "and", asked), lambda: _push(w, option))
        return
    name, domain = line.about
    parts = atoms(line.guard)
    before = [w.later(each) for each in parts if not uses(each, name)]
    about = [each for each in parts if uses(each, name)]

    def lines() -> None:
        alike = domains.looks(w, domain, OFFERED)
        things = None if alike is None else w.buffer("alike", domains.most(w, domain))

        def offer(thing: fl.Expr) -> None:
            option = op("+", thing, fl.Literal((number << fl.LINE_BITS) + 1))
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
            first = fl.Literal((number << fl.LINE_BITS) + 1)
            w.loop(name, things, lambda thing: _push(w, op("+", thing, first)))

    w.when(conditions(w, "and", before), lines)


def _push(w: Writer, option: fl.Expr) -> None:
    w.add(fl.Push(OFFERED, option))


def _left(option: fl.Expr, line: ty.OptionLine, spent: fl.Buffer | None) -> fl.Expr:
    if not line.once or spent is None:
        return ONE
    return negated(fl.Contains(spent, option))


def _alone(w: Writer, lines: tuple[ty.OptionLine, ...]) -> fl.Expr:
    """Return a test for whether only one line is offered and all players can tell."""

    def none_might() -> fl.Expr:
        others = [(at, line.might) for at, line in enumerate(lines) if line.might != ty.NO]
        return negated(
            conditions(w, "or", [_hidden(w, at << fl.LINE_BITS, might) for at, might in others])
        )

    return conditions(w, "and", [lambda: op("=", NUMBER, ONE), none_might])


def _hidden(w: Writer, option: int, might: ty.Value) -> Callable[[], fl.Expr]:
    missing = negated(fl.Contains(OFFERED, fl.Literal(option)))
    return lambda: conditions(w, "and", [lambda: missing, w.later(might)])


def _only(w: Writer, targets: list[int]) -> None:
    ways = [partial(w.add, fl.Goto(each)) for each in targets]
    w.one_of(fl.ListItem(OFFERED, ZERO), ways, step=1 << fl.LINE_BITS)


def _nothing_left(
    w: Writer, lines: tuple[ty.OptionLine, ...], last: int, spent: fl.Buffer | None
) -> None:
    """Write the jump that skips the question if all players know that no line is offered."""
    none = op("=", NUMBER, ZERO)
    done = fl.Goto(last)
    with w.body() as maybe:
        for number, line in enumerate(lines):
            if line.perhaps is not None:
                _line(w, number, line.perhaps, spent)
    if maybe:
        maybe += [fl.Conditional(none, (done,)), fl.Clear(OFFERED)]
    w.add(fl.Conditional(none, tuple(maybe) or (done,)))


def _safe_first() -> fl.Stmt:
    """Return the statement that offers `no`, followed by the only line if that is offered."""
    no, yes = fl.Push(OFFERED, NONE), fl.Push(OFFERED, ZERO)
    return fl.Conditional(op("=", NUMBER, ZERO), (no,), (fl.Clear(OFFERED), no, yes))


# -------------------------------------------------------------------- simultaneous questions
def _ask_all(m: BlockGraph, at: int, question: BlockQuestion, node: ty.Secretly) -> None:
    w, decision = m.w, _declare(m, at, question)
    assert question.slot is not None
    w.list(question.slot, w.layout.players)
    w.add(fl.Clear(OFFERED, w.layout.players))

    excludes, excluded = node.where != ty.YES, fl.Literal(fl.EXCLUDED)
    any_taking = w.fresh("any_taking")
    if excludes:
        w.add(fl.Set(any_taking.name, ZERO))

    def options(player: fl.Expr) -> None:
        offered = fl.Buffer(fl.OPTIONS, player)
        with w.given({node.me: player}):
            if not excludes:
                _candidates(w, offered, "option", node.domain)
                return
            taking = w.set("taking", w.value(node.where))
            w.when(taking, lambda: _candidates(w, offered, "option", node.domain))
            w.when(negated(taking), lambda: w.add(fl.Push(offered, excluded)))
            w.when(taking, lambda: w.add(fl.Set(any_taking.name, ONE)))

    def nobody() -> None:
        assert question.slot is not None
        answers = fl.Buffer(question.slot)
        w.add(fl.Clear(answers))
        w.loop("player", players, lambda _: w.add(fl.Push(answers, excluded)))
        w.add(fl.Goto(m.past(question.targets[0])))

    players = fl.IntRange(ZERO, fl.Literal(w.layout.players))
    w.loop(node.me, players, options)
    if excludes:
        w.when(negated(any_taking), nobody)
    w.add(fl.Ask(decision))


# -------------------------------------------------------------------- continuations
def _declare(m: BlockGraph, at: int, question: BlockQuestion) -> int:
    shared, where = m.w.shared, (m.w.proc, at)
    if where not in shared.declared:
        decision = _decision(m, at, question)
        shared.declared[where] = len(shared.flat.decisions)
        shared.flat.decisions.append(decision)
        shared.sources.append(question.step)
    return shared.declared[where]


def _decision(m: BlockGraph, at: int, question: BlockQuestion) -> fl.DecisionTargets:
    shared, node, slot = m.w.shared, question.step, question.slot
    slots = shared.flat.machines[m.w.proc].slots
    texts = [node.prompt]
    texts += [node.label] if isinstance(node, ty.Secretly) else [line.label for line in node.lines]
    printed = [() if text is None else text.values for text in texts]
    words = tuple(functions(shared, m.w.proc, slots, values) for values in printed)
    # then the things on which it depends who may read a value
    things = [() if text is None else tuple(chain(*text.faces)) for text in texts]
    words += tuple(functions(shared, m.w.proc, slots, faces, faces=True) for faces in things)
    then = tuple(map(m.past, question.targets))
    if isinstance(node, ty.Secretly):
        plain = True  # an option is an entity
        excludes = node.where != ty.YES
        return fl.DecisionTargets(
            m.w.proc, at, plain, then, slot, None, words=words, sealed=True, partial=excludes
        )
    me, choice = node.me, node.choice
    seat = me.value if isinstance(me, ty.Const) else None
    return fl.DecisionTargets(
        m.w.proc,
        at,
        choice is not None,
        then,
        slot if choice is None else choice[0],
        me.name if isinstance(me, ty.Local) else seat,
        tuple(each.variable for each in node.lines),
        tuple(each.once for each in node.lines),
        tuple(_key(m.w, m.w.proc, slots, each) for each in node.lines),
        words,
        hidden=any(each.hidden for each in node.lines),
    )


def _key(w: Writer, machine: str, slots: tuple[str, ...], line: ty.OptionLine) -> str | None:
    """Return the function that identifies a line's effect, if the line runs nothing else."""
    only = line.effect
    if only is None:
        return None
    name = f"key:{machine}.{len(w.shared.flat.functions)}"
    inner = Writer(w.shared, machine)
    subject = inner.value(only.subject)
    key = NONE if only.key is None else inner.value(only.key)
    # subject and column in one number
    both = op("+", op("*", subject, fl.Literal(fl.COLUMNS)), op("+", key, ONE))
    inner.add(fl.Return(both))
    inner.function(name, slots)
    return name
