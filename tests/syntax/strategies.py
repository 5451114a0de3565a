"""Random syntax trees that cover the grammar, with made-up words."""

from typing import TypeVar

from hypothesis import strategies as hy

from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.node import Identifier, Param

T = TypeVar("T")


def maybe(inner: hy.SearchStrategy[T]) -> hy.SearchStrategy[T | None]:
    return hy.none() | inner


def several(inner: hy.SearchStrategy[T], least: int = 1) -> hy.SearchStrategy[tuple[T, ...]]:
    return hy.lists(inner, min_size=least, max_size=3).map(tuple)


# Among the names are words that are keywords elsewhere: a name is what stands in its place.
NAMES = ("ace", "card", "coin", "deck-2", "gem", "o'hara", "pile", "place", "score", "unit", "x")
names = hy.sampled_from(NAMES)
words = hy.builds(Identifier, names)
titles = hy.text("Aa é#:,()'/x9\\\"{}", max_size=6)
params = hy.builds(Param, words, maybe(words))
numbers = hy.builds(ex.Number, hy.integers(0, 20))
switches = hy.builds(ex.Switch, hy.booleans())


# -------------------------------------------------------------------- expressions
_LEAVES: hy.SearchStrategy[ex.Expr] = hy.one_of(
    numbers, hy.builds(ex.Name, names), hy.builds(ex.My, names), hy.just(ex.Me()), hy.just(ex.It())
)


def _values(inner: hy.SearchStrategy[ex.Expr]) -> hy.SearchStrategy[ex.Expr]:
    return hy.one_of(
        hy.builds(ex.Of, words, inner),
        hy.builds(ex.At, inner, inner),
        hy.builds(ex.Ends, hy.sampled_from(["top", "bottom"]), maybe(hy.integers(0, 9)), inner),
        hy.builds(ex.NounAmount, inner, words),
        hy.builds(ex.Beside, inner, words, hy.sampled_from(["before", "after"]), inner),
        hy.builds(ex.Contents, inner, _within(inner)),
        hy.builds(ex.Not, inner),
        hy.builds(ex.Logic, hy.sampled_from(["and", "or"]), inner, inner),
        hy.builds(ex.Compare, hy.sampled_from(["=", "<>", "<", "<=", ">", ">="]), inner, inner),
        hy.builds(ex.Arithmetic, hy.sampled_from("+-*/"), inner, inner),
        hy.builds(ex.Cap, hy.booleans(), inner, inner),
        hy.builds(ex.Per, inner, inner),
        hy.builds(ex.Quantified, hy.booleans(), inner, maybe(inner)),
    )


def _within(inner: hy.SearchStrategy[ex.Expr]) -> hy.SearchStrategy[ex.Expr]:
    return inner | hy.builds(ex.OtherThan, inner, inner)


def _ranges(inner: hy.SearchStrategy[ex.Expr]) -> hy.SearchStrategy[ex.Range]:
    return hy.builds(ex.Range, inner, inner)


def _texts(inner: hy.SearchStrategy[ex.Expr]) -> hy.SearchStrategy[ex.Text]:
    return hy.lists(hy.tuples(inner, titles), max_size=2).flatmap(
        lambda more: hy.builds(
            lambda first: ex.Text(
                (first, *(each for _, each in more)), tuple(each for each, _ in more)
            ),
            titles,
        )
    )


def _choices(inner: hy.SearchStrategy[ex.Expr]) -> hy.SearchStrategy[ex.Choice]:
    domain: hy.SearchStrategy[ex.Expr] = hy.one_of(_within(inner), _ranges(inner))
    text = maybe(_texts(inner))
    return hy.builds(
        ex.Choice, words, maybe(words), maybe(domain), maybe(inner), text, text, maybe(words)
    )


def _rankings(inner: hy.SearchStrategy[ex.Expr]) -> hy.SearchStrategy[tuple[ex.Best, ...]]:
    return several(hy.builds(ex.Best, hy.booleans(), inner))


def _phrases(inner: hy.SearchStrategy[ex.Expr]) -> hy.SearchStrategy[ex.Expr]:
    return hy.one_of(
        _choices(inner),
        hy.builds(ex.RandomPick, words, maybe(_within(inner)), maybe(inner)),
        hy.builds(ex.The, words, maybe(_within(inner)), maybe(inner), _rankings(inner)),
        hy.builds(ex.The, words, maybe(_within(inner)), maybe(inner), hy.just(())),
        hy.builds(ex.First, words, inner, maybe(inner), maybe(inner)),
        hy.builds(ex.All, inner, maybe(inner)),
    )


expressions: hy.SearchStrategy[ex.Expr] = hy.recursive(
    _LEAVES, lambda inner: hy.one_of(_values(inner), _phrases(inner)), max_leaves=6
)
texts = _texts(expressions)
ranges = _ranges(expressions)
domains: hy.SearchStrategy[ex.Expr] = hy.one_of(_within(expressions), ranges)


