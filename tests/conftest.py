import gc
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from lower.verifier import annotate_and_verify
from rulesdsl.check.analysis.secrecy import information_flow
from rulesdsl.scenarios import suite

settings.register_profile("untimed", deadline=None)  # how busy a machine is, is no fault of ours
settings.register_profile("long", deadline=None, max_examples=2000)  # for `.ci/nightly`
settings.load_profile("untimed")


# A shell that puts the tests in the background has what they start ignore interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

gc.set_threshold(100_000, 20, 20)  # packs are kept: to look through them again and again is slow


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the expected outputs of golden tests again; read every difference critically",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.option.update_golden and config.option.markexpr == "not nightly":
        config.option.markexpr = ""  # golden files of nightly tests are written too


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.update_golden:
        items[:] = [
            item
            for item in items
            if "update_golden" in getattr(item, "fixturenames", ())
            or not item.get_closest_marker("nightly")
        ]


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(autouse=True, scope="session")
def _every_lowered_program_is_verified() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (information_flow, suite):
            patch.setattr(module, "annotate", annotate_and_verify)
        yield
