"""Everything the README shows is what the tool prints."""

from __future__ import annotations

import pytest

from tests import readme


@pytest.mark.parametrize("block", readme.blocks(readme.README.read_text()))
def test_a_console_block_shows_what_its_commands_print(block: str) -> None:
    assert readme.run_block(block) == block


def test_the_readme_shows_something() -> None:
    assert len(readme.blocks(readme.README.read_text())) >= 2