# -------------------------------------------------------------------- statements
def _arguments(first: bool) -> hy.SearchStrategy[st.Argument]:
    prepositions: hy.SearchStrategy[str | None] = hy.sampled_from(["from", "into", "on", "with"])
    return hy.builds(st.Argument, hy.none() if first else prepositions, expressions)


_calls = hy.builds(
    lambda verb, first, more: st.Call(verb, first + more),
    words,
    hy.lists(_arguments(first=True), max_size=1).map(tuple),
    hy.lists(_arguments(first=False), max_size=2).map(tuple),
)
lets = hy.builds(st.Let, words, expressions)
_simple: hy.SearchStrategy[st.Stmt] = hy.one_of(
    _calls,
    hy.builds(st.Move, hy.booleans(), expressions, maybe(expressions), expressions),
    hy.builds(st.Change, hy.booleans(), expressions, expressions),
    hy.builds(st.Assign, expressions, expressions),
    hy.builds(st.Mark, hy.booleans(), expressions),
    hy.builds(st.Do, expressions),
    lets,
    hy.builds(st.Needs, expressions, maybe(texts)),
    hy.builds(st.Shuffle, expressions),
    hy.builds(st.LookAt, expressions),
    hy.builds(st.Show, expressions, maybe(expressions)),
    hy.builds(st.Say, texts),
    hy.builds(st.Openly, hy.builds(st.Change, hy.booleans(), expressions, expressions)),
    hy.just(st.EndGame()),
    hy.just(st.Nothing()),
)
_ways = hy.builds(st.Sequence, several(_simple), several(_simple, least=0))
one_line: hy.SearchStrategy[st.Stmt] = hy.one_of(
    _simple,
    _ways.filter(lambda way: len(way.steps) > 1 or bool(way.gains)),
    hy.builds(st.Either, several(_ways, least=2)),
)


def _bodies(inner: hy.SearchStrategy[st.Stmt]) -> hy.SearchStrategy[st.Body]:
    return hy.builds(st.Body, several(inner), hy.booleans())


def _menus(inner: hy.SearchStrategy[st.Stmt]) -> hy.SearchStrategy[st.Menu]:
    bodies, optional = _bodies(inner), maybe(expressions)
    line = hy.one_of(
        hy.builds(
            st.MenuLine,
            hy.booleans(),
            maybe(texts),
            hy.booleans(),
            words,
            words,
            expressions,
            optional,
            bodies,
        ),
        hy.builds(
            lambda once, title, sure, body: st.MenuLine(
                once, title, sure, None, None, None, None, body
            ),
            hy.booleans(),
            maybe(texts),
            hy.booleans(),
            bodies,
        ),
    )
    return hy.builds(st.Menu, maybe(texts), several(line))


def _choose_ones(inner: hy.SearchStrategy[st.Stmt]) -> hy.SearchStrategy[st.ChooseOne]:
    lone = hy.builds(lambda stmt: st.Body((stmt,), inline=True), inner)
    labelled = hy.builds(st.Line, texts, hy.booleans(), _bodies(inner))
    return hy.builds(
        st.ChooseOne,
        maybe(texts),
        several(hy.one_of(labelled, hy.builds(st.Line, hy.none(), hy.just(False), lone))),
    )


def _compounds(inner: hy.SearchStrategy[st.Stmt]) -> hy.SearchStrategy[st.Stmt]:
    bodies = _bodies(inner)
    optional = maybe(expressions)
    return hy.one_of(
        hy.builds(st.May, maybe(texts), hy.booleans(), bodies),
        hy.builds(st.MayRepeat, maybe(texts), optional, bodies),
        hy.builds(st.Repeat, expressions, bodies),
        hy.builds(st.Until, expressions, expressions, bodies),
        hy.builds(st.Each, words, maybe(words), maybe(domains), optional, optional, bodies),
        hy.builds(st.ActAs, expressions, bodies),
        hy.builds(st.Secret, maybe(expressions), _choices(expressions), bodies),
        hy.builds(st.If, several(hy.builds(st.Branch, expressions, bodies)), maybe(bodies)),
        hy.builds(st.IfAble, bodies, maybe(bodies)),
        _choose_ones(inner),
        _menus(inner),
    )


statements: hy.SearchStrategy[st.Stmt] = hy.recursive(one_line, _compounds, max_leaves=4)
bodies = _bodies(statements)


# -------------------------------------------------------------------- declarations
_sights = hy.builds(de.SeenBy, words, hy.sampled_from([None, "only", "and counted by all"]))
_pers = hy.lists(words, max_size=2).map(tuple)
_tables = hy.builds(de.TableRef, titles)
_names = hy.builds(de.Names, words, maybe(words), maybe(titles))
_fields = hy.lists(
    hy.builds(
        de.FieldDecl,
        words,
        words,
        maybe(words),
        maybe(words),
        maybe(hy.one_of(expressions, switches)),
        hy.booleans(),
    ),
    max_size=2,
).map(tuple)
_formulas = hy.builds(
    st.Formula,
    several(lets, least=0),
    several(hy.builds(st.Case, expressions, expressions), least=0),
    expressions,
    hy.booleans(),
)
_headers = hy.builds(
    st.Header,
    words,
    maybe(params),
    several(
        hy.builds(st.PrepParam, hy.sampled_from(["from", "into", "on", "with"]), params), least=0
    ),
)
_settings = hy.one_of(
    hy.tuples(hy.booleans(), hy.none(), hy.none(), hy.just(())),
    hy.tuples(hy.none(), expressions, ranges, hy.just(())),
    hy.tuples(hy.none(), hy.none(), hy.none(), several(words)),
)


