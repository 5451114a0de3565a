"""Explanations of statements that cannot be carried out: the rule, the reason, and the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.quoting import NOT_NOW
from rulesdsl.check.symbols.types import NUMBER
from rulesdsl.interpreter.decision_points import entities
from rulesdsl.interpreter.reasons.refusals import NOBODY, Position
from rulesdsl.interpreter.reasons.why_not import failing, filters, first_failing
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.scenarios.binding import counted, operands
from rulesdsl.source.span import SourceFile, Span

Details: TypeAlias = tuple[tuple[str, str], ...]
MAX_QUOTED = 100  # house: characters of a line of rules
MAX_TRIED = 300
"""Maximum number of entities that are tried to find the one that comes closest to a condition."""


@attrs.frozen
class Impossible:
    """Explainer of guards that fail, for the author of the rules: it conceals nothing."""

    setting: CompiledSetting
    sources: Mapping[str, SourceFile]

    def details(self, key: str, st: Any) -> Details:  # noqa: ANN401 - the class is generated
        """Return why a procedure without parameters cannot be carried out in a state."""
        return self._details(key, st, self.setting.labels.program.guards[key])

    def late(
        self,
        key: str,
        name: str,
        values: Sequence[int],
        st: Any,  # noqa: ANN401 - the class is generated
    ) -> Details:
        """Return why a late condition failed, given the name and the values in the log."""
        late = self.setting.labels.program.procs[key].late
        if not late or name not in late:
            return ()
        free, condition = late[name]
        for local, number in zip(free, values, strict=False):  # cells of pieces may follow
            value = ty.Const(number, type=local.type)
            condition = ty.substitute(condition, local.name, value)
        return self._details(key, st, condition)

    def _details(self, key: str, st: Any, condition: ty.Value) -> Details:  # noqa: ANN401
        frame = (0, *[NOBODY] * len(self.setting.engine.slots(key)))
        place = Position(self.setting.why_not.looks, key, st, frame)
        return tuple(dict.fromkeys(self._explain(place, condition, condition.span)))

    def _explain(self, place: Position, value: ty.Value, rule: Span) -> Iterator[tuple[str, str]]:
        """Yield the details about a failing condition, innermost part first."""
        program, layout = self.setting.labels.program, self.setting.labels.layout
        value = first_failing(program, place, value)
        part, rule = failing(program, layout, place, value, rule)
        culprit = None if part.why is not None else self._culprit(place, part)
        if culprit is not None:
            title, condition = culprit
            yield from self._explain(
                place, condition, condition.span if condition.span.line else rule
            )
            yield title
            return
        if rule.line:
            yield "rule", f"{rule.file}:{rule.line}: {self._line(rule)}"
        reason = self.setting.why_not.in_words(place, part, rule)
        if reason == NOT_NOW:  # a statement of the scenario itself
            reason = f"It needs: {self._words(part.span if part.span.line else rule)}."
        yield "reason", reason
        for operand in operands(part):
            if not isinstance(operand, ty.Const):
                yield "found", self._number(place, operand, part.span)
        if isinstance(part, ty.Comparison) and isinstance(part.right, ty.Const):
            bound = self.setting.labels.shown(part.right.type, part.right.value)
            if part.right.type == NUMBER and bound not in self._words(part.span):
                yield "needed", f"{part.op} {bound}"

    def _culprit(self, place: Position, part: ty.Value) -> tuple[tuple[str, str], ty.Value] | None:
        """Return the entity that best shows why `any` or `no` fails, and its failing condition."""
        wanted = not isinstance(part, ty.Negation)
        inner = part.value if isinstance(part, ty.Negation) else part
        if not isinstance(inner, ty.AnyOf) or not isinstance(inner.domain, ty.Filtered):
            return None
        kind = inner.domain.element
        variable = inner.domain.variable
        general = [*filters(self.setting.labels.program, inner.domain, variable)]
        best: tuple[int, str, ty.Value] | None = None
        for number in self._candidates(place, inner.domain):
            entity = ty.Const(number, type=kind)
            conditions = [ty.substitute(each, variable, entity) for each in general]
            holding = [bool(place.number(each)) for each in conditions]
            label = self.setting.labels.thing(kind, number)
            if not holding[0]:
                continue  # it is not in the domain
            if wanted and not all(holding):
                at = holding.index(False)
                if best is None or at > best[0]:
                    best = at, label, conditions[at]
            elif not wanted and all(holding):
                denied = [each.value for each in conditions if isinstance(each, ty.Negation)]
                return (("for", label), denied[-1]) if denied else None
        return None if best is None else (("closest", best[1]), best[2])

    def _candidates(self, place: Position, domain: ty.Domain) -> range:
        base = domain.unfiltered
        if isinstance(base, ty.NumberRange):
            low = place.number(base.low)
            return range(low, min(place.number(base.high) + 1, low + MAX_TRIED))
        return range(min(entities(self.setting.labels.layout, domain.element), MAX_TRIED))

    def _number(self, place: Position, operand: ty.Value, whole: Span) -> str:
        """Return an operand of the condition at a span, with its value."""
        value, words = counted(operand), self._words(operand.span)
        shown = self.setting.labels.shown(value.type, place.number(value))
        words = words.removeprefix("any ").removeprefix("no ")
        return f"{words}: {shown}" if words and operand.span != whole else shown

    # ---------------------------------------------------------------- source text
    def _line(self, span: Span) -> str:
        source = self.sources.get(span.file)
        line = "" if source is None else source.line(span.line).strip()
        return line if len(line) <= MAX_QUOTED else f"{line[: MAX_QUOTED - 3]}..."

    def _words(self, span: Span) -> str:
        """Return the source text at a span on one line, or nothing if it is unknown."""
        source = self.sources.get(span.file)
        if source is None or not span.line:
            return ""
        return " ".join(source.text_of(span).split())
