"""Calls, choices as arguments, text with values, and `move`."""

from __future__ import annotations

from functools import partial

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import wording
from rulesdsl.check.resolve.attributes import (
    cells_of,
    check_holds,
    no_article,
    one_cell,
    one_stack,
    word_of,
)
from rulesdsl.check.resolve.expressions import domain_of
from rulesdsl.check.resolve.holes import VERB
from rulesdsl.check.resolve.operators import amount_of, noun_of, with_brackets
from rulesdsl.check.resolve.positions import ByPosition, previewing, unseen
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.resolve.selections import filtered, one_of, selection
from rulesdsl.check.symbols.declare_procedures import header_text
from rulesdsl.check.symbols.symbol_table import ParamInfo, ProcInfo, SymbolKind
from rulesdsl.check.symbols.types import (
    BUNDLE,
    NUMBER,
    PLAYER,
    SEAT,
    UNKNOWN,
    YES_NO,
    Type,
    entry,
    fits,
    piece,
)
from rulesdsl.check.symbols.wording import help_to_use
from rulesdsl.check.typed.conditions import atoms, both
from rulesdsl.check.typed.traits import Capability, uses
from rulesdsl.source.diagnostics import similar
from rulesdsl.source.english import opening, or_list, spoken
from rulesdsl.source.facts import InNeedsBrackets, SuperfluousIndex, WrongArgument
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.source.tree import walk
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import begins
from rulesdsl.syntax.printer import print_expression


# Overload resolution: an overload is viable if its prepositions match and the type of each
# argument, as far as syntax determines it, fits the parameter. Of several, those that agree on
# which arguments are amounts of a noun are preferred; exactly one must remain. Types are
# determined by syntax, since an argument can contain a choice, which must be resolved only once,
# against the type of the parameter. So a call whose overloads differ only in the type of a
# computed value (`X of Y`) is ambiguous.
def overload(r: Resolver, stmt: st.Call, overloads: list[ProcInfo]) -> ProcInfo | None:
    """Select the overload that fits the arguments; report an error if none or several fit."""
    shape = [argument.preposition for argument in stmt.arguments]
    same = [p for p in overloads if [param.preposition for param in p.params] == shape]
    fitting = [proc for proc in same if all(map(partial(_may_be, r), proc.params, stmt.arguments))]
    named = [
        proc
        for proc in fitting
        if all(
            (param.noun is None) == (noun_of(r, argument.value) is None)
            for param, argument in zip(proc.params, stmt.arguments, strict=True)
        )
    ]
    if len(fitting) > 1 and named:
        fitting = named
    unclear = any(param.type == UNKNOWN for each in overloads for param in each.params)
    if len(fitting) == 1:
        r.scope.failed |= unclear
        return fitting[0]
    if not fitting and len(same) == len(overloads) == 1:
        return same[0]
    r.scope.failed |= unclear
    if not unclear:  # otherwise reported at the declaration
        _report_misfit(r, stmt, overloads)
    return None


def _report_misfit(r: Resolver, stmt: st.Call, overloads: list[ProcInfo]) -> None:
    nouns = r.world.pieces.keys() | r.world.numbers.keys()
    for argument in stmt.arguments:
        noun = noun_of(r, argument.value)
        if noun is not None and noun not in nouns:
            amount_of(r, argument.value)  # reports it
            return
        if _brackets_missing(r, argument.value, overloads):
            return
    verb, bare = stmt.verb.text, all(not proc.params for proc in overloads)
    known = [f"`{header_text(proc, r.world)}`" for proc in overloads]
    have = _description(r, stmt)
    facts = SuperfluousIndex(verb) if bare and len(overloads) == 1 else WrongArgument(have, verb)
    words = wording.CALL_WITHOUT_ARGUMENT
    if stmt.arguments:
        words = wording.NO_ARGUMENTS if bare else wording.WRONG_CALL
    said = words(verb=verb, arguments=have, known=" or ".join(known))
    r.report(said, stmt.span, facts=facts)


