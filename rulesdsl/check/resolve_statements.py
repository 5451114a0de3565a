"""From statements to steps: verbs chosen, pieces and places known, choices in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.moves import MoveResolver
from rulesdsl.check.types import BUNDLE, NUMBER, PLAYER, SEAT, UNKNOWN, YES_NO, Type, a_or_an, fits
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.printer import print_statement

if TYPE_CHECKING:
    from rulesdsl.check.world import ParamInfo, ProcInfo
    from rulesdsl.source.span import Span


class StatementResolver(MoveResolver):
    """Resolves statements into steps."""

    def block(self, body: st.Body) -> ty.Block:
        """Return the steps of a body, in a scope of its own."""
        with self.scope.block():
            return self.open_block(body.statements, body.span)

    def open_block(self, statements: tuple[st.Stmt, ...], span: Span) -> ty.Block:
        """Return the steps of statements whose names stay known."""
        steps: list[ty.Step] = []
        for each in statements:
            steps.extend(self.statement(each))
            if not isinstance(each, st.Let | st.Needs | st.Nothing | st.LookAt):
                self.scope.forget_state()
        return ty.Block(tuple(steps), span=span)

    def statement(self, stmt: st.Stmt) -> list[ty.Step]:  # noqa: C901, PLR0912
        """Return the steps of one statement."""
        span = stmt.span
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
                domain = self.selection(stmt.what)
                me = self.me(span)
                return [] if domain is None else [ty.Peek(domain, me, span=span)]
            case st.EndGame():
                return [ty.Finish(span=span)]
            case st.BadLine():
                self.scope.failed = self.scope.lost_line = True
                return []
            case st.Nothing():
                return []
            case st.Sequence():
                block = self.open_block((*stmt.steps, *stmt.gains), span)
                return list(block.steps)
            case _:
                return self.flow(stmt)

    def flow(self, stmt: st.Stmt) -> list[ty.Step]:  # noqa: C901, PLR0912 - one case a node
        """Return the steps of a statement that has bodies."""
        span = stmt.span
        match stmt:
            case st.Either():
                ways = tuple(self.way(None, st.Body((way,), span=way.span)) for way in stmt.ways)
                return [ty.ChooseWay(ways, self.decider(span), span=span)]
            case st.ChooseOne():
                ways = tuple(self.way(line.label, line.body) for line in stmt.lines)
                return [ty.ChooseWay(ways, self.decider(span), span=span)]
            case st.May():
                text = self.offer_text(stmt.body)
                block = self.block(stmt.body)
                return [ty.Optionally(block, text, self.decider(span), span=span)]
            case st.MayRepeat():
                return self.may_repeat(stmt)
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
                entries = tuple(self.menu_line(line) for line in stmt.lines)
                return [ty.OfferMenu(entries, self.decider(span), span=span)]
            case _:
                return []

    def optional_block(self, body: st.Body | None) -> ty.Block:
        """Return a body's steps, none where there is none."""
        return ty.Block(()) if body is None else self.block(body)

    def loop(self, body: st.Body) -> ty.Block:
        """Return the steps of a loop: what was learned before it may have changed within."""
        with self.scope.block():
            self.scope.forget_state()
            return self.open_block(body.statements, body.span)

    def decider(self, span: Span) -> ty.Value:
        """Return who decides."""
        if not self.scope.may_choose:
            self.report(
                "E405", span, "Nobody can be asked here.", "An automatic effect makes no choice."
            )
        return self.me(span)

    # ---------------------------------------------------------------- calls
    def call(self, stmt: st.Call) -> list[ty.Step]:
        """Return a call of a verb or step, choices among its arguments first."""
        name = stmt.verb.text
        overloads = self.world.procs.get(name)
        if not overloads:
            if not self.doubtful(name):
                self.report(
                    "E204",
                    stmt.verb.span,
                    f"There is no verb or step called `{name}`.",
                    did_you_mean(name, self.world.procs),
                )
            return []
        proc = self.overload(stmt, overloads)
        if proc is None:
            return []
        return self.call_of(stmt, proc)

    def call_of(self, stmt: st.Call, proc: ProcInfo) -> list[ty.Step]:
        """Return a call of one overload."""
        proc.used = True
        steps: list[ty.Step] = []
        values: list[ty.Value] = []
        for param, argument in zip(proc.params, stmt.arguments, strict=True):
            value = self.argument(param, argument, steps)
            values.append(value)
        if any(value.type == UNKNOWN for value in values):
            return steps
        me: ty.Value = ty.Const(-1, type=SEAT)
        if proc.verb:
            me = self.me(stmt.span)
        elif self.scope.me is not None:
            self.report(
                "E304",
                stmt.span,
                f"`{proc.name}` is a step: the game does it, not a player.",
                "Call it from another step, or declare it as a verb.",
            )
        key = proc.key
        if self.scope.beneath_proc is not None and self.scope.beneath_proc[0] == key:
            key = f"{key}@{self.scope.beneath_proc[1]}"
        steps.append(ty.Run(key, me, tuple(values), span=stmt.span))
        return steps

    def overload(self, stmt: st.Call, overloads: list[ProcInfo]) -> ProcInfo | None:
        """Return the verb that these arguments mean."""
        shape = [argument.preposition for argument in stmt.arguments]
        fitting = [
            proc
            for proc in overloads
            if [param.preposition for param in proc.params] == shape
            and all(
                self.may_be(param, argument)
                for param, argument in zip(proc.params, stmt.arguments, strict=True)
            )
        ]
        named = [
            proc
            for proc in fitting
            if all(
                (param.noun is None) == (self.noun_of(argument.value) is None)
                for param, argument in zip(proc.params, stmt.arguments, strict=True)
            )
        ]
        if len(fitting) > 1 and named:
            fitting = named
        if len(fitting) == 1:
            open_kinds = (param.type == UNKNOWN for each in overloads for param in each.params)
            self.scope.failed = self.scope.failed or any(open_kinds)
            return fitting[0]
        same = [p for p in overloads if [param.preposition for param in p.params] == shape]
        if not fitting and len(same) == 1 and len(overloads) == 1:
            return same[0]
        if any(param.type == UNKNOWN for each in overloads for param in each.params):
            self.scope.failed = True
            return None  # what the verb is done to was reported where it is declared
        if self.unknown_noun(stmt):
            return None
        from rulesdsl.check.declare import header_text  # noqa: PLC0415 - only for a message

        known = " or ".join(f"`{header_text(proc)}`" for proc in overloads)
        message = f"`{stmt.verb.text}` is not done {self.told(stmt)}."
        if not stmt.arguments:
            message = f"`{stmt.verb.text}` has to know what it is done to."
        self.report("E205", stmt.span, message, f"Say {known}.")
        return None

    def unknown_noun(self, stmt: st.Call) -> bool:
        """Report an amount of something that is not there."""
        nouns = self.world.pieces.keys() | self.world.tracks.keys()
        for argument in stmt.arguments:
            noun = self.noun_of(argument.value)
            if noun is not None and noun not in nouns:
                self.amount(argument.value)
                return True
        return False

    def told(self, stmt: st.Call) -> str:
        """Return what a call is about, for a message."""
        if len(stmt.arguments) != 1 or stmt.arguments[0].preposition:
            return "to such things"
        first = stmt.arguments[0]
        noun, kind = self.noun_of(first.value), self.kind_of(first.value)
        if noun is not None:
            return f"to an amount of `{noun}`"
        return f"to {kind}" if kind is not None else "to such a thing"

    def may_be(self, param: ParamInfo, argument: st.Argument) -> bool:
        """Whether an argument can be meant for a parameter, judged by its words."""
        value = argument.value
        noun = self.noun_of(value)
        if param.noun is not None or noun is not None:
            if param.type == BUNDLE:
                return True
            return param.noun is not None and noun == param.noun
        kind = self.kind_of(value)
        return kind is None or fits(kind, param.type) or param.type == UNKNOWN

    def noun_of(self, value: ex.Expr) -> str | None:
        """Return the noun of an amount."""
        if isinstance(value, ex.Amount):
            return self.world.singular(value.noun.text)
        if isinstance(value, ex.Per) and isinstance(value.rate, ex.Amount):
            return self.world.singular(value.rate.noun.text)
        return None

    def kind_of(self, value: ex.Expr) -> Type | None:
        """Return the type of an argument where its words alone tell it."""
        from rulesdsl.check.types import entry, piece  # noqa: PLC0415 - keeps the head short

        match value:
            case ex.Choice() | ex.The() | ex.RandomPick() | ex.First():
                name = self.world.singular(value.kind.text)
                if name in self.world.owners:
                    name = self.world.owners[name][0]
                if name == "number":
                    return NUMBER
                if name in {"player", "seat"}:
                    return PLAYER if name == "player" else SEAT
                return piece(name) if name in self.world.pieces else entry(name)
            case ex.Name() if value.name in self.scope.locals:
                return self.scope.locals[value.name].type
            case ex.Name() if value.name in self.world.owners:
                owners = self.world.owners[value.name]
                return entry(owners[0]) if len(owners) == 1 else None
            case ex.Number() | ex.Arithmetic() | ex.Cap():
                return NUMBER
            case ex.It() if self.scope.candidates:
                return self.scope.candidates[-1].type
            case _:
                return None

    def argument(self, param: ParamInfo, argument: st.Argument, steps: list[ty.Step]) -> ty.Value:
        """Return an argument's value; a choice is made before the call."""
        expr = argument.value
        if param.type == UNKNOWN:
            self.scope.failed = True
            return self.unknown(expr.span)
        if isinstance(expr, ex.Choice):
            local = self.pick(expr, None, None, steps)
            if local is None:
                return self.unknown(expr.span)
            if not fits(local.type, param.type):
                self._wrong_argument(expr.span, param, str(local.type))
                return self.unknown(expr.span)
            return local
        if param.noun is not None:
            amount = self.amount(expr)
            if amount is None or amount[1] != param.noun:
                have = "no amount" if amount is None else f"an amount of `{amount[1]}`"
                self._wrong_argument(expr.span, param, have)
                return self.unknown(expr.span)
            return amount[0]
        return self.of_type(expr, param.type)

    def _wrong_argument(self, span: Span, param: ParamInfo, have: str) -> None:
        wanted = f"one of `{param.noun}`" if param.noun else str(param.type)
        self.report("E205", span, f"This is {have}, where {wanted} is needed.", "")

    def pick(
        self, expr: ex.Choice, name: str | None, prompt: str | None, steps: list[ty.Step]
    ) -> ty.Local | None:
        """Add a choice to the steps and return the local that holds what was chosen."""
        me = self.decider(expr.span)
        base = self.domain(expr.kind, expr.domain)
        if base is None:
            return None
        variable = expr.variable.text if expr.variable else None
        domain = self.filtered(base, expr.where, variable)
        local = self.scope.fresh(name or variable or expr.kind.text, base.element)
        steps.append(ty.Pick(local.name, domain, me, prompt, span=expr.span))
        self.assume_member(local, base)
        if isinstance(domain, ty.Filtered):
            self.assume_about(domain, local)
        return local

    def assume_about(self, domain: ty.Filtered, local: ty.Local) -> None:
        """Note that what a `where` asks of a candidate holds for the one that is chosen."""
        from rulesdsl.check.typed.walk import substitute  # noqa: PLC0415

        self.scope.assume(substitute(domain.condition, domain.variable, local))

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
        """Return a change of a track."""
        target = self.value(stmt.target)
        amount = self.number(stmt.amount)
        if target.type == UNKNOWN:
            return []
        if not isinstance(target, ty.TrackCell):
            self.report(
                "E301",
                stmt.target.span,
                "Only a track can be raised or lowered.",
                did_you_mean(getattr(stmt.target, "name", ""), self.world.tracks),
            )
            return []
        me = self.scope.me or ty.Const(-1, type=SEAT)
        return [ty.ChangeTrack(target.track, target.dims, stmt.up, amount, me, span=stmt.span)]

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
                did_you_mean(getattr(stmt.target, "name", ""), self.world.flags)
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
        if cells is None:
            return []
        me = self.scope.me or ty.Const(-1, type=SEAT)
        return [ty.ShuffleCells(cells, me, span=stmt.span)]

    # ---------------------------------------------------------------- flow
    def way(self, label: str | None, body: st.Body) -> ty.Way:
        """Return one line of a choice."""
        text = self.offer_text(body)
        return ty.Way(label, text, self.block(body), span=body.span)

    def offer_text(self, body: st.Body) -> str:
        """Return the words under which a body is offered.

        What only prepares it is left out; where its words speak of local names, which a player
        knows nothing of, it is called by the verb that it stands in.
        """
        own = {each.name.text for each in body.statements if isinstance(each, st.Let)}
        told = [each for each in body.statements if not isinstance(each, QUIET)]
        text = ", ".join(print_statement(each) for each in told)
        if (own & set(text.replace(",", " ").split())) or "\n" in text or not text:
            return self.scope.inside or text.split("\n")[0] or "nothing"
        return text

    def may_repeat(self, stmt: st.MayRepeat) -> list[ty.Step]:
        """Return an offer that is repeated."""
        limit = None if stmt.limit is None else self.number(stmt.limit)
        text = self.offer_text(stmt.body)
        block = self.loop(stmt.body)
        return [ty.OptionallyRepeat(block, limit, text, self.decider(stmt.span), span=stmt.span)]

    def until(self, stmt: st.Until) -> list[ty.Step]:
        """Return a loop of the game's flow."""
        if self.scope.me is not None:
            self.report(
                "E402",
                stmt.span,
                "Only the flow of a game, in steps, goes round until something holds.",
                "Say how many times: `repeat 3 times`.",
            )
        limit, condition = self.number(stmt.limit), self.condition(stmt.condition)
        return [ty.RepeatUntil(limit, condition, self.loop(stmt.body), span=stmt.span)]

    def each(self, stmt: st.Each) -> list[ty.Step]:
        """Return a loop over things; over seats, each acts in turn."""
        base = self.domain(stmt.kind, stmt.domain)
        if base is None:
            return []
        seats = base.element.family in {"seat", "player"}
        start = None
        if stmt.start is not None:
            start = self.value(stmt.start)
            if not seats or start.type.family not in {"seat", "player", "unknown"}:
                self.report("E301", stmt.start.span, "Only a round of seats starts with one.", "")
                start = None
        name = stmt.variable.text if stmt.variable else None
        domain = self.each_domain(base, stmt.where, name, seats=seats)
        with self.scope.block():
            self.scope.forget_state()
            local = self.scope.fresh(name or stmt.kind.text, base.element)
            if name is not None:
                self.scope.locals[name] = local
            if seats:
                self.scope.me = local
            self.assume_member(local, base)
            if isinstance(domain, ty.Filtered):
                self.assume_about(domain, local)
            self.scope.candidates.append(local)
            block = self.open_block(stmt.body.statements, stmt.body.span)
            self.scope.candidates.pop()
        return [ty.ForEach(local.name, domain, start, block, span=stmt.span)]

    def each_domain(
        self, base: ty.Domain, where: ex.Expr | None, name: str | None, *, seats: bool
    ) -> ty.Domain:
        """Return the things of a loop; in the condition on a seat, `my` is that seat's."""
        if where is None:
            return base
        with self.scope.block(), self.scope.candidate(base.element, name) as local:
            if seats:
                self.scope.me = local
            self.assume_member(local, base)
            condition = self.condition(where)
        return ty.Filtered(base, local.name, condition, element=base.element, span=where.span)

    def act_as(self, stmt: st.ActAs) -> list[ty.Step]:
        """Return what a seat does."""
        seat = self.value(stmt.seat)
        if seat.type == UNKNOWN:
            return []
        if seat.type.family not in {"seat", "player"}:
            self.report("E301", stmt.seat.span, f"This is {seat.type}, where a seat acts.", "")
            return []
        maybe = seat.type.maybe and seat not in self.scope.some
        with self.scope.block():
            local = self.scope.fresh("actor", seat.type.total())
            self.scope.me = local
            block = self.open_block(stmt.body.statements, stmt.body.span)
        bound = ty.SetLocal(local.name, seat, span=stmt.seat.span)
        if not maybe:
            return [bound, *block.steps]
        there = ty.IsSome(attrs.evolve(local, type=seat.type), type=YES_NO)
        branches = ((there, block),)
        return [bound, ty.Branching(branches, ty.Block(()), span=stmt.span)]

    def secret(self, stmt: st.Secret) -> list[ty.Step]:
        """Return a choice that all players make at once."""
        if self.scope.me is not None:
            self.report(
                "E305", stmt.span, "All choose at once only in a step.", "Declare it as a step."
            )
        base = self.domain(stmt.choice.kind, stmt.choice.domain)
        if base is None:
            return []
        variable = stmt.choice.variable.text if stmt.choice.variable else None
        with self.scope.block():
            self.scope.forget_state()
            me = self.scope.fresh("chooser", PLAYER)
            self.scope.me = me
            domain = self.filtered(base, stmt.choice.where, variable)
            local = self.scope.fresh(variable or stmt.choice.kind.text, base.element)
            if variable is not None:
                self.scope.locals[variable] = local
            block = self.open_block(stmt.body.statements, stmt.body.span)
        prompt = f"Choose {a_or_an(stmt.choice.kind.text)} secretly."
        return [ty.Secretly(local.name, me.name, domain, prompt, block, span=stmt.span)]

    def branching(self, stmt: st.If) -> list[ty.Step]:
        """Return an if."""
        branches: list[tuple[ty.Value, ty.Block]] = []
        with self.scope.block():
            for branch in stmt.branches:
                condition = self.condition(branch.condition)
                with self.scope.block():
                    self.scope.assume(condition)
                    branches.append((condition, self.block(branch.body)))
                self.scope.assume(ty.Negation(condition, type=YES_NO))
                if isinstance(condition, ty.Negation):
                    self.scope.assume(condition.value)
            otherwise = self.optional_block(stmt.otherwise)
        return [ty.Branching(tuple(branches), otherwise, span=stmt.span)]

    def menu_line(self, line: st.MenuLine) -> ty.Entry:
        """Return one line of a menu."""
        text = self.offer_text(line.body)
        if line.kind is None or line.domain is None:
            block = self.loop(line.body)  # other lines may have come before it
            return ty.Entry(line.once, line.label, text, None, None, block, span=line.span)
        name = line.variable.text if line.variable else line.kind.text
        base = self.domain(line.kind, line.domain)
        if base is None:
            return ty.Entry(line.once, line.label, text, None, None, ty.Block(()), span=line.span)
        domain = self.filtered(base, line.where, name)
        with self.scope.block():
            self.scope.forget_state()
            local = self.scope.fresh(name, base.element)
            self.scope.locals[name] = local
            self.assume_member(local, base)
            if isinstance(domain, ty.Filtered):
                self.assume_about(domain, local)
            block = self.open_block(line.body.statements, line.body.span)
        return ty.Entry(line.once, line.label, text, local.name, domain, block, span=line.span)


TAKE_ANOTHER = "Take another name for one of them."
QUIET = (st.Let, st.Needs, st.Mark, st.LookAt, st.BadLine)
