"""The log: what happened, in words, with the rule lines that made it happen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

import attrs

from rulesdsl.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from rulesdsl.interpreter.labels import Labels
    from rulesdsl.lower.flat import EventKind

CHOICE = -1
END_OF_GAME = "The game ends."
Told = tuple[str, str, frozenset[int] | None]  # to those who see it, to others, who sees it


@attrs.frozen
class LogLine:
    """One thing that happened. `actor`: player number from 1, 0 for the game itself."""

    actor: int
    text: str
    hidden_text: str = attrs.field(repr=False)
    seen_by: frozenset[int] | None = attrs.field(repr=False)  # None: everybody
    places: tuple[Span, ...] = attrs.field(repr=False)
    learned: int = attrs.field(repr=False)

    def seen_text(self, viewer: int) -> str:
        """Return the text as a player (0: somebody who only watches) may see it."""
        if self.seen_by is None or viewer in self.seen_by:
            return self.text
        return self.hidden_text


class LogReader:
    """Turns what generated code wrote down into lines."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.engine = labels.engine
        self.world = labels.world
        self._eyes = {
            name: labels.layout.watchers(name)
            for name, piece in self.world.pieces.items()
            if piece.style == "printed"
        }

    def line(self, entry: tuple[Any, ...]) -> LogLine:
        """Return the line of an entry."""
        number, learned, actor, *values = entry
        if number == CHOICE:
            return self._choice(learned, actor, values)
        event = self.engine.events[number]
        places = tuple(
            span
            for span in (event.span, self.labels.program.procs[event.proc].span)
            if span != NOWHERE
        )
        text, hidden, seen = self._text(event.kind, event.subject, actor, values)
        return LogLine(actor + 1, text, hidden, seen, places, learned)

    def _choice(self, learned: int, actor: int, values: list[Any]) -> LogLine:
        ask_number, option, detail = values
        ask = self.engine.asks[ask_number]
        _, label = self.labels.option(ask, option, detail)
        text = f"chooses {label}"
        hidden, seen = text, None
        if ask.secret(option):
            hidden, seen = "chooses in secret", frozenset({actor + 1})
        span = getattr(ask.end, "span", NOWHERE)
        return LogLine(actor + 1, text, hidden, seen, (span,), learned)

    # ---------------------------------------------------------------- words
    def _text(self, kind: EventKind, subject: str, actor: int, values: list[Any]) -> Told:
        match kind:
            case "move":
                count, old, new = values
                info = self.world.pieces[subject]
                noun = info.title.lower() if count == 1 else info.plural
                return _open(f"{count} {noun}: {self._way(subject, old, new)}")
            case "place":
                owner, _, new = values
                there = self.labels.cell(subject, new)
                return _open(f"{self.labels.single(subject, owner)} -> {there}")
            case "piece":
                return self._piece(subject, values)
            case "track":
                return self._track(subject, values)
            case "shuffle":
                return _open(f"{self.world.places[subject].title} is shuffled.")
            case "shift":
                return self._shift(subject, values)
            case "peek":
                names = ", ".join(self._printed(subject, each) for each in values[0]) or "nothing"
                hidden = f"looks at {len(values[0])} hidden pieces"
                return f"looks at {names}", hidden, frozenset({actor + 1})
            case "end":
                return _open(END_OF_GAME)
            case _:
                assert_never(kind)

    def _printed(self, piece: str, at: int, *codes: int) -> str:
        whose = self.labels.whose(piece, at, *codes) if codes else ""
        return self.labels.printed(piece, at).title + whose

    def _way(self, piece: str, old: int, new: int) -> str:
        return f"{self.labels.cell(piece, old)} -> {self.labels.cell(piece, new)}"

    def _piece(self, subject: str, values: list[Any]) -> Told:
        at, old, new = values
        return self._moved(subject, at, self._way(subject, old, new), old, new)

    def _shift(self, subject: str, values: list[Any]) -> Told:
        at, code, old, new = values
        way = f"{self.labels.cell(subject, code)}, place {old + 1} -> {new + 1}"
        return self._moved(subject, at, way, code)

    def _moved(self, piece: str, at: int, way: str, *codes: int) -> Told:
        """Return what is told of a piece that is in some cells, or was: to others, its back."""
        text = f"{self._printed(piece, at, *codes)}: {way}"
        eyes = {self._eyes[piece][code] for code in codes}
        if None in eyes:
            return _open(text)
        back, title = self.labels.back(piece, at), self.world.pieces[piece].title
        unseen = f"a {title} ({back})" if back else f"a {title}"
        return text, f"{unseen}: {way}", frozenset(each for each in eyes if each)

    def _track(self, subject: str, values: list[Any]) -> Told:
        index, before, after, *lying = values
        info = self.world.tracks[subject]
        of = self._of(info.dims, index)
        text = f"{info.title}{of}: {before} -> {after}"
        seen: set[int | None] = {None}
        if info.seen_by is not None:
            owner = self.labels.layout.owner_of(info.dims, index)
            seen = {0 if info.seen_by == "nobody" or owner is None else owner + 1}
        pieces = [dim for dim in info.dims if dim in self._eyes]
        seen |= {self._eyes[dim][code] for dim, code in zip(pieces, lying, strict=True)}
        if seen == {None}:
            return _open(text)
        # that it changes, and which, is told to those alone who see it
        told = frozenset(each for each in seen if each is not None)
        return text, "", told if len(told) == 1 and 0 not in told else frozenset()

    def _of(self, dims: tuple[str, ...], index: int) -> str:
        names = [self.labels.named(*each) for each in self.labels.layout.indexes(dims, index)]
        return f" of {', '.join(names)}" if names else ""


def _open(text: str) -> Told:
    """Return what everybody sees."""
    return text, text, None
