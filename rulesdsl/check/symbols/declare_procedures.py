"""Declarations of verbs, steps and values; hooks; and texts that mods replace."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from rulesdsl.check.symbols.declare import Declarations, another_name, check_prefix, declare_thing
from rulesdsl.check.symbols.names import help_to_hook
from rulesdsl.check.symbols.symbol_table import (
    HookInfo,
    ParamInfo,
    ProcInfo,
    ReferenceRole,
    SymbolKind,
    ValueHookInfo,
    ValueInfo,
)
from rulesdsl.check.symbols.types import (
    BUNDLE,
    NUMBER,
    PLAYER,
    SEAT,
    UNKNOWN,
    YES_NO,
    Type,
    entry,
    piece,
)
from rulesdsl.source.diagnostics import Related, closest, similar
from rulesdsl.source.facts import AmountWithoutName, DeclaredTwice, UnknownName
from rulesdsl.source.tree import rewrite, walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.printer import print_text
from rulesdsl.syntax.statements import Formula

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulesdsl.check.symbols.symbol_table import ReferenceRecorder, SymbolTable
    from rulesdsl.source.diagnostics import Findings
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Identifier, Node, Param
    from rulesdsl.syntax.statements import Header


def declare_procedure(names: Declarations, decl: de.Decl) -> None:
    """Declare a verb, step, value, score or win condition."""
    if isinstance(decl, de.ValueDecl):
        _value(names, decl)
    elif isinstance(decl, de.ScoreDecl):
        _score(names, decl)
    elif isinstance(decl, de.ProcedureDecl):
        _proc(names, decl)
    elif isinstance(decl, de.WinDecl):
        names.world.wins.append(decl)


def _score(names: Declarations, decl: de.ScoreDecl) -> None:
    name, span = decl.name.text, decl.name.span
    if names.take(decl.name):
        seat = ParamInfo("me", SEAT, span=span)
        names.world.values[name] = ValueInfo(
            name, span, (seat,), decl.formula, score_title=decl.title
        )


def _value(names: Declarations, decl: de.ValueDecl) -> None:
    name, span = decl.name.text, decl.name.span
    if names.take(decl.name):
        params = value_params(names, decl)
        names.world.values[name] = ValueInfo(name, span, params, decl.formula)


def value_params(
    names: Declarations, decl: de.ValueDecl | de.ValueHookDecl
) -> tuple[ParamInfo, ...]:
    """Return the parameters of a value."""
    return tuple(param(names, each) for each in (decl.param, decl.second) if each is not None)


def _proc(names: Declarations, decl: de.ProcedureDecl) -> None:
    name, span = decl.header.name.text, decl.header.name.span
    names.noted.word(decl.header.name, SymbolKind.VERB, name, role=ReferenceRole.DECLARES)
    params = header_params(names, decl.header)
    check_prefix(name, span, names.world, names.findings)
    overloads = names.world.procs.setdefault(name, [])
    for other in overloads:
        if shape_of(other.params) == shape_of(params):
            names.findings.report(
                "E202",
                span,
                f"`{name}` is declared twice for the same things.",
                another_name(name, span, other.span, names.world),
                [Related(other.span, "declared here first")],
                facts=DeclaredTwice(),
            )
            return
    key = "/".join([name, *shape_of(params)])
    overloads.append(
        ProcInfo(key, name, decl.verb, span, params, decl.body, decl.text, decl.quiet)
    )


def header_params(names: Declarations, header: Header) -> tuple[ParamInfo, ...]:
    """Return the parameters of a verb or step."""
    params = [] if header.param is None else [param(names, header.param)]
    for more in header.more:
        found = param(names, more.param)
        found.preposition = more.preposition
        params.append(found)
    return tuple(params)


def param(names: Declarations, param: Param) -> ParamInfo:
    """Return a parameter: `card c` is kind and name, `n cards` a number of a noun."""
    first, second = param.first.text, param.second
    for word in (param.first, second):
        names.noted.noun(word, names.world)
    kind = type_named(names, first)
    if second is None:
        if kind is None:
            _unknown_kind(names, param.first)
            kind = UNKNOWN
        return ParamInfo(first, kind, span=param.first.span)
    if kind is not None:
        return ParamInfo(second.text, kind, span=second.span)
    if _is_noun(names, second.text):
        return ParamInfo(
            first, NUMBER, noun=names.world.singular(second.text), span=param.first.span
        )
    if _is_meant_as_noun(names, first, second.text):
        _unknown_noun(names, second)
        return ParamInfo(first, UNKNOWN, span=param.first.span)
    _unknown_kind(names, param.first)
    return ParamInfo(second.text, UNKNOWN, span=second.span)


def _is_meant_as_noun(names: Declarations, first: str, second: str) -> bool:
    """Return whether two unknown words look like `n coins` rather than `card c`."""
    nouns = [*names.world.pieces, *names.world.tracks, *names.world.plurals]
    if closest(first, names.world.kinds) and len(first) > 1:
        return False
    return len(first) == 1 or bool(closest(second, nouns))


def _unknown_noun(names: Declarations, word: Identifier) -> None:
    names.noted.expect(word.text, _nouns(names))
    if not names.world.doubtful(word.text):
        message = f"There are no pieces or tracks called `{word.text}`."
        names.findings.report("E201", word.span, message, similar(word.text, _nouns(names)))


def _nouns(names: Declarations) -> list[str]:
    known = [*names.world.plurals, *names.world.pieces, *names.world.tracks]
    return [each for each in known if _is_noun(names, each)]


def _is_noun(names: Declarations, name: str) -> bool:
    singular = names.world.singular(name)
    return singular in names.world.pieces or singular in names.world.tracks


def type_named(names: Declarations, name: str) -> Type | None:
    """Return the type denoted by a name, or None."""
    simple = {"number": NUMBER, "bundle": BUNDLE, "seat": SEAT, "player": PLAYER, "yes-no": YES_NO}
    if name in simple:
        return simple[name]
    if name in names.world.pieces:
        return piece(name)
    if name in names.world.kinds:
        return entry(name)
    if name in names.world.places:
        return Type("cell", name)
    return None


def _unknown_kind(names: Declarations, word: Identifier) -> None:
    known = [*names.world.kinds, *names.world.pieces, *names.world.places]
    simple = ["number", "seat", "player", "bundle"]
    names.noted.expect(word.text, [*known, *simple, "yes-no", *_nouns(names)])
    if names.world.doubtful(word.text):
        return
    message = f"There is no kind of things called `{word.text}`."
    help_text = similar(word.text, [*known, *simple])
    names.findings.report("E201", word.span, message, help_text)
    names.world.broken.add(word.text)  # it may be the parameter's name


def shape_of(params: tuple[ParamInfo, ...]) -> tuple[str, ...]:
    """Return the signature that distinguishes overloads of a verb."""
    return tuple(
        f"{param.preposition or ''}:{param.noun or param.type.of or param.type.family}"
        for param in params
    )


def header_text(proc: ProcInfo, world: SymbolTable) -> str:
    """Return the declaration header of a verb, for messages."""
    words = [proc.name]
    for param in proc.params:
        if param.preposition:
            words.append(param.preposition)
        if param.noun:
            words.append(f"{param.name} {world.plural(param.noun)}")
        else:
            words.append(f"{param.type.of or param.type.family} {param.name}")
    return " ".join(words)


# Text overrides: a mod replaces a text of a verb or step. Texts are identified by their original
# words, or by an unambiguous prefix of them.
class Retold:
    """Collects text overrides, and applies them when all are known."""

    def __init__(self, names: Declarations) -> None:
        self._names = names
        self._found: defaultdict[str, dict[Span, ex.Text]] = defaultdict(dict)

    def take(self, proc: ProcInfo, params: tuple[ParamInfo, ...], decl: de.TextHookDecl) -> None:
        """Collect an override; it is recorded for conflicts between mods."""
        called = {each.name: own.name for each, own in zip(params, proc.params, strict=True)}
        text = rewrite(decl.text, partial(_renamed, called))
        old = self._meant(proc, decl)
        if decl.old is None:
            what = f"the sentence of `{header_text(proc, self._names.world)}`"
            proc.text = text
        elif old:
            what = f"`{print_text(old[0])}` in `{header_text(proc, self._names.world)}`"
            self._found[proc.key] |= {each.span: text for each in old}
            self._names.world.renamed[text.span] = "".join(old[0].words)
        else:
            return
        self._names.world.retold.setdefault(what, []).append(decl.span)

    def put_in(self) -> None:
        """Apply all overrides."""
        for proc in (each for some in self._names.world.procs.values() for each in some):
            found = self._found.get(proc.key)
            if found is not None:
                proc.body = rewrite(proc.body, partial(_replaced, found))

    def _meant(self, proc: ProcInfo, decl: de.TextHookDecl) -> list[ex.Text]:
        """Return the texts with the given words (or prefix); report none or several."""
        if decl.old is None:
            return []
        every = [each for each in walk(proc.body) if isinstance(each, ex.Text)]
        said = {print_text(each)[1:-1] for each in every}
        fits = [decl.old] if decl.old in said else [e for e in said if e.startswith(decl.old)]
        if len(fits) == 1:
            return [each for each in every if print_text(each)[1:-1] == fits[0]]
        how = f"{len(fits)} texts that begin" if fits else "no text that begins"
        message = f"`{proc.name}` has {how} with `{decl.old}`."
        known = ", ".join(f'"{each}"' for each in sorted(fits or said))
        help_text = f"Its texts are {known}." if known else "It has no text: hook what it calls."
        place = [Related(proc.span, "declared here")]
        self._names.findings.report("E415", decl.span, message, help_text, place)
        return []


def _replaced(found: Mapping[Span, ex.Text], node: Node) -> Node:
    return found.get(node.span, node) if isinstance(node, ex.Text) else node


def _renamed(called: Mapping[str, str], node: Node) -> Node:
    if isinstance(node, ex.Name) and node.name in called:
        return ex.Name(called[node.name], span=node.span)
    return node


# Three passes over the declarations of all files: things; then verbs, steps and values, whose
# parameters name things; then hooks, which name verbs. So the order of lines and files is
# irrelevant.
#
# A name denotes one thing in the whole game, since rules do not state its kind:
# `Declarations.take` rejects a second declaration, and `report_word` rejects words of the
# language. Plurals are names, too. A rejected name is marked as broken, so its uses are not
# reported again. Bodies are left to `check.resolve`; only texts that mods replace are looked up in
# them (`Retold`).
def declare(
    world: SymbolTable,
    findings: Findings,
    declarations: Iterable[de.Decl],
    noted: ReferenceRecorder,
) -> None:
    """Fill a symbol table from the declarations of all files."""
    names, every = Declarations(world, findings, noted), list(declarations)
    for each in every:
        declare_thing(names, each)
    for each in every:
        declare_procedure(names, each)
    retold = Retold(names)
    for each in every:
        if isinstance(each, de.HookDecl):
            _procedure_hook(names, each)
        elif isinstance(each, de.TextHookDecl):
            found = hooked(names, each.header)
            if found is not None:
                retold.take(*found, each)
        elif isinstance(each, de.ValueHookDecl):
            _value_hook(names, each)
    retold.put_in()


def _procedure_hook(names: Declarations, decl: de.HookDecl) -> None:
    found = hooked(names, decl.header)
    if found is not None:
        proc, params = found
        proc.hooks.append(HookInfo(decl.time, params, decl.when, decl.body, decl.span))


def hooked(names: Declarations, header: Header) -> tuple[ProcInfo, tuple[ParamInfo, ...]] | None:
    """Return the procedure that a hook's header denotes, and its parameters there; report none."""
    name = header.name.text
    names.noted.word(header.name, SymbolKind.VERB, name, role=ReferenceRole.HOOKS)
    names.noted.expect(name, names.world.procs)
    overloads = names.world.procs.get(name, [])
    if not overloads:
        _hooks_on_nothing(names, header)
        return None
    if _leaves_out_a_number(names, header, overloads):
        return None
    params = header_params(names, header)
    shape = shape_of(params)
    for proc in overloads:
        if shape_of(proc.params) == shape:
            return proc, params
    if not names.world.doubtful(name):
        known = " and ".join(f"`{header_text(each, names.world)}`" for each in overloads)
        message = f"`{name}` is not declared with these parameters."
        help_text, facts = f"It is declared as {known}.", UnknownName(name)
        names.findings.report("E204", header.span, message, help_text, facts=facts)
    return None


