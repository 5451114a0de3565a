"""What values read and steps write: the ground for deciding what stays true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty

if TYPE_CHECKING:
    from rulesdsl.check.program import Program

Cell = tuple[str, str, str]  # ("n" | "l" | "s" | "t" | "f", piece or track or flag, place)
Cells = frozenset[Cell]
NONE: Cells = frozenset()


class Effects:
    """Read and write sets, per kind of places and pieces, per track, per flag."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._proc_writes: dict[str, Cells] = {}
        self._value_reads: dict[tuple[str, int], Cells] = {}
        self._guard_reads: dict[str, Cells] = {}
        self._open: set[object] = set()

    # ---------------------------------------------------------------- cells of pieces
    def cell(self, piece: str, place: str) -> Cell:
        """Return the cell that a kind of pieces in a kind of places is counted in."""
        style = self.program.world.pieces[piece].style
        if style == "single":
            return ("s", piece, "")
        return ("n" if style == "counted" else "l", piece, place)

    def everywhere(self, piece: str) -> Cells:
        """Return the cells of all places that hold a kind of pieces."""
        places = self.program.world.places.values()
        return frozenset(self.cell(piece, each.name) for each in places if piece in each.holds)

    # ---------------------------------------------------------------- reads
    def reads(self, node: ty.Node) -> Cells:  # noqa: C901, PLR0912 - one case a node
        """Return what a value looks at."""
        found: set[Cell] = set()
        for each in ty.walk(node):
            match each:
                case ty.TrackCell():
                    found.add(("t", each.track, ""))
                case ty.FlagCell():
                    found.add(("f", each.flag, ""))
                case ty.Lying():
                    found.add(self.cell(each.piece, each.cells.place))
                case ty.EndPieces() | ty.EndOf():
                    found.add(self.cell(each.piece, each.cells.place))
                case ty.Located():
                    found |= self.everywhere(each.piece)
                case ty.CallValue():
                    found |= self._reads_of_value(each.name, each.layer)
                case ty.ScoreOf():
                    for line in self.program.world.scores:
                        found |= self._reads_of_value(line.name, len(line.hooks))
                case ty.StandingOf():
                    found |= self._reads_of_ranking()
                case ty.Formula():
                    for (kind, field, _, _), body in self.program.formulas.items():
                        if (kind, field) == (each.kind, each.field):
                            found |= self.reads(body)
                case ty.Can():
                    found |= self._reads_of_guard(each.proc)
                case ty.CanDo():
                    for proc in self.program.column(each.kind, each.field, None, None):
                        found |= self._reads_of_guard(proc)
                case _:
                    pass
        return frozenset(found)

    def _reads_of_value(self, name: str, layer: int) -> Cells:
        key = (name, layer)
        if key in self._value_reads:
            return self._value_reads[key]
        if key in self._open or key not in self.program.values:
            return NONE
        self._open.add(key)
        found = self.reads(self.program.values[key].body)
        self._open.discard(key)
        self._value_reads[key] = found
        return found

    def _reads_of_guard(self, proc: str) -> Cells:
        """Return what a guard looks at, once it is known; guards ask for each other in turn."""
        if proc not in self.program.guards:
            return NONE
        if proc not in self._guard_reads:
            self._guard_reads[proc] = self.reads(self.program.guards[proc])
        return self._guard_reads[proc]

    def _reads_of_ranking(self) -> Cells:
        key = ("standing", 0)
        if key in self._open:
            return NONE
        self._open.add(key)
        found = NONE.union(*(self.reads(value) for _, value in self.program.ranking))
        self._open.discard(key)
        return found

    # ---------------------------------------------------------------- writes
    def writes(self, node: ty.Node) -> Cells:  # noqa: C901, PLR0912 - one case a step
        """Return what steps may change, calls included."""
        found: set[Cell] = set()
        for each in ty.walk(node):
            match each:
                case ty.MoveCounted():
                    found.add(self.cell(each.piece, each.source.place))
                    found.add(self.cell(each.piece, each.target.place))
                case ty.MoveSingle():
                    found.add(("s", each.piece, ""))
                case ty.MovePrinted():
                    found |= self._left(each.piece, each.subject)
                    found.add(self.cell(each.piece, each.target.place))
                case ty.MoveSome():
                    base = each.domain.unfiltered
                    if isinstance(base, ty.Lying | ty.EndPieces):
                        found.add(self.cell(base.piece, base.cells.place))
                        found.add(self.cell(base.piece, each.target.place))
                case ty.ChangeTrack():
                    found.add(("t", each.track, ""))
                case ty.SetFlag():
                    found.add(("f", each.flag, ""))
                case ty.ShiftPiece():
                    found |= self._stacks(each.piece)
                case ty.ShuffleCells():
                    for piece in self.program.world.places[each.cells.place].holds:
                        found.add(self.cell(piece, each.cells.place))
                case ty.Run():
                    found |= self.proc_writes(each.proc)
                case ty.DoField():
                    key = self.key_name(each)
                    for proc in self.program.column(each.kind, each.field, key, None):
                        found |= self.proc_writes(proc)
                case _:
                    pass
        return frozenset(found)

    def _left(self, piece: str, subject: ty.Value) -> Cells:
        if isinstance(subject, ty.EndOf):
            return frozenset({self.cell(piece, subject.cells.place)})
        return self.everywhere(piece)

    def _stacks(self, piece: str) -> Cells:
        places = self.program.world.places.values()
        return frozenset(
            self.cell(piece, each.name) for each in places if each.stack and piece in each.holds
        )

    def proc_writes(self, key: str) -> Cells:
        """Return what a procedure may change."""
        if key in self._proc_writes:
            return self._proc_writes[key]
        if key in self._open or key not in self.program.procs:
            return NONE
        self._open.add(key)
        found = self.writes(self.program.procs[key].block) | self._activation(key)
        self._open.discard(key)
        self._proc_writes[key] = found
        return found

    def _activation(self, key: str) -> Cells:
        world = self.program.world
        name = self.program.procs[key].title
        flags = {("f", flag.name, "") for flag in world.flags.values() if flag.during == name}
        tracks = {("t", t.name, "") for t in world.tracks.values() if t.during == name}
        return frozenset(flags | tracks)

    def key_name(self, step: ty.DoField) -> str | None:
        """Return the column of `do`, where it is fixed."""
        if isinstance(step.key, ty.Const) and step.key.value >= 0:
            per = self.program.world.kinds[step.kind].fields[step.field].per
            if per is not None:
                return self.program.world.kinds[per].entries[step.key.value].name
        return None
