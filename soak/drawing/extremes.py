"""Packs that push one construct to its limits: chains, nesting, products, large numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from soak.drawing.box import Chance

RULES = """\
piece coin 20 in bank
place bank holds coin
place purse per player holds coin
track fame per player
track steps from 0..1000
{way}
score own "Own": my fame
win with most score
panel "All": bank, steps
panel "Own" per player: purse, fame
"""
SIZES = (3, 8, 14, 16, 40, 120, 250, 600, 1500)

Lines = list[str]


def extreme(chance: Chance) -> str:
    """Return rules with one extreme feature."""
    way: Callable[[Chance, int], Lines] = chance.choice(WAYS)
    return RULES.format(way="\n".join(way(chance, chance.choice(SIZES))))


def _game(*lines: str) -> Lines:
    head = ["step game:", "    raise steps by 1000", "    for each player:"]
    return [*head, *(f"        {line}" for line in lines)]


def _chips(entries: int, count: str, place: str = "place heap holds chip") -> Lines:
    fields = (line for at in range(entries) for line in (f"chip c{at}:", "    worth = 1"))
    return [f"piece chip {count} in heap:", "    worth: number = 0", *fields, place]


def _stacked_hooks(chance: Chance, size: int) -> Lines:
    when = chance.choice(["", " when fame of me > {at}", " when steps > {at}"])
    hooks = (
        f"instead of value might of seat{when.format(at=at)}: my might + {chance.randint(1, 3)}"
        for at in range(min(size, 250))
    )
    return ["value might of seat: my fame", *hooks, *_game("raise my fame by my might")]


def _two_cases(chance: Chance, size: int) -> Lines:
    lines = ["value v0 of seat: my fame"]
    for at in range(1, min(size, 250) + 1):
        test = chance.choice([f"my fame > {at}", f"v{at - 1} of me > {at}"])
        lines += [f"value v{at} of seat:", f"    v{at - 1} of me + 1 if {test}"]
        lines += [f"    otherwise v{at - 1} of me"]
    return [*lines, *_game(f"raise my fame by v{min(size, 250)} of me")]


def _squares(chance: Chance, size: int) -> Lines:
    last = min(size, 60) - 1
    if chance.one_in(2):
        lets = (f"let a{at} = a{at - 1} * a{at - 1}" for at in range(1, last + 1))
        uses = [f"raise my fame by a{last}", f"if a{last} > 9: raise my fame by a{last} / 3"]
        return _game("let a0 = steps + 9", *lets, chance.choice(uses))
    values = (f"value v{at}: v{at - 1} * v{at - 1}" for at in range(1, last + 1))
    score = f'score big "Big": v{last}'
    return ["value v0: steps + 9", *values, score, *_game(f"raise my fame by v{last}")]


def _chain(chance: Chance, size: int) -> Lines:
    if chance.one_in(2):
        values = (f"value v{at} of seat: v{at - 1} of me + 1" for at in range(1, size))
        return [
            "value v0 of seat: my fame",
            *values,
            *_game(f"raise my fame by v{size - 1} of me"),
        ]
    asks = chance.choice(["", "may "])
    verbs = (f"verb do{at}: {asks}do{at - 1}" for at in range(1, size))
    return ["verb do0: raise my fame by 1", *verbs, *_game(f"do{size - 1}")]


def _rounds(chance: Chance, size: int) -> Lines:
    head = chance.choice(["repeat steps times:", "for each number i{at} in 1..steps:"])
    depth = 2 + size % 4
    loops = [f"{'    ' * at}{head.format(at=at)}" for at in range(depth)]
    return _game(*loops, f"{'    ' * depth}raise my fame by 1")


def _searches(chance: Chance, size: int) -> Lines:
    marks = ", ".join(f"m{at}" for at in range(chance.choice((10, 100, 1000))))
    text = "seen"
    for _ in range(2 + size % 2):
        text = f"(all marks where {text} or position of it > 1) > 0"
    return [f"kind mark: {marks}", "flag seen per mark", *_game(f"if {text}: raise my fame by 1")]


def _cells(chance: Chance, size: int) -> Lines:
    names = ", ".join(f"m{at}" for at in range(min(size * 2, 1500)))
    cells = f"{chance.choice(['flag t', 'track t'])}{' per big' * chance.choice((1, 2, 3, 4))}"
    return [f"kind big: {names}", cells, *_game("raise my fame by 1")]


def _many_pieces(chance: Chance, size: int) -> Lines:
    count = f"{chance.choice((1, 999, 1000))} per player"
    return [*_chips(min(size, 1000), count), *_game("raise my fame by 1")]


def _long_menu(chance: Chance, _: int) -> Lines:
    many, copies = chance.choice(((1, 60), (3, 30), (66, 2), (65, 1000), (66, 1000), (70, 1000)))
    line = '    once "{}" for each chip c in heap: raise my fame by 1'
    menu = ["menu:", line.format("Left"), line.format("Right")]
    return [*_chips(many, str(copies), "stack heap holds chip"), *_game(*menu)]


def _needs(chance: Chance, size: int) -> Lines:
    tests = (f"steps > {at} or my fame > {chance.randint(0, 9)}" for at in range(min(size, 300)))
    return ["verb ask:", *(f"    needs {test}" for test in tests), *_game("if able: ask")]


WAYS = (
    *(_stacked_hooks, _two_cases, _squares, _chain, _rounds),
    *(_searches, _cells, _many_pieces, _long_menu, _needs),
)
