#!/bin/sh
# For any other CI: sh check.sh [REVISION]. With a revision (the branch a change goes to) it reports
# and fails on new findings only. Leaves neuron-migrate.sarif and neuron-migrate.md; the exit
# status is that of the check: 0 nothing, 1 findings, 2 something is wrong with the command.
set -u
revision=${1:-}
set -- check
[ -z "$revision" ] || set -- "$@" --diff-base "$revision"

if ! command -v neuron-migrate >/dev/null; then
  python3 -m venv .neuron-migrate-venv &&
    .neuron-migrate-venv/bin/pip install --quiet \
      "git+https://github.com/your-org/neuron-migrate@v0.1.0" || exit 2
  PATH=$PWD/.neuron-migrate-venv/bin:$PATH
fi

status=0
neuron-migrate "$@" --output-format sarif --output neuron-migrate.sarif || status=$?
[ "$status" -le 1 ] || exit "$status"
neuron-migrate "$@" --output-format markdown --output neuron-migrate.md || true
neuron-migrate "$@" || true
exit "$status"
