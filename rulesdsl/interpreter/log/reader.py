"""From raw entries, the numbers that compiled code wrote down, to lines."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter.log.changes import Changes
from rulesdsl.interpreter.log.lines import ACCEPTS, Clause, Kind, LogLine
from rulesdsl.lower.schema import DECLINE, DONE, Decide, Line
from rulesdsl.source.english import spoken
from rulesdsl.source.span import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.labels import Labels
    from rulesdsl.lower.flat import Event

CHOICE = -1
Entry = tuple[Any, ...]


class LogReader:
    """Turns what generated code wrote down into lines."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.engine = labels.engine
        self._changes = Changes(labels)

    def lines(self, entries: Sequence[Entry], start: int = 0) -> tuple[LogLine, ...]:
        """Return the lines of the entries from one on: what comes later may show what it named."""
        return tuple(self._line(entries, at) for at in range(start, len(entries)))

    def _line(self, entries: Sequence[Entry], at: int) -> LogLine:
        number, learned, actor, *values = entries[at]
        if number == CHOICE:
            return self._choice(learned, actor, values)
        event = self.engine.events[number]
        spans = (event.span, self.labels.program.procs[event.proc].span)
        rules = tuple(each for each in spans if each != NOWHERE)
        match event.kind:
            case "say" | "act" | "part" | "told":
                return self._words(entries, at, event, rules)
            case kind:
                told = self._changes.told(kind, event.subject, actor, values)
        return LogLine(
            actor + 1,
            event.kind,
            told.clause,
            told.hidden,
            told.seen_by,
            told.amounts,
            told.quiet,
            rules,
            learned,
        )

    # ---------------------------------------------------------------- choices
    def _choice(self, learned: int, actor: int, values: list[Any]) -> LogLine:
        ask_number, option, detail, numbers, asked, _ = values
        ask = self.engine.asks[ask_number]
        end, who = ask.end, self._changes.who(actor)
        rules = (end.span,)
        if isinstance(end, Decide) and end.stop is not None and ask.line(option) is None:
            if end.stop == DONE:
                return LogLine(
                    actor + 1, "done", Clause(who, "is done"), rules=rules, learned=learned
                )
            refused = Clause(who, "declines:", (self._offer(end.lines[0], asked),))
            return LogLine(actor + 1, "refusal", refused, rules=rules, learned=learned)
        _, label = self.labels.option(ask, option, detail, numbers)
        clause = Clause(who, "chooses", (label,))
        if isinstance(end, Decide) and end.stop == DECLINE:
            clause = Clause(who, ACCEPTS, (self._offer(end.lines[0], asked),))
        kind: Kind = "answer" if ask.sealed else "choice"
        if not ask.secret(option):
            about = "" if ask.plain else self.labels.about(ask, option)[0]
            return LogLine(actor + 1, kind, clause, rules=rules, learned=learned, about=about)
        hidden, own = Clause(who, "chooses in secret"), frozenset({actor + 1})
        return LogLine(actor + 1, kind, clause, hidden, own, rules=rules, learned=learned)

    def _offer(self, line: Line, numbers: list[int]) -> str:
        """Return what was offered: a text that is declared for it is its question too."""
        if line.label is None:
            return spoken(line.text)
        return self.labels.say(line.label, numbers).partition("?")[0].rstrip(".")

    # ---------------------------------------------------------------- words of the content
    def _words(
        self, entries: Sequence[Entry], at: int, event: Event, rules: tuple[Any, ...]
    ) -> LogLine:
        _, learned, actor, *numbers = entries[at]
        kind, words = event.kind, event.words
        assert kind in {"say", "act", "part", "told"}
        who = self._changes.who(actor) if kind == "act" else ""
        clause, hidden, seen_by = Clause(who, ""), None, None
        if words is not None:
            eyes = self._eyes(entries, at, event, numbers)
            veiled = [place for place, each in enumerate(eyes) if each != self._everybody]
            clause = Clause(who, self.labels.say(words, numbers))
            if veiled:
                hidden = Clause(who, self.labels.say(words, numbers, veiled))
                seen_by = frozenset.intersection(*eyes)
        return LogLine(actor + 1, kind, clause, hidden, seen_by, (), event.quiet, rules, learned)

    @cached_property
    def _everybody(self) -> frozenset[int]:
        return frozenset(range(self.labels.layout.players + 1))  # and who only watches

    def _eyes(
        self, entries: Sequence[Entry], at: int, event: Event, numbers: list[int]
    ) -> list[frozenset[int]]:
        """Return who may read each value: of hidden pieces, who watched them by then."""
        words, actor = event.words, entries[at][2]
        assert words is not None
        wide = len(self.labels.world.bundle_nouns)
        first = sum(wide if each.type.family == "bundle" else 1 for each in words.values)
        lying = iter(numbers[first:])
        found: list[frozenset[int]] = []
        for seen, faces in zip(words.seen, words.faces, strict=True):
            eyes = self._everybody
            if seen != "all" and not faces:
                eyes = frozenset({actor + 1}) if seen == "actor" else frozenset()
            for piece in faces:
                eyes &= self._watched(entries, at, piece.type.of, next(lying), next(lying))
            found.append(eyes)
        return found

    def _watched(
        self, entries: Sequence[Entry], at: int, piece: str, thing: int, cell: int
    ) -> frozenset[int]:
        """Return who watched a piece where it lay, or where it went until what is done is told."""
        if thing < 0:
            return self._everybody
        found = self._watch(piece, cell)
        depth = 0
        for number, *rest in entries[at + 1 :]:
            event = None if number == CHOICE else self.engine.events[number]
            if event is None:
                continue
            depth += {"act": 1, "part": 1, "told": -1}.get(event.kind, 0)
            if depth < 0:
                break
            if event.kind == "piece" and event.subject == piece and rest[2] == thing:
                found |= self._watch(piece, rest[4])
        return found

    def _watch(self, piece: str, cell: int) -> frozenset[int]:
        seen = self._changes.eyes[piece][cell]
        return self._everybody if seen is None else frozenset({seen} - {0})
