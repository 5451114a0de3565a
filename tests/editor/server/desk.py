"""A client that edits the small game: places are given as words, answers as short strings."""

import asyncio
from pathlib import Path

from lsprotocol import types as lsp
from pytest_lsp import LanguageClient


class Desk:
    """The open files of a client; a `|` in their text marks a place."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self._texts: dict[str, str] = {}
        self._version = 1

    def uri(self, file: str) -> str:
        return (self.folder / file).as_uri()

    def document(self, file: str) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri(file))

    def open(self, file: str, text: str | None = None) -> str:
        text = (self.folder / file).read_text(encoding="utf-8") if text is None else text
        if file not in self._texts:
            item = lsp.TextDocumentItem(self.uri(file), "rules", 1, text)
            self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
            self._texts[file] = text
        elif self._texts[file] != text:
            self._version += 1
            named = lsp.VersionedTextDocumentIdentifier(uri=self.uri(file), version=self._version)
            change = lsp.TextDocumentContentChangeWholeDocument(text)
            self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(named, [change]))
            self._texts[file] = text
        return text

    def close(self) -> None:
        for file in self._texts:
            params = lsp.DidCloseTextDocumentParams(self.document(file))
            self.client.text_document_did_close(params)
        self._texts.clear()

    def place(self, file: str, words: str) -> lsp.Position:
        text = self.open(file, self._texts.get(file))
        before, _, after = words.partition("|")
        at = text.find(before + after)
        assert at >= 0, f"{file} does not say {before + after!r}"
        line = text.count("\n", 0, at + len(before))
        head = text[text.rfind("\n", 0, at + len(before)) + 1 : at + len(before)]
        return lsp.Position(line, len(head.encode("utf-16-le")) // 2)

    def typed(self, file: str, old: str, new: str) -> lsp.Position:
        text = (self.folder / file).read_text(encoding="utf-8")
        assert text.count(old) == 1, old
        self.open(file, text.replace(old, new.replace("|", "")))
        return self.place(file, new)

    def said(self, location: lsp.Location) -> str:
        path = Path(location.uri.removeprefix("file://"))
        file = path.relative_to(self.folder).as_posix()
        return f"{file}: {self.text(file, location.range)}"

    def text(self, file: str, stretch: lsp.Range) -> str:
        text = self._texts.get(file) or (self.folder / file).read_text(encoding="utf-8")
        line = text.split("\n")[stretch.start.line].encode("utf-16-le")
        return line[stretch.start.character * 2 : stretch.end.character * 2].decode("utf-16-le")

    def changed(self, file: str, edits: list[lsp.TextEdit]) -> str:
        text = self._texts.get(file) or (self.folder / file).read_text(encoding="utf-8")
        lines = text.split("\n")
        for each in sorted(
            edits,
            key=lambda edit: edit.range.start.line * 1000 + edit.range.start.character,
            reverse=True,
        ):
            line = lines[each.range.start.line].encode("utf-16-le")
            start, end = each.range.start.character * 2, each.range.end.character * 2
            new = line[:start] + each.new_text.encode("utf-16-le") + line[end:]
            lines[each.range.start.line] = new.decode("utf-16-le")
        return "\n".join(lines)

    async def findings(self, file: str) -> list[lsp.Diagnostic]:
        return await self.told(self.uri(file))

    async def told(self, uri: str) -> list[lsp.Diagnostic]:
        for _ in range(200):
            told = self.client.diagnostics.get(uri)
            if told is not None:
                return list(told)
            await asyncio.sleep(0.05)
        raise AssertionError(f"nothing was said about {uri}")