def _brackets_missing(r: Resolver, expr: ex.Expr, overloads: list[ProcInfo]) -> bool:
    """Report an operation in which only the last operand is an amount: `my fame + 1 coins`."""
    meant = with_brackets(expr)
    nouns = {param.noun for proc in overloads for param in proc.params}
    if meant is None or r.world.singular(meant[1]) not in nouns:
        return False
    facts = InNeedsBrackets(meant[0])
    said = wording.BRACKETS_AROUND_AMOUNT(meant=meant[0], noun=meant[1], operand=meant[2])
    r.report(said, expr.span, facts=facts)
    return True


def _description(r: Resolver, stmt: st.Call) -> str:
    """Describe the arguments of a call."""
    if len(stmt.arguments) != 1 or stmt.arguments[0].preposition:
        return "these arguments"
    first = stmt.arguments[0]
    noun, kind = noun_of(r, first.value), _kind_of(r, first.value)
    if noun is not None:
        return f"an amount of `{noun}`"
    return str(kind) if kind is not None else "this argument"


def _may_be(r: Resolver, param: ParamInfo, argument: st.Argument) -> bool:
    """Return whether an argument may fit a parameter, according to its syntax."""
    value = argument.value
    noun = noun_of(r, value)
    if param.noun is not None or noun is not None:
        return param.type == BUNDLE or (param.noun is not None and noun == param.noun)
    kind = _kind_of(r, value)
    return kind is None or fits(kind, param.type)


def _kind_of(r: Resolver, value: ex.Expr) -> Type | None:
    """Return the type of an argument if its syntax determines it."""
    if isinstance(value, ex.Choice | ex.The | ex.RandomPick | ex.First):
        name = r.world.singular(value.kind.text)
        if name in r.world.owners:
            name = r.world.owners[name][0]
        if name == "number":
            return NUMBER
        if name in {"player", "seat"}:
            return PLAYER if name == "player" else SEAT
        return piece(name) if name in r.world.pieces else entry(name)
    if isinstance(value, ex.Name) and value.name in r.scope.locals:
        return r.scope.locals[value.name].type
    if isinstance(value, ex.Name):
        owners = r.world.owners.get(value.name, [])
        return entry(owners[0]) if len(owners) == 1 else None
    if isinstance(value, ex.Number | ex.Arithmetic | ex.Cap):
        return NUMBER
    if isinstance(value, ex.It) and r.scope.candidates:
        return r.scope.candidates[-1].type
    return None


def words_of(r: Resolver, text: ex.Text) -> ty.MessageText:
    """Resolve text that contains values."""
    found = [_value(r, each) for each in text.values]
    values, nouns = tuple(each for each, _ in found), tuple(noun for _, noun in found)
    return ty.MessageText(text.words, values, nouns, span=text.span)


def optional(r: Resolver, text: ex.Text | None) -> ty.MessageText | None:
    """Resolve text that may be absent."""
    return None if text is None else words_of(r, text)


def asked(r: Resolver, text: ex.Text | None, otherwise: str) -> ty.MessageText:
    """Resolve a prompt; if there is none, build one from the title of the scope."""
    return question(r, otherwise) if text is None else words_of(r, text)


def about(
    r: Resolver, choice: ex.Choice, local: ty.Local, name: str | None = None
) -> ty.MessageText | None:
    """Resolve the label of an option, in which `it` or a name refers to the chosen element."""
    if choice.label is None:
        return None
    with r.scope.block():
        own = None if choice.variable is None else choice.variable.text
        r.scope.locals |= {each: local for each in (name, own) if each is not None}
        r.scope.candidates.append(local)
        return words_of(r, choice.label)


def failing_with(why: ty.MessageText | None, condition: ty.Value) -> ty.Value:
    """Attach the text that explains a failure to each conjunct of a condition."""
    if why is None:
        return condition
    return both(*(attrs.evolve(each, why=why) for each in atoms(condition)))


def plain(text: str) -> ty.MessageText:
    """Return text that contains no values."""
    return ty.MessageText((text,))


# -------------------------------------------------------------------- default texts
def title_of_kind(r: Resolver, kind: Type) -> str:
    """Return the title of a kind as players read it."""
    known = r.world.pieces.get(kind.of) or r.world.kinds.get(kind.of)
    return kind.family if known is None else r.world.title_of(known.name)


