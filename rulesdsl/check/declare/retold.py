"""Texts of verbs and steps that others take the place of: a mod says it in its own words.

A text is found by its own words, as the rules write them; it may be cut short where it is clear.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from rulesdsl.check.declare.procedures import header_text
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.tree import rewrite, walk
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.printer import print_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.check.declare.names import Names
    from rulesdsl.check.world import ParamInfo, ProcInfo
    from rulesdsl.source.span import Span
    from rulesdsl.syntax import declarations as de
    from rulesdsl.syntax.node import Node


class Retold:
    """Gathers what takes the place of texts, and puts it there when all of it is known."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._found: defaultdict[str, dict[Span, ex.Text]] = defaultdict(dict)

    def take(self, proc: ProcInfo, params: tuple[ParamInfo, ...], decl: de.TextHookDecl) -> None:
        """Take in a text; what replaces the same one is noted, for mods that are at odds."""
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
        """Put all texts in their places."""
        for proc in (each for some in self._names.world.procs.values() for each in some):
            found = self._found.get(proc.key)
            if found is not None:
                proc.body = rewrite(proc.body, partial(_replaced, found))

    def _meant(self, proc: ProcInfo, decl: de.TextHookDecl) -> list[ex.Text]:
        """Return the texts that are meant, which all say the same; report none, or several."""
        if decl.old is None:
            return []
        every = [each for each in walk(proc.body) if isinstance(each, ex.Text)]
        said = {print_text(each)[1:-1] for each in every}
        fits = [decl.old] if decl.old in said else [e for e in said if e.startswith(decl.old)]
        if len(fits) == 1:
            return [each for each in every if print_text(each)[1:-1] == fits[0]]
        how = f"{len(fits)} texts that begin" if fits else "no text that begins"
        message = f"`{proc.name}` has {how} so: `{decl.old}`."
        known = ", ".join(f'"{each}"' for each in sorted(fits or said))
        help_text = f"Its texts are {known}." if known else "It has no text: hook what it calls."
        place = [Related(proc.span, "declared here")]
        self._names.findings.report("E415", decl.span, message, help_text, place)
        return []


def _replaced(found: Mapping[Span, ex.Text], node: Node) -> Node:
    """Return what takes the place of a text, and any other node as it is."""
    return found.get(node.span, node) if isinstance(node, ex.Text) else node


def _renamed(called: Mapping[str, str], node: Node) -> Node:
    """Return a name of a parameter as the rule calls it."""
    if isinstance(node, ex.Name) and node.name in called:
        return ex.Name(called[node.name], span=node.span)
    return node
