"""From statements to steps: one case for each, and the small ones themselves."""

from __future__ import annotations

from typing import assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.added import AddedResolver
from rulesdsl.check.resolve.cells import word_of
from rulesdsl.check.types import SEAT, UNKNOWN
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st

TAKE_ANOTHER = "Take another name for one of them."


class StatementResolver(AddedResolver):
    """Resolves statements into steps."""

    def statement(self, stmt: st.Stmt) -> list[ty.Step]:  # noqa: C901, PLR0912
        """Return the steps of one statement."""
        span = stmt.span
        if isinstance(stmt, st.Compound):
            return self.flow(stmt)
        match stmt:
            case st.Call():
                return self.call(stmt)
            case st.Move():
                return self.move(stmt)
            case st.Change():
                return self.change(stmt)
            case st.Mark():
                return self.mark(stmt)
            case st.Do():
                return self.do(stmt)
            case st.Let():
                return self.let(stmt)
            case st.Needs():
                condition = self.condition(stmt.condition)
                self.scope.assume(condition)
                return [ty.Require(condition, span=span)]
            case st.Shuffle():
                return self.shuffle(stmt)
            case st.LookAt():
                domain = self.looked_at(stmt.what)
                me = self.me(span)
                return [] if domain is None else [ty.Peek(domain, me, span=span)]
            case st.EndGame():
                return [ty.Finish(span=span)]
            case st.BadLine():
                self.scope.failed = self.scope.lost_line = True
                return []
            case st.Nothing():
                return []
            case _:
                assert_never(stmt)

    def flow(self, stmt: st.Compound) -> list[ty.Step]:  # noqa: C901, PLR0912 - one case a node
        """Return the steps of a statement that has bodies."""
        span = stmt.span
        match stmt:
            case st.Sequence():
                block = self.open_block((*stmt.steps, *stmt.gains), span)
                return list(block.steps)
            case st.Either():
                ways = tuple(self.way(None, st.Body((way,), span=way.span)) for way in stmt.ways)
                return [ty.Decide(ways, self.decider(span), span=span)]
            case st.ChooseOne():
                own = [self.way(line.label, line.body) for line in stmt.lines]
                ways = (*own, *self.added_ways())
                return [ty.Decide(ways, self.decider(span), span=span)]
            case st.May() | st.MayRepeat():
                return self.offer(stmt)
            case st.Repeat():
                times = self.number(stmt.times)
                return [ty.RepeatTimes(times, self.loop(stmt.body), span=span)]
            case st.Until():
                return self.until(stmt)
            case st.Each():
                return self.each(stmt)
            case st.ActAs():
                return self.act_as(stmt)
            case st.Secret():
                return self.secret(stmt)
            case st.If():
                return self.branching(stmt)
            case st.IfAble():
                block = self.block(stmt.body)
                otherwise = self.optional_block(stmt.otherwise)
                return [ty.WhereAble(block, otherwise, span=span)]
            case st.Menu():
                lines = [self.menu_line(line) for line in stmt.lines]
                lines += self.added_lines()
                me = self.decider(span)
                return [ty.Decide(tuple(lines), me, stop=ty.DONE, again=True, span=span)]
            case _:
                assert_never(stmt)

    # ---------------------------------------------------------------- small statements
    def let(self, stmt: st.Let) -> list[ty.Step]:
        """Return the binding of a name."""
        name = stmt.name.text
        if name in self.scope.locals:
            self.report("E202", stmt.name.span, f"`{name}` is known here already.", TAKE_ANOTHER)
        if self._hides(name):
            self.report(
                "E202",
                stmt.name.span,
                f"`{name}` means something in this game already.",
                "Take another name for the local thing.",
            )
        if isinstance(stmt.value, ex.Choice):
            steps: list[ty.Step] = []
            local = self.pick(stmt.value, name, stmt.prompt, steps)
            self.scope.locals[name] = local or self.unknown(stmt.span)
            return steps
        value = self.value(stmt.value)
        bound = self.scope.fresh(name, value.type)
        self.scope.locals[name] = bound
        if value.type.family == "number" and self.surely_positive(value):
            self.positive.add(bound)
        return [ty.SetLocal(bound.name, value, span=stmt.span)]

    def _hides(self, name: str) -> bool:
        world = self.world
        singular = world.singular(name)
        known = (world.pieces, world.places, world.tracks, world.constants, world.options)
        return any(singular in each for each in known) or name in world.values

    def change(self, stmt: st.Change) -> list[ty.Step]:
        """Return a change of a track, or of a piece's place in its stack."""
        target = self.value(stmt.target)
        amount = self.number(stmt.amount)
        if target.type == UNKNOWN:
            return []
        if target.type.family == "piece":
            return self.shift(stmt, target, amount)
        if not isinstance(target, ty.TrackCell):
            self.report(
                "E301",
                stmt.target.span,
                "Only a track can be raised or lowered, or a piece in its stack.",
                did_you_mean(word_of(stmt.target), self.world.tracks),
            )
            return []
        me = self.scope.me or ty.Const(-1, type=SEAT)
        return [ty.ChangeTrack(target.track, target.dims, stmt.up, amount, me, span=stmt.span)]

    def shift(self, stmt: st.Change, target: ty.Value, amount: ty.Value) -> list[ty.Step]:
        """Return the raising or lowering of a piece in the stack that it lies in."""
        kind, world = target.type.of, self.world
        stacks = [each for each in world.places.values() if each.stack and kind in each.holds]
        if not stacks or world.pieces[kind].style != "printed":
            self.report(
                "E301",
                stmt.target.span,
                f"{world.pieces[kind].plural.capitalize()} never lie in a stack.",
                "Only there do they have an order: declare the place as `stack`.",
            )
            return []
        me = self.scope.me or ty.Const(-1, type=SEAT)
        piece = self.total(target, stmt.target.span)
        return [ty.ShiftPiece(kind, piece, stmt.up, amount, me, span=stmt.span)]

    def mark(self, stmt: st.Mark) -> list[ty.Step]:
        """Return the marking of a thing."""
        target = self.value(stmt.target)
        if target.type == UNKNOWN:
            return []
        if not isinstance(target, ty.FlagCell):
            self.report(
                "E301",
                stmt.target.span,
                "Only a flag can be marked.",
                did_you_mean(word_of(stmt.target), self.world.flags)
                or ("A track is raised or lowered." if isinstance(target, ty.TrackCell) else ""),
            )
            return []
        self.world.flags[target.flag].marked = True
        me = self.scope.me or ty.Const(-1, type=SEAT)
        return [ty.SetFlag(target.flag, target.dims, stmt.on, me, span=stmt.span)]

    def do(self, stmt: st.Do) -> list[ty.Step]:
        """Return the carrying out of a field's effect."""
        target = self.value(stmt.target)
        if target.type == UNKNOWN:
            return []
        if not isinstance(target, ty.HasEffect):
            self.report("E301", stmt.target.span, "This is no effect that could be done.", "")
            return []
        me = self.me(stmt.span)
        return [
            ty.DoField(target.kind, target.field, target.subject, target.key, me, span=stmt.span)
        ]

    def shuffle(self, stmt: st.Shuffle) -> list[ty.Step]:
        """Return the shuffling of a stack."""
        cells = self.cells(stmt.target)
        if cells is None or not self.in_order(cells, stmt.target.span):
            return []
        me = self.scope.me or ty.Const(-1, type=SEAT)
        return [ty.ShuffleCells(cells, me, span=stmt.span)]
