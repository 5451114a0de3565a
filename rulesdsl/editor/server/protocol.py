"""Guards around the protocol library: what it would leave without an answer gets one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

if TYPE_CHECKING:
    from typing import BinaryIO

_LENGTH = b"content-length"


class Protocol(LanguageServerProtocol):
    """The protocol, with an answer to requests that cannot be read."""

    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401 - as the library has it
        """Return a message; a request with, say, a line below 0 is answered with an error."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], None, error.to_response_error())
            raise


class Headers:
    """Standard input whose header of the length is written as the library looks for it.

    Names of headers may be written in capitals or not; the library would miss the body.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """Return the next line of a header."""
        line = self._stream.readline()
        name, _, value = line.partition(b":")
        is_length = name.strip().lower() == _LENGTH
        return b"Content-Length: %s\r\n" % value.strip() if is_length else line

    def read(self, size: int) -> bytes:
        """Return so many bytes of a body."""
        return self._stream.read(size)
