"""Verbs for the effects of options that begin like another option of their choice.

Since language 0.2, the id of an option is where its effect begins, so no two may begin alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from rulesdsl.check.resolve.labels import ASIDE
from rulesdsl.check.symbols.types import Type
from rulesdsl.editor.references import WITHOUT_A_PLACE, View
from rulesdsl.interpreter.labels import slug
from rulesdsl.source import tree
from rulesdsl.source.diagnostics import Diagnostic, Edit, Findings
from rulesdsl.source.span import SourceFile, Span, indent_of
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import begins
from rulesdsl.syntax.parser import parse_file

_WORDS = 3  # house: as many words of a text are the name of a verb
_PREPOSITIONS = "", "on ", "with ", "from ", "into "
_STEP = " " * 4


def named_effect(view: View, alike: Diagnostic) -> tuple[str, tuple[Edit, ...]]:
    """Return a call of a new verb for the effect of a reported option, and the edits for it.

    There are none if the option has no text, is in a table, or needs too many parameters: then the
    author has to write the verb.
    """
    source = view.sources[alike.span.file]
    for last, line in _options(source):
        effect = next((stmt for stmt in line.body.statements if not isinstance(stmt, ASIDE)), None)
        if alike.span in {line.span, line.body.span} and line.label is not None and effect:
            used = _used(view, effect.span)
            if len(used) > len(_PREPOSITIONS):
                break
            name = _free_name(view, "".join(line.label.words), source.path)
            pairs = [*zip(_PREPOSITIONS, used.items(), strict=False)]
            call = " ".join([name, *(f"{before}{local}" for before, (local, _) in pairs)])
            params = (f"{before}{_param(local, of)}" for before, (local, of) in pairs)
            verb = _verb(" ".join([name, *params]), source, effect.span)
            end = last, len(source.line(last)) + 1
            below = Span(source.path, *end, *end)
            return call, (Edit(effect.span, call), Edit(below, verb))
    return "", ()


def _options(source: SourceFile) -> Iterator[tuple[int, st.Line | st.MenuLine]]:
    """Yield the options in a file, each with the last line of its declaration."""
    if source.path.endswith(".rules"):
        parsed = parse_file(source.text, source.path, Findings(), source.language)
        for decl in parsed.file.declarations:
            for node in tree.walk(decl):
                if isinstance(node, st.Line | st.MenuLine):
                    yield decl.span.end_line, node


def _used(view: View, effect: Span) -> dict[str, Type]:
    """Return the locals in an effect that are bound outside it, with their types."""
    used = dict[str, Type]()
    for name in view.in_file(effect.file):
        if name.type is None or name.thing.sort in WITHOUT_A_PLACE or not effect.holds(name.span):
            continue
        *_, line, column = (0, 0, *name.thing.of.rsplit(":", 2)[1:])
        bound = Span(effect.file, int(line), int(column), int(line), int(column))
        if not effect.holds(bound):
            used[view.text_of(name.span)] = name.type
    return used


def _param(local: str, of: Type) -> str:
    kind = of.of or of.family
    return local if local == kind else f"{kind} {local}"


def _free_name(view: View, text: str, path: str) -> str:
    """Return a name from the first words of a text that means nothing yet in the game."""
    world = view.world
    pack = world.packs.get(path, "")
    words = re.sub(r"^[^a-z]+", "", slug(text)).split("-")[:_WORDS]
    name = f"{pack}." * (pack in world.mods) + ("-".join(words) or "choose")
    others = {*begins("arg"), *begins("stmt"), *world.procs, *world.owners}
    numbered = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(each for each in numbered if each not in others and not world.declares(each))


def _verb(header: str, source: SourceFile, effect: Span) -> str:
    """Return the declaration of a verb that does what an effect in a file does."""
    first = source.line(effect.line)
    base = indent_of(first)
    lines = [line[base:] for line in source.lines[effect.line - 1 : effect.end_line]]
    lines[-1] = lines[-1][: effect.end_column - 1 - base]
    lines[0] = lines[0][effect.column - 1 - base :]
    if len(lines) == 1 or effect.column - 1 > base:
        return f"\n\nverb {header}: " + "\n".join(lines)
    return f"\n\nverb {header}:" + "".join(f"\n{_STEP}{line}" for line in lines)
