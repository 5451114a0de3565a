"""A pack read from disk: its manifest and rules, and tables parsed on demand."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
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
from rulesdsl.packs.manifest import ENGINE_VERSION, Manifest, read_manifest
from rulesdsl.packs.toml_document import TomlFile, parse_toml
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.files import DISK, Files
from rulesdsl.source.language import NEWEST, Language
from rulesdsl.source.span import SourceFile, Span

_COPY = re.compile(
    r"(?:copy of (.+)|(.+?)(?: - copy(?: \(\d+\))?| copy(?: \d+)?| ?\(\d+\)))\.rules",
    re.IGNORECASE,
)


_BESIDE = {SCENARIOS: ".toml", LESSONS: ".toml", RULEBOOK: ".md"}  # folders that are not content


@attrs.frozen(eq=False)
class PackSource:
    """A pack read from disk. `files` maps relative paths to digests of the content.

    `rules` are sorted by relative path; `sources` has all files read so far by display path.
    `complete` is false if a file was reported as unreadable, so that its declarations are
    unknown. Scenarios, lessons and the rulebook are not content, since they do not change the
    game.
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

    @property
    def id(self) -> str:
        """The id of the pack."""
        return self.manifest.id

    def toml_paths(self) -> tuple[str, ...]:
        """Return the relative paths of all tables, without the manifest."""
        return tuple(self._tables)

    def has_toml(self, path: str) -> bool:
        """Return true if the pack has a table, valid or not."""
        return table_path(path) in self._tables

    def toml(self, path: str) -> TomlFile | None:
        """Parse a table; return `None` if it is missing or, after a report, if it is invalid."""
        source = self._tables.get(table_path(path))
        return parse_toml(table_path(path), source, self._root.findings) if source else None

    def scenario_files(self) -> tuple[Path, ...]:
        """Return the paths of the scenario files, sorted."""
        return tuple(self.folder / path for path in self._paths_in(SCENARIOS))

    def lesson_files(self) -> tuple[Path, ...]:
        """Return the paths of the lesson files, sorted."""
        return tuple(self.folder / path for path in self._paths_in(LESSONS))

    def scenarios(self, findings: Findings) -> tuple[TomlFile, ...]:
        """Read the scenario files; report and skip unreadable ones."""
        return self._parsed_in(SCENARIOS, findings)

    def lessons(self, findings: Findings) -> tuple[TomlFile, ...]:
        """Read the lesson files; report and skip unreadable ones."""
        return self._parsed_in(LESSONS, findings)

    def pages(self, findings: Findings) -> dict[str, SourceFile]:
        """Read the pages of the rulebook; return them by path, and report unreadable ones."""
        return dict(self._texts_in(RULEBOOK, findings))

    def texts_beside(self, findings: Findings) -> tuple[SourceFile, ...]:
        """Read scenarios, lessons and pages as plain text; report unreadable ones."""
        return tuple(each for folder in _BESIDE for _, each in self._texts_in(folder, findings))

    def _parsed_in(self, folder: str, findings: Findings) -> tuple[TomlFile, ...]:
        texts = self._texts_in(folder, findings)
        parsed = (parse_toml(path, source, findings) for path, source in texts)
        return tuple(each for each in parsed if each)

    def _texts_in(self, folder: str, findings: Findings) -> Iterator[tuple[str, SourceFile]]:
        root = attrs.evolve(self._root, findings=findings)
        for path in self._paths_in(folder):
            raw = root.read(path)
            source = None if raw is None else root.text(path, raw)
            if source:
                self.sources[source.path] = source
                yield path, source

    def _paths_in(self, folder: str) -> tuple[str, ...]:
        if not self._root.files.is_folder(self.folder / folder):
            return ()
        return self._root.content_files(folder, (_BESIDE[folder],))


