"""A pack that counts what is carried out in it: tracks of its own, which content cannot name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.mentions import mentions
from rulesdsl.check.read import check_layers
from rulesdsl.check.types import NUMBER, SEAT
from rulesdsl.check.world import TrackInfo
from rulesdsl.interpreter.loading import pack_of
from rulesdsl.interpreter.pynodes import identifier
from rulesdsl.lower.lowering import lower
from rulesdsl.packs.layers import read_layers
from rulesdsl.source.diagnostic import LintError
from rulesdsl.source.span import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.world import HookInfo, World
    from rulesdsl.interpreter.pack import Pack

MOST = 2**63 - 1


@attrs.frozen
class Use:
    """Something that an entry can do: an effect of its own, or a hook that holds because of it."""

    kind: str
    entry: str
    what: str
    track: str

    @property
    def name(self) -> str:
        """How it is called in the table."""
        return f"{self.kind} {self.entry}: {self.what}"

    @property
    def cell(self) -> str:
        """Where a state keeps the count."""
        return identifier(self.track, "t_")


def counted(path: str, mods: Sequence[str], kinds: Sequence[str]) -> tuple[Pack, tuple[Use, ...]]:
    """Load a pack that counts; of the entries of these kinds, or of all. Nothing else changes."""
    layers = read_layers(path, mods)
    checked = check_layers(layers, layers.findings)
    if layers.findings.has_errors:
        raise LintError(layers.findings.sorted(), layers.sources)
    unknown = sorted(set(kinds) - checked.program.world.kinds.keys())
    if unknown:
        raise ValueError(f"there is no kind of things called {', '.join(unknown)}")
    counter = _Counter(checked, frozenset(kinds or checked.program.world.kinds))
    counter.count_effects()
    counter.count_hooks()
    return pack_of(layers, checked.program, lower(checked)), tuple(counter.uses)


class _Counter:
    """Puts a step that counts after the steps of whatever will be counted."""

    def __init__(self, checked: Checked, kinds: frozenset[str]) -> None:
        self.program = checked.program
        self.bodies = checked.bodies
        self.world = checked.program.world
        self.kinds = kinds
        self.uses: list[Use] = []

    def count_effects(self) -> None:
        """Count the effects of entries."""
        for (kind, field, at, key), proc in self.program.effects.items():
            if kind in self.kinds:
                what = field if key is None else f"{field}.{key}"
                entry = self.world.kinds[kind].entries[at].name
                self._count(kind, entry, what, [self.bodies[proc]])

    def count_hooks(self) -> None:
        """Count the hooks whose `when` names an entry, itself or by a value that it asks for.

        Where a hook lets somebody choose, each way counts for itself.
        """
        blocks = list(self._hooked_blocks())
        for overloads in self.world.procs.values():
            for proc in overloads:
                for hook in proc.hooks:
                    for kind, entry in self._because_of(hook):
                        own = [block for span, block in blocks if span in _spans(hook)]
                        what = f"{hook.time} {proc.name}"
                        ways = [way for block in own for way in _ways(block)]
                        for way in ways:
                            words = way.label.fixed if way.label else way.text
                            self._count(kind, entry, f"{what}: {words}", [way.block])
                        if not ways:
                            self._count(kind, entry, what, own)

    def _because_of(self, hook: HookInfo) -> list[tuple[str, str]]:
        return [
            (kind, name)
            for name in _names_in(hook.when, self.world)
            for kind in self.world.owners.get(name, ())
            if kind in self.kinds
        ]

    def _hooked_blocks(self) -> Iterator[tuple[object, ty.Block]]:
        """Yield what is under a condition, with the place of the hook or of its `when`."""
        for body in self.bodies.values():
            for node in ty.walk(body):
                if isinstance(node, ty.Branching):
                    yield node.span, node.branches[0][1]
                elif isinstance(node, ty.Line) and node.block.steps:
                    yield node.block.steps[0].span, node.block

    def _count(self, kind: str, entry: str, what: str, blocks: Sequence[ty.Block]) -> None:
        use = Use(kind, entry, what, f"use {len(self.uses)}")
        self.uses.append(use)
        self.world.tracks[use.track] = TrackInfo(
            use.track, use.track, use.name, NOWHERE, (), None, 0, MOST, None
        )
        one, nobody = ty.Const(1, type=NUMBER), ty.Const(-1, type=SEAT)
        step = ty.ChangeTrack(use.track, (), up=True, amount=one, me=nobody)
        for block in blocks:  # in its place, wherever in a body it is
            object.__setattr__(block, "steps", (*block.steps, step))


def _spans(hook: HookInfo) -> list[object]:
    return [hook.span] if hook.when is None else [hook.span, hook.when.span]


def _ways(block: ty.Block) -> list[ty.Line]:
    choices = (step for step in block.steps if isinstance(step, ty.Decide) and not step.stop)
    return [line for step in choices for line in step.lines]


def _names_in(node: object, world: World) -> list[str]:
    """Return the names in a condition, and those in the values that it asks for."""
    found: dict[str, None] = {}
    left = sorted(mentions(node)) if node is not None else []
    while left:
        name = left.pop()
        if name not in found:
            found[name] = None
            value = world.values.get(name)
            left += sorted(mentions(value.formula)) if value is not None else []
    return list(found)
