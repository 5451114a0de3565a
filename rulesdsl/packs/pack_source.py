"""One pack as it was read: its manifest, its rules, and its tables when somebody asks for them."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

import attrs

from rulesdsl.packs import wording
from rulesdsl.packs.folder import (
    LESSONS,
    MANIFEST,
    MAX_BYTES_TOGETHER,
    RULEBOOK,
    SCENARIOS,
    PackFolder,
    printable,
)
from rulesdsl.packs.manifest import Manifest
from rulesdsl.packs.manifest_fields import read_manifest
from rulesdsl.packs.toml_file import TomlFile, parse_toml
from rulesdsl.packs.versions import ENGINE_VERSION
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.files import DISK, Files
from rulesdsl.source.span import SourceFile, Span

_COPY = re.compile(
    r"(?:copy of (.+)|(.+?)(?: - copy(?: \(\d+\))?| copy(?: \d+)?| ?\(\d+\)))\.rules",
    re.IGNORECASE,
)


@attrs.frozen(eq=False)
class PackSource:
    """A pack on disk. `files` has a digest of every content file by its relative path.

    `rules` are sorted by their relative paths; `sources` are all texts that were read, by the
    paths under which they are shown. It is not `complete` where something could not be read at
    all, which has been reported: nobody knows then what it would have said. Scenarios, lessons
    and the rulebook belong to neither rules nor files: they do not change what is played.
    """

    folder: Path
    manifest: Manifest
    manifest_file: TomlFile = attrs.field(repr=False)
    rules: tuple[SourceFile, ...] = attrs.field(repr=False)
    files: Mapping[str, str] = attrs.field(repr=False)
    complete: bool
    sources: dict[str, SourceFile] = attrs.field(repr=False)
    _root: PackFolder = attrs.field(repr=False)
    _tables: Mapping[str, SourceFile] = attrs.field(repr=False)
    _read: dict[str, TomlFile | None] = attrs.field(factory=dict, init=False, repr=False)

    @property
    def id(self) -> str:
        """The id of the pack."""
        return self.manifest.id

    def toml_paths(self) -> tuple[str, ...]:
        """Return the relative paths of all tables: no manifest, no scenarios."""
        return tuple(self._tables)

    def has_toml(self, path: str) -> bool:
        """Tell whether the pack has such a table, readable or not."""
        return table_path(path) in self._tables

    def table_texts(self) -> tuple[tuple[str, str], ...]:
        """Return the texts of all tables, by their relative paths."""
        return tuple((path, each.text) for path, each in self._tables.items())

    def toml(self, path: str, span_of_use: Span) -> TomlFile | None:
        """Return a table, read when it is first asked for.

        A table that the pack lacks is reported at `span_of_use`, one that is not TOML once and in
        itself.
        """
        known = table_path(path)
        if known not in self._tables:
            report_missing_table(path, self.toml_paths(), span_of_use, self._root.findings)
            return None
        if known not in self._read:
            table = parse_toml(known, self._tables[known], self._root.findings)
            self._read[known] = table
        return self._read[known]

    def scenario_files(self) -> tuple[Path, ...]:
        """Return the scenarios of the pack, sorted."""
        return tuple(self.folder / path for path in self._beside(SCENARIOS, ".toml"))

    def lesson_files(self) -> tuple[Path, ...]:
        """Return the lessons of the pack, sorted."""
        return tuple(self.folder / path for path in self._beside(LESSONS, ".toml"))

    def scenarios(self, findings: Findings) -> tuple[TomlFile, ...]:
        """Read the scenarios; those that cannot be read are reported and left out."""
        return self._tables_beside(SCENARIOS, findings)

    def lessons(self, findings: Findings) -> tuple[TomlFile, ...]:
        """Read the lessons; those that cannot be read are reported and left out."""
        return self._tables_beside(LESSONS, findings)

    def pages(self, findings: Findings) -> dict[str, SourceFile]:
        """Read the pages of the rulebook, by path; what cannot be read is reported."""
        read = (
            (path, self._text_beside(path, findings)) for path in self._beside(RULEBOOK, ".md")
        )
        return {path: source for path, source in read if source}

    def texts_beside(self, findings: Findings) -> tuple[SourceFile, ...]:
        """Read the scenarios, lessons and pages as texts; what cannot be read is reported."""
        places = ((SCENARIOS, ".toml"), (LESSONS, ".toml"), (RULEBOOK, ".md"))
        paths = (path for place in places for path in self._beside(*place))
        read = (self._text_beside(path, findings) for path in paths)
        return tuple(each for each in read if each)

    def _tables_beside(self, folder: str, findings: Findings) -> tuple[TomlFile, ...]:
        found = []
        for path in self._beside(folder, ".toml"):
            source = self._text_beside(path, findings)
            file = parse_toml(path, source, findings) if source else None
            found += [file] if file else []
        return tuple(found)

    def _text_beside(self, path: str, findings: Findings) -> SourceFile | None:
        root = attrs.evolve(self._root, findings=findings)
        raw = root.read(path)
        source = None if raw is None else root.text(path, raw)
        if source:
            self.sources[source.path] = source
        return source

    def _beside(self, folder: str, ending: str) -> tuple[str, ...]:
        """Return the files of a folder that do not change what is played."""
        if not self._root.files.is_folder(self.folder / folder):
            return ()
        return self._root.content_files(folder, (ending,))


def read_pack(
    folder: Path,
    findings: Findings,
    display_root: Path | None = None,
    sources: dict[str, SourceFile] | None = None,
    files: Files = DISK,
) -> PackSource | None:
    """Read the pack in a folder. What is wrong with it is reported, and the rest is read.

    Paths are shown relative to `display_root` where they lie below it, else as `folder` has them.
    `None`, reported, where there is no pack or its manifest leaves open what it is. All texts
    that are read are put into `sources` by those paths, even then, so that findings can be shown.
    """
    root = PackFolder(folder, _shown(folder, display_root), findings, files)
    if not files.exists(folder / MANIFEST):
        _report_no_pack(root)
        return None
    listing = Findings()
    paths = attrs.evolve(root, findings=listing).content_files()
    findings.extend(listing.sorted())
    texts = _without_copies(root, _read_texts(root, paths))
    content = {path: source for path, (source, _) in texts.items() if source}
    shown = {source.path: source for source in content.values()}
    if sources is not None:
        sources.update(shown)
    manifest_text = content.pop(MANIFEST, None)
    manifest_file = parse_toml(MANIFEST, manifest_text, findings) if manifest_text else None
    manifest = read_manifest(manifest_file, findings) if manifest_file else None
    if manifest is None or manifest_file is None:
        return None
    return PackSource(
        folder,
        manifest,
        manifest_file,
        rules=tuple(source for path, source in content.items() if path.endswith(".rules")),
        files={path: digest for path, (_, digest) in texts.items()},
        complete=not listing.has_errors and len(content) == len(paths) - 1,
        sources=shown,
        root=root,
        tables={path: each for path, each in content.items() if path.endswith(".toml")},
    )


def digest_of(files: Mapping[str, str]) -> str:
    """Return one SHA-256 for many files, given by path and SHA-256, and for the engine."""
    listed = "".join(f"{path}\0{files[path]}\n" for path in sorted(files))
    return hashlib.sha256(f"{ENGINE_VERSION}\n{listed}".encode()).hexdigest()


def _digest_of_text(raw: bytes) -> str:
    """Return the SHA-256 of a text, the same whatever ends its lines and whether a mark begins it.

    Git writes CRLF on some systems, some editors a mark: neither changes what is played.
    """
    plain = raw.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    return hashlib.sha256(plain).hexdigest()


def table_path(path: str) -> str:
    """Return a path as the folder lists it: `./a//b.toml` is `a/b.toml`."""
    return PurePosixPath(path).as_posix()


def report_missing_table(
    path: str, existing: tuple[str, ...], span: Span, findings: Findings
) -> None:
    """Report a table that is used and is not there."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path:
        findings.report("E001", span, *wording.table_outside(path))
    else:
        findings.report("E001", span, *wording.no_table(path, table_path(path), existing))


