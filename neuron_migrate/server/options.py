"""What the editor asks for when it starts the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.errors import UsageError
from neuron_migrate.finding import Target

if TYPE_CHECKING:
    from neuron_migrate.settings import Settings


class Options(msgspec.Struct, frozen=True, rename="camel"):
    """The ``initializationOptions``: what is given wins over the configuration."""

    target: Target | None = None
    sdk: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    unsafe: bool | None = None
    show_advice: bool | None = None
    config: str | None = None
    """The configuration of every file, in place of the nearest; relative to the first folder."""

    def over(self, settings: Settings) -> Settings:
        """The settings with these on top."""
        given = {
            name: value
            for name in self.__struct_fields__
            if name != "config" and (value := getattr(self, name)) is not None
        }
        return msgspec.structs.replace(settings, **given)


def read(value: object) -> Options:
    """Raises UsageError for what is not of the right type; unknown names are passed over."""
    try:
        return msgspec.convert(value or {}, Options)
    except msgspec.ValidationError as error:
        raise UsageError(f"initializationOptions: {error}") from error
