"""The workspace: open documents, the projects that they belong to, and the URIs of the client.

A client may spell the URI of a file in several ways: with letters as escapes, with `..`, by a
link. Inside, a file is known by its real path alone. What the client is told about it, it is told
under the URI that it gave to the file itself, else to the nearest folder around it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from pygls import uris

from rulesdsl.editor.project import Finder, Project, pack_of
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.span import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.editor.references import View


def file_of(uri: str) -> str:
    """Return the real path of a file as it is shown in places; for what is no file, the URI."""
    path = uris.to_fs_path(uri)
    return uri if path is None else Path(os.path.realpath(path)).as_posix()


class Workspace:
    """The files that a client has open, and the games and mods that they belong to."""

    def __init__(self, find: Finder) -> None:
        self._find = find
        self._open: dict[str, SourceFile] = {}
        self._uris: dict[str, str] = {}  # of files and folders, as the client spells them
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

    def opened(self, uri: str, text: str) -> None:
        """Take in a document that the client has opened, under its URI."""
        file = file_of(uri)
        self._uris[file] = uri
        self.put(file, text)

    def open_folder(self, uri: str) -> None:
        """Take in a folder of the client, and the pack in it, if there is one."""
        folder = file_of(uri)
        self._uris[folder] = uri.rstrip("/")
        self.project(f"{folder}/{MANIFEST}")

    def uri_of(self, file: str) -> str:
        """Return the URI of a file as the client spells it."""
        for path in (file, *(each.as_posix() for each in Path(file).parents)):
            if path in self._uris:
                return self._uris[path] + quote(file[len(path) :])
        return uris.from_fs_path(file) or file

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
        """Look for all packs again; projects whose packs are the same stay as they are."""
        before, folders = list(self.projects), list(self._projects)
        self._projects.clear()
        for folder in folders:
            if folder in self._projects or not (folder / MANIFEST).is_file():
                continue
            packs = self._find(folder)
            same = (each for each in before if each.packs == packs)
            project = next(same, None) or Project(packs, self._texts())
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
