"""Rewriting of a pack of an older language in the newest one.

Names that are words of the language now get a number, statements that tell something hidden say so
(`shown`), answers in scenarios, lessons and weights get the ids that options have now, and reasons
in scenarios the words of now. Everything is done in memory.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.frontend import check_pack
from rulesdsl.check.symbols.consistency import is_ownerless
from rulesdsl.check.symbols.symbol_table import Symbol
from rulesdsl.editor.documents import PICKS, phrases_of, strings_of
from rulesdsl.editor.option_verbs import named_effect
from rulesdsl.editor.references import View
from rulesdsl.editor.rename import Refused, renaming
from rulesdsl.interpreter.labels import slug
from rulesdsl.packs.folder import BOTS, MAX_BYTES
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.scenarios.reading import parse_scenarios, read_scenarios
from rulesdsl.scenarios.suite import build_suite
from rulesdsl.source import tree
from rulesdsl.source.diagnostics import Diagnostic, Edit, Findings, LintError, Report, edited
from rulesdsl.source.files import Overlay, read_file
from rulesdsl.source.language import NEWEST
from rulesdsl.source.span import SourceFile, Span, indent_of
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import begins, reserved_after
from rulesdsl.syntax.parser import parse_file

_ALIKE, _TOLD = "E203", "E416"  # errors since language 0.2
_QUOTED = "It needs: "  # begins a reason that quotes a rule
_PICK = re.compile(r"\s*p[0-9]+ +([^\s]+)")
_WEIGHT = re.compile(r'^"([^":]*): ([^"]*)"(?= = )', re.MULTILINE)
_VERSION = re.compile(r"^version\s*=.*\n", re.MULTILINE)
_LANGUAGE = re.compile(r"^language\s*=.*\n", re.MULTILINE)


@attrs.frozen
class Upgrade:
    """A rewritten pack: the texts that change, by path, before and after; and what was done."""

    texts: Mapping[Path, tuple[str, str]]
    notes: tuple[str, ...]


def upgraded(game: Path, mods: Sequence[Path], folder: Path) -> Upgrade:
    """Rewrite the pack in a folder, a game or one of its mods, in the newest language.

    Raise LintError if it has errors, or would have any that only its author can correct. A pack in
    the newest language is not changed.
    """
    return _Upgrading(game, mods, folder).run()


@attrs.define
class _Upgrading:
    game: Path
    mods: Sequence[Path]
    folder: Path
    files: Overlay = attrs.Factory(Overlay)
    texts: dict[Path, tuple[str, str]] = attrs.Factory(dict)
    notes: list[str] = attrs.Factory(list)

    def run(self) -> Upgrade:
        view = self._view()
        pack = self._own_pack(view)
        if pack.manifest.language < NEWEST:
            view = self._without_clashes(view, pack)
            self._put(view, self._ownerless(view, pack))
            self._manifest(view, pack)
            view = self._corrected()
            searches = [*self._searches(view)]
            if searches:
                self._put(view, searches)
                view = self._corrected()
            ids = _FormerIds(view)
            self._put(view, self._answers(view, ids))
            view = self._view()
            self._put(view, self._reasons(view))
            self._weights(pack, ids)
            self.notes += sorted(set(self._no_longer_tied(view)))
        return Upgrade(self.texts, tuple(self.notes))

    def _view(self) -> View:
        layers, checked, report = check_pack(self.game, self.mods, self.files)
        if layers is None or checked is None or report.errors:
            raise LintError(report.errors, report.sources)
        return View(layers, checked)

    def _own_pack(self, view: View) -> PackSource:
        return view.layers.at(None if self.folder == self.game else self.folder)

    # ---------------------------------------------------------------- names
    def _without_clashes(self, view: View, pack: PackSource) -> View:
        refused = set[Symbol]()
        while (thing := _clash(view, pack, refused)) is not None:
            numbered = (f"{thing.name}-{number}" for number in count(1))
            name = next(name for name in numbered if not view.world.declares(name))
            note = f"`{thing.name}` is a word of the language now"
            try:
                edits = renaming(view, thing, name.rpartition(".")[2])
            except Refused as error:
                refused.add(thing)
                self.notes.append(f"{note}, and cannot get another name: {error}")
                continue
            self._put(view, edits)
            self.notes.append(f"{note}: `{name}` ({len(edits)} places)")
            view = self._view()
        return view

    def _ownerless(self, view: View, pack: PackSource) -> Iterator[Edit]:
        """Say `nobody` where 0.1 accepted an owner that there is not, whom nothing was shown."""
        for path in (path for path in pack.sources if path.endswith(".rules")):
            source = view.sources[path]
            parsed = parse_file(source.text, path, Findings(), source.language)
            for decl in parsed.file.declarations:
                if isinstance(decl, de.PlaceDecl | de.Counter) and is_ownerless(decl):
                    assert decl.seen_by is not None
                    yield Edit(decl.seen_by.viewers.span, "nobody")
                    line = f"{path}:{decl.span.line}"
                    self.notes.append(f"{line} belongs to no player: it is `seen by nobody` now")

    # ---------------------------------------------------------------- ids
    def _answers(self, view: View, ids: _FormerIds) -> Iterator[Edit]:
        changed = Counter[tuple[str, str]]()
        for path, source in view.texts_beside.items():
            file = phrases_of(source, ()).file if self._is_own(path) else None
            for place, key, text in () if file is None else strings_of(file):
                picked = _PICK.match(text) if key in PICKS else None
                new = None if picked is None else ids.present(picked[1])
                if file is None or picked is None or new is None:
                    continue
                spots = file.index.string_map(place)
                begin, end = picked.span(1)
                changed[picked[1], new] += 1
                yield Edit(Span(path, *spots[begin], *spots[end]), new)
        self.notes += (
            f"the option `{old}` is now `{new}` ({times} time{'' if times == 1 else 's'})"
            for (old, new), times in changed.items()
        )

    def _reasons(self, view: View) -> Iterator[Edit]:
        """Replace formulas that scenarios expect in reasons, which are in words now."""
        ignored, layers, pack = Findings(), view.layers, self._own_pack(view)
        scenarios = read_scenarios(pack.scenarios(ignored), layers.players, ignored)
        quoting = [s for s in scenarios if any(_QUOTED in why.reason for why in s.why_not)]
        if not quoting:
            return
        suite = build_suite(layers, pack, parse_scenarios(quoting, ignored), ignored)
        for bound in suite.scenarios:
            for why, reason in suite.runner(bound).reasons(bound):
                pick = why.pick
                text = f"p{pick.player} {pick.option} because {reason}"
                yield Edit(pick.span, json.dumps(text, ensure_ascii=False))
                place = f"{pick.span.file}:{pick.span.line}"
                self.notes.append(f"{place}: the reason `{why.reason}` is now `{reason}`")

    def _weights(self, pack: PackSource, ids: _FormerIds) -> None:
        for path in sorted((pack.folder / BOTS).glob("*.toml")):
            before = read_file(path, MAX_BYTES).decode("utf-8")
            after = _WEIGHT.sub(ids.in_weights, before)
            if after != before:
                self.texts[path] = before, after
                self.notes.append(f"{path}: weights have the ids of now")

    def _manifest(self, view: View, pack: PackSource) -> None:
        source, line = pack.manifest_file.source, f'language = "{NEWEST}"'
        after = _VERSION.sub(rf"\g<0>{line}\n", _LANGUAGE.sub("", source.text), count=1)
        whole = Span(source.path, 1, 1, len(source.lines), len(source.lines[-1]) + 1)
        self._put(view, [Edit(whole, after)])
        self.notes.append(f"{source.path}: {line}")

    # ---------------------------------------------------------------- errors since
    def _corrected(self) -> View:
        """Correct the errors that the pack has in the newest language; return what it is then.

        Where something hidden is told, the statement says `shown`. The effects of options that
        begin alike become verbs, one at a time. Raise LintError if only the author can do that.
        """
        earlier = Report((), {})
        while True:
            layers, checked, report = check_pack(self.game, self.mods, self.files)
            codes = {finding.code for finding in report.errors}
            if layers is None or checked is None or codes - {_TOLD, _ALIKE}:
                raise LintError(earlier.errors or report.errors, earlier.sources or report.sources)
            view, earlier = View(layers, checked), report
            if not codes:
                return view
            alike = [finding for finding in report.errors if finding.code == _ALIKE]
            edits = {*(self._named(view, alike[0]) if alike else self._openly(report.errors))}
            if not edits:
                raise LintError(report.errors, report.sources)
            self._put(view, edits)

    def _named(self, view: View, alike: Diagnostic) -> Iterable[Edit]:
        call, edits = named_effect(view, alike)
        self.notes.append(f"{_place(alike)} has a verb of its own now: `{call}`. {alike.message}")
        return edits

    def _openly(self, errors: Iterable[Diagnostic]) -> Iterator[Edit]:
        for finding in errors:
            yield from (edit for fix in finding.fixes for edit in fix.edits)
            note = f"{_place(finding)} has `shown` now. {finding.message}"
            self.notes += [] if note in self.notes else [note]

    # ---------------------------------------------------------------- searches
    def _searches(self, view: View) -> Iterator[Edit]:
        """Let players look at the pieces that they chose by their faces in language 0.1.

        Since 0.2 they choose by position what they do not see, unless they have looked at it.
        """
        for span in sorted(_by_position(view)):
            place = f"{span.file}:{span.line}"
            pieces = _pieces_of(view.sources[span.file], span) if self._is_own(span.file) else None
            if pieces is not None:
                at, kind, cells = pieces
                line = f"look at all {view.world.plural(kind)} in {cells}"
                indent = " " * (at.column - 1)
                yield Edit(
                    Span(at.file, at.line, at.column, at.line, at.column), f"{line}\n{indent}"
                )
                self.notes.append(f"{place} lets players search now: `{line}` is put before it")
            elif self._is_own(span.file):
                self.notes.append(
                    f"{place} lets players choose by position now what they do not see: to let"
                    " them search, write `look at`, and choose by `let x = a ...`"
                )

    def _no_longer_tied(self, view: View) -> Iterator[str]:
        """Yield a note for each `the CARD with most ...` among cards with copies, which tied."""
        for node in (node for nodes in view.program.node_lists() for node in nodes):
            base = node.domain.unfiltered if isinstance(node, ty.BestOf) else None
            if not isinstance(base, ty.Lying) or not self._is_own(node.span.file):
                continue
            kind = view.world.kinds.get(base.piece)
            is_stack = view.world.places[base.cells.place].stack
            if kind is not None and kind.has_copies and not is_stack:
                yield f"{node.span.file}:{node.span.line}: equal copies do not tie here any more"

    # ---------------------------------------------------------------- files
    def _is_own(self, path: str) -> bool:
        return Path(path).is_relative_to(self.folder)

    def _put(self, view: View, edits: Iterable[Edit]) -> None:
        by_file: dict[str, list[Edit]] = {}
        for edit in edits:
            by_file.setdefault(edit.span.file, []).append(edit)
        for file, own in by_file.items():
            source = view.source(file)
            if source is not None and self._is_own(file):
                path, after = Path(file), edited(source.text, own)
                before, _ = self.texts.get(path, (source.text, ""))
                self.texts[path] = before, after
                self.files.put(path, after)


def _by_position(view: View) -> set[Span]:
    """Return the spans of the choices of which the options are positions of pieces."""
    spans = set[Span]()
    for proc in view.program.procs.values():
        for step in ty.walk(proc.block):
            lines = step.lines if isinstance(step, ty.Decide) else ()
            domains = [(line.domain, line.span) for line in lines]
            if isinstance(step, ty.Secretly):
                domains.append((step.domain, step.span))
            for domain, span in domains:
                if domain is not None and domain.element.family == "number" and domain.element.of:
                    spans.add(span)
    return spans


def _pieces_of(source: SourceFile, choice: Span) -> tuple[Span, str, str] | None:
    """Return, for a choice in a `let`, the place of that, and the kind and cells of the pieces."""
    parsed = parse_file(source.text, source.path, Findings(), source.language)
    for decl in parsed.file.declarations:
        for stmt in tree.walk(decl):
            if isinstance(stmt, st.Let) and isinstance(stmt.value, ex.Choice):
                cells, at = stmt.value.domain, stmt.span
                begins_line = indent_of(source.line(at.line)) == at.column - 1
                if stmt.value.span == choice and cells is not None and begins_line:
                    return at, stmt.value.kind.text, source.text_of(cells.span)
    return None


def _place(finding: Diagnostic) -> str:
    return f"{finding.span.file}:{finding.span.line}"


def _clash(view: View, pack: PackSource, refused: Collection[Symbol]) -> Symbol | None:
    """Return a symbol that a pack declares under a name that is a word of the language now."""
    words = reserved_after(pack.manifest.language)
    for thing in view.things:
        word = thing.name.rpartition(".")[2]
        is_own = view.declaration(thing).file in pack.sources
        if word in words and is_own and thing not in refused and _clashes(word, view, pack):
            return thing
    return None


def _clashes(word: str, view: View, pack: PackSource) -> bool:
    """Return whether a word cannot be a name, or a pack with it would be read otherwise now."""
    if word in {*begins("arg"), *begins("stmt")}:
        return True
    sources = (view.sources[path] for path in pack.sources if path in view.sources)
    return any(word in source.text and _is_read_otherwise(source) for source in sources)


def _is_read_otherwise(source: SourceFile) -> bool:
    now = attrs.evolve(source, language=NEWEST)
    if source.path.endswith(".rules"):
        one, other = (
            parse_file(each.text, each.path, Findings(), each.language).file
            for each in (source, now)
        )
        return one != other
    before, after = phrases_of(source), phrases_of(now)
    return (before.effects, before.formulas) != (after.effects, after.formulas)


class _FormerIds:
    """The ids of options in language 0.1, and those that they have now; by procedure and in all.

    An id with a colon names a thing as well: of such ids, the part before it changes.
    """

    def __init__(self, view: View) -> None:
        self._ids: dict[tuple[str, str], set[str]] = {}
        for proc in view.program.procs.values():
            for ask in ty.walk(proc.block):
                if isinstance(ask, ty.Decide) and ask.stop != ty.DECLINE and not ask.onward:
                    for line in ask.lines:
                        verb = line.text.partition(" ")[0]
                        mark = "" if line.domain is None else ":"
                        id_ = slug(line.text if line.domain is None else verb)
                        for within in ("", proc.title):
                            old = within, slug(line.former) + mark
                            self._ids.setdefault(old, set()).add(id_ + mark)
        kinds = (*view.world.kinds, *view.world.pieces, "player", "seat")
        for kind in kinds:  # an option may be a thing of a kind that a text is called like
            if ("", f"{kind}:") in self._ids:
                self._ids["", f"{kind}:"].add(f"{kind}:")

    def present(self, name: str, within: str = "") -> str | None:
        """Return the id that replaces a former one; None if it stays, or could be several."""
        head, colon, rest = name.partition(":")
        new = self._ids.get((within, head + colon), set())
        (id_,) = new if len(new) == 1 else (name,)
        return None if id_ in {name, head + colon} else id_ + rest

    def in_weights(self, key: re.Match[str]) -> str:
        """Return the key of a weight with the present id."""
        return f'"{key[1]}: {self.present(key[2], key[1]) or key[2]}"'
