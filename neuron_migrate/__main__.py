"""``python -m neuron_migrate``."""

from neuron_migrate.cli.app import main

if __name__ == "__main__":
    main()
