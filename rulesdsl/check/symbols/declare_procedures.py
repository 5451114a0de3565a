"""Declarations of verbs, steps and values, hooks on them, and overrides of their text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial

from rulesdsl.check.symbols import symbol_table as sy
from rulesdsl.check.symbols import wording
from rulesdsl.check.symbols.declare import Declarations, check_prefix, declare_thing
from rulesdsl.check.symbols.symbol_table import SymbolTable
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
from rulesdsl.source.diagnostics import Findings, Related, Wording, closest, similar
from rulesdsl.source.facts import AmountWithoutName, DeclaredTwice, UnknownName
from rulesdsl.source.span import Span
from rulesdsl.source.tree import rewrite, walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.lexer import begins, text_content
from rulesdsl.syntax.node import Identifier, Node, Param
from rulesdsl.syntax.printer import print_text
from rulesdsl.syntax.statements import Formula, Header

SIMPLE = {"number": NUMBER, "seat": SEAT, "player": PLAYER, "bundle": BUNDLE, "yes-no": YES_NO}


def declare_procedure(names: Declarations, decl: de.Decl) -> None:
    """Declare a verb, step, value or score."""
    values = names.world.values
    if isinstance(decl, de.ProcedureDecl):
        _procedure(names, decl)
    elif isinstance(decl, de.ValueDecl | de.ScoreDecl) and names.take(decl.name):
        name, span = decl.name.text, decl.name.span
        if isinstance(decl, de.ValueDecl):
            params, title = value_params(names, decl), decl.title or ""
            values[name] = sy.ValueInfo(name, span, params, decl.formula, title=title)
        else:
            seat = (sy.ParamInfo("me", SEAT, span=span),)
            values[name] = sy.ValueInfo(name, span, seat, decl.formula, score_title=decl.title)


def value_params(
    names: Declarations, decl: de.ValueDecl | de.ValueHookDecl
) -> tuple[sy.ParamInfo, ...]:
    """Return the parameters of a value."""
    return tuple(_param(names, each) for each in (decl.param, decl.second) if each is not None)


def _procedure(names: Declarations, decl: de.ProcedureDecl) -> None:
    name, span, world = decl.header.name.text, decl.header.name.span, names.world
    names.noted.word(decl.header.name, sy.SymbolKind.VERB, name, role=sy.ReferenceRole.DECLARES)
    params = header_params(names, decl.header)
    check_prefix(name, span, world, names.findings)
    overloads = world.procs.setdefault(name, [])
    for other in overloads:
        if shape_of(other.params) == shape_of(params):
            first, facts = Related(other.span, "declared here first"), DeclaredTwice()
            said = wording.DECLARED_TWICE_FOR
            wording.report_twice(said, names.findings, span, first, world, name=name, facts=facts)
            return
    key = "/".join([name, *shape_of(params)])
    proc = sy.ProcInfo(key, name, decl.verb, span, params, decl.body, decl.text, decl.quiet)
    proc.imperative = decl.imperative
    overloads.append(proc)


def header_params(names: Declarations, header: Header) -> tuple[sy.ParamInfo, ...]:
    """Return the parameters of a verb or step."""
    params = [] if header.param is None else [_param(names, header.param)]
    for more in header.more:
        found = _param(names, more.param)
        found.preposition = more.preposition
        params.append(found)
    return tuple(params)


def _param(names: Declarations, param: Param) -> sy.ParamInfo:
    """Return a parameter: a kind and a name (`card c`), or an amount (`n cards`)."""
    first, second, world = param.first, param.second, names.world
    for word in (first, second):
        names.noted.noun(word, world)
    kind = type_named(first.text, world)
    if second is None:
        return sy.ParamInfo(first.text, kind or _unknown_kind(names, first), span=first.span)
    if kind is not None:
        return sy.ParamInfo(second.text, kind, span=second.span)
    nouns = _nouns(world)
    if second.text in nouns:
        return sy.ParamInfo(first.text, NUMBER, noun=world.singular(second.text), span=first.span)
    # two unknown words: is it more like `n coins` or like `card c`?
    is_kind = len(first.text) > 1 and closest(first.text, world.kinds)
    if not is_kind and (len(first.text) == 1 or closest(second.text, nouns)):
        names.choose(second, nouns, "pieces or tracks")
        return sy.ParamInfo(first.text, UNKNOWN, span=first.span)
    return sy.ParamInfo(second.text, _unknown_kind(names, first), span=second.span)


def _nouns(world: SymbolTable) -> list[str]:
    """Return the words for pieces and tracks, plurals first."""
    nouns = world.pieces.keys() | world.numbers.keys()
    known = [*world.plurals, *world.pieces, *world.tracks]
    return [each for each in known if world.singular(each) in nouns]


def type_named(name: str, world: SymbolTable) -> Type | None:
    """Return the type that a name denotes, or None."""
    if name in SIMPLE:
        return SIMPLE[name]
    if name in world.pieces:
        return piece(name)
    if name in world.kinds:
        return entry(name)
    return Type("cell", name) if name in world.places else None


def _unknown_kind(names: Declarations, word: Identifier) -> Type:
    world = names.world
    known = [*world.kinds, *world.pieces, *world.places, *SIMPLE]
    names.noted.expect(word.text, [*known, *_nouns(world)])
    if word.text in begins("arg"):  # reported as a name
        world.broken.add(word.text)
    if not world.doubtful(word.text):
        said, advice = wording.UNKNOWN_KIND, similar(word.text, known)
        wording.report_unknown(said, "kinds of things", word, world, names.findings, advice)
        world.broken.add(word.text)  # it may be the parameter's name
    return UNKNOWN


def shape_of(params: tuple[sy.ParamInfo, ...]) -> tuple[str, ...]:
    """Return the signature that distinguishes overloads of a verb."""
    return tuple(
        f"{param.preposition or ''}:{param.noun or param.type.of or param.type.family}"
        for param in params
    )


def header_text(proc: sy.ProcInfo, world: SymbolTable) -> str:
    """Return the header of a verb's declaration, for messages."""
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
class TextOverrides:
    """Collector of text overrides, which are applied when all are known."""

    def __init__(self, names: Declarations) -> None:
        self._names = names
        self._found: defaultdict[str, dict[Span, ex.Text]] = defaultdict(dict)

    def collect(
        self, proc: sy.ProcInfo, params: tuple[sy.ParamInfo, ...], decl: de.TextHookDecl
    ) -> None:
        """Collect an override, and record it in the symbol table to find conflicts."""
        called = {each.name: own.name for each, own in zip(params, proc.params, strict=True)}
        text = rewrite(decl.text, partial(_renamed, called))
        old, header = self._meant(proc, decl), header_text(proc, self._names.world)
        if decl.old is not None and not old:
            return
        if decl.imperative:
            what = f"the words of `{header}` as an option"
            proc.imperative = text
        elif decl.old is None:
            what = f"the text of `{header}`"
            proc.text = text
        else:
            what = f"`{print_text(old[0])}` in `{header}`"
            self._found[proc.key] |= {each.span: text for each in old}
            self._names.world.renamed[text.span] = "".join(old[0].words)
        self._names.world.text_overrides.setdefault(what, []).append(decl.span)

    def apply(self) -> None:
        """Apply all collected overrides."""
        for proc in self._names.world.procedures.values():
            found = self._found.get(proc.key)
            if found is not None:
                proc.body = rewrite(proc.body, partial(_replaced, found))

    def _meant(self, proc: sy.ProcInfo, decl: de.TextHookDecl) -> list[ex.Text]:
        """Return the text that an override refers to; report an error if none or several match."""
        if decl.old is None:
            return []
        within = proc.imperative if decl.imperative else proc.body
        every = [each for each in walk(within) if isinstance(each, ex.Text)]
        said = {text_content(print_text(each)) for each in every}
        fits = [decl.old] if decl.old in said else [e for e in said if e.startswith(decl.old)]
        if len(fits) == 1:
            return [each for each in every if text_content(print_text(each)) == fits[0]]
        found = f"{len(fits)} pieces of text that begin" if fits else "no text that begins"
        known = ", ".join(f'"{each}"' for each in sorted(fits or said))
        template = wording.NO_SUCH_TEXT if known else wording.NO_TEXT
        place = [Related(proc.span, "declared here")]
        template.report(
            self._names.findings,
            decl.span,
            place,
            name=proc.name,
            found=found,
            text=decl.old,
            known=known,
        )
        return []


