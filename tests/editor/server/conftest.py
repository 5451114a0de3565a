"""A language server and a client for the tests of a module."""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp

from editor.server.desk import Desk
from game_texts import write_lanterns

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-c", "from coloma.app import main; main(['lsp'])"]
PATHS = os.pathsep.join([str(ROOT), str(ROOT / "cli")])


def make_client() -> pytest_lsp.LanguageClient:
    client = pytest_lsp.make_test_lsp_client()

    @client.feature(lsp.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def _registered(_: lsp.RegistrationParams) -> None:
        pass

    @client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)  # type: ignore[untyped-decorator]
    def _refreshed(_: None) -> None:
        pass

    return client


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_lanterns(tmp_path_factory.mktemp("lanterns"))


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    loop_scope="session",
    scope="session",
    config=pytest_lsp.ClientServerConfig(
        server_command=COMMAND, server_env={"PYTHONPATH": PATHS}, client_factory=make_client
    ),
)
async def client(lsp_client: pytest_lsp.LanguageClient, folder: Path) -> AsyncIterator[None]:
    await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=pytest_lsp.client_capabilities("visual-studio-code"),
            workspace_folders=[lsp.WorkspaceFolder(uri=folder.as_uri(), name="lanterns")],
        )
    )
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def desk(client: pytest_lsp.LanguageClient, folder: Path) -> Iterator[Desk]:
    found = Desk(client, folder)
    yield found
    found.close()
