"""``python -m neuron_migrate``, and what the command ``neuron-migrate`` calls."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported leaves no traceback."""
    try:
        from neuron_migrate.cli.app import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
