"""Words that players read in place of declared names: the one printer of nouns and rule source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import chain, repeat
from typing import Any

import attrs

from rulesdsl.check.symbols.symbol_table import EntryInfo, SymbolTable
from rulesdsl.source.english import a_or_an, opening, spoken
from rulesdsl.source.tree import rewrite, walk
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import text_content
from rulesdsl.syntax.node import Node
from rulesdsl.syntax.printer import print_expression, print_label

TEXT = "text"
"""The field with an entry's own description, which stands for its effects."""
_SAID = re.compile(r'(?:\bsay )?("(?:[^"\\]|\\.)*")')
_ARTICLE = re.compile(r"\b(?:the|an?) $", re.IGNORECASE)
_DETERMINER = re.compile(r"(?:the|an?|your|random|all|any|no|some|each)\b", re.IGNORECASE)
_NAME = re.compile(r"(?:\b([Aa]n?|\d+) )?(?<![\w'.-])([a-z0-9]+(?:[-.][a-z0-9]+)*)(?![\w'])")
SIGNS = {"=": "is", "<>": "is not", ">=": "at least", "<=": "at most", ">": "above", "<": "below"}
_WORD = re.compile(r"(?<![\w'.-])[a-z][\w'.-]*")
_SIGN = re.compile(r" ([<>=]+) ")
_WHOSE = re.compile(r"where ([\w'.-]+) of it\b(?: (at least|at most|above|below))?")
_WHOSE_FLAG = re.compile(r"\bwhose ([\w'.-]+)(?=$|[,):])")
_THAT = re.compile(r"where it is\b")
_RANGE = re.compile(r"\bin ([\w'-]+)\.\.")
_BARE = re.compile(r"\bwhere (not )?([\w'-]+)(?=$| to |[,):])")
_YOURS = re.compile(r"\bwhose owner is (?:me|you)\b")
_OF_IT = re.compile(r"(?<!any )(?<!no )([\w'.-]+) of (it|me)\b")
_IF_ABLE = re.compile(r"\bif able: ([^,]+)")


def counted(world: SymbolTable, noun: str, count: int) -> str:
    """Return an amount of a piece or track in words: `1 Coin`, `2 Coins`."""
    one, several = world.nouns_in_words[noun]
    return f"{count} {one if count == 1 else several}"


def in_words(world: SymbolTable, source: str) -> str:
    """Return rule source as players read it: titles in place of names, `your` for `my`.

    Texts in it are left as they are, without their quotation marks.
    """
    if not world.words:
        world.words.update(_words(world))
    parts = _SAID.split(source)
    parts[::2] = [_in_words(world, part) for part in parts[::2]]
    parts[1::2] = map(text_content, parts[1::2])
    return "".join(parts)


def _in_words(world: SymbolTable, source: str) -> str:
    def word(match: re.Match[str]) -> str:
        before, name = match.groups()
        title, noun = world.words.get(name) or spoken(name), world.singular(name)
        if before is None:
            return title
        if before.isdigit():
            is_noun = noun in world.nouns_in_words
            return counted(world, noun, int(before)) if is_noun else f"{before} {title}"
        return a_or_an(title) if before[0] == "a" else opening(a_or_an(title))

    source = _WORD.sub(lambda match: world.words.get(f"number {match[0]}", match[0]), source)
    text = _SIGN.sub(lambda match: f" {SIGNS[match[1]]} ", source)
    text = _WHOSE.sub(lambda match: f"whose {match[1]}{f' is {match[2]}' * bool(match[2])}", text)
    text = _WHOSE_FLAG.sub(r"that is \1", text)
    text = _YOURS.sub("that is yours", text)
    text = _THAT.sub("that is", _RANGE.sub(r"from \1 to ", text))
    text = _BARE.sub(lambda match: f"that is {match[1] or ''}{match[2]}", text)
    text = _OF_IT.sub(lambda match: f"{'its' if match[2] == 'it' else 'my'} {match[1]}", text)
    text = _IF_ABLE.sub(r"\1 if possible", text.replace(" or else ", " or "))
    return _NAME.sub(word, text)


def _words(world: SymbolTable) -> dict[str, str]:
    """Return the words for all declared names that differ from their spelling.

    The value of a fixed number has the key `number NAME`.
    """
    kinds = world.kinds.values()
    words = {entry.name: entry.title for kind in kinds for entry in kind.entries}
    for titled in (world.options, world.rivals, world.values, world.flags):
        words |= {name: thing.title for name, thing in titled.items()}
    for name, (singular, plural) in world.nouns_in_words.items():
        words |= {world.plural(name): plural, name: singular}
    words |= {name: place.title for name, place in world.places.items()}  # proper names
    for name, number in world.constants.items():
        if isinstance(number.value, int) and name not in world.values and name not in world.owners:
            words[f"number {name}"] = str(number.value)
    return words | {"my": "your", "me": "you"}


