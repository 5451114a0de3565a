"""Tests of each of the checker's analyses on its own, from rules to facts.

The cases are in `facts/`, one file for each analysis. `pytest --update-golden` rewrites the facts;
review each difference as carefully as a proof.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs
import pytest

from check.small import LINTS, Chunk, Derive, answer, cases
from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import Graph
from rulesdsl.check.analysis.cost import CostBounds
from rulesdsl.check.analysis.intervals import Intervals
from rulesdsl.check.analysis.prover import Effects
from rulesdsl.check.analysis.termination import PathSummaries
from rulesdsl.check.symbols.symbol_table import Cell
from rulesdsl.check.symbols.types import Type
from rulesdsl.check.typed.conditions import fixed
from rulesdsl.check.typed.notation import text
from rulesdsl.check.typed.program import Checked
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import NOWHERE, Span
from some import some

FACTS = Path(__file__).parent / "facts"
MANY_FACTS = 100  # more than are kept in one part
BOX_VALUES = {"fame-score"}  # of the box, not of the lines put to it


def _offers(checked: Checked, verb: str) -> str:
    found = []
    candidates = set()
    for step in ty.walk(checked.bodies[verb]):
        if isinstance(step, ty.Secretly):
            found.append(text(step.domain))
        elif isinstance(step, ty.Decide) and step.choice:
            found.append(text(step.choice[1]))
            candidates.add(step.lines[0])
        elif isinstance(step, ty.OptionLine | ty.WhereAble) and step not in candidates:
            found.append(text(step.guard))
    return "\n".join(found)


def _cells(cells: Iterable[Cell]) -> str:
    return ", ".join(sorted(".".join(filter(None, cell)) for cell in cells)) or "nothing"


def _outcomes(checked: Checked, verb: str) -> str:
    effects, intervals = Effects(checked.program), Intervals(checked.program)
    ways = PathSummaries(effects, intervals, checked.bodies).of_block(checked.bodies[verb])
    return "\n".join(sorted(f"takes {_cells(w.taken)}, gives {_cells(w.given)}" for w in ways))


def _effects(checked: Checked, verb: str) -> str:
    effects = Effects(checked.program)
    reads = effects.reads(checked.program.guards[verb])
    return f"asks {_cells(reads)}; writes {_cells(effects.proc_writes(verb))}"


def _intervals(checked: Checked, verb: str) -> str:
    """Return the bounds on both sides of a comparison, and whether it is always or never true."""
    reach = Intervals(checked.program)
    condition = _asked(checked, verb)
    sure = {True: ["always"], False: ["never"], None: []}[reach.truth(condition)]
    bounds = []
    if isinstance(condition, ty.Comparison):
        bounds = [
            "{}..{}".format(*reach.exact(each)) for each in (condition.left, condition.right)
        ]
    return " ".join([*bounds, *sure]) or "-"


def _asked(checked: Checked, verb: str) -> ty.Value:
    """Return the only statement of a verb if that is a condition, or else the verb's guard."""
    steps = checked.program.procs[verb].block.steps
    if len(steps) == 1 and isinstance(steps[0], ty.Require):
        return steps[0].condition
    return checked.program.guards[verb]


def _exact(checked: Checked, _: str) -> str:
    program = checked.program
    own = (each for each in program.procs.values() if each.span.file.endswith("more.rules"))
    bodies: list[ty.Node] = [
        *(each.block for each in own),
        *(each.body for (name, _), each in program.values.items() if name not in BOX_VALUES),
        *program.formulas.values(),
        *program.rival_conditions.values(),
        *(value for _, value in program.ranking),
    ]
    found = []
    for each in (part for body in bodies for part in ty.walk(body)):
        if isinstance(each, ty.Arith | ty.SumOf):
            found.append(f"{text(each)} {'exact' if each.exact else 'held'}")
        elif isinstance(each, ty.RepeatTimes | ty.NumberRange):
            found.append(f"{text(each)} at most {each.most}")
    return "\n".join(found) or "-"


def _cost(checked: Checked, verb: str) -> str:
    work = CostBounds(checked.program, checked.bodies, Findings())
    order = some(Graph(checked.program, Findings()).order())
    work.check(order, checked.values)
    found = work.of(checked.bodies[verb])
    if found.first < 0:
        return str(found.silent)
    numbers = {"silent": found.silent, "between": found.between}
    said = [f"{name} {number}" for name, number in numbers.items() if number >= 0]
    return ", ".join([*said, f"before {found.first}", f"behind {found.last}"])


