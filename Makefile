# The two commands of the README, and what CI runs beside them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types docs wheel

# Sets everything up and migrates a small CUDA trainer: the findings, the diff and the report.
demo: $(VENV)/.installed
	@$(BIN)/neuron-migrate fix examples/cuda_trainer || test $$? -eq 1

# Sets everything up, torch for the catalog's completeness test included, and runs the tests.
test: $(VENV)/.tested
	$(BIN)/python -m pytest -n auto -m "not wheel"

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tested
	$(BIN)/mypy

# Any warning fails: a link that leads nowhere, a page in no tree, markup that is not understood.
docs: $(VENV)/.tested
	$(BIN)/python -m sphinx --builder html --fresh-env --fail-on-warning --keep-going --nitpicky \
		--jobs auto --quiet docs build/docs
	PYTHONPATH=docs/_ext $(BIN)/python -m site_pages.links build/docs

wheel: $(VENV)/.tested
	$(BIN)/python -m pytest -m wheel

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.tested: pyproject.toml requirements-test.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]' --requirement requirements-test.txt
	touch $@ $(VENV)/.installed
