"""What can be chosen for the steps that follow: the things for which these can be carried out."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.proofs import atoms, both, narrowed, uses


def candidates(name: str, domain: ty.Domain, guard: ty.Value) -> ty.Domain | None:
    """Return the things of a domain that keep a guard true which speaks of them by a name.

    None where they are pieces that lie anywhere, and nothing says where.
    """
    about = [atom for atom in atoms(guard) if uses(atom, name)]
    base = domain.base if isinstance(domain, ty.Filtered) else domain
    if not isinstance(base, ty.AnyWhere):
        return narrowed(domain, name, both(*about))
    if isinstance(domain, ty.Filtered):
        mine = ty.Local(name, type=domain.element)
        about += atoms(ty.substitute(domain.condition, domain.variable, mine))
    for place in about:
        if isinstance(place, ty.MemberOf) and _says_where(place, name):
            about.remove(place)
            return narrowed(place.domain, name, both(*about))
    return None


def _says_where(member: ty.MemberOf, name: str) -> bool:
    return (
        isinstance(member.subject, ty.Local)
        and member.subject.name == name
        and isinstance(member.domain, ty.Lying)
        and not uses(member.domain, name)
    )