def heading(r: Resolver, proc: ProcInfo, params: tuple[ty.Local, ...]) -> ty.MessageText:
    """Return the imperative of a verb, or else its name with its arguments: `Build {b} with {t}`.

    Values in an imperative must be parameters: it is also read before anything is chosen.
    """
    words = plain(opening(spoken(proc.name)))
    for param, local in zip(proc.params, params, strict=True):
        if local.type.family != "list":
            words = _joined(words, f" {param.preposition} " if param.preposition else " ")
            value = ty.MessageText(("", ""), (local,), (param.noun or "",))
            words = _joined(words, value)
    if proc.imperative is None:
        return words
    for braced in proc.imperative.values:
        name = braced.count if isinstance(braced, ex.NounAmount) else braced
        if not isinstance(name, ex.Name) or name.name not in r.scope.locals:
            names = or_list([f"`{param.name}`" for param in proc.params])
            advice = f"In braces, write {names}." if names else "Leave the braces out."
            r.report(wording.NO_PARAMETER(advice, verb=proc.name), braced.span)
    imperative = words_of(r, proc.imperative)
    first, *rest = imperative.said
    return attrs.evolve(imperative, said=(opening(first), *rest), span=NOWHERE)


def question(r: Resolver, asks: str) -> ty.MessageText:
    """Return a default prompt: the title of the scope, and a question."""
    if r.scope.heading == plain(""):
        return plain(opening(asks))
    return _joined(r.scope.heading, plain(f": {asks}"))


def _joined(first: ty.MessageText | str, then: ty.MessageText | str = "") -> ty.MessageText:
    one = plain(first) if isinstance(first, str) else first
    two = plain(then) if isinstance(then, str) else then
    said = (*one.said[:-1], one.said[-1] + two.said[0], *two.said[1:])
    return ty.MessageText(said, one.values + two.values, one.nouns + two.nouns)


def _value(r: Resolver, expr: ex.Expr) -> tuple[ty.Value, str]:
    """Resolve a value in text, with its noun if it is an amount; an effect becomes its text."""
    drawn = next((each for each in walk(expr) if isinstance(each, ex.RandomPick)), None)
    if drawn is not None:
        return r.report(wording.DRAW_IN_TEXT(), drawn.span), ""
    amount = amount_of(r, expr)
    if amount is not None:
        return amount[0], amount[1]
    found = r.value(expr)
    if isinstance(found, ty.HasEffect):
        return attrs.evolve(found, type=Type("text")), ""
    if found.type.family == "list":
        return r.report(wording.LIST_IN_TEXT(have=found.type), expr.span), ""
    return r.scope.narrowed(found), ""


def decider(r: Resolver, span: Span) -> ty.Value:
    """Return the acting seat for a choice; report the choice if choices are not allowed here."""
    if not r.scope.may_choose:
        r.report(wording.CHOICE_IN_EFFECT(), span)
    return r.me(span)


def call(r: Resolver, stmt: st.Call) -> list[ty.Step]:
    """Resolve a call; choices in its arguments become steps before it."""
    name = stmt.verb.text
    r.expect(stmt.verb, VERB)
    if any(isinstance(each.value, ex.Choice) and no_article(r) for each in stmt.arguments):
        return []
    overloads = r.world.procs.get(name, [])
    if overloads and _hole_in(r, stmt, overloads):
        return []
    proc = overload(r, stmt, overloads) if overloads else None
    if proc is not None:
        return _call_of(r, stmt, proc)
    own = similar(name, begins("stmt"))
    if overloads or not own:  # the arguments of a statement are not those of a verb
        r.evaluate(each.value for each in stmt.arguments)
    if not overloads:
        alike = [
            each
            for each, known in r.world.procs.items()
            if any(len(proc.params) == len(stmt.arguments) for proc in known)
        ]
        near = similar(name, [*alike, *begins("stmt")])
        said = wording.NO_VERB(help_to_use(name, r.world) or near, name=name)
        r.not_known(said, name, stmt.verb.span)
    return []


def _hole_in(r: Resolver, stmt: st.Call, overloads: list[ProcInfo]) -> bool:
    """Record the names that fit an argument left as a hole; return whether it is a hole."""
    params, fitting = [param for proc in overloads for param in proc.params], r.fitting()
    for each in stmt.arguments:
        names = fitting.of_argument(each, params)
        if names is not None:
            r.expected(names)
            return True
    return False


