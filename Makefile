# The two commands of the README, and what CI runs beside them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types wheel

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
