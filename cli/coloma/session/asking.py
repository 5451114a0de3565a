"""What somebody wants to play, asked for one by one; Enter takes the default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

from coloma import loading
from coloma.bots import USUAL
from coloma.catalogue import Listed, bundled_packs, groups, introduce, usual_folder
from coloma.selection import select
from coloma.session.answers import Answers
from coloma.session.beginning import Wish
from coloma.session.cells import wrapped
from coloma.session.screen import WIDTH, Ink, Screen, shown
from rulesdsl import OptionInfo, Pack
from rulesdsl.interpreter.seat_names import check_name
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.english import option_word

_T = TypeVar("_T")
_Entry: TypeAlias = tuple[str, str, list[Listed]]  # its title, what it is about, its games
_INDENT = "     "  # below the name of a game


class Asking:
    """Asks at a keyboard; `SessionStopped` where the input ends."""

    def __init__(self, screen: Screen, answers: Answers) -> None:
        self._screen = screen
        self._answers = answers

    def wish(self) -> Wish:
        """Return what will be played."""
        folder = str(self._game().folder)
        chosen = select(folder, ())
        pack = loading.load_pack(chosen.game, chosen.mods)
        players = self._players(pack)
        bots = self._bots(players)
        names = self._names(players - bots)
        options = self._options(pack)
        return Wish(
            pack=folder, players=players, bots=(USUAL,) * bots, names=names, options=options
        )

    def _game(self) -> Listed:
        """Ask for a game by its number or name; for one of a group, after the group."""
        found = games_at_hand()
        if len(found) == 1:
            return found[0]
        by_group = groups(found)
        singly = [(_called(each), each.about, [each]) for each in by_group.pop("")]
        together = [
            (title, ", ".join(each.name or each.id for each in games), games)
            for title, games in by_group.items()
        ]
        chosen = self._which("Games", [*singly, *together], found)
        if len(chosen) > 1:
            title = next(each for each, games in by_group.items() if games is chosen)
            chosen = self._which(title, [(_called(each), "", [each]) for each in chosen], found)
        return chosen[0]

    def _which(
        self, title: str, entries: Sequence[_Entry], games: Sequence[Listed]
    ) -> list[Listed]:
        """List entries and ask for one of them by its number, or for any game by its name."""
        by_name = {name.casefold(): each for each in games for name in (each.name, each.id)}
        self._screen.line(title, Ink.TITLE)
        for number, (called, about, _) in enumerate(entries, start=1):
            self._screen.line(f"  {number}. {shown(called)}")
            for line in wrapped(shown(about), WIDTH - len(_INDENT)) if about else ():
                self._screen.line(_INDENT + line, Ink.FAINT)

        def read(text: str) -> list[Listed]:
            named = by_name.get(text.casefold())
            return [named] if named else entries[_number(text, 1, len(entries)) - 1][2]

        return self._ask(f"Which game? (1 to {len(entries)}, or its name)", "1", read)

    def _players(self, pack: Pack) -> int:
        least, most = pack.players
        if least == most:
            return least
        return self._number("How many players?", least, most, loading.usual_players(pack))

    def _bots(self, players: int) -> int:
        if players == 1:
            return 0
        return self._number("How many of them are bots?", 0, players, players - 1)

    def _names(self, people: int) -> list[str]:
        names: list[str] = []

        def read(text: str) -> str:
            check_name(text)
            if text.casefold() in map(str.casefold, names):
                raise ValueError(f"Somebody else is called {shown(text)}.")
            return text

        for player in range(1, people + 1):
            question = f"What is player {player} called?"
            names.append(self._ask(question, f"Player {player}", read))
        return names

    def _options(self, pack: Pack) -> list[str]:
        """Return the options that are not to have their default, as the command takes them."""
        chosen: dict[str, str] = {}
        while pack.options:
            self._screen.line("Options", Ink.TITLE)
            for number, option in enumerate(pack.options, start=1):
                value = chosen.get(option.name, option_word(option.default))
                self._screen.line(f"  {number}. {shown(option.title)}: {shown(value)}")
            at = self._number("Which one to change? 0 starts the game.", 0, len(pack.options), 0)
            if at == 0:
                break
            option = pack.options[at - 1]
            chosen[option.name] = self._value(option)
        return [f"{name}={value}" for name, value in chosen.items()]

    def _value(self, option: OptionInfo) -> str:
        values = ", ".join(map(option_word, option.values))
        question = f"{shown(option.title)}: {shown(values)}?"
        return self._ask(
            question, option_word(option.default), lambda text: option_word(option.parse(text))
        )

    def _number(self, question: str, least: int, most: int, usual: int) -> int:
        return self._ask(
            f"{question} ({least} to {most})", str(usual), lambda text: _number(text, least, most)
        )

    def _ask(self, question: str, usual: str, read: Callable[[str], _T]) -> _T:
        """Ask until the answer can be read; nothing but Enter is the usual one."""
        while True:
            self._screen.part(f"{question} [{shown(usual)}] ")
            try:
                return read(self._answers.next_line().strip() or usual)
            except ValueError as error:
                self._screen.line(self._answers.refuse(str(error)), Ink.WRONG)


def _called(game: Listed) -> str:
    return f"{game.name or game.id} {game.version}".rstrip()


def _number(text: str, least: int, most: int) -> int:
    """Return a number that was typed; ValueError, with what to do, where it is none of these."""
    number = int(text) if text.isdecimal() and len(text) < 10 else least - 1  # noqa: PLR2004
    if not least <= number <= most:
        raise ValueError(f"Type a number from {least} to {most}.")
    return number


def games_at_hand() -> list[Listed]:
    """Return the games that one may mean: the usual one, those of this folder, and ours.

    The usual one may be a mod, which stands for its game with it.
    """
    around = [Path(), *sorted(each.parent for each in Path().glob(f"*/{MANIFEST}"))]
    own = [introduce(each) for each in around if (each / MANIFEST).is_file()]
    others = [each for each in (*own, *bundled_packs()) if not each.is_mod]
    found = {each.folder.resolve(): each for each in (introduce(usual_folder()), *others)}
    return list(found.values())
