"""The protocol as pygls speaks it, with an answer to every request."""

from __future__ import annotations

from typing import Any

from lsprotocol.types import INITIALIZE
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol


class Protocol(LanguageServerProtocol):
    """A request that is wrong, or late, is answered with an error, not with silence."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as an object; raises JsonRpcException for one that is none."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and "id" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:
        """Answer a message; only between ``initialize`` and ``shutdown`` are there requests."""
        asked, method = getattr(message, "id", None), getattr(message, "method", None)
        error: JsonRpcException | None = None
        if self._shutdown:
            error = JsonRpcInvalidRequest("The server is shutting down.")
        elif self._workspace is None and method != INITIALIZE:
            error = JsonRpcServerNotInitialized("The server is not initialized.")
        if error is not None and asked is not None and method is not None:
            self._send_response(asked, error=error.to_response_error())
        else:
            super().handle_message(message)