def _call_of(r: Resolver, stmt: st.Call, proc: ProcInfo) -> list[ty.Step]:
    r.note(stmt.verb.span, SymbolKind.VERB, proc.name)
    steps: list[ty.Step] = []
    given = zip(proc.params, stmt.arguments, strict=True)
    values = [_argument(r, proc, param, argument.value, steps) for param, argument in given]
    if any(value.type == UNKNOWN for value in values):
        return steps
    me: ty.Value = ty.Const(-1, type=SEAT)
    if proc.verb:
        me = r.me(stmt.span)
    key = proc.key
    if r.scope.beneath_proc is not None and r.scope.beneath_proc[0] == key:
        key = f"{key}@{r.scope.beneath_proc[1]}"
    if proc.imperative is not None:
        r.world.worded[stmt.span] = proc
    steps.append(ty.Run(key, me, tuple(values), span=stmt.span))
    return steps


def _argument(
    r: Resolver, proc: ProcInfo, param: ParamInfo, expr: ex.Expr, steps: list[ty.Step]
) -> ty.Value:
    if param.type == UNKNOWN:
        r.scope.failed = True
        return r.unknown(expr.span)
    if isinstance(expr, ex.Choice):
        local = pick(r, expr, None, steps, proc.name) or r.unknown(expr.span)
        if fits(local.type, param.type):
            return local
        return _wrong_argument(r, expr, param, str(local.type))
    if param.noun is None:
        return r.of_type(expr, param.type)
    amount = amount_of(r, expr)
    if amount is not None and amount[1] == param.noun:
        return amount[0]
    if _brackets_missing(r, expr, [proc]):
        return r.unknown(expr.span)
    have = "not an amount" if amount is None else f"an amount of `{amount[1]}`"
    return _wrong_argument(r, expr, param, have)


def _wrong_argument(r: Resolver, expr: ex.Expr, param: ParamInfo, have: str) -> ty.Value:
    want = f"an amount of `{param.noun}`" if param.noun else str(param.type)
    near = wording.JOINED_AMOUNTS if isinstance(expr, ex.Logic) else ""
    said = wording.WRONG_ARGUMENT(near, have=have, want=want)
    if param.noun and isinstance(expr, ex.Name | ex.Number):
        info = r.world.pieces.get(param.noun) or r.world.tracks[param.noun]
        word = print_expression(expr)
        amount = "n" if word in {info.plural, param.noun} else word
        noun = param.noun if amount == "1" else info.plural
        said = wording.AMOUNT_OF_WHAT(have=have, want=want, amount=amount, noun=noun)
    return r.report(said, expr.span, facts=WrongArgument(have, want))


def pick(
    r: Resolver,
    expr: ex.Choice,
    name: str | None,
    steps: list[ty.Step],
    proc: str = "",
    *,
    secret: bool = False,
) -> ty.Local | None:
    """Append a choice to the steps, and return the local that is bound to its result.

    The default prompt begins with the name of a verb if one is given, and otherwise with the
    scope's title. If it is `secret`, only the chooser learns the result.
    """
    me = decider(r, expr.span)
    base = domain_of(r, expr.kind, expr.domain)
    if base is None:
        return None
    variable = expr.variable.text if expr.variable else None
    domain = filtered(r, base, expr.where, expr.variable)
    question_words = f"which {title_of_kind(r, base.element)}?"
    if proc and expr.prompt is None:
        prompt = plain(f"{opening(spoken(proc))}: {question_words}")
    else:
        prompt = asked(r, expr.prompt, question_words)
    local = one_of(r, name or variable or expr.kind.text, domain)
    if expr.variable is not None:
        r.binds(expr.variable, local)
    label, answer, assignment = about(r, expr, local, name), local, list[ty.Step]()
    hidden = unseen(r, domain, me, local, label)
    if hidden is not None:
        choice = ByPosition.of(r, domain, hidden, local, label)
        answer, domain, label = choice.number, choice.domain, choice.label
        assignment.append(choice.assigned_to(local, expr.span))
    preview = previewing(r, expr, local, hidden=hidden is not None)
    parts = "", ty.Block(()), label, answer.name, domain
    line = ty.OptionLine(*parts, preview=preview, span=expr.span)
    steps.append(ty.Decide((line,), me, prompt, onward=True, kept=secret, span=expr.span))
    steps += assignment
    return local


