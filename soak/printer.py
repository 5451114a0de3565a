"""Declarations and whole files as text: what is printed is read back as the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.printer.expressions import (
    Level,
    at_level,
    clause,
    optional_word,
    print_expression,
    print_ranking,
)
from rulesdsl.syntax.printer.statements import (
    UNREADABLE,
    Page,
    behind_colon,
    indented,
    statement_lines,
)
from rulesdsl.syntax.statements import BadLine, Body, Formula, Header

if TYPE_CHECKING:
    from rulesdsl.syntax.node import Param, Word

_Thing = (
    de.KindDecl
    | de.PieceDecl
    | de.PlaceDecl
    | de.TrackDecl
    | de.FlagDecl
    | de.ConstantsDecl
    | de.OptionDecl
    | de.RivalDecl
    | de.PanelDecl
    | de.SourceDecl
    | de.WinDecl
    | de.VerdictDecl
)


def print_file(file: de.File) -> str:
    """Return a file: a blank line beside every declaration that takes more than one line."""
    text = ""
    tall_before = False
    for declaration in file.declarations:
        lines = _lines(declaration)
        tall = len(lines) > 1
        if text and (tall or tall_before):
            text += "\n"
        text += "\n".join(lines) + "\n"
        tall_before = tall
    return text


def print_declaration(declaration: de.Decl) -> str:
    """Return one declaration, without a line end behind it."""
    return "\n".join(_lines(declaration))


def _lines(decl: de.Decl) -> list[str]:
    if isinstance(decl, _Thing):
        return _thing(decl)
    match decl:
        case de.EntryDecl(kind, name, title, fields):
            within = [line for field in fields for line in _entry_field(field)]
            return [f"{kind.text} {name.text}{_title(title)}:", *indented(within)]
        case de.ValueDecl(name, param, second, formula):
            return _formula(f"value {_value_head(name, param, second)}", formula)
        case de.ValueHookDecl(name, param, second, when, formula):
            head = f"instead of value {_value_head(name, param, second)}"
            return _formula(head + clause("when", when, Level.EXPR), formula)
        case de.ScoreDecl(name, title, formula):
            return _formula(f"score {name.text}{_title(title)}", formula)
        case de.ProcedureDecl(verb, header, body):
            return _behind("verb" if verb else "step", header, "", body)
        case de.HookDecl(time, header, when, body) if time.startswith("add to"):
            within = statement_lines(body.statements[0], Page())[1:]
            return [f"{time} {_header(header)}{clause('when', when, Level.EXPR)}:", *within]
        case de.HookDecl(time, header, when, body):
            return _behind(time, header, clause("when", when, Level.EXPR), body)
        case _:
            assert_never(decl)


def _behind(word: str, header: Header, when: str, body: Body) -> list[str]:
    return behind_colon(f"{word} {_header(header)}{when}", body, Page())


# -------------------------------------------------------------------- what there is
def _thing(decl: _Thing) -> list[str]:  # noqa: C901, PLR0912 - one case for each node
    match decl:
        case de.KindDecl(names, table, members, fields):
            head = f"kind {_names(names)}{_table(table)}"
            return [f"{head}: {_words(members)}"] if members else _with_fields(head, fields)
        case de.PieceDecl():
            return _with_fields(_piece_head(decl), decl.fields)
        case de.PlaceDecl():
            return _with_fields(_place_head(decl), decl.fields)
        case de.TrackDecl(names, per, seen_by, bounds, during):
            seen = optional_word(seen_by, "seen by ")
            span = clause("from", bounds, Level.LOOKUP)
            time = optional_word(during, "during ")
            return [f"track {_names(names)}{_pers(per)}{seen}{span}{time}"]
        case de.FlagDecl(name, per, during):
            return [f"flag {name.text}{_pers(per)}{optional_word(during, 'during ')}"]
        case de.ConstantsDecl(table):
            return [f"constants{_table(table)}"]
        case de.OptionDecl():
            return [f"option {decl.name.text}{_title(decl.title)}: {_setting(decl)}"]
        case de.RivalDecl(name, title, scores, when):
            place = "" if scores else " without score"
            return [f"rival {name.text}{_title(title)}{place}{clause('when', when, Level.EXPR)}"]
        case de.PanelDecl(title, per_word, rival, shown):
            things = ", ".join(each.text for each in shown)
            whose = optional_word(per_word, "per ") + optional_word(rival, "of ")
            return [f"panel{_title(title)}{whose}: {things}"]
        case de.SourceDecl(source):
            return [f"source{_title(source)}"]
        case de.WinDecl(ranking):
            return [f"win with {print_ranking(ranking.steps)}"]
        case de.VerdictDecl(word, text, when):
            return [f"verdict {word.text}{_title(text)}{clause('when', when, Level.EXPR)}"]
        case _:
            assert_never(decl)


def _piece_head(decl: de.PieceDecl) -> str:
    count = "" if decl.count is None else " " + at_level(decl.count, Level.ATOM)
    per = optional_word(decl.per, "per ")
    home = clause("in", decl.home, Level.LOOKUP)
    return f"piece {_names(decl.names)}{_table(decl.table)}{count}{per}{home}"


def _place_head(decl: de.PlaceDecl) -> str:
    word = "stack" if decl.stack else "place"
    seen = optional_word(decl.seen_by, "seen by ")
    names = f"{_names(decl.names)}{_table(decl.table)}{_pers(decl.per)}"
    return f"{word} {names}{seen} holds {_words(decl.holds)}"


def _with_fields(head: str, fields: de.Fields) -> list[str]:
    if not fields:
        return [head]
    return [f"{head}:", *indented([_field(field) for field in fields])]


def _field(field: de.FieldDecl | BadLine) -> str:
    if isinstance(field, BadLine):
        return UNREADABLE
    per = optional_word(field.per, "per ")
    seen = optional_word(field.seen_by, "seen by ")
    default = clause("=", field.default, Level.ATOM)
    return f"{field.name.text}: {field.type.text}{per}{seen}{default}"


def _entry_field(field: de.PlainField | de.EffectField | BadLine) -> list[str]:
    match field:
        case de.PlainField(name, value):
            return [f"{name.text} = {print_expression(value)}"]
        case de.EffectField(name, body):
            return behind_colon(name.text, body, Page().deeper)
        case BadLine():
            return [UNREADABLE]
        case _:
            assert_never(field)


def _setting(decl: de.OptionDecl) -> str:
    if decl.switch is not None:
        return "on" if decl.switch else "off"
    if decl.number is not None:
        return at_level(decl.number, Level.ATOM) + clause("in", decl.bounds, Level.LOOKUP)
    return _words(decl.values)


# -------------------------------------------------------------------- parts
def _title(title: str | None) -> str:
    return "" if title is None else f' "{title}"'


def _names(names: de.Names) -> str:
    plural = "" if names.plural is None else f"/{names.plural.text}"
    return f"{names.singular.text}{plural}{_title(names.title)}"


def _table(table: de.TableRef | None) -> str:
    return "" if table is None else f' from "{table.path}"'


def _words(words: tuple[Word, ...]) -> str:
    return ", ".join(word.text for word in words)


def _pers(words: tuple[Word, ...]) -> str:
    return "".join(optional_word(word, "per ") for word in words)


def _param(param: Param) -> str:
    return param.first.text + optional_word(param.second)


def _header(header: Header) -> str:
    first = "" if header.param is None else f" {_param(header.param)}"
    more = "".join(f" {each.preposition} {_param(each.param)}" for each in header.more)
    return f"{header.name.text}{first}{more}"


def _value_head(name: Word, param: Param | None, second: Param | None) -> str:
    of = "" if param is None else f" of {_param(param)}"
    at = "" if second is None else f" at {_param(second)}"
    return f"{name.text}{of}{at}"


def _formula(head: str, formula: Formula) -> list[str]:
    last = print_expression(formula.otherwise)
    line = f"{head}: {last}"
    page = Page()
    plain = not formula.lets and not formula.cases
    if plain and formula.inline and len(line) <= page.room:
        return [line]
    lets = [line for let in formula.lets for line in statement_lines(let, page.deeper)]
    cases = [
        f"{print_expression(case.value)} if {at_level(case.condition, Level.EXPR)}"
        for case in formula.cases
    ]
    final = f"otherwise {last}" if cases else last
    return [f"{head}:", *indented([*lets, *cases, final])]
