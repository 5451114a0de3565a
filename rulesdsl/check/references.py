"""Whether declarations speak of kinds, pieces and places that exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.things import SIMPLE_FIELDS
from rulesdsl.check.field_names import known_as
from rulesdsl.check.naming import Noted, Sort
from rulesdsl.check.panels import SEATS, check_panel, check_panel_titles
from rulesdsl.source.facts import NothingHasBack
from rulesdsl.source.suggest import among, similar
from rulesdsl.syntax import declarations as de

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.world import World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.syntax.node import Word

EYES = ("owner", "nobody")
ON_THE_BACK = {"number", "yes-no", "text"}
VERDICTS = ("won", "drawn", "lost")


def check_references(
    world: World, declarations: Iterable[de.Decl], findings: Findings, noted: Noted
) -> None:
    """Report every word in declarations that names nothing; places hold only what there is."""
    checker = _References(world, findings, noted)
    for each in declarations:
        checker.check(each)
    check_panel_titles(world.panels, findings)
    for place in world.places.values():
        known = tuple(name for name in place.holds if name in world.pieces)
        place.unsure, place.holds = known != place.holds, known


class _References:
    def __init__(self, world: World, findings: Findings, noted: Noted) -> None:
        self.world = world
        self.findings = findings
        self.noted = noted

    def check(  # noqa: C901 - one case for each declaration
        self, decl: de.Decl
    ) -> None:
        if isinstance(decl, de.PlaceDecl):
            for word in decl.per:
                self._dim(word)
            for word in decl.holds:
                self.noted.noun(word, self.world)
                self._known(word, self.world.pieces, "pieces")
        elif isinstance(decl, de.PieceDecl):
            self.noted.expect("" if decl.per is None else decl.per.text, SEATS)
            if decl.per is not None and decl.per.text not in SEATS:
                message = f"Pieces belong to a seat or a player, not to `{decl.per.text}`."
                help_text = similar(decl.per.text, SEATS) or "Write `per seat` or `per player`."
                self.findings.report("E201", decl.per.span, message, help_text)
        elif isinstance(decl, de.TrackDecl | de.FlagDecl):
            for word in decl.per:
                self._dim(word, pieces=True)
            self._during(decl.during)
        elif isinstance(decl, de.PanelDecl):
            check_panel(self.world, decl, self.findings, self.noted)
        elif isinstance(decl, de.VerdictDecl):
            self._verdict(decl)
        if isinstance(decl, de.PlaceDecl | de.TrackDecl):
            self._eyes(decl.seen_by)
        if isinstance(decl, de.PlaceDecl | de.PieceDecl | de.KindDecl):
            self._fields(decl.fields, printed=isinstance(decl, de.PieceDecl))

    def _during(self, word: Word | None) -> None:
        if word is not None:
            self._known(word, self.world.procs, "verbs or steps")
            if word.text in self.world.procs:
                self.noted.word(word, Sort.VERB, word.text)

    def _dim(self, word: Word, *, pieces: bool = False) -> None:
        self.noted.noun(word, self.world)
        if word.text in SEATS:
            return
        kinds = list(self.world.kinds)
        if pieces:
            kinds.extend(self.world.pieces)
        else:
            kinds = [name for name, kind in self.world.kinds.items() if kind.role != "piece"]
        self._known(word, [*SEATS, *kinds], "kinds of things")

    def _eyes(self, word: Word | None) -> None:
        self.noted.expect("" if word is None else word.text, EYES)
        if word is not None and word.text not in EYES:
            message = f"A place or track is seen by `owner` or `nobody`, not by `{word.text}`."
            help_text = similar(word.text, EYES) or "If everybody sees it, leave `seen by` out."
            self.findings.report("E201", word.span, message, help_text)

    def _back(self, field: de.FieldDecl, *, printed: bool) -> None:
        """Check `seen by all`: it says that a field of a piece is printed on its back."""
        word = field.seen_by
        if word is None:
            return
        self.noted.expect(word.text, ["all"])
        if word.text != "all":
            self.findings.report(
                "E201",
                word.span,
                f"A field can only be `seen by all`, not by `{word.text}`.",
                "Write `seen by all`, or nothing: then the place of the piece says who sees it.",
            )
        elif not printed:
            self.findings.report(
                "E201",
                word.span,
                "Only a field of a piece can be `seen by all`: nothing else has a back.",
                "Remove `seen by all`: everybody sees these fields.",
                facts=NothingHasBack(),
            )
        elif field.per is not None or not (
            field.type.text in ON_THE_BACK or field.type.text in self.world.kinds
        ):
            self.findings.report(
                "E201",
                word.span,
                f"`{field.type.text}` cannot be printed on a back.",
                "A number, a yes-no, a text or an entry of a kind can.",
            )

    def _fields(self, fields: de.Fields, *, printed: bool) -> None:
        for field in fields:
            if not isinstance(field, de.FieldDecl):
                continue
            self._back(field, printed=printed)
            per = field.per
            if per is not None and not (per.text == "number" and field.type.text == "number"):
                self._known(per, self.world.kinds, "kinds of things")
            self.noted.noun(field.per, self.world)
            self.noted.noun(field.type, self.world)
            self.noted.value(field.default, field.type.text, self.world)
            name = field.type.text
            singular = self.world.plurals.get(name, name)
            if name not in SIMPLE_FIELDS and singular not in self.world.kinds:
                self._unknown(field.type, [*SIMPLE_FIELDS, *self.world.kinds], "types of fields")
                lists = (each.plural for each in self.world.kinds.values())
                self.noted.expect(name, [*SIMPLE_FIELDS, *self.world.kinds, *lists])

    def _verdict(self, decl: de.VerdictDecl) -> None:
        word = decl.word
        self.noted.expect(word.text, VERDICTS)
        if word.text not in VERDICTS:
            message = f"A verdict is won, drawn or lost, not `{word.text}`."
            self.findings.report("E201", word.span, message, similar(word.text, VERDICTS))
        if "{" in decl.text:
            self.findings.report(
                "E102",
                decl.span,
                "Values in braces are not filled in here: the text of a verdict is fixed.",
                "Say it without them, or write several verdicts.",
            )

    def _known(self, word: Word, known: Iterable[str], what: str) -> None:
        self.noted.expect(word.text, known)
        if word.text not in set(known):
            self._unknown(word, known, what)

    def _unknown(self, word: Word, known: Iterable[str], what: str) -> None:
        if not self.world.doubtful(word.text):
            message = f"There are no {what} called `{word.text}`."
            if known_as(word.text, self.world) is not None:
                message = f"`{word.text}` is something else: {what} are wanted here."
            self.findings.report("E201", word.span, message, among(word.text, known))
