from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.prover import MAX_RECENT, Cells, FactSet
from rulesdsl.check.symbols.types import YES_NO, piece

HEAP = ty.Lying("coin", ty.Cells("heap", ()), element=piece("coin"))


def _above(name: str) -> ty.Value:
    return ty.Comparison(">", ty.TrackCell(name, ()), ty.Const(0), type=YES_NO)


def _reads(node: ty.Node) -> Cells:
    return frozenset(
        ("track", each.track, "") for each in ty.walk(node) if isinstance(each, ty.TrackCell)
    )


ABOUT = ty.Comparison(">", ty.CountOf(HEAP), ty.TrackCell("round", ()), type=YES_NO)
LATER = ty.Comparison("<", ty.CountOf(HEAP), ty.TrackCell("late", ()), type=YES_NO)
MANY = [ABOUT, *(_above(f"track-{at}") for at in range(MAX_RECENT))]


def test_the_first_of_many_conditions_is_known_and_found_by_what_it_is_about() -> None:
    known = FactSet(_reads) | MANY | [LATER, ABOUT]

    assert list(known) == [*MANY, LATER]
    assert all(each in known for each in [*MANY, LATER])
    assert _above("else") not in known
    assert list(known.about(HEAP)) == [ABOUT, LATER]


def test_what_is_written_is_forgotten_of_old_and_new_conditions() -> None:
    known = FactSet(_reads) | MANY | [LATER]

    assert known.without(frozenset([("track", "else", "")])) is known
    for name, left in {"round": [LATER], "late": [ABOUT]}.items():
        less = known.without(frozenset([("track", name, "")]))
        assert list(less.about(HEAP)) == left
        assert len(list(less)) == len(MANY)
