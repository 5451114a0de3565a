"""Packs that take one thing too far: chains, towers, products, numbers without an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

MANIFEST = """\
id = "drawn"
name = "Drawn"
version = "1.0.0"
kind = "game"
players = { least = 2, most = 3 }
"""

Lines = list[str]


def extreme(chance: random.Random) -> dict[str, str]:
    """Return the files of a pack that takes something too far."""
    size = chance.choice((3, 8, 14, 16, 40, 120, 250, 600, 1500))
    way: Callable[[random.Random, int], Lines] = chance.choice(WAYS)
    lines = [
        "piece coin 20 in bank",
        "place bank holds coin",
        "place purse per player holds coin",
        "track fame per player",
        "track steps from 0..1000",
        *way(chance, size),
        'score own "Own": my fame',
        "win with most score",
        'panel "All": bank, steps',
        'panel "Own" per player: purse, fame',
    ]
    return {"pack.toml": MANIFEST, "game.rules": "\n".join(lines) + "\n"}


def _game(*lines: str) -> Lines:
    return ["step game:", "    raise steps by 1000", "    for each player:"] + [
        f"        {line}" for line in lines
    ]


def _stacked_hooks(chance: random.Random, size: int) -> Lines:
    """Return a value with many hooks, each of which asks for the layer beneath."""
    when = chance.choice(["", " when fame of me > {at}", " when steps > {at}"])
    hooks = [
        f"instead of value might of seat{when.format(at=at)}: my might + {chance.randint(1, 3)}"
        for at in range(min(size, 250))
    ]
    return ["value might of seat: my fame", *hooks, *_game("raise my fame by my might")]


def _two_cases(chance: random.Random, size: int) -> Lines:
    """Return values of two cases that both ask the one below."""
    size = min(size, 250)
    lines = ["value v0 of seat: my fame"]
    for at in range(1, size + 1):
        below = f"v{at - 1} of me"
        test = chance.choice([f"my fame > {at}", f"{below} > {at}"])
        lines += [f"value v{at} of seat:", f"    {below} + 1 if {test}", f"    otherwise {below}"]
    return [*lines, *_game(f"raise my fame by v{size} of me")]


def _squares(chance: random.Random, size: int) -> Lines:
    """Return numbers that are multiplied with themselves again and again."""
    size = min(size, 60)
    if chance.random() < 1 / 2:
        lines = ["let a0 = steps + 9"]
        lines += [f"let a{at} = a{at - 1} * a{at - 1}" for at in range(1, size)]
        last = f"a{size - 1}"
        use = chance.choice(
            [f"raise my fame by {last}", f"if {last} > 9: raise my fame by {last} / 3"]
        )
        return _game(*lines, use)
    lines = ["value v0: steps + 9"]
    lines += [f"value v{at}: v{at - 1} * v{at - 1}" for at in range(1, size)]
    last = f"v{size - 1}"
    return [*lines, f'score big "Big": {last}', *_game(f"raise my fame by {last}")]


def _chain(chance: random.Random, size: int) -> Lines:
    """Return verbs or values that each call the one before."""
    if chance.random() < 1 / 2:
        lines = ["value v0 of seat: my fame"]
        lines += [f"value v{at} of seat: v{at - 1} of me + 1" for at in range(1, size)]
        return [*lines, *_game(f"raise my fame by v{size - 1} of me")]
    lines = ["verb do0: raise my fame by 1"]
    asks = chance.choice(["", "may "])
    lines += [f"verb do{at}: {asks}do{at - 1}" for at in range(1, size)]
    return [*lines, *_game(f"do{size - 1}")]


def _rounds(chance: random.Random, size: int) -> Lines:
    """Return loops in loops, whose number comes from a track."""
    depth = 2 + size % 4
    head = chance.choice(["repeat steps times", "for each number {name} in 1..steps"])
    lines, margin = [], "        "
    for at in range(depth):
        lines.append(f"{margin}{head.format(name=f'i{at}')}:")
        margin += "    "
    lines.append(f"{margin}raise my fame by 1")
    return [*_game("nothing"), *lines]


def _searches(chance: random.Random, size: int) -> Lines:
    """Return things that are looked for among things among things."""
    many = chance.choice((10, 100, 1000))
    lines = [
        f'piece chip "Chip" {chance.choice((1, 2))} in heap:',
        "    worth: number = 0",
        *[line for at in range(3) for line in (f"chip c{at}:", f"    worth = {at}")],
        "place heap holds chip",
        f"kind mark: {', '.join(f'm{at}' for at in range(many))}",
        "flag seen per mark",
    ]
    depth = 2 + size % 2
    text = "seen"
    for _ in range(depth):
        text = f"(all marks where {text} or position of it > 1) > 0"
    return [*lines, *_game(f"if {text}: raise my fame by 1")]


def _cells(chance: random.Random, size: int) -> Lines:
    """Return a flag or a track of very many cells."""
    many = min(size * 2, 1500)
    word = chance.choice(["flag t", "track t"])
    pers = " per big" * chance.choice((1, 2, 3, 4))
    return [
        f"kind big: {', '.join(f'm{at}' for at in range(many))}",
        f"{word}{pers}",
        *_game("raise my fame by 1"),
    ]


def _many_pieces(chance: random.Random, size: int) -> Lines:
    """Return very many pieces."""
    return [
        f"piece chip {chance.choice((1, 999, 1000))} per player in heap:",
        "    worth: number = 0",
        *[line for at in range(min(size, 1000)) for line in (f"chip c{at}:", "    worth = 1")],
        "place heap holds chip",
        *_game("raise my fame by 1"),
    ]


def _long_menu(chance: random.Random, size: int) -> Lines:
    """Return a menu of lines for each of very many things."""
    many, copies = chance.choice(((1, 60), (3, 30), (66, 2), (65, 1000), (66, 1000), (70, 1000)))
    return [
        f"piece chip {copies} in heap:",
        "    worth: number = 0",
        *[line for at in range(many) for line in (f"chip c{at}:", f"    worth = {size}")],
        "stack heap holds chip",
        *_game(
            "menu:",
            '    once "Left" for each chip c in heap: raise my fame by 1',
            '    once "Right" for each chip c in heap: raise my fame by 2',
        ),
    ]


def _needs(chance: random.Random, size: int) -> Lines:
    """Return a verb that asks for very many things."""
    tests = [f"steps > {at} or my fame > {chance.randint(0, 9)}" for at in range(min(size, 300))]
    return ["verb ask:", *[f"    needs {test}" for test in tests], *_game("if able: ask")]


WAYS: tuple[Callable[[random.Random, int], Lines], ...] = (
    _stacked_hooks,
    _two_cases,
    _squares,
    _chain,
    _rounds,
    _searches,
    _cells,
    _many_pieces,
    _long_menu,
    _needs,
)