def _shown(folder: Path, display_root: Path | None) -> str:
    if display_root is None:
        return folder.as_posix()
    whole, root = folder.absolute(), display_root.absolute()
    return (whole.relative_to(root) if whole.is_relative_to(root) else whole).as_posix()


def _report_no_pack(root: PackFolder) -> None:
    shown = printable(root.shown)
    place = Span(shown, 1, 1, 1, 1)
    if root.files.is_folder(root.path):
        root.findings.report("E001", place, *wording.no_pack(shown, MANIFEST))
    else:
        root.findings.report("E001", place, *wording.no_folder(shown))


def _without_copies(
    root: PackFolder, texts: dict[str, tuple[SourceFile | None, str]]
) -> dict[str, tuple[SourceFile | None, str]]:
    """Return texts without the copies that a file manager makes of rules beside them, reported."""
    kept = dict(texts)
    for path, (_, digest) in texts.items():
        folder, slash, name = path.rpartition("/")
        found = _COPY.fullmatch(name)
        original = f"{folder}{slash}{found[1] or found[2]}.rules" if found else ""
        if original in texts:
            said = wording.copied_file(original, altered=digest != texts[original][1])
            root.findings.report("E001", root.place(path), *said)
            del kept[path]
    return kept


def _read_texts(
    root: PackFolder, paths: Sequence[str]
) -> dict[str, tuple[SourceFile | None, str]]:
    """Return text and SHA-256 of every content file that could be read, by relative path."""
    texts: dict[str, tuple[SourceFile | None, str]] = {}
    together = 0
    for path in paths:
        raw = root.read(path)
        if raw is None:
            continue
        together += len(raw)
        if together > MAX_BYTES_TOGETHER:
            said = wording.too_large_pack(MAX_BYTES_TOGETHER // 2**20)
            root.findings.report("E001", root.place(MANIFEST), *said)
            break
        texts[path] = (root.text(path, raw), _digest_of_text(raw))
    return texts
