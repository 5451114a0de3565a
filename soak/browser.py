"""A browser without a window, driven as WebDriver says: pages opened, looked at, photographed.

https://www.w3.org/TR/webdriver2/ names the requests; those with `goog` or `se` are Chromium's own.
"""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

PROGRAMS = ("chromium", "chromedriver")  # Debian's packages chromium and chromium-driver
WIDTH = 1000
_PATIENCE = 30  # seconds until the driver answers
_DEAD_PROXY = "127.0.0.1:9"  # whatever asks a network is refused there


@attrs.frozen
class Browser:
    """A session of the driver."""

    _url: str

    def open(self, page: Path) -> None:
        """Open a page."""
        self._post("url", {"url": page.resolve().as_uri()})

    def prefer(self, scheme: str) -> None:
        """Let pages be `light` or `dark`."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._command("Emulation.setEmulatedMedia", {"features": features})

    def ask(self, script: str) -> Any:  # noqa: ANN401 - JSON
        """Return what a script in the page returns."""
        return self._post("execute/sync", {"script": script, "args": []})

    def messages(self) -> list[str]:
        """Return what the console has said since it was asked last."""
        return [each["message"] for each in self._post("se/log", {"type": "browser"})]

    def photograph(self, into: Path) -> None:
        """Write a picture of the whole page."""
        found = self._command("Page.captureScreenshot", {"captureBeyondViewport": True})
        into.write_bytes(base64.b64decode(found["data"]))

    def _command(self, name: str, parameters: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        return self._post("goog/cdp/execute", {"cmd": name, "params": parameters})

    def _post(self, path: str, data: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        return _asked(f"{self._url}/{path}", data)


def missing() -> list[str]:
    """Return which of the programs are not there."""
    return [each for each in PROGRAMS if shutil.which(each) is None]


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a browser that has no network; RuntimeError where it does not start."""
    with tempfile.TemporaryDirectory() as profile, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        driver = subprocess.Popen(  # noqa: S603 - nothing in it comes from outside
            ["chromedriver", f"--port={port}"],  # noqa: S607 - on the path, as `missing` says
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            base = f"http://127.0.0.1:{port}"
            _wait(base, driver)
            session = _asked(
                f"{base}/session", {"capabilities": {"alwaysMatch": _wanted(profile)}}
            )
            url = f"{base}/session/{session['sessionId']}"
            try:
                yield Browser(url)
            finally:
                _asked(url, None, "DELETE")
        finally:
            driver.terminate()
            driver.wait()


def _wanted(profile: str) -> dict[str, Any]:
    arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--window-size={WIDTH},800",
        f"--user-data-dir={profile}",
        f"--proxy-server={_DEAD_PROXY}",
        "--disable-background-networking",
    ]
    return {
        "browserName": "chrome",
        "goog:loggingPrefs": {"browser": "ALL"},
        "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments},
    }


def _wait(base: str, driver: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and driver.poll() is None:
        try:
            _asked(f"{base}/status", None, "GET")
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("chromedriver does not answer")


def _asked(url: str, data: dict[str, Any] | None, method: str = "POST") -> Any:  # noqa: ANN401 - JSON
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url, body, method=method)  # noqa: S310 - our own driver
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=120) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{url.rpartition('/')[2]}: {error.read().decode()[:500]}") from None