def read_pack(
    folder: Path,
    findings: Findings,
    display_root: Path | None = None,
    sources: dict[str, SourceFile] | None = None,
    files: Files = DISK,
) -> PackSource | None:
    """Read the pack in a folder; report errors and continue with the rest.

    Paths are displayed relative to `display_root`, if given, or absolute if they are outside it;
    otherwise as given by `folder`. If there is no pack or its manifest is unusable, report that
    and return `None`. Even then, all files read are added to `sources` by display path, so that
    findings can be rendered.
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
    root = attrs.evolve(root, language=manifest.language)
    content = {
        path: attrs.evolve(source, language=manifest.language) for path, source in content.items()
    }
    shown |= {source.path: source for source in content.values()}
    if sources is not None:
        sources.update(shown)
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


def language_of(folder: Path | None) -> Language:
    """Return the language of the pack in a folder; the newest one if there is none."""
    if folder is None:
        return NEWEST
    root = PackFolder(folder, folder.as_posix(), Findings())
    raw = root.read(MANIFEST)
    text = None if raw is None else root.text(MANIFEST, raw)
    file = None if text is None else parse_toml(MANIFEST, text, root.findings)
    manifest = None if file is None else read_manifest(file, root.findings)
    return NEWEST if manifest is None else manifest.language


def digest_of(files: Mapping[str, str]) -> str:
    """Return one SHA-256 for files, given as digests by path, and the engine version."""
    listed = "".join(f"{path}\0{files[path]}\n" for path in sorted(files))
    return hashlib.sha256(f"{ENGINE_VERSION}\n{listed}".encode()).hexdigest()


def _digest_of_text(raw: bytes) -> str:
    """Return the SHA-256 of text, with LF for CRLF and without a byte order mark.

    Git and editors on some systems add these, which does not change the game.
    """
    plain = raw.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    return hashlib.sha256(plain).hexdigest()


def table_path(path: str) -> str:
    """Return a normalised path: `./a//b.toml` becomes `a/b.toml`."""
    return PurePosixPath(path).as_posix()


def _shown(folder: Path, display_root: Path | None) -> str:
    if display_root is None:
        return folder.as_posix()
    whole, root = folder.absolute(), display_root.absolute()
    return (whole.relative_to(root) if whole.is_relative_to(root) else whole).as_posix()


def _report_no_pack(root: PackFolder) -> None:
    shown = printable(root.shown)
    place = Span(shown, 1, 1, 1, 1)
    if root.files.is_folder(root.path):
        wording.NO_PACK.report(root.findings, place, folder=shown, manifest=MANIFEST)
    else:
        wording.NO_FOLDER.report(root.findings, place, folder=shown)


def _without_copies(
    root: PackFolder, texts: dict[str, tuple[SourceFile | None, str]]
) -> dict[str, tuple[SourceFile | None, str]]:
    """Report and drop rules files that a file manager has copied next to the original."""
    kept = dict(texts)
    for path, (_, digest) in texts.items():
        folder, slash, name = path.rpartition("/")
        found = _COPY.fullmatch(name)
        original = f"{folder}{slash}{found[1] or found[2]}.rules" if found else ""
        if original in texts:
            is_altered = digest != texts[original][1]
            a_copy = "an altered copy" if is_altered else "a copy"
            wording.COPIED_FILE.report(
                root.findings, root.place(path), a_copy=a_copy, original=original
            )
            del kept[path]
    return kept


def _read_texts(
    root: PackFolder, paths: Sequence[str]
) -> dict[str, tuple[SourceFile | None, str]]:
    texts: dict[str, tuple[SourceFile | None, str]] = {}
    together = 0
    for path in paths:
        raw = root.read(path)
        if raw is None:
            continue
        together += len(raw)
        if together > MAX_BYTES_TOGETHER:
            mebibytes = MAX_BYTES_TOGETHER // 2**20
            wording.TOO_LARGE_PACK.report(root.findings, root.place(MANIFEST), mebibytes=mebibytes)
            break
        texts[path] = (root.text(path, raw), _digest_of_text(raw))
    return texts
