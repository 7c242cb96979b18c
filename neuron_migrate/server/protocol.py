"""The protocol as pygls speaks it, with an answer to every request."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol


class Protocol(LanguageServerProtocol):
    """A request whose parameters are wrong is answered with an error, not with silence."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as an object; raises JsonRpcException for one that is none."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and "id" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise
