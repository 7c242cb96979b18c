"""The ``neuron-migrate`` command, and ``python -m neuron_migrate``."""

import sys

_INTERRUPTED = 130
"""As ``cli.status`` has it, which may be what is interrupted."""


def main() -> None:
    """Run the command; Ctrl-C while it is still being imported is no error of ours."""
    try:
        from neuron_migrate.cli import app
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    app.main()


if __name__ == "__main__":
    main()
