"""`coloma report`: a page that opens without a network, and says what was played."""

from __future__ import annotations

import re
import shlex
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli.conftest import Run
from coloma.report import drawing
from coloma.report.charts import heat, intervals
from coloma.simulation import games as playing

pytest.importorskip("vl_convert", reason="charts cannot be drawn: the extra `report`")
pytest.importorskip("jinja2", reason="pages cannot be made: the extra `report`")

CONTENT = Path(__file__).parents[2] / "content"
EVIL = '<script>alert("1")</script> & \\"x\\"'


class Elements(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.links += [
            value or "" for name, value in attrs if name in {"href", "src", "xlink:href"}
        ]
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.text += data


def elements(page: str) -> Elements:
    found = Elements()
    found.feed(page)
    return found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("report") / "mill.html"
    words = ("report", str(CONTENT / "sutters_mill"), "--games", "600", "--players", "3")
    run = Run()
    assert run(*words, "--seed", "4", "-o", str(out)).status == 0
    return out.read_text(encoding="utf-8")
