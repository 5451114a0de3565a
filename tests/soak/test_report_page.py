"""The soak that opens pages in a browser, and what it finds wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from soak import browser, report_page

BAD = """\
<!DOCTYPE html><title>Bad</title><body style="background: #fff">
<main><section id="seats"><p style="color: #eee">pale</p><div style="width: 3000px">wide</div>
<figure><svg aria-label="An empty chart" style="height: 90px"></svg></figure></section></main>
<script>console.error("a fault")</script>
"""


def test_it_is_skipped_with_a_line_where_the_browser_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)

    assert report_page.run("content", 1, 1, None) == 0
    assert capsys.readouterr().out.startswith(
        "skipped, as these are missing: chromium, chromedriver"
    )


def test_contrast_is_that_of_wcag() -> None:
    assert report_page.contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == pytest.approx(21)
    assert report_page.contrast("rgb(119, 119, 119)", "rgb(255, 255, 255)") == pytest.approx(
        4.48, abs=0.01
    )


@pytest.mark.skipif(bool(browser.missing()), reason="Chromium and its driver are not installed")
def test_what_is_wrong_with_a_page_is_found(tmp_path: Path) -> None:
    page = tmp_path / "bad.html"
    page.write_text(BAD, encoding="utf-8")
    found = "\n".join(report_page.looked_at(page))

    for fault in ("not drawn: An empty chart", "pixels too wide", "is hard to read", "a fault"):
        assert f"light: {fault}" in found or fault in found
    assert "there is no chart of length" in found
    assert (tmp_path / "bad.dark.png").stat().st_size