def _replaced(found: Mapping[Span, ex.Text], node: Node) -> Node:
    return found.get(node.span, node) if isinstance(node, ex.Text) else node


def _renamed(called: Mapping[str, str], node: Node) -> Node:
    if isinstance(node, ex.Name) and node.name in called:
        return ex.Name(called[node.name], span=node.span)
    return node


# Three passes over the declarations of all files: things; then verbs, steps and values, whose
# parameters name things; then hooks, which name verbs. So the order of lines and files does not
# matter.
#
# A name denotes one thing in the whole game, since rules do not state its kind:
# `Declarations.take` rejects a second declaration, and `report_word` rejects words of the
# language. Plurals are names, too. A rejected name is marked as broken, so its uses are not
# reported. Bodies are left to `check.resolve`, except that texts to be overridden are looked up in
# them (`TextOverrides`).
def declare(
    world: SymbolTable,
    findings: Findings,
    declarations: Iterable[de.Decl],
    noted: sy.ReferenceRecorder,
) -> None:
    """Fill a symbol table from the declarations of all files."""
    names, every = Declarations(world, findings, noted), list(declarations)
    for each in every:
        declare_thing(names, each)
    for each in every:
        declare_procedure(names, each)
    overrides = TextOverrides(names)
    for each in every:
        if isinstance(each, de.HookDecl):
            _procedure_hook(names, each)
        elif isinstance(each, de.TextHookDecl):
            found = hooked(names, each.header)
            if found is not None:
                overrides.collect(*found, each)
        elif isinstance(each, de.ValueHookDecl):
            _value_hook(names, each)
    overrides.apply()


