from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

OPENING = {
    *("open", "fdopen", "read_text", "read_bytes", "write_text", "write_bytes", "touch"),
    *("copytree", "copyfile", "copy", "copy2", "NamedTemporaryFile", "loads", "load", "unlink"),
}
SPEAKING = {"echo", "secho", "print", "write"}

OURS = "reads files of this package"
MAY_OPEN = {
    "rulesdsl/source/files.py": "the place",
    "cli/coloma/files.py": "the place, for commands",
    "rulesdsl/packs/toml_document.py": "the place, for TOML: tomllib.loads",
    "rulesdsl/source/cache.py": "drafts of its own: NamedTemporaryFile, unlink, json.loads",
    "rulesdsl/scenarios/mutation_run.py": "writes in a folder that it has made",
    "cli/coloma/journal.py": "appends to the journal of a session, takes a new name: touch",
    "cli/coloma/app.py": "opens the null device",
    "rulesdsl/source/codes.py": OURS,
    "rulesdsl/syntax/unreadable_lines.py": OURS,
    "rulesdsl/interpreter/simulator/module.py": OURS,
    "rulesdsl/interpreter/simulator/python_runner.py": "a position of its own: json.loads",
    "cli/coloma/guides.py": OURS,
    "cli/coloma/scaffold/new_pack.py": OURS,
    "cli/coloma/report/page.py": OURS,
    "cli/coloma/simulation/tables.py": OURS,
    "cli/coloma/simulation/comparing.py": "unpacks what git archives: tarfile.open",
    "cli/coloma/simulation/work.py": "what its own client packed: pickle.loads",
    "rulesdsl/editor/hover.py": OURS,
}
NOT_FILES = {"copy.copy", "loading.load", "rulesdsl.load"}
MAY_SPEAK = {
    "cli/coloma/output.py": "the place",
    "cli/coloma/files.py": "writes a draft, then moves it: file.write",
    "rulesdsl/source/cache.py": "writes a draft, then moves it: part.write",
    "cli/coloma/journal.py": "appends to a journal: os.write",
    "cli/coloma/commands/lint.py": "writes through the place: fixes.write",
    "rulesdsl/editor/jobs.py": "a process of its own answers the server",
}


def calls(names: set[str]) -> Iterator[tuple[str, str]]:
    for folder in ("rulesdsl", "cli/coloma"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    name = ast.unparse(node.func)
                    own = "." not in name and name not in {"open", "print"}  # a function of ours
                    if name.rsplit(".", 1)[-1] in names and not own:
                        yield path.relative_to(ROOT).as_posix(), name


def test_files_are_opened_in_one_place() -> None:
    found = {(path, name) for path, name in calls(OPENING) if name not in NOT_FILES}

    assert {each for each in found if each[0] not in MAY_OPEN} == set()


def test_text_goes_out_in_one_place() -> None:
    found = {(path, name) for path, name in calls(SPEAKING) if name != "disk.write"}

    assert {each for each in found if each[0] not in MAY_SPEAK} == set()
