"""The tool as a library: what the command line and the language server are made of.

from neuron_migrate.api import Migrator

migrator = Migrator.configured()
result = migrator.fix_text("model.cuda()\n", "train.py")
run = migrator.fix([Path("src")])
run.plan().diff()
"""

from neuron_migrate.api.changes import Change, Plan
from neuron_migrate.api.migrator import Migrator
from neuron_migrate.api.rewriting import Outcome
from neuron_migrate.api.run import Run
from neuron_migrate.catalog.schema import Rule
from neuron_migrate.errors import UsageError
from neuron_migrate.finding import Edit, FileResult, Finding, Risk
from neuron_migrate.settings import Settings

__all__ = [
    "Change",
    "Edit",
    "FileResult",
    "Finding",
    "Migrator",
    "Outcome",
    "Plan",
    "Risk",
    "Rule",
    "Run",
    "Settings",
    "UsageError",
]
