"""Changes of hidden tracks and flags that those who do not see them can follow."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.secrecy.disclosure import Disclosure
from rulesdsl.check.analysis.secrecy.visibility import ALL, Sights

_PRINTED = (
    *(ty.Const, ty.Arith, ty.Seats, ty.SettingValue),
    *(ty.Negation, ty.And, ty.Or, ty.Comparison),
)


class FollowedChanges:
    """Judge of the changes of which everybody knows the amount, though not the outcome."""

    def __init__(self, see: Disclosure) -> None:
        self.see = see
        self._drawn: set[tuple[str, str]] = set()  # procedures and locals

    def draw(self, proc: str, name: str) -> None:
        """Note a local with a random value that is in no log."""
        self._drawn.add((proc, name))

    def is_followed(self, step: ty.ChangeTrack | ty.SetFlag, sights: Sights, proc: str) -> bool:
        """Return whether everybody can compute the change; `sights` are those of its moment."""
        see, world = self.see, self.see.world
        info = world.flags[step.flag] if isinstance(step, ty.SetFlag) else world.tracks[step.track]
        seen_by = info.seen_by
        if seen_by is None and not any(see.has_face(index.type.of) for index in step.dims):
            return False
        if see.faces(step.dims, sights) is not ALL:
            return False
        if isinstance(step, ty.SetFlag):
            return seen_by is None
        if seen_by is not None and self.is_drawn(step.amount, proc):
            return False
        public = see.face(step.result or step.amount, sights) is ALL
        return public or (seen_by is not None and self._is_printed(step.amount, sights))

    def is_drawn(self, value: ty.Value, proc: str) -> bool:
        """Return whether a value depends on a random result other than a piece."""
        return any(
            node.type.family != "piece"
            and (isinstance(node, ty.RandomOf) or (proc, node.name) in self._drawn)
            for node in ty.walk(value)
            if isinstance(node, ty.RandomOf | ty.Local)
        )

    def _is_printed(self, amount: ty.Value, sights: Sights) -> bool:
        piece: ty.Local | None = None
        if isinstance(amount, ty.SumOf):
            domain = amount.domain
            if not isinstance(domain, ty.Lying) or self.see.number(domain, sights) is not ALL:
                return False
            piece, amount = ty.Local(amount.variable, type=domain.element), amount.amount
        elif any(
            self.see.which(part, sights) is not ALL
            for part in ty.walk(amount)
            if isinstance(part, ty.Local)
        ):
            return False
        for part in ty.walk(amount):
            if isinstance(part, ty.Local):
                piece = piece or part
                if part != piece or not self.see.has_face(part.type.of):
                    return False
            elif isinstance(part, ty.FieldOf):
                if part.key or not isinstance(part.subject, ty.Local):
                    return False
            elif not isinstance(part, _PRINTED):
                return False
        return True
