from __future__ import annotations

import pytest

from check.small import FILES, check

VERBS = "verb v-{}: v-{}"
LAST_VERB = "verb v-0: raise note by 1"
VALUES = "value v-{}: 1 + v-{}"
SUMS = "value v-{}: all rooms where position of it > v-{}"  # each thing is one deeper, too
LAST_VALUE = "value v-0: 1"
MIXED = "verb v-{}:\n    act\n    v-{}\n    raise note by 1"
LAST_MIXED = "verb v-0: raise note by w-60"
WORTH = "".join(f"value w-{at + 1}: w-{at} + 1\n" for at in range(60)) + "value w-0: 1"


def _chain(length: int, link: str, last: str) -> str:
    return "\n".join([*(link.format(at + 1, at) for at in range(length)), last])


CHAINS = {
    "verbs": (99, VERBS, LAST_VERB),
    "values": (99, VALUES, LAST_VALUE),
    "conditions of things": (49, SUMS, f"{LAST_VALUE}\nkind room: hall"),
    "verbs and values": (38, MIXED, f"{LAST_MIXED}\n{WORTH}"),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_of_calls_goes_so_deep(name: str) -> None:
    assert _found(_chain(*CHAINS[name])) == []


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_is_refused_that_goes_deeper(name: str) -> None:
    length, link, last = CHAINS[name]
    names = [f"v-{length + 1 - at}" for at in range(3)]
    end = "w-2 -> w-1 -> w-0" if "w-" in last else "v-2 -> v-1 -> v-0"

    (said,) = _found(_chain(length + 1, link, last))

    assert said == (
        f"E407 These calls go 101 deep; the limit is 100: {' -> '.join(names)} -> ... -> {end}."
    )


def _branches(deep: int, many: int, around: str = "") -> str:
    """Return conditions in one another, each with so many branches, the last `otherwise`."""
    lines = ["act"]
    for _ in range(deep):
        others = [f"otherwise if note > {at}: act" for at in range(1, many - 1)]
        lines = ["if note > 0:", *(f"    {each}" for each in lines), *others]
    if around:
        lines = [around, *(f"    {each}" for each in lines)]
    return "\n".join(["verb try:", *(f"    {each}" for each in lines)])


@pytest.mark.parametrize(
    "lines",
    [_branches(5, 20), _branches(4, 30, "repeat 1 times:"), _branches(5, 19, "repeat 1 times:")],
)
def test_steps_and_branches_stand_in_one_another(lines: str) -> None:
    assert _found(lines) == []


@pytest.mark.parametrize(
    ("lines", "levels"),
    [
        (_branches(5, 20, "repeat 1 times:"), 101),
        (_branches(5, 30, "repeat 1 times:"), 101),
        (_branches(6, 20), 120),
    ],
)
def test_too_many_steps_and_branches_are_refused(lines: str, levels: int) -> None:
    said = f"Steps and branches are nested {levels} deep here; the limit is 100."
    assert _found(lines) == [f"E407 {said}"]


def _found(lines: str) -> list[str]:
    return [f"{each.code} {each.message}" for each in check(lines, FILES)[1]]