# -------------------------------------------------------------------- moves
def move(r: Resolver, stmt: st.Move) -> list[ty.Step]:
    """Resolve a `move` of an amount, of all pieces in a domain, or of one piece."""
    what, into = stmt.what, stmt.into
    if isinstance(into, ex.Ends) and into.count is None:
        target, top = one_stack(r, into.stack), into.end == "top"
    else:
        target, top = one_cell(r, into), True
    if target is None:
        r.evaluate([what])
        if stmt.source is not None:
            with r.muted():
                cells_of(r, stmt.source)
        return []
    if noun_of(r, what) is not None:
        return _move_amount(r, stmt, target, top=top)
    meant = with_brackets(what)
    if meant is not None:
        said = wording.BRACKETS_AROUND_AMOUNT(meant=meant[0], noun=meant[1], operand=meant[2])
        r.report(said, what.span, facts=InNeedsBrackets(meant[0]))
        return []
    if stmt.source is not None:
        r.report(wording.FROM_WITHOUT_NUMBER(), stmt.source.span)
        return []
    if isinstance(what, ex.All) or (isinstance(what, ex.Ends) and what.count is not None):
        return _move_all(r, stmt, what, target, top=top)
    return _move_one(r, stmt, target, top=top)


def _move_amount(r: Resolver, stmt: st.Move, target: ty.Cells, *, top: bool) -> list[ty.Step]:
    """Resolve a move from a place: a number of pieces, or copies of a printed entry."""
    printed = _printed_entry(r, stmt.what)
    if printed is not None:
        noun, which, number = printed
    else:
        amount = amount_of(r, stmt.what)
        assert amount is not None
        (number, noun, span), which = amount, None
        if noun not in r.world.pieces:
            if noun in r.world.tracks:
                r.report(wording.TRACK_MOVED(noun=noun), span)
            return []
    info = r.world.pieces[noun]
    if stmt.source is None:
        r.report(wording.NUMBER_FROM_NOWHERE(plural=info.plural), stmt.span)
        return []
    source = one_cell(r, stmt.source) if which is None else cells_of(r, stmt.source)
    if source is None or number.type == UNKNOWN:
        return []
    check_holds(r, source.place, noun, stmt.source.span)
    check_holds(r, target.place, noun, stmt.into.span)
    me, up_to = r.actor(), stmt.up_to
    if info.style == "printed":
        at = stmt.source.span if which is None else stmt.span
        domain = ty.Lying(noun, source, None, which, element=piece(noun), span=at)
        return [ty.MoveSome(domain, number, up_to, target, top, me, span=stmt.span)]
    owner = _owner_of_move(r, noun, None, source, target, stmt.span)
    if info.style == "single":
        return _move_single_amount(r, stmt, noun, source, target, owner)
    return [ty.MoveCounted(noun, number, up_to, source, target, owner, me, span=stmt.span)]


def _printed_entry(r: Resolver, what: ex.Expr) -> tuple[str, ty.Value, ty.Value] | None:
    """Resolve an amount of a printed entry's copies to their kind, entry, and number."""
    name = what.noun.text if isinstance(what, ex.NounAmount) else ""
    kinds = [kind for kind in r.world.owners.get(name, ()) if r.world.kinds[kind].role == "piece"]
    if (
        not isinstance(what, ex.NounAmount)
        or r.world.singular(name) in r.world.pieces
        or not kinds
    ):
        return None
    kind = kinds[0]
    r.note(what.noun.span, SymbolKind.ENTRY, name, kind)
    which = ty.Const(r.world.kinds[kind].index[name], type=entry(kind))
    return kind, which, r.number(what.count)


