"""What each pass makes of a program: text in, text out."""

from __future__ import annotations

import textwrap

import attrs
import pytest

from flat_reader import read
from rulesdsl.lower.flat_text import program_text
from rulesdsl.lower.flat_verify import verify
from rulesdsl.lower.passes import OF_MODULES, SHARED


@attrs.frozen
class Case:
    """A program, and those lines of what a pass makes of it that differ in kind."""

    name: str
    before: str
    after: str


BOARD = """\
array n:pawn 10 block 0 2 block 2 4x2
array f:hurt 8 block 0 2x4
table t0 1 0 1 1
table t1 0 1 2 3
table t2 1 2 3 0
list 0 1
"""

CASES = {
    "what a loop asks by a call is asked in it": Case(
        "inline tests",
        """\
        array n:pawn 4
        function can(me, c)
            and.1 := (@n:pawn[c] <> 0)
            if and.1
                any.1 := 0
                for it.1 in 0 .. 3
                    if (@n:pawn[it.1] = me)
                        any.1 := 1
                        break
                and.1 := any.1
            return and.1
        function act(me)
            buffer found[4]
            clear &found
            for c in 0 .. 4
                if ((c <> me) and can(me, c))
                    push &found c
            return length &found
        """,
        """\
        function act(me)
            buffer found[4]
            clear &found
            for c in 0 .. 4
                if (c <> me)
                    if (@n:pawn[c] <> 0)
                        any.1~1 := 0
                        for it.1~1 in 0 .. 3
                            if (@n:pawn[it.1~1] = me)
                                any.1~1 := 1
                                break
                        and.1~1 := any.1~1
                        if and.1~1
                            push &found c
            return length &found
        """,
    ),
    "pieces on a board are found in bits": Case(
        "index sets",
        BOARD
        + """\
        function act(me)
            buffer found[4]
            clear &found
            for c in 0 .. 4
                if ((@n:pawn[(((c * 2) + me) + 2)] <> 0) and $t0[c] and (c <> me))
                    push &found c
            return length &found
        """,
        """\
        function act(me)
            buffer found[4]
            clear &found
            for c in bits (@bits:n:pawn:2:0[me] & 13)
                if (c <> me)
                    push &found c
            return length &found
        """,
    ),
    "free places are those without any": Case(
        "index sets",
        BOARD
        + """\
        function act()
            for c in 0 .. 4
                if not ((@n:pawn[((c * 2) + 2)] <> 0) or (@n:pawn[((c * 2) + 3)] <> 0))
                    first := c
                    break
            return 1
        """,
        """\
        function act()
            for c in bits ((@bits:n:pawn:2:0[0] | @bits:n:pawn:2:0[1]) ^ 15)
                first := c
                break
            return 1
        """,
    ),
    "what is stored keeps its bit": Case(
        "index sets",
        BOARD
        + """\
        function act(s)
            @f:hurt[((s * 4) + 1)] := 1
            fill @f:hurt 0
            fill @f:hurt 1
            @n:pawn[3] := 1
            for c in 0 .. 4
                if @f:hurt[((s * 4) + c)]
                    break
            return 1
        """,
        """\
        function act(s)
            kept!b1 := ((s * 4) + 1)
            @f:hurt[kept!b1] := 1
            @bits:f:hurt:0:1[$b3[kept!b1]] := ((@bits:f:hurt:0:1[$b3[kept!b1]] & \
($b4[kept!b1] ^ -1)) | ((@f:hurt[kept!b1] <> 0) ? $b4[kept!b1] : 0))
            fill @f:hurt 0
            fill @bits:f:hurt:0:1 0
            fill @f:hurt 1
            @bits:f:hurt:0:1[0] := 15
            @bits:f:hurt:0:1[1] := 15
            @bits:f:hurt:0:1[2] := 0
            @n:pawn[3] := 1
            for c in bits @bits:f:hurt:0:1[$b3[(s * 4)]]
                break
            return 1
        """,
    ),
    "several cells that tables name are one word": Case(
        "index sets",
        BOARD
        + """\
        function act(me, l)
            return ((@n:pawn[(me + (($t1[l] * 2) + 2))] <> 0) \
and (@n:pawn[(me + (($t2[l] * 2) + 2))] <> 0) and (l <> me))
        """,
        """\
        function act(me, l)
            return (((@bits:n:pawn:2:0[me] & $b5[l]) = $b5[l]) and (l <> me))
        """,
    ),
    "what an earlier part rules out is not looked at": Case(
        "index sets",
        BOARD
        + """\
        function act(me)
            for c in 0 .. 4
                if ((me >= 0) and (@n:pawn[(((c * 2) + me) + 2)] <> 0))
                    break
            return 1
        """,
        "",
    ),
    "a loop that changes the board looks at each cell": Case(
        "index sets",
        BOARD
        + """\
        function act(me)
            for c in 0 .. 4
                if (@n:pawn[(((c * 2) + me) + 2)] <> 0)
                    @n:pawn[(me + 2)] := 0
            return 1
        """,
        "",
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_what_a_pass_makes(what: str) -> None:
    case = CASES[what]
    head, function, rest = case.before.partition("        function")
    before = textwrap.dedent(head) + textwrap.dedent(function + rest)
    flat = read(before)
    verify(flat)

    (SHARED | OF_MODULES)[case.name](flat)

    verify(flat)
    functions = program_text(flat).partition("function act")
    expected = textwrap.dedent(case.after) or f"function{before.partition('function')[2]}"
    assert "".join(functions[1:]) == expected
