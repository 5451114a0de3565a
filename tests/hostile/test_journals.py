from pathlib import Path

import pytest

from cli.mods_on_disk import everything_in, write_game
from coloma import files
from coloma.output import CommandError, say
from hostile.bounded import PLANTS, commands
from rulesdsl.table.errors import JournalError
from rulesdsl.table.journal import read_journal

EVIL = "\\u001b]0;x\\u0007\\u009b2J\\u202e"
HEADER = """\
game = "coins"
version = "1.0.0"
pack = "box"
digest = "x"
players = 2
bots = ["random"]
seed = 7
mods = []

[options]

[files]
"""
BOTS = 'bots = ["random"]'
CHOICE = '\n[[choice]]\nplayer = 1\nid = "x"\nby = "person"\n'

WRONG: dict[str, tuple[str, str, str]] = {
    "players that are no whole number": ("players = 2", "players = 3.9", "players"),
    "players that are a yes": ("players = 2", "players = true", "players"),
    "more bots than players": (BOTS, f"bots = {['random'] * 30}", "30 bots cannot play in 2"),
    "bots that are a number": (BOTS, "bots = 1", "bots"),
    "a bot that there is not": (
        BOTS,
        'bots = ["randum"]',
        "no bot `randum` (a similar name exists",
    ),
    "a seed that is a text": ("seed = 7", 'seed = "7"', "seed"),
    "an endless seed": ("seed = 7", "seed = inf", "seed"),
    "a seed of 5,000 digits": ("seed = 7", f"seed = {'9' * 5_000}", "far too long"),
    "a seed of 5,000 hexadecimal digits": ("seed = 7", f"seed = 0x{'f' * 5_000}", "far too long"),
    "a digest that is a number": ('digest = "x"', "digest = 5", "digest"),
    "arrays 3,000 deep": ("mods = []", f"mods = {'[' * 3_000}{']' * 3_000}", "nested"),
    "a key of 60,000 parts": ("mods = []", ".".join(["a"] * 60_000) + " = 1", "nested"),
    "an option that is a date": ("[options]", "[options]\na = 2020-01-01", "options"),
    "a choice that is no number": ("player = 1", "player = 1.5", "player"),
    "a field of several lines": (
        "seed = 7",
        'seed = 7\n"a\\nb\\u001b[2J" = 1',
        "a\ufffdb\ufffd[2J",
    ),
    "a field of 5,000 letters": ("seed = 7", f"seed = 7\n{'a' * 5_000} = 1", "aaaa"),
    "a bot of 5,000 letters": (BOTS, f"bots = ['{'b' * 5_000}']", "bbbb"),
    "an unknown field": ("seed = 7", "seed = 7\nmore = 1", "more"),
    "choices that are a number": (CHOICE, "\nchoice = 3\n", "choice"),
    "undone choices that are numbers": ("seed = 7", "seed = 7\nundo = [1]", "undo"),
    "a choice without an option": ('id = "x"\n', "", "id"),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("torn", ["", CHOICE[:30]], ids=["whole", "torn"])
def test_wrong_journals_are_refused(tmp_path: Path, case: str, torn: str) -> None:
    old, new, told = WRONG[case]
    path = tmp_path / "journal.toml"
    text = HEADER + CHOICE
    assert old in text
    path.write_text(text.replace(old, new) + CHOICE + torn)

    with pytest.raises(JournalError) as refused:
        read_journal(path)

    said = str(refused.value)
    assert said.startswith(f"{path} is not a journal of a game: ")
    assert told in said
    assert "\n" not in said
    assert len(said) < 400 + len(str(path))


def test_nothing_but_regular_files_is_read_and_nothing_waited_for(tmp_path: Path) -> None:
    box = write_game(tmp_path / "box")
    paths = [tmp_path / name for name in PLANTS]
    for path in paths:
        PLANTS[path.name](path)

    ran = commands(
        *(("play", "--resume", path) for path in paths),
        *(("play", "--pack", box, "--script", path) for path in paths),
        *(("replay", path) for path in paths),
        *(("fmt", path) for path in paths[:3]),
        home=tmp_path,
    )

    for each in ran:
        assert each.status == 1, each
        assert each.err.startswith("coloma: cannot read "), each
        assert each.err.count("\n") == 1, each


def test_what_a_journal_says_steers_no_terminal(tmp_path: Path) -> None:
    write_game(tmp_path / "box")
    path = tmp_path / "journal.toml"
    lines = []
    for number, (old, new) in enumerate(
        (
            ('pack = "box"', f'pack = "{EVIL}"'),
            ('pack = "box"', f'pack = "{tmp_path / "box"}"\nfiles."{EVIL}" = "x"'),
            ("mods = []", f'mods = ["{EVIL}"]'),
            ("[options]", f'[options]\n"{EVIL}" = true'),
        )
    ):
        path = tmp_path / f"{number}.toml"
        text = HEADER.replace("\n[files]\n", "").replace(old, new)
        path.write_text(text.replace('"box"', f'"{tmp_path / "box"}"') + CHOICE)
        lines += [("play", "--resume", path), ("replay", path)]
        lines += [("replay", path, "--replay-with-current")]

    for each in commands(*lines, home=tmp_path):
        assert each.status == 1, each
        assert not {*each.err, *each.out} & {"\x1b", "\x07", "\x9b", "\u202e"}, each
        assert each.err.startswith("coloma: "), each


def test_text_that_goes_out_steers_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("a\x1b[31mb\x00\x9b\u202e\u2066\u2028c\td\n", inks=["\x1b[1m"])
    say("a\x1b[31mb\r", err=True, nl=False)
    told = capsys.readouterr()
    r = "\N{REPLACEMENT CHARACTER}"
    assert told.out == f"a{r}[31mb{r}{r}{r}{r}{r}c\td\n\n"
    assert told.err == f"a{r}[31mb{r}"


def test_files_of_a_pack_are_not_written_or_removed_through_links_out(tmp_path: Path) -> None:
    pack, outside = tmp_path / "pack", tmp_path / "outside"
    for folder in (pack, outside):
        folder.mkdir()
    (outside / "a").write_text("theirs")
    before = everything_in(outside)
    (pack / "file").symlink_to(outside / "a")
    (pack / "new").symlink_to(outside / "b")
    (pack / "folder").symlink_to(outside)
    (pack / "up").symlink_to("..")

    for name in ("file", "new", "folder/a", "folder/b", "folder/sub/c", "up/d", "../e"):
        with pytest.raises(CommandError, match="it is a link to a place outside its pack"):
            files.write_whole(pack / name, "ours", pack)
    with pytest.raises(CommandError, match="outside its pack"):
        files.remove(pack / "folder" / "a", pack)
    with pytest.raises(CommandError, match="outside its pack"):
        files.read_text(pack / "file", pack)

    assert everything_in(outside) == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["outside", "pack"]
    files.write_whole(pack / "sub" / "own", "ours", pack)
    (pack / "link").symlink_to("sub/own")
    files.write_whole(pack / "link", "again", pack)
    assert (pack / "sub" / "own").read_text() == "again"
