"""Workspace: open documents, their projects, and URIs of the client.

A client may spell the URI of a file in several ways: percent-encoded, with `..`, by a link.
Internally, a file is identified by its real path. Messages to the client use the URI that it gave
to the file, else one relative to the nearest enclosing folder.
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
    """Return the real path of a file as used in spans; for anything else, the URI."""
    path = uris.to_fs_path(uri)
    return uri if path is None else Path(os.path.realpath(path)).as_posix()


class Workspace:
    """Open documents of a client, and the games and mods that they belong to."""

    def __init__(self, find: Finder) -> None:
        self._find = find
        self._open: dict[str, SourceFile] = {}
        self._uris: dict[str, str] = {}  # of files and folders, as spelled by the client
        self._projects: dict[Path, Project] = {}  # by the folder of each pack
        self.published: set[str] = set()  # files with published findings

    @property
    def projects(self) -> Iterable[Project]:
        """All projects, without duplicates."""
        return {id(each): each for each in self._projects.values()}.values()

    def put(self, file: str, text: str | None) -> None:
        """Set the text of an open document; `None` closes it."""
        if text is None:
            self._open.pop(file, None)
        else:
            self._open[file] = SourceFile(file, text)
        project = self.project(file)
        if project is not None:
            project.edit(Path(file), text)

    def opened(self, uri: str, text: str) -> None:
        """Open a document under the client's URI."""
        file = file_of(uri)
        self._uris[file] = uri
        self.put(file, text)

    def open_folder(self, uri: str) -> None:
        """Open a folder, and the pack in it if there is one."""
        folder = file_of(uri)
        self._uris[folder] = uri.rstrip("/")
        self.project(f"{folder}/{MANIFEST}")

    def uri_of(self, file: str) -> str:
        """Return the URI of a file as spelled by the client."""
        for path in (file, *(each.as_posix() for each in Path(file).parents)):
            if path in self._uris:
                return self._uris[path] + quote(file[len(path) :])
        return uris.from_fs_path(file) or file

    def project(self, file: str) -> Project | None:
        """Return the project of a file, None if no pack contains it."""
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
        """Mark all projects as stale after changes on disk."""
        for project in self.projects:
            project.look_again()

    def find_again(self) -> None:
        """Find all packs again; projects with unchanged packs are kept."""
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
        """Return a view around a file in its current state."""
        project = self.project(file)
        return None if project is None else project.view()

    def source(self, file: str) -> SourceFile | None:
        """Return the current text of an open document or of any file of a project."""
        if file in self._open:
            return self._open[file]
        for project in self.projects:
            found = project.source(file)
            if found is not None:
                return found
        return None
