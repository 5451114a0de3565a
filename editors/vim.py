"""The syntax file of Vim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editors.words import Words, words

_HEAD = """\
" Syntax of the rules of Coloma. Written by `python -m editors` from the grammar; not by hand.
if exists("b:current_syntax")
  finish
endif

syntax iskeyword @,48-57,_,-,'
syntax match colomaName /\\<[a-z][a-z0-9'-]*\\>/
syntax match colomaNumber /\\<[0-9]\\+\\>/
syntax match colomaSign /<>\\|<=\\|>=\\|[=<>+*\\/]\\|\\.\\./
syntax match colomaComment /#.*$/ contains=@Spell
syntax region colomaText start=/"/ skip=/\\\\./ end=/"\\|$/ oneline contains=colomaValue,@Spell
syntax region colomaValue start=/{/ end=/}/ contained oneline contains=TOP
"""
_GROUPS = {
    "colomaName": "Identifier",
    "colomaNumber": "Number",
    "colomaSign": "Operator",
    "colomaComment": "Comment",
    "colomaText": "String",
    "colomaHead": "Type",
    "colomaDeclared": "Function",
    "colomaStatement": "Statement",
    "colomaOperator": "Operator",
    "colomaPronoun": "Special",
    "colomaSwitch": "Boolean",
    "colomaAside": "Keyword",
}


def syntax_file() -> str:
    """Return the whole file."""
    known = words()
    lines = [_HEAD.rstrip(), ""]
    groups = {
        "colomaStatement": known.statements,
        "colomaOperator": known.operators,
        "colomaPronoun": known.pronouns,
        "colomaSwitch": known.switches,
        "colomaAside": known.asides,
    }
    for group, listed in groups.items():
        lines += _words(group, [each for each in listed if " " not in each])
    for group, listed in groups.items():  # of two matches, Vim takes the later one
        lines += _words(group, [each for each in listed if " " in each])
    lines += [*_heads(known), ""]
    lines += [f"highlight default link {mine} {theirs}" for mine, theirs in _GROUPS.items()]
    return "\n".join([*lines, "", 'let b:current_syntax = "coloma"', ""])


def _words(group: str, listed: Sequence[str]) -> Iterator[str]:
    """Yield the words of a group; a keyword of Vim's would hide a longer one that begins so."""
    begun = {each.split()[0] for each in words().inside if " " in each}
    single = [each for each in listed if " " not in each and each not in begun]
    if single:
        yield f"syntax keyword {group} {' '.join(single)}"
    for each in sorted(listed, key=len):
        if each not in single:
            yield f"syntax match {group} /\\<{_blanks(each)}\\>/"


def _heads(known: Words) -> Iterator[str]:
    """Yield what begins a line that declares something."""
    heads = (*known.functions, *known.things, *known.other_heads)
    joined = r"\|".join(map(_blanks, sorted(heads, key=lambda each: (-len(each), each))))
    yield f"syntax match colomaHead /^\\%({joined}\\)\\>/ nextgroup=colomaDeclared skipwhite"
    yield r"syntax match colomaDeclared /\<[a-z][a-z0-9'.-]*\>/ contained"


def _blanks(words_: str) -> str:
    return words_.replace(" ", r"\s\+")
