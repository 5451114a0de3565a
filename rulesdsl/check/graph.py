"""Who calls whom: order, circles, who has to decide, what belongs to one activation."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from rulesdsl.check import analysis_wording as wording
from rulesdsl.check import typed as ty
from rulesdsl.check.declare.procedures import header_text
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.source.facts import RivalDecides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rulesdsl.check.program import Program
    from rulesdsl.source.diagnostic import Findings


class Graph:
    """The calls of a program, fields' effects included."""

    def __init__(self, program: Program, findings: Findings) -> None:
        self.program = program
        self.findings = findings

    @cached_property
    def _found(self) -> dict[str, tuple[list[ty.Step], list[tuple[str, ty.Step]]]]:
        return {key: self._in(proc.block) for key, proc in self.program.procs.items()}

    def _in(self, block: ty.Block) -> tuple[list[ty.Step], list[tuple[str, ty.Step]]]:
        steps = [each for each in ty.walk(block) if isinstance(each, ty.StepNode)]
        return steps, [(callee, step) for step in steps for callee in self.called(step)]

    @cached_property
    def steps(self) -> dict[str, list[ty.Step]]:
        """All steps of each procedure, those inside others too."""
        return {key: steps for key, (steps, _) in self._found.items()}

    @cached_property
    def calls(self) -> dict[str, list[tuple[str, ty.Step]]]:
        """For each procedure, those it may call, with the step that calls."""
        return {key: calls for key, (_, calls) in self._found.items()}

    def called(self, step: ty.Node) -> list[str]:
        """Return the procedures of which a node runs one."""
        return list(FACTS[type(step)].runs(step, self.program))

    # ---------------------------------------------------------------- order and circles
    def order(self) -> list[str] | None:
        """Return the procedures, callees first; circles are reported, and None returned."""
        done: dict[str, bool] = {}
        order: list[str] = []
        clean = True
        for start in self.program.procs:
            path: dict[str, Iterator[str]] = {}  # those that are open, with what they still call
            waiting = iter((start,))
            while True:
                key = next((each for each in waiting if each in self.program.procs), None)
                if key is None:
                    if not path:
                        break
                    last = next(reversed(path))
                    path.pop(last)
                    waiting = next(reversed(path.values()), iter(()))
                    done[last] = True
                    order.append(last)
                elif key not in done:
                    done[key] = False
                    path[key] = waiting = iter([callee for callee, _ in self.calls[key]])
                elif not done[key]:
                    clean = False
                    opened = list(path)
                    self._circle([*opened[opened.index(key) :], key])
        return order if clean else None

    def _circle(self, keys: list[str]) -> None:
        if not self.program.failed.isdisjoint(keys):
            return  # which verb was meant is not known
        effects = set(self.program.effects.values())
        in_fields = any(key in effects for key in keys)
        code = "E403" if in_fields else "E404"
        first = next((key for key in keys if key in effects), keys[0])
        self.findings.report(
            code,
            self.program.procs[first].span,
            *wording.circle_of_calls([self.title(key) for key in keys]),
        )

    def unsure(self) -> frozenset[str]:
        """Return the procedures in which something was reported, and all that call them."""
        return self._with_callers(self.program.failed)

    def _with_callers(self, keys: Iterable[str]) -> frozenset[str]:
        """Return procedures and all that may come to them."""
        callers: dict[str, list[str]] = {}
        for key, calls in self.calls.items():
            for callee, _ in calls:
                callers.setdefault(callee, []).append(key)
        return reached(keys, lambda key: callers.get(key, ()))

    def title(self, key: str) -> str:
        """Return how a procedure is called in messages."""
        if key in set(self.program.effects.values()):
            return key
        return self.program.procs[key].title

    # ---------------------------------------------------------------- decisions
    @cached_property
    def deciding(self) -> frozenset[str]:
        """The procedures in which somebody may be asked, calls included."""
        return self._with_callers(
            key
            for key, steps in self.steps.items()
            if any(FACTS[type(step)].decides for step in steps)
        )

    def check_automatic(self) -> None:
        """Report automatic effects that reach a choice."""
        for proc in self.program.procs.values():
            if proc.automatic and proc.key in self.deciding - self.program.failed:
                culprit = next(
                    (step for callee, step in self.calls[proc.key] if callee in self.deciding),
                    None,
                )
                self.findings.report(
                    "E405",
                    culprit.span if culprit is not None else proc.span,
                    *wording.automatic_choice(),
                )

    def check_deciders(self) -> None:
        """Report choices that a rival, who never decides, might be asked for."""
        if not self.program.world.rivals:
            return
        asking = self._asking_actors()
        for key, steps in self.steps.items():
            for step in steps if key not in self.program.failed else ():
                actor = self._asked(step, asking)
                if actor is not None:
                    self._check_decider(actor, step)

    def _asked(self, step: ty.Node, asking: frozenset[str]) -> ty.Value | None:
        """Return who is asked in a step, by itself or by what it runs; None where nobody is."""
        facts = FACTS[type(step)]
        if facts.decides or not asking.isdisjoint(facts.runs(step, self.program)):
            return facts.actor(step)
        return None

    def _check_decider(self, me: ty.Value, step: ty.Node) -> None:
        if not ty.is_me(me) and me.type.family != "player":
            said = wording.rival_decides()
            self.findings.report("E405", step.span, *said, facts=RivalDecides())

    def _asking_actors(self) -> frozenset[str]:
        """Return the procedures that ask whoever carries them out."""
        callers: dict[str, list[str]] = {}  # those that do something for themselves
        asking: list[str] = []
        for key, steps in self.steps.items():
            if any(_decides_itself(step) for step in steps):
                asking.append(key)
            for callee, step in self.calls[key]:
                if _is_for_itself(step):
                    callers.setdefault(callee, []).append(key)
        return reached(asking, lambda key: callers.get(key, ()))

    # ---------------------------------------------------------------- activations
    def check_activations(self) -> None:
        """Report marks of cells that exist only while another procedure runs."""
        world = self.program.world
        cells = [("flag", each.name, each.during) for each in world.flags.values()]
        cells += [("track", each.name, each.during) for each in world.tracks.values()]
        for _, name, during in cells:
            if during not in world.procs:  # none, or reported as unknown
                continue
            self._check_overloads(name, during)
            outside = self._reached_from("game", past=during)
            for step in (each for key in outside for each in self.steps[key]):
                if isinstance(step, ty.SetFlag | ty.ChangeTrack) and _changed(step) == name:
                    advice = self._mend_activation(name, during)
                    said = wording.outside_activation(name, during, advice)
                    self.findings.report("E406", step.span, *said)

    def _mend_activation(self, name: str, during: str) -> str:
        """Return what can be done instead of `during`: to clear a flag when that thing begins."""
        help_text = "Mark it there, or declare it without `during`"
        world = self.program.world
        flag = world.flags.get(name)
        if flag is None:
            return f"{help_text}."
        clear = f"clear {name}"
        if len(flag.dims) == 1:
            clear = f"for each {flag.dims[0]} x: {clear} of x"
        elif flag.dims:
            clear += " ..."
        begins = header_text(world.procs[during][0], world)
        return f"{help_text} and clear it in a hook: `before {begins}: {clear}`."

    def _check_overloads(self, name: str, during: str) -> None:
        """Report a verb that runs inside one of the same name: it would begin its cells again."""
        same = [info.key for info in self.program.world.procs.get(during, ())]
        inside = {each for key in same if len(same) > 1 for each in self._reached_from(key)}
        for key in inside:
            for callee, step in self.calls[key]:
                if callee in same:
                    said = wording.activation_within(name, during)
                    self.findings.report("E406", step.span, *said)

    def _reached_from(self, start: str, past: str = "") -> frozenset[str]:
        """Return a procedure and all that it can come to, past those of one name."""
        procs = {key for key, proc in self.program.procs.items() if proc.title != past or not past}
        return reached(procs & {start}, lambda key: procs & {each for each, _ in self.calls[key]})

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The procedures that a game can come to."""
        return self._reached_from("game")


def _decides_itself(step: ty.Step) -> bool:
    facts = FACTS[type(step)]
    return facts.decides and _is_for_itself(step)


def _is_for_itself(step: ty.Step) -> bool:
    actor = FACTS[type(step)].actor(step)
    return actor is not None and ty.is_me(actor)


def reached(starts: Iterable[str], onward: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """Return names and all that they come to, one by one."""
    seen: set[str] = set()
    todo = list(starts)
    while todo:
        key = todo.pop()
        if key not in seen:
            seen.add(key)
            todo.extend(onward(key))
    return frozenset(seen)


def _changed(step: ty.SetFlag | ty.ChangeTrack) -> str:
    return step.flag if isinstance(step, ty.SetFlag) else step.track