def effect_in_words(world: SymbolTable, entry: EntryInfo, field: str, column: str | None) -> str:
    """Return an entry's effect or formula as players read it, or "" if it has none.

    The only effect of an entry with a text is that text.
    """
    for at in ((field, column), (field, None)):
        if at in entry.effects:
            body = entry.effects[at]
            text = text_of(entry) if len(entry.effects) == 1 else ""
            return body.title or text or body_in_words(world, without_texts(body))
        if at in entry.formulas:
            return in_words(world, print_expression(without_texts(entry.formulas[at])))
    return ""


def text_of(entry: EntryInfo) -> str:
    """Return an entry's own description; empty if it has none."""
    value = entry.values.get((TEXT, None))
    return value if isinstance(value, str) else ""


def body_in_words(world: SymbolTable, body: st.Body) -> str:
    """Return statements as players read them: of a verb with an imperative, that."""
    return in_words(world, print_label(as_offered(world, body)))


def as_offered(world: SymbolTable, body: st.Body) -> st.Body:
    """Return statements with the imperatives of verbs, as texts, in place of their calls."""
    return rewrite(body, partial(_as_offered, world))


def has_formula(world: SymbolTable, body: st.Body) -> bool:
    """Return whether the words of statements contain arithmetic, or an amount that is computed."""
    return any(
        isinstance(part, ex.Arithmetic)
        or (isinstance(part, ex.NounAmount) and not isinstance(part.count, ex.Number | ex.Name))
        for part in walk(as_offered(world, body))
    )


def has_words(world: SymbolTable, body: st.Body) -> bool:
    """Return whether every call of a verb has an imperative or an amount of a noun."""
    calls = (part for part in walk(as_offered(world, body)) if isinstance(part, st.Call))
    return all(any(isinstance(part, ex.NounAmount) for part in walk(call)) for call in calls)


def _as_offered(world: SymbolTable, node: Any) -> Any:  # noqa: ANN401 - a node of any kind
    text = imperative_of(world, node)
    if text is None:
        return node
    words, *rest = text.words
    for value, after in zip(text.values, rest, strict=True):
        words = followed(world, words, value) + after
    return st.Say(ex.Text((words,)))


def followed(world: SymbolTable, words: str, value: ex.Expr) -> str:
    """Return words and a value; a value with an article of its own replaces one before it."""
    phrase = in_words(world, print_expression(value))
    return (_ARTICLE.sub("", words) if _DETERMINER.match(phrase) else words) + phrase


def imperative_of(world: SymbolTable, node: Node) -> ex.Text | None:
    """Return the imperative of a call, with its arguments for parameters; None if it has none."""
    proc = world.worded.get(node.span) if isinstance(node, st.Call) else None
    if proc is None or proc.imperative is None:
        return None
    assert isinstance(node, st.Call)
    values = [argument.value for argument in node.arguments]
    values = [each.count if isinstance(each, ex.NounAmount) else each for each in values]
    arguments = dict(zip([param.name for param in proc.params], values, strict=True))
    return rewrite(proc.imperative, partial(_filled, arguments))


def _filled(arguments: Mapping[str, ex.Expr], node: Any) -> Any:  # noqa: ANN401 - of any kind
    if isinstance(node, ex.NounAmount) and isinstance(node.count, ex.Per):
        return node.count  # it names the noun
    return arguments.get(node.name, node) if isinstance(node, ex.Name) else node


def without_texts(node: Node) -> Any:  # noqa: ANN401 - a node of the same kind
    """Return rules as a label shows them: without preconditions, texts, locals and `shown`."""
    return rewrite(node, _without_texts)


def _without_texts(node: Any) -> Any:  # noqa: ANN401 - a node of any kind
    if isinstance(node, st.Body):
        left = [each for each in node.statements if not isinstance(each, st.Needs | st.Say)]
        return st.Body(_inlined(tuple(left) or node.statements), node.inline, span=node.span)
    if isinstance(node, st.Openly):
        return node.what
    texts = [name for name in _text_fields(node.__class__) if getattr(node, name) is not None]
    return attrs.evolve(node, **dict.fromkeys(texts)) if texts else node


@cache
def _text_fields(cls: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(cls) if field.type == "Text | None")


def _inlined(statements: tuple[st.Stmt, ...]) -> tuple[st.Stmt, ...]:
    """Replace each local by its value; of a choice, later uses become its kind: `the card`."""
    left = list(statements)
    for at, let in enumerate(statements):
        if not isinstance(let, st.Let):
            continue
        values: Iterator[ex.Expr] = repeat(let.value)
        if isinstance(let.value, ex.Choice):
            values = chain([let.value], repeat(ex.Name(f"the {let.value.kind.text}")))
        use = partial(_used, let.name.text, values)
        left[at + 1 :] = [rewrite(each, use) for each in left[at + 1 :]]
    return tuple(each for each in left if not isinstance(each, st.Let)) or statements


def _used(name: str, values: Iterator[ex.Expr], node: Any) -> Any:  # noqa: ANN401 - of any kind
    return next(values) if isinstance(node, ex.Name) and node.name == name else node