def _move_single_amount(
    r: Resolver,
    stmt: st.Move,
    noun: str,
    source: ty.Cells,
    target: ty.Cells,
    owner: ty.Value | None,
) -> list[ty.Step]:
    subject = attrs.evolve(owner or ty.Const(0), type=piece(noun))
    domain = ty.Lying(noun, source, element=piece(noun), span=stmt.span)
    there = ty.MemberOf(subject, domain, type=YES_NO, span=stmt.span)
    step = ty.MoveSingle(noun, subject, target, r.actor(), span=stmt.span)
    if stmt.up_to:
        block = ty.Block((step,), span=stmt.span)
        return [ty.Branching(((there, block),), ty.Block(()), span=stmt.span)]
    return [ty.Require(there, span=stmt.span), step]


def _move_all(
    r: Resolver, stmt: st.Move, what: ex.All | ex.Ends, target: ty.Cells, *, top: bool
) -> list[ty.Step]:
    domain = selection(r, what)
    if domain is None:
        return []
    base = domain.unfiltered
    if not isinstance(base, ty.Lying | ty.EndPieces):
        r.report(wording.NO_PIECES_IN_PLACE(), what.span)
        return []
    check_holds(r, target.place, base.piece, stmt.into.span)
    me, up_to = r.actor(), True
    if Capability.MOVE in uses(r.world, domain):
        return [ty.MoveSome(domain, None, up_to, target, top, me, span=stmt.span)]
    if not isinstance(domain, ty.Lying) or Capability.LIST in uses(r.world, domain):
        return _move_all_singles(r, stmt, domain, base.piece, target)
    owner = _owner_of_move(
        r, base.piece, domain.owner, domain.cells, target, stmt.span, everybody=True
    )
    cells = domain.cells
    return [ty.MoveCounted(base.piece, None, up_to, cells, target, owner, me, span=stmt.span)]


def _move_all_singles(
    r: Resolver, stmt: st.Move, domain: ty.Domain, kind: str, target: ty.Cells
) -> list[ty.Step]:
    local = r.scope.fresh("one", domain.element)
    step = ty.MoveSingle(kind, local, target, r.actor(), span=stmt.span)
    block = ty.Block((step,), span=stmt.span)
    return [ty.ForEach(local.name, domain, None, block, span=stmt.span)]


def _move_one(r: Resolver, stmt: st.Move, target: ty.Cells, *, top: bool) -> list[ty.Step]:
    steps: list[ty.Step] = []
    if isinstance(stmt.what, ex.Choice):
        value = pick(r, stmt.what, None, steps, "Move") or r.unknown(stmt.what.span)
    else:
        value = r.value(stmt.what)
    if value.type == UNKNOWN:
        return steps
    if value.type.family != "piece":
        if r.sort_given(stmt.what.span, value, piece(value.type.of), moved=True):
            return []
        near = similar(word_of(stmt.what), r.world.pieces)
        r.report(wording.ONLY_PIECES_MOVE(near, have=value.type), stmt.what.span)
        return []
    kind = value.type.of
    check_holds(r, target.place, kind, stmt.into.span)
    info = r.world.pieces[kind]
    if info.style == "printed":
        moved = ty.MovePrinted(kind, value, target, top, r.actor(), span=stmt.span)
        return [*steps, moved]
    value = r.total(value, stmt.what.span)
    return [*steps, ty.MoveSingle(kind, value, target, r.actor(), span=stmt.span)]


def _owner_of_move(
    r: Resolver,
    noun: str,
    given: ty.Value | None,
    source: ty.Cells,
    target: ty.Cells,
    span: Span,
    *,
    everybody: bool = False,
) -> ty.Value | None:
    """Return the owner of moved pieces; None if they have no owner or belong to all owners."""
    if not r.world.pieces[noun].owned:
        return None
    here, there = _seat_dim(r, source), _seat_dim(r, target)
    owner = given or here or there
    if here is not None and there is not None and here != there:
        r.report(wording.PLACE_OF_OTHER_SEAT(noun=noun), span)
    if everybody and given is None and here is None and there is not None and ty.is_me(there):
        info = r.world.pieces[noun]
        finding = wording.ALL_INTO_PLACE_OF_ONE(place=target.place, info=info, source=source.place)
        r.report(finding, span)
    if owner is None and not everybody:
        return r.me(span)
    return owner


def _seat_dim(r: Resolver, cells: ty.Cells) -> ty.Value | None:
    at = r.world.places[cells.place].owner_dim
    return None if at is None else cells.dims[at]