def _hooks_on_nothing(names: Declarations, header: Header) -> None:
    name = header.name.text
    if not names.world.doubtful(name):
        help_text = help_to_hook(name, names.world) or similar(name, names.world.procs)
        message = f"There is no verb or step called `{name}`."
        names.findings.report("E204", header.span, message, help_text)


def _leaves_out_a_number(names: Declarations, header: Header, overloads: list[ProcInfo]) -> bool:
    """Report an amount without a name: `after gain coins` for `gain n coins`."""
    taken = [(each, proc) for proc in overloads for each in proc.params]
    kinds = {each.type.of for each, _ in taken if each.noun is None}
    for each in (header.param, *(more.param for more in header.more)):
        if each is None or each.second is not None:
            continue
        noun = names.world.singular(each.first.text)
        known = [header_text(proc, names.world) for param, proc in taken if param.noun == noun]
        if known and noun not in kinds:
            message = f"`{each.first.text}` needs a name for the amount."
            help_text = f"Write it as it is declared: `{known[0]}`."
            facts = AmountWithoutName()
            names.findings.report("E204", each.first.span, message, help_text, facts=facts)
            return True
    return False


def _value_hook(names: Declarations, decl: de.ValueHookDecl) -> None:
    names.noted.word(decl.name, SymbolKind.NOUN, decl.name.text, role=ReferenceRole.HOOKS)
    value = names.world.values.get(decl.name.text) or _number_as_value(names, decl.name.text)
    if value is None:
        if not names.world.doubtful(decl.name.text):
            name, known = decl.name.text, [*names.world.values, *names.world.constants]
            message = f"There is no value called `{name}`."
            help_text = help_to_hook(name, names.world) or similar(name, known)
            names.findings.report("E201", decl.name.span, message, help_text)
        return
    params = value_params(names, decl)
    if [each.type for each in params] != [each.type for each in value.params]:
        names.findings.report(
            "E205",
            decl.name.span,
            f"`{decl.name.text}` is not a value of such things.",
            "Write the same kinds as in its declaration.",
            [Related(value.span, "declared here")],
        )
        return
    value.hooks.append(ValueHookInfo(params, decl.when, decl.formula, decl.span))


def _number_as_value(names: Declarations, name: str) -> ValueInfo | None:
    """Convert a named number with a hook to a named value.

    Uses that need a constant, such as the count of pieces, keep the number from the table.
    """
    number = names.world.constants.get(name)
    if not isinstance(number, int):
        return None
    span = names.world.constant_spans[name]
    names.world.constants_used.add(name)
    value = ValueInfo(name, span, (), Formula((), (), ex.Number(number, span=span), span=span))
    names.world.values[name] = value
    return value
