"""Options of menus, choices and offers: what they do, their labels, and the words of their ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import wording
from rulesdsl.check.resolve.calls import decider, optional, question
from rulesdsl.check.resolve.expressions import domain_of
from rulesdsl.check.resolve.labels import imperative, offer_text
from rulesdsl.check.resolve.positions import ByPosition, unseen
from rulesdsl.check.resolve.resolver import AddedLines, Resolver
from rulesdsl.check.resolve.selections import filtered, one_of
from rulesdsl.source.language import Language
from rulesdsl.syntax import statements as st


def resolve_way(r: Resolver, line: st.Line) -> ty.OptionLine:
    """Resolve one option of a choice."""
    label, body, sure = optional(r, line.label), line.body, line.confirm
    block = r.block(body)
    return _line(r, ty.OptionLine("", block, label, confirm=sure, span=body.span), line)


def _line(
    r: Resolver, option: ty.OptionLine, line: st.Line | st.MenuLine | st.May | st.MayRepeat
) -> ty.OptionLine:
    """Return an option with its words, once the calls in its body are resolved."""
    text, words, former = offer_text(r, line.body, labelled=option.label is not None)
    label = option.label
    if line.label is not None:
        former = r.world.renamed.get(line.label.span, "".join(line.label.words))
    elif not isinstance(line, st.May | st.MayRepeat):
        label = imperative(r, line.body)
    return attrs.evolve(option, text=text, label=label, words=words, former=former)


def offer(r: Resolver, stmt: st.May | st.MayRepeat) -> list[ty.Step]:
    """Resolve `may`, with or without repetition."""
    limit, again = None, isinstance(stmt, st.MayRepeat)
    if isinstance(stmt, st.MayRepeat) and stmt.limit is not None:
        limit = r.number(stmt.limit)
    label = optional(r, stmt.label)
    block = r.loop(stmt.body) if again else r.block(stmt.body)
    confirm = isinstance(stmt, st.May) and stmt.confirm
    line = _line(r, ty.OptionLine("", block, label, confirm=confirm, span=stmt.span), stmt)
    me = decider(r, stmt.span)
    prompt = question(r, f"{line.words}?") if label is None else label
    return [ty.Decide((line,), me, prompt, ty.DECLINE, again, limit, span=stmt.span)]


def menu_line(r: Resolver, line: st.MenuLine) -> ty.OptionLine:
    """Resolve one option of a menu."""
    once, sure = line.once, line.confirm
    if line.kind is None or line.domain is None:
        label = optional(r, line.label)
        block = r.loop(line.body)  # other options may precede it
        option = ty.OptionLine("", block, label, once=once, confirm=sure, span=line.span)
        return _line(r, option, line)
    word = line.variable or line.kind
    base = domain_of(r, line.kind, line.domain)
    if base is None:
        return ty.OptionLine("", ty.Block(()), once=once, span=line.span)
    domain = filtered(r, base, line.where, word)
    with r.scope.block():
        r.scope.forget_state()
        local = r.scope.locals[word.text] = one_of(r, word.text, domain)
        r.binds(word, local)
        label = optional(r, line.label)
        answer, me = local, r.me(line.span)
        block = r.open_block(line.body.statements, line.body.span)
        hidden = unseen(r, domain, me, local, label)
        if hidden is not None and once:
            r.report(wording.POSITIONS_ONCE(), line.kind.span)
        elif hidden is not None:
            choice = ByPosition.of(r, domain, hidden, local, label)
            answer, domain, label = choice.number, choice.domain, choice.label
            block = choice.before(block, local, line.span)
        parts = "", block, label, answer.name, domain, once, sure
        option = _line(r, ty.OptionLine(*parts, span=line.span), line)
    head = option.former if line.label is not None else option.former.split()[0]
    return attrs.evolve(option, former=head)


MAX_LINES = 500  # a decision takes memory quadratic in its options


def lines_of(r: Resolver, stmt: st.Menu | st.ChooseOne) -> tuple[ty.OptionLine, ...]:
    """Resolve the options of a menu or choice, including those that hooks add."""
    found = _own(r, stmt)
    for added in r.scope.added:
        if isinstance(added.lines, type(stmt)):
            with _of_hook(r, added) as asked:
                lines = _own(r, added.lines)
            found += [attrs.evolve(each, block=_asking(asked, each.block)) for each in lines]
    if len(found) > MAX_LINES:
        r.report(wording.TOO_MANY_LINES(lines=len(found), most=MAX_LINES), stmt.span)
    return tuple(told_apart(r, found[:MAX_LINES]))


def told_apart(r: Resolver, lines: Sequence[ty.OptionLine]) -> Iterator[ty.OptionLine]:
    """Yield the options, and number those that begin alike.

    Report the latter, unless they are of two mods, or the pack is of a language without ids.
    """
    alike: dict[str, list[ty.OptionLine]] = {}
    for line in lines:
        begins, rest = line.text, ""
        if line.domain is not None:
            begins, _, rest = line.text.partition(" ")
        others = alike.setdefault(f"{begins} {line.domain and line.domain.element}", [])
        others.append(line)
        if len(others) == 1:
            yield line
            continue
        first, pack = others[0].span, r.world.pack_of(line.span)
        of_mods = pack != r.world.pack_of(first) and r.world.pack_of(first) in r.world.mods
        if r.world.language(line.span) >= Language.V0_2 and not of_mods:
            r.report(wording.OPTIONS_ALIKE(text=begins, line=first.line), line.span)
        yield attrs.evolve(line, text=f"{begins}-{len(others)} {rest}".strip())


def _own(r: Resolver, stmt: st.Menu | st.ChooseOne) -> list[ty.OptionLine]:
    if isinstance(stmt, st.Menu):
        return [menu_line(r, line) for line in stmt.lines if not isinstance(line, st.BadLine)]
    return [resolve_way(r, line) for line in stmt.lines]


@contextmanager
def _of_hook(r: Resolver, added: AddedLines) -> Iterator[list[ty.Step]]:
    """Open a scope with only the parameters of a hook; yield the hook's condition as steps."""
    with r.scope.block():
        r.scope.locals, r.scope.some = {}, set()
        r.scope.candidates, r.scope.added = [], ()
        r.bind(added.params, added.values)
        asked: list[ty.Step] = []
        if added.when is not None:
            condition = r.condition(added.when)
            r.scope.assume(condition)
            asked.append(ty.Require(condition, span=added.when.span))
        yield asked


def _asking(asked: list[ty.Step], block: ty.Block) -> ty.Block:
    return attrs.evolve(block, steps=(*asked, *block.steps))
