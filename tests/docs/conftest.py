from cli.conftest import run as run  # noqa: PLC0414  # the fixture, for these tests too