def _graph(checked: Checked, _: str) -> str:
    graph, procs = Graph(checked.program, Findings()), checked.program.procs
    own = [key for key, proc in procs.items() if proc.span.file.endswith("more.rules")]
    order = [key for key in graph.order() or () if key in own]
    calls = [(key, [callee for callee, _ in graph.calls[key]]) for key in own]
    return "\n".join(
        [
            f"order: {_names(order)}",
            *(f"{key} calls {_names(callees)}" for key, callees in calls),
            f"deciding: {_names(sorted(graph.deciding & {*own}))}",
            f"reachable: {_names(sorted(graph.reachable & {*own}))}",
        ]
    )


def _names(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _types(checked: Checked, verb: str) -> str:
    """Return the typed tree of a verb and the types of its locals."""
    key = next(each for each in checked.program.procs if each.split("/")[0] == verb)
    block = checked.program.procs[key].block
    types = {each.name: str(each.type) for each in ty.walk(block) if isinstance(each, ty.Local)}
    types.pop("me", None)
    return "\n".join(
        [*map(text, block.steps), *(f"{name}: {kind}" for name, kind in types.items())]
    )


def _declarations(checked: Checked, _: str) -> str:
    """Return all declarations in the snippet, with their computed values."""
    world = checked.program.world
    every: list[object] = [
        *(each for infos in world.procs.values() for each in infos),
        *world.kinds.values(),
        *world.pieces.values(),
        *world.places.values(),
        *world.tracks.values(),
        *world.flags.values(),
        *world.options.values(),
        *world.rivals.values(),
        *world.values.values(),
    ]
    mine = [each for each in every if _span(each).file.endswith("more.rules")]
    return "\n".join([*map(_declared, mine), *_rivals_at(checked), *_homes(checked)])


def _span(info: object) -> Span:
    span = getattr(info, "span", NOWHERE)
    assert isinstance(span, Span)
    return span


def _declared(info: object) -> str:
    parts = []
    for field in attrs.fields(type(info)):  # type: ignore[arg-type]
        said = getattr(info, field.name)
        if isinstance(said, Type):
            parts.append(str(said))
        elif isinstance(said, str | int | tuple) and said:
            parts.append(f"{field.name} {_said(said)}")
        elif isinstance(said, list) and said and attrs.has(type(said[0])):
            parts.append(f"{field.name} [{' | '.join(map(_declared, said))}]")
        elif isinstance(said, dict) and field.name in {"values", "index"}:
            parts.append(f"{field.name} {said}")
    return f"{type(info).__name__.removesuffix('Info').lower()}: {', '.join(parts)}"


def _said(said: object) -> str:
    if isinstance(said, tuple):
        return f"({', '.join(map(_said, said))})"
    return _declared(said) if attrs.has(type(said)) else str(said)


def _rivals_at(checked: Checked) -> Iterator[str]:
    world = checked.program.world
    options = {name: option.default for name, option in world.options.items()}
    for name, condition in checked.program.rival_conditions.items():
        if world.rivals[name].span.file.endswith("more.rules"):
            at = [fixed(condition, players, options) for players in range(1, 5)]
            yield f"{name} when {text(condition)}: {at}"


def _homes(checked: Checked) -> Iterator[str]:
    for name, home in checked.program.homes.items():
        if checked.program.world.pieces[name].span.file.endswith("more.rules"):
            yield f"{name} in {text(home.cells)}"


DERIVED: dict[str, Derive | None] = {
    "preconditions": lambda checked, verb: text(checked.program.guards[verb]),
    "offers": _offers,
    "outcomes": _outcomes,
    "effects": _effects,
    "intervals": _intervals,
    "cost": _cost,
    "graph": _graph,
    "types": _types,
    "termination": lambda *_: "ends",
    "refusals": None,
    "lookups": _types,
    "rich-refusals": None,
    "stuck": None,
    "exact": _exact,
    "tables": None,
    "declarations": _declarations,
    LINTS: None,
}
RICH = {"lookups", "rich-refusals", "tables", "declarations"}  # added to the rich pack


@pytest.mark.parametrize(("name", "chunk"), cases(FACTS, DERIVED), ids=str)
def test_facts(name: str, chunk: Chunk, update_golden: bool) -> None:
    path, rich = FACTS / f"{name}.txt", name in RICH
    assert answer(path, chunk, DERIVED[name], rich=rich, update=update_golden) == chunk.answer


def test_every_file_of_facts_is_read() -> None:
    assert {each.stem for each in FACTS.iterdir()} == DERIVED.keys()


def test_a_long_verb_knows_all_that_it_has_asked_for() -> None:
    needs = [f"needs note > {each}" for each in range(MANY_FACTS)]
    lines = [*needs, "may needs note > 3", "raise note by 1", "may needs note > 3"]
    fame = ["needs my fame > 3", *needs, "raise note by 1", "may needs my fame > 3"]
    assert Chunk("\n".join(lines), "").derived(_offers) == "yes\n(note > 3)"
    assert Chunk("\n".join(fame), "").derived(_offers) == "yes"