def _procedure_hook(names: Declarations, decl: de.HookDecl) -> None:
    found = hooked(names, decl.header)
    if found is not None:
        proc, params = found
        proc.hooks.append(sy.HookInfo(decl.time, params, decl.when, decl.body, decl.span))


def hooked(
    names: Declarations, header: Header
) -> tuple[sy.ProcInfo, tuple[sy.ParamInfo, ...]] | None:
    """Return the procedure that a hook refers to, and the hook's parameters; report errors."""
    name, world = header.name.text, names.world
    names.noted.word(header.name, sy.SymbolKind.VERB, name, role=sy.ReferenceRole.HOOKS)
    names.noted.expect(name, world.procs)
    overloads = world.procs.get(name, [])
    if not overloads:
        _nothing_to_hook(names, header.name, wording.UNKNOWN_VERB, "verbs or steps", world.procs)
        return None
    if _leaves_out_a_number(names, header, overloads):
        return None
    params = header_params(names, header)
    shape = shape_of(params)
    for proc in overloads:
        if shape_of(proc.params) == shape:
            return proc, params
    if not world.doubtful(name):
        known = " and ".join(f"`{header_text(each, world)}`" for each in overloads)
        facts = UnknownName(name)
        wording.OTHER_PARAMETERS.report(
            names.findings, header.span, facts=facts, name=name, known=known
        )
    return None


def _nothing_to_hook(
    names: Declarations, word: Identifier, said: Wording, what: str, known: Iterable[str]
) -> None:
    if names.world.doubtful(word.text):
        return
    hint = wording.help_to_hook(word.text, names.world)
    if hint:
        said.report(names.findings, word.span, advice=hint, name=word.text)
    else:
        near = similar(word.text, known)
        wording.report_unknown(said, what, word, names.world, names.findings, near)


def _leaves_out_a_number(
    names: Declarations, header: Header, overloads: list[sy.ProcInfo]
) -> bool:
    """Report an amount without a name: `after gain coins` for `gain n coins`."""
    taken = [(each, proc) for proc in overloads for each in proc.params]
    kinds = {each.type.of for each, _ in taken if each.noun is None}
    for each in (header.param, *(more.param for more in header.more)):
        if each is None or each.second is not None:
            continue
        word = each.first
        noun = names.world.singular(word.text)
        known = [header_text(proc, names.world) for param, proc in taken if param.noun == noun]
        if known and noun not in kinds:
            facts = AmountWithoutName()
            wording.UNNAMED_AMOUNT.report(
                names.findings, word.span, facts=facts, noun=word.text, header=known[0]
            )
            return True
    return False


def _value_hook(names: Declarations, decl: de.ValueHookDecl) -> None:
    word, world = decl.name, names.world
    names.noted.word(word, sy.SymbolKind.NOUN, word.text, role=sy.ReferenceRole.HOOKS)
    value = world.values.get(word.text) or _number_as_value(word.text, world)
    if value is None:
        known = [*world.values, *world.constants]
        _nothing_to_hook(names, word, wording.UNKNOWN_VALUE, "values", known)
        return
    params = value_params(names, decl)
    if [each.type for each in params] != [each.type for each in value.params]:
        related = [Related(value.span, "declared here")]
        wording.OTHER_VALUE_PARAMETERS.report(names.findings, word.span, related, name=word.text)
        return
    value.hooks.append(sy.ValueHookInfo(params, decl.when, decl.formula, decl.span))


def _number_as_value(name: str, world: SymbolTable) -> sy.ValueInfo | None:
    """Convert a named number with a hook to a named value.

    Uses that need a constant, such as a piece count, still get the number from the table.
    """
    number = world.constants.get(name)
    if number is None or not isinstance(number.value, int):
        return None
    number.used = True
    span = number.span
    formula = Formula((), (), ex.Number(number.value, span=span), span=span)
    value = world.values[name] = sy.ValueInfo(name, span, (), formula)
    return value
