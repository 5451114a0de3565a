"""W631: choices that everybody reads although they only change what is hidden."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.attributes import SEATS
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.typed.conditions import uses
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings

_Change = ty.ChangeTrack | ty.SetFlag
_Hidden = _Change | ty.Move

_OPTIONS = (
    "Everybody reads which option is chosen, although it changes only `{name}`, which is hidden."
)
_IN_ONE_STEP = (
    "Choose in the new value: `set my {name} to {value}`. Then only the player who chooses learns "
    "it."
)
_BY_MEMORY = (
    "Remember what is chosen, which is asked in secret: declare a `memory`, such as `memory goal: "
    "{kind} per player seen by owner`, write `set my goal to a {kind}`, and move to `my goal`."
)


def announced_choice(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report public choices whose result is used only for changes of hidden things."""
    world = checked.program.world
    hidden_places = any(place.only for place in world.places.values())
    if not hidden_places and all(counter.seen_by is None for counter in world.counters):
        return
    finder = _Finder(checked)
    for key in checked.program.procs:
        steps = checked.steps[key]
        for step in steps:
            chosen = _chosen(step)
            if chosen is not None:
                finder.report_thing(step, *chosen, steps, findings)
            elif isinstance(step, ty.Decide) and not step.kept and not step.onward:
                finder.report_options(step, findings)


class _Finder:
    """Finder of steps that only change what is hidden."""

    def __init__(self, checked: Checked) -> None:
        self._program = checked.program
        self._world: SymbolTable = checked.program.world

    def report_thing(
        self,
        choice: ty.Step,
        name: str,
        domain: ty.Domain,
        steps: Sequence[ty.Node],
        findings: Findings,
    ) -> None:
        """Report a choice of a thing in a local if only hidden changes use the local."""
        changes = [self._changes(step) for step in steps if _uses(step, name)]
        if not changes or not all(changes) or self._is_redacted(domain):
            return
        assert changes[0]
        first = changes[0][0]
        hidden = _name(first)
        if isinstance(first, _Change):
            value = _new_value(first, domain.element.family, self._world)
            help_text = _IN_ONE_STEP.format(name=hidden, value=value)
        elif domain.element.family in {"entry", "number"} and _only_finds(changes, name):
            help_text = _BY_MEMORY.format(kind=domain.element.of or "number")
        else:
            return
        message = f"Everybody reads this choice, and `{hidden}` is hidden."
        findings.report("W631", choice.span, message, help_text)

    def _is_redacted(self, domain: ty.Domain) -> bool:
        """Return whether others read only that some piece is chosen, since they do not see it."""
        pieces = domain.unfiltered
        if not isinstance(pieces, ty.Lying) or self._world.pieces[pieces.piece].style != "printed":
            return False
        return self._world.places[pieces.cells.place].seen_by is not None

    def report_options(self, decision: ty.Decide, findings: Findings) -> None:
        """Report options that nobody else can tell apart but by the announcement of the choice."""
        alike = [
            changes
            for line in decision.lines
            if not line.secret and (changes := self._changes(line.block)) is not None
        ]
        first = next((change for changes in alike for change in changes), None)
        ways = len(alike) + (decision.stop is not None)
        if first is None or ways < 2:  # noqa: PLR2004 - to choose from
            return
        name = _name(first)
        message = _OPTIONS.format(name=name)
        if isinstance(first, ty.Move):
            kinds = [kind for kind in self._world.places[name].dims if kind not in SEATS]
            help_text = _BY_MEMORY.format(kind=kinds[-1] if kinds else "kind")
            findings.report("W631", decision.span, message, help_text)
            return
        is_flag = isinstance(first, ty.SetFlag)
        value = (
            '(a number in 0..1 "...") = 1' if is_flag else _new_value(first, "number", self._world)
        )
        help_text = _IN_ONE_STEP.format(name=name, value=value)
        findings.report("W631", decision.span, message, help_text)

    def _changes(self, step: ty.Node, calls: frozenset[str] = frozenset()) -> list[_Hidden] | None:
        """Return the changes of hidden things by a step; None if it does more."""
        if isinstance(step, ty.Run) and step.proc in self._program.procs:
            inside = self._program.procs[step.proc].block
            return None if step.proc in calls else self._changes(inside, calls | {step.proc})
        if isinstance(step, _Change):
            info = self._world.counter(step.counter)
            return [step] if info is not None and info.seen_by is not None else None
        if isinstance(step, ty.Move):
            return [step] if self._world.places[step.target.place].only else None
        if not isinstance(step, ty.Block | ty.Branching):
            return None
        inner = step.steps if isinstance(step, ty.Block) else step.blocks
        parts = [self._changes(part, calls) for part in inner]
        changes: list[_Hidden] = []
        for part in parts:
            if part is None:
                return None
            changes += part
        return changes


def _chosen(step: ty.Step) -> tuple[str, ty.Domain] | None:
    """Return the local and the domain of a choice that everybody reads, in the end."""
    if isinstance(step, ty.Secretly):
        return step.variable, step.domain
    return step.choice if isinstance(step, ty.Decide) and not step.kept else None


def _name(change: _Hidden) -> str:
    return change.counter if isinstance(change, _Change) else change.target.place


def _only_finds(changes: Sequence[Sequence[_Hidden] | None], name: str) -> bool:
    """Return whether a local only says where moves go to."""
    moves = [change for part in changes for change in part or ()]
    return all(
        isinstance(move, ty.Move)
        and uses(move.target, name)
        and not any(uses(part, name) for part in ty.children(move) if part is not move.target)
        for move in moves
    )


def _new_value(change: _Change, family: str, world: SymbolTable) -> str:
    """Return the beginning of a new value that a player chooses."""
    if isinstance(change, ty.SetFlag):
        return "(a ...) = ..."
    if change.track not in world.numbers:
        return "a ..."
    value = "a number in ..." if family == "number" else "position of (a ...)"
    if change.result is not None:
        return value
    sign = "+" if change.up else "-"
    amount = f"({value})" if family == "number" else value
    return f"my {change.track} {sign} {amount}"


def _uses(step: ty.Node, name: str) -> bool:
    """Return whether a step, other than the choice that binds it, uses a local itself."""
    if not isinstance(step, ty.StepNode):
        return False
    if isinstance(step, ty.Decide) and step.choice is not None and step.choice[0] == name:
        return False
    lines = step.lines if isinstance(step, ty.Decide) else ()
    parts = (*ty.children(step), *(part for line in lines for part in ty.children(line)))
    return any(uses(e, name) for e in parts if not isinstance(e, ty.StepNode | ty.OptionLine))
