"""Grammars of TextMate: of rules, and of effects in the strings of TOML files.

They see a line at a time and know no names, so a word is coloured by how it looks and where it
is; the server knows better, and its colours lie over these.
"""

from __future__ import annotations

from editors.words import Words, name_pattern, words

Rule = dict[str, object]

NAME = name_pattern()
_BEFORE, _AFTER = r"(?:(?<![\w.'-])|(?<=\.\.))", r"(?![\w'-])"
_COLUMN = r"[ \t]+"


def rules_grammar() -> Rule:
    """Return the grammar of `.rules` files."""
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Coloma rules",
        "scopeName": "source.coloma",
        "fileTypes": ["rules"],
        "patterns": [_head("functions"), _head("things"), _bare_head(), {"include": "#line"}],
        "repository": {
            "line": {"patterns": [_field(), _call(), {"include": "#phrase"}]},
            "phrase": {"patterns": _phrase()},
            "text": _text(),
        },
    }


def toml_grammar() -> Rule:
    """Return the grammar that is injected into the strings of TOML files.

    It colours a string of several words that begins as an effect does, with a small letter.
    """
    effect = r"(?<=\")(?=[a-z(][^\"\n]*[ :][^\"\n]*\")"
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Effects of Coloma in TOML",
        "scopeName": "source.coloma.in.toml",
        "injectionSelector": "L:source.toml string.quoted - meta.embedded.inline.coloma",
        "patterns": [
            {
                "name": "meta.embedded.inline.coloma",
                "begin": effect,
                "end": r"(?=\")",
                "patterns": [{"include": "source.coloma#phrase"}],
            }
        ],
    }


def any_of(listed: tuple[str, ...]) -> str:
    """Return a pattern of words, however many blanks are within them."""
    return "(?:" + "|".join(each.replace(" ", _COLUMN) for each in listed) + ")"


def _word(listed: tuple[str, ...], scope: str, after: str = "") -> Rule:
    return {"name": f"{scope}.coloma", "match": _BEFORE + any_of(listed) + _AFTER + after}


def _after_another(known: Words) -> Rule:
    """Return the words that are some only behind another one; elsewhere they are names."""
    bound = [f"(?<={before} ){word}" for word, before in known.bound.items()]
    return {"name": "keyword.other.coloma", "match": f"(?:{'|'.join(bound)}){_AFTER}"}


def _free(known: Words) -> tuple[str, ...]:
    return tuple(each for each in known.asides if each not in known.bound)


def _head(group: str) -> Rule:
    """Return what a declaration with a name begins with."""
    listed = words().functions if group == "functions" else words().things
    scope = "entity.name.function" if group == "functions" else "entity.name.type"
    return {
        "match": f"^({any_of(listed)}){_AFTER}(?:([ \\t]+)({NAME}))?",
        "captures": {
            "1": {"name": "storage.type.coloma"},
            "3": {"name": f"{scope}.coloma"},
        },
    }


def _bare_head() -> Rule:
    listed = words().other_heads
    return {"match": f"^{any_of(listed)}{_AFTER}", "name": "storage.type.coloma"}


def _field() -> Rule:
    """Return a line that gives a field: its name stands before a colon or a sign."""
    inside = any_of(words().inside)
    return {
        "match": rf"^([ \t]+)(?!{inside}{_AFTER})({NAME})(?=[ \t]*[:=])",
        "captures": {"2": {"name": "variable.other.member.coloma"}},
    }


def _call() -> Rule:
    """Return a line that begins with a verb of the content."""
    inside = any_of(words().inside)
    return {
        "match": rf"^([ \t]+)(?!{inside}{_AFTER})({NAME}){_AFTER}",
        "captures": {"2": {"name": "entity.name.function.call.coloma"}},
    }


def _phrase() -> list[Rule]:
    known = words()
    return [
        {"name": "comment.line.number-sign.coloma", "match": "#.*$"},
        {"include": "#text"},
        {"name": "variable.other.coloma", "match": f"(?<=seen by ){NAME}"},
        # a longer word comes first: `if able` before `if`, `at least` before `at`
        _word(tuple(each for each in known.inside if " " in each), "keyword.control"),
        _word(known.statements, "keyword.control"),
        _word(known.operators, "keyword.operator.word"),
        _word(known.switches, "constant.language"),
        _word(known.pronouns, "variable.language"),
        _after_another(known),
        _word(_free(known), "keyword.other", r"(?![ \t]*,)"),  # in a list are names
        {"name": "variable.other.coloma", "match": _BEFORE + NAME},
        {"name": "constant.numeric.coloma", "match": r"(?<![\w'-])[0-9]+"},
        {"name": "keyword.operator.coloma", "match": r"<>|<=|>=|[=<>+*/-]|\.\."},
        {"name": "punctuation.separator.coloma", "match": "[:,]"},
        {"name": "punctuation.section.parens.coloma", "match": "[()]"},
    ]


def _text() -> Rule:
    """Return a text, with the values in it."""
    return {
        "name": "string.quoted.double.coloma",
        "begin": '"',
        "end": r'"|$',
        "beginCaptures": {"0": {"name": "punctuation.definition.string.begin.coloma"}},
        "endCaptures": {"0": {"name": "punctuation.definition.string.end.coloma"}},
        "patterns": [
            {"name": "constant.character.escape.coloma", "match": r"\\."},
            {
                "name": "meta.interpolation.coloma",
                "begin": r"\{",
                "end": r'\}|(?=")|$',
                "beginCaptures": {"0": {"name": "punctuation.section.interpolation.coloma"}},
                "endCaptures": {"0": {"name": "punctuation.section.interpolation.coloma"}},
                "patterns": [{"include": "#phrase"}],
            },
        ],
    }
