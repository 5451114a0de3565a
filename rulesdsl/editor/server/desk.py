"""What the server has open: projects by the folders of their packs, and the texts of clients."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulesdsl.editor.project import Finder, Project, pack_of
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.span import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.editor.view import View


class Desk:
    """The files that a client has open, and the games and mods that they belong to."""

    def __init__(self, find: Finder) -> None:
        self._find = find
        self._open: dict[str, SourceFile] = {}
        self._projects: dict[Path, Project] = {}  # by the folder of each pack
        self.published: set[str] = set()  # files about which a client was told something

    @property
    def projects(self) -> Iterable[Project]:
        """All projects, each once."""
        return {id(each): each for each in self._projects.values()}.values()

    def put(self, file: str, text: str | None) -> None:
        """Let a file have the text that a client has; `None`: it was closed."""
        if text is None:
            self._open.pop(file, None)
        else:
            self._open[file] = SourceFile(file, text)
        project = self.project(file)
        if project is not None:
            project.edit(Path(file), text)

    def open_folder(self, folder: Path) -> None:
        """Know the pack in a folder, if there is one."""
        self.project((folder / "pack.toml").as_posix())

    def project(self, file: str) -> Project | None:
        """Return the project that a file belongs to, None where no pack is around it."""
        folder = pack_of(Path(file))
        if folder is None:
            return None
        if folder not in self._projects:
            packs = self._find(folder)
            project = Project(packs, self._texts())
            for each_folder in packs.folders:
                self._projects.setdefault(each_folder, project)
            self._projects[folder] = project
        return self._projects[folder]

    def look_again(self) -> None:
        """Take it that files on the disk have changed."""
        for project in self.projects:
            project.look_again()

    def find_again(self) -> None:
        """Look for all packs again; what was found out about the same games stays known."""
        before, folders = list(self.projects), list(self._projects)
        self._projects.clear()
        for folder in folders:
            if folder in self._projects or not (folder / MANIFEST).is_file():
                continue
            packs = self._find(folder)
            alike = [each for each in before if each.packs.game == packs.game]
            known = max(alike, key=lambda each: each.packs == packs, default=None)
            if known is not None:
                project = known if known.packs == packs else known.like(packs, self._texts())
                self._projects.update(dict.fromkeys((folder, *packs.folders), project))

    def _texts(self) -> dict[Path, str]:
        return {Path(each): source.text for each, source in self._open.items()}

    def view(self, file: str) -> View | None:
        """Return what is known around a file, as it is now."""
        project = self.project(file)
        return None if project is None else project.view()

    def source(self, file: str) -> SourceFile | None:
        """Return a text as it is now, of a file that is open or of any file of a project."""
        if file in self._open:
            return self._open[file]
        for project in self.projects:
            found = project.source(file)
            if found is not None:
                return found
        return None

    def opened(self) -> Iterator[str]:
        """Yield the files that are open."""
        yield from self._open
