import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import attrs
import pytest

from cli.fake import RULES, FakePack
from cli.pseudo_terminal import PseudoTerminal
from coloma import bots, loading
from coloma.app import main
from coloma.session.before import asking, first_screen
from kept import packs_kept
from rulesdsl.bots.kinds import LEVELS
from rulesdsl.source.span import SourceFile


@attrs.frozen
class Ran:
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def ending(self) -> str:
        return self.out.split("Final scoring\n")[1].split("\nThe game is saved in")[0].rstrip()


Run = Callable[..., Ran]
Begin = Callable[..., PseudoTerminal]  # a terminal with a command and variables


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Run:
    packs_kept(monkeypatch)
    monkeypatch.chdir(Path(__file__).parents[2])
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run_command(*argv: str, typed: Sequence[str] = ()) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main(argv)
        captured = capsys.readouterr()
        code = end.value.code
        return Ran(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run_command


@pytest.fixture
def pack(monkeypatch: pytest.MonkeyPatch) -> FakePack:
    found = FakePack()
    sources = {"fake/game.rules": SourceFile("fake/game.rules", RULES)}
    monkeypatch.setattr(loading, "load_pack", lambda *_: found)
    monkeypatch.setattr(loading, "sources_of", lambda *_: sources)
    return found


@pytest.fixture
def here(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run is not None  # it goes to the checkout first
    return folder


@pytest.fixture
def terminal(tmp_path: Path, pack: FakePack, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    assert pack is not None
    for module in (bots, asking, first_screen):  # other bots need a game that can be simulated
        monkeypatch.setattr(module, "USUAL", "random")
    monkeypatch.setattr(asking, "LEVELS", {"random": LEVELS["easy"]})
    begun: list[PseudoTerminal] = []

    def begin(*argv: str, **environment: str) -> PseudoTerminal:
        begun.append(PseudoTerminal(tmp_path, 80, 24, *argv, **environment))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()
