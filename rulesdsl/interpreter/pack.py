"""A loaded pack: its options, its rulebook, and its games."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check.typed.program import Program
from rulesdsl.interpreter.arguments import checked_names, excerpt, names_of_save, texts, whole
from rulesdsl.interpreter.arguments import table as given_table
from rulesdsl.interpreter.compile import compile_engine, compile_on_demand
from rulesdsl.interpreter.display.rulebook import TextReader, filled
from rulesdsl.interpreter.game import Game, IllegalChoice
from rulesdsl.interpreter.program_classes import PROGRAM
from rulesdsl.interpreter.saves import SaveError, Uncopied, listed, number, of_type, table
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.lower.flat.walk import MAX_NUMBER
from rulesdsl.lower.layout import Layout
from rulesdsl.packs.overlay import read_layers
from rulesdsl.source import cache as disk
from rulesdsl.source.diagnostics import Findings, LintError, Severity
from rulesdsl.source.english import option_word, so_many
from rulesdsl.source.ranges import SEED
from rulesdsl.source.render import in_short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from rulesdsl.check.symbols.symbol_table import OptionSymbol as Declared
    from rulesdsl.interpreter.display.rulebook import Rulebook
    from rulesdsl.interpreter.reasons.why_not import Action
    from rulesdsl.interpreter.simulator.simulator import Simulator
    from rulesdsl.packs.overlay import Layered


OptionValue = bool | int | str
_MOST_PACKS = 16  # house: packs that a process keeps for games sent to it
DIGEST_SHOWN = 12  # hexadecimal digits, like an abbreviated Git hash
_SAVED = ("pack", "mods", "digest", "players", "names", "options", "seed", "log")


@attrs.frozen
class OptionInfo:
    """An option of a game: its name, title, default and possible values."""

    name: str
    title: str
    default: OptionValue
    values: tuple[OptionValue, ...]

    def parse(self, text: str) -> OptionValue:
        """Return the value that a string denotes; raise ValueError if there is none."""
        for value in self.values:
            if isinstance(value, bool):
                if text.lower() in (("on", "true", "yes") if value else ("off", "false", "no")):
                    return value
            elif str(value) == text:
                return value
        raise ValueError(self.wrong(text))

    def wrong(self, value: object) -> str:
        """Return the error message for an invalid value."""
        known = ", ".join(map(option_word, self.values))
        return f"option {self.name} cannot be {in_short(str(value))}: it must be one of {known}"


@attrs.define
class Pack(Uncopied):
    """A game's content, checked and lowered; `digest` changes with any of its files."""

    id: str
    name: str
    version: str
    digest: str = attrs.field(repr=lambda digest: repr(digest[:DIGEST_SHOWN]))
    files: dict[str, str] = attrs.field(repr=False)
    players: tuple[int, int]
    mods: tuple[str, ...]
    program: Program = attrs.field(repr=False)
    layers: Layered = attrs.field(repr=False)
    key: str = attrs.field(default="", repr=False)
    """The key of its compiled forms in the disk cache; empty for no caching."""
    on_demand: bool = attrs.field(default=False, repr=False)
    """True to compile each function of code with a log on its first call, for short sessions."""
    _settings: dict[tuple[object, ...], CompiledSetting] = attrs.field(
        factory=dict, init=False, repr=False
    )
    _usual: dict[tuple[int, bool], CompiledSetting] = attrs.field(
        factory=dict, init=False, repr=False
    )

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of the game and its mods."""
        return tuple(layer.folder.resolve() for layer in self.layers.packs)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle the folders; the pack is loaded again, once in each process."""
        return restored_pack, (self.digest, self.folders)

    @property
    def options(self) -> tuple[OptionInfo, ...]:
        """The options of the game."""
        return tuple(_option(each) for each in self.program.world.options.values())

    def new_game(
        self,
        players: int = 2,
        seed: int = 0,
        options: Mapping[str, OptionValue] | None = None,
        *,
        names: Sequence[str] = (),
        log: bool = True,
    ) -> Game:
        """Begin a game; the same seed, options and choices give the same game on any machine.

        `names` are those of the players in seat order; the default for seat 3 is `Player 3`.

        Raises ValueError for an unsupported number of players, an unknown option or value, or
        names that are not distinct.
        """
        players, seed = whole("players", players), whole("seed", seed, SEED)
        setting = self._usual.get((players, log)) if not options else None
        if setting is None:
            setting = self.setting(players, options or {}, log=log)
            if not options:
                self._usual[players, log] = setting
        if names:
            named = checked_names(texts("names", names), setting.layout)
            setting = setting.with_names(named)
        return Game.begin(setting, seed)

    def rulebook(
        self, players: int | None = None, options: Mapping[str, OptionValue] | None = None
    ) -> Rulebook:
        """Return the rulebook for a player count and options; empty if the game has no pages.

        Raises ValueError as `new_game` does, and LintError if a page has errors.
        """
        from rulesdsl.check.rulebook import read_book  # noqa: PLC0415 - rarely needed

        findings = Findings()
        book = read_book(self.layers, self.program.world, findings)
        if findings.has_errors:
            raise LintError(findings.sorted(), self.layers.sources)
        values = {**self.program.values, **book.values}
        program = attrs.evolve(self.program, procs={}, guards={}, values=values)
        least, most = self.players
        usual = min(max(2, least), most) if players is None else players
        only_values = attrs.evolve(self, program=program, key="")
        setting = only_values.setting(usual, options or {}, log=False)
        return filled(book, TextReader(setting.labels, setting.box))

    def actions(
        self, players: int = 2, options: Mapping[str, OptionValue] | None = None
    ) -> tuple[Action, ...]:
        """Return all options that a game for `players` players can ever offer.

        Raises ValueError as `new_game` does.
        """
        return self.setting(players, options or {}, log=True).actions

    def simulator(
        self, players: int = 2, options: Mapping[str, OptionValue] | None = None
    ) -> Simulator:
        """Return a simulator for bulk random playouts, from the beginning or from any position.

        Raises ValueError as `new_game` does.
        """
        from rulesdsl.interpreter.simulator.simulator import Simulator  # noqa: PLC0415 - heavy

        return Simulator(self.setting(players, options or {}, log=False, careful=True))

    def setting(
        self, players: int, options: Mapping[str, OptionValue], *, log: bool, careful: bool = False
    ) -> CompiledSetting:
        """Return the compiled setting for a player count and options.

        A `careful` one can also play positions read from a file, even ones that no game reaches.
        """
        least, most = self.players
        players = whole("players", players)
        if not least <= players <= most:
            some = "" if least == most else f"{least} to "
            several = some + so_many(most, "player", "players")
            raise ValueError(f"{self.name} is for {several}, not {players}")
        given_table("options", options)
        values = self._values(options)
        key = (players, tuple(values.items()), log, careful)
        found = self._settings.get(key)
        if found is None:
            numbers = {
                name: option_number(self.program.world.options[name], value)
                for name, value in values.items()
            }
            key_of_disk = f"{self.key}\0{key}" if self.key else ""
            layout = Layout(self.program, players, numbers)
            compiled = partial(
                compile_engine,
                layout,
                logging=log,
                careful=careful,
                key=key_of_disk,
            )
            if self.on_demand and log and not careful:
                compiled = partial(compile_on_demand, layout)
            found = self._settings[key] = CompiledSetting(
                *(compiled, layout, self.id, self.mods, self.digest, values, key_of_disk),
                folders=self.folders,
            )
        return found

    def _values(self, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        values: dict[str, OptionValue] = {}
        known = {each.name: each for each in self.options}
        for name in options:
            if name not in known:
                raise ValueError(
                    f"{self.name} has no option {name}; it has {', '.join(known) or 'none'}"
                )
        for name, info in known.items():
            value = options.get(name, info.default)
            if not any(value == each and type(value) is type(each) for each in info.values):
                alike = type(value) in {type(each) for each in info.values}
                raise ValueError(info.wrong(value if alike else excerpt(value)))
            values[name] = value
        return values

    def game_from_data(self, data: Mapping[str, Any]) -> Game:
        """Return the game written by `Game.to_data`, from its choices or its state.

        Everything is validated first: a returned game can be played to its end. Raises SaveError
        for invalid data, and ValueError for a game of another pack, version or set of mods.
        """
        content = "choices" if isinstance(data, dict) and "choices" in data else "state"
        given = table("", data, (*_SAVED, content))
        for name in ("pack", "digest"):
            of_type(name, given[name], "a string", str)
        mods = [
            of_type("mods", each, "a list of strings", str)
            for each in listed("mods", given["mods"])
        ]
        self._refuse_other_content(given["pack"], mods, given["digest"])
        players = number("players", given["players"], *self.players)
        options = table("options", given["options"], [each.name for each in self.options])
        for name, value in options.items():
            of_type(f"options.{name}", value, "a value of an option", bool, int, str)
        log = of_type("log", given["log"], "true or false", bool)
        by_choices = content == "choices"
        setting = self.setting(players, options, log=log or by_choices, careful=not by_choices)
        setting = setting.with_names(names_of_save(given["names"], setting.layout))
        seed = number("seed", given["seed"], *SEED)
        if by_choices:
            return _by_choices(Game.begin(setting, seed), given["choices"])
        return Game(setting, setting.saver.state(given["state"]), seed)

    def _refuse_other_content(self, pack: str, mods: Sequence[str], digest: str) -> None:
        """Raise ValueError if the game was saved with another pack, other mods or other files."""
        if pack != self.id:
            raise ValueError(f"this is a saved game of {in_short(pack)}, not of {self.id}")
        lacking = [each for each in mods if each not in self.mods]
        if lacking:
            listed_mods = in_short(", ".join(lacking))
            raise ValueError(f"this game was saved with mods that are not loaded: {listed_mods}")
        added = [each for each in self.mods if each not in mods]
        if added:
            raise ValueError(
                f"this game was saved without mods that are loaded: {', '.join(added)}"
            )
        if digest != self.digest:
            raise ValueError("this game was saved with different content")


def _by_choices(game: Game, choices: object) -> Game:
    """Make the choices of a saved game; raise SaveError for one that is not possible."""
    for at, choice in enumerate(listed("choices", choices)):
        path = f"choices[{at}]"
        player, index = listed(path, choice, 2)
        try:
            game.choose(number(path, index, 0, MAX_NUMBER), number(path, player, 1, game.players))
        except IllegalChoice as error:
            raise SaveError(path, f"is not possible: {error}") from None
    return game


def _option(info: Declared) -> OptionInfo:
    if info.switch:
        return OptionInfo(info.name, info.title, bool(info.default), (False, True))
    if info.names:
        return OptionInfo(info.name, info.title, info.names[info.default], info.names)
    values = tuple(range(info.low, info.high + 1))
    return OptionInfo(info.name, info.title, info.default, values)


def option_number(info: Declared, value: OptionValue) -> int:
    """Return the number that encodes an option's value in compiled code."""
    return info.names.index(str(value)) if info.names else int(value)


def load(path: str | Path, mods: Sequence[str | Path] = (), *, cache: bool = True) -> Pack:
    """Load a game from its folder, with mods layered over it.

    Raises LintError with every finding if the content has errors.
    """
    layers = read_layers(path, mods)
    key = _cache_key(layers)
    match disk.read_cached(key, PROGRAM) if cache else None:
        case Program() as program:
            pass
        case _:
            program = _check(layers)
            if cache:
                disk.write_cached(key, program, PROGRAM)
    return pack_of(layers, program, key=key if cache else "")


@lru_cache(_MOST_PACKS)
def restored_pack(digest: str, folders: tuple[Path, ...]) -> Pack:
    """Load a pickled pack in this process; raise ValueError if its content has changed."""
    folder, *mods = folders
    pack = load(folder, mods)
    if pack.digest != digest:
        raise ValueError(f"the content of {folder} has changed since it was sent")
    return pack


def restored_game(digest: str, folders: tuple[Path, ...], data: Mapping[str, Any]) -> Game:
    """Restore a pickled game, with its content loaded again."""
    return restored_pack(digest, folders).game_from_data(data)


def pack_of(layers: Layered, program: Program, key: str = "") -> Pack:
    """Return a pack, given its folders and the program checked from them."""
    manifest = layers.game.manifest
    return Pack(
        manifest.id,
        manifest.name,
        str(manifest.version),
        layers.digest,
        layers.files,
        (layers.players.least, layers.players.most),
        tuple(mod.id for mod in layers.mods),
        program,
        layers,
        key,
    )


def _cache_key(layers: Layered) -> str:
    return "\0".join([layers.digest, *sorted(layers.sources)])


def _check(layers: Layered) -> Program:
    from rulesdsl.check.analysis.secrecy.information_flow import annotate  # noqa: PLC0415 - on a cache miss
    from rulesdsl.check.frontend import check_layers  # noqa: PLC0415 - on a cache miss

    checked = check_layers(layers, layers.findings)
    found = layers.findings.sorted()
    errors = [each for each in found if each.severity is Severity.ERROR]
    if errors:
        raise LintError(errors, layers.sources)
    return annotate(checked)
