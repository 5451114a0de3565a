"""An option of one world in another that looks the same to one player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.interpreter.knowledge.frames import swapped, taken
from rulesdsl.lower import form as fm
from soak.playing import state_of

if TYPE_CHECKING:
    import rulesdsl
    from rulesdsl.check import typed as ty
    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.knowledge.hidden_tracks import Swaps


def carried(
    game: rulesdsl.Game, other: rulesdsl.Game, player: int, index: int, swaps: Swaps, *, same: bool
) -> int | None:
    """Return which option of another world is the same to who looks on; None where none is.

    Of what is chosen in secret, that is the piece that lies there in its place.
    """
    if same:
        return index
    ask = game.setting.engine.asks[state_of(game).frames[-1][0]]
    here = _options(game, player)[index]
    secret = ask.sealed or ask.secret(here)
    wanted = carried_raw(ask, here, swaps) if secret else here
    there = _options(other, player)
    return there.index(wanted) if wanted in there else None


def _options(game: rulesdsl.Game, player: int) -> list[int]:
    st = state_of(game)
    sealed = game.setting.engine.asks[st.frames[-1][0]].sealed
    return list(st.options[player - 1] if sealed else st.options)


def chosen_from(ask: Ask, option: int) -> ty.Domain | None:
    """Return where the thing that an option names is chosen from."""
    found = None if ask.sealed else ask.domain(option)
    return found and found.unfiltered


def carried_raw(ask: Ask, option: int, swaps: Swaps) -> int:
    """Return an option with the pieces that lie there in the place of those that it names."""
    if ask.plain:
        domain = ask.domain(option)
        return option if domain is None else int(swapped(domain.element, swaps)(option))
    assert isinstance(ask.end, fm.Ask)
    return int(taken(ask.end.lines, swaps)(option))