@hy.composite
def _values_of(draw: hy.DrawFn, *, hook: bool) -> de.Decl:
    name, first, formula = draw(words), draw(maybe(params)), draw(_formulas)
    second = None if first is None else draw(maybe(params))
    if hook:
        return de.ValueHookDecl(name, first, second, draw(maybe(expressions)), formula)
    return de.ValueDecl(name, draw(maybe(titles)), first, second, formula)


_kinds = hy.one_of(
    hy.builds(de.KindDecl, _names, hy.booleans(), maybe(_tables), several(words), hy.just(())),
    hy.builds(de.KindDecl, _names, hy.booleans(), maybe(_tables), hy.just(()), _fields),
)
_entries = hy.builds(
    de.EntryDecl,
    hy.sampled_from(["card", "pile"]).map(Identifier),
    words,
    maybe(titles),
    several(
        hy.one_of(
            hy.builds(de.PlainField, words, expressions),
            hy.builds(de.EffectField, words, maybe(titles), bodies),
        )
    ),
)
declarations: hy.SearchStrategy[de.Decl] = hy.one_of(
    _kinds,
    hy.builds(
        de.PieceDecl,
        _names,
        maybe(_tables),
        maybe(expressions),
        maybe(words),
        maybe(expressions),
        hy.booleans(),
        _fields,
    ),
    hy.builds(
        de.PlaceDecl,
        hy.booleans(),
        _names,
        hy.booleans(),
        maybe(_tables),
        _pers,
        maybe(_sights),
        several(words),
        hy.booleans(),
        _fields,
    ),
    hy.builds(
        de.TrackDecl, _names, _pers, maybe(_sights), maybe(ranges), maybe(words), hy.booleans()
    ),
    hy.builds(
        de.MemoryDecl,
        words,
        maybe(titles),
        words,
        _pers,
        maybe(_sights),
        maybe(words),
        hy.booleans(),
    ),
    hy.builds(
        de.FlagDecl,
        words,
        maybe(titles),
        _pers,
        maybe(_sights),
        maybe(words),
        hy.booleans(),
    ),
    hy.builds(de.ConstantsDecl, _tables),
    hy.builds(
        lambda name, title, setting: de.OptionDecl(name, title, *setting), words, titles, _settings
    ),
    hy.builds(de.RivalDecl, words, titles, hy.booleans(), maybe(expressions)),
    _entries,
    hy.builds(
        lambda title, drawn, cells, whose, shown: de.PanelDecl(
            title, drawn[0], drawn[1], drawn[2], cells[0], cells[1], whose[0], whose[1], shown
        ),
        titles,
        hy.tuples(maybe(words), maybe(words), maybe(words)),
        hy.tuples(words, words) | hy.just((None, None)),
        hy.tuples(maybe(words), hy.none()) | hy.tuples(hy.none(), words),
        several(hy.builds(de.Shown, words, maybe(words), maybe(titles))),
    ),
    hy.builds(de.SourceDecl, titles),
    _values_of(hook=False),
    _values_of(hook=True),
    hy.builds(de.ProcedureDecl, hy.just(False), _headers, maybe(texts), hy.booleans(), bodies),
    hy.builds(
        *(de.ProcedureDecl, hy.just(True), _headers, maybe(texts)),
        *(hy.booleans(), bodies, maybe(texts)),
    ),
    hy.builds(
        de.HookDecl,
        hy.sampled_from(["before", "after", "instead of"]),
        _headers,
        maybe(expressions),
        bodies,
    ),
    hy.builds(
        de.HookDecl,
        hy.just("add to menu of"),
        _headers,
        maybe(expressions),
        _menus(statements).map(lambda menu: st.Body((st.Menu(None, menu.lines),))),
    ),
    hy.builds(
        de.HookDecl,
        hy.just("add to choices of"),
        _headers,
        maybe(expressions),
        _choose_ones(statements).map(lambda ways: st.Body((st.ChooseOne(None, ways.lines),))),
    ),
    hy.builds(de.TextHookDecl, maybe(titles), _headers, hy.booleans(), texts),
    hy.builds(de.ScoreDecl, words, titles, _formulas),
    hy.builds(de.WinDecl, _rankings(expressions)),
    hy.builds(de.VerdictDecl, words, texts, maybe(expressions)),
)
files = hy.builds(de.File, hy.just("a.rules"), several(declarations, least=0))
