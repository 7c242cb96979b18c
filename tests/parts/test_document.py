from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.errors import UsageError
from neuron_migrate.files.shard import Shard
from neuron_migrate.finding import Edit, Shapes
from neuron_migrate.parts import document
from neuron_migrate.parts.document import Evidence, File, Part, Skipped
from neuron_migrate.report.located import Region, Replacement
from neuron_migrate.report.risk import Skip
from neuron_migrate.report.since import Known, Since
from tests.parts.building import choices
from tests.report import factory as make
from tests.report.test_formats import ODD

if TYPE_CHECKING:
    from pathlib import Path

REGION = Region(1, 2, 3, 4)
FINDINGS = (
    make.finding(edits=(Edit(1, 2, "\ud800"),), shapes=Shapes(at_most=4, per="prompt"), path=ODD),
    make.manual(cell=2, fingerprint="ab", path=ODD),
    make.advice(path=ODD),
)
CODE = {"cell": None, "first": 1, "lines": ["x\u2028"], "mark": [1, 2, 3, 4]}


@pytest.fixture(scope="module")
def part() -> Part:
    evidence = (
        Evidence(region=REGION, line="x", replacements=(Replacement(REGION, "y"),), code=CODE),
        Evidence(region=REGION),
        Evidence(region=REGION, code={"diff": [CODE]}),
    )
    return Part(
        shard=Shard(2, 4),
        choices=choices(per_file_ignores={"tests/*": ("NM1",)}, diff_base=("main", "ab12")),
        since=Since(Known("known.json", 3, 1), "main", 4),
        rules=loader.load().rules,
        files=(File(result=make.result(*FINDINGS, path=ODD, failed=True), evidence=evidence),),
        skipped=(Skipped(rank=7, skip=Skip("\udcff.py", "leads nowhere", False)),),
    )


def test_what_is_read_is_what_was_written(part: Part, tmp_path: Path) -> None:
    file = tmp_path / "part.json"
    file.write_bytes(document.encoded(part))
    assert document.load(file) == part
    assert file.read_bytes().isascii()


def test_a_part_without_the_evidence_of_a_finding_is_damaged(part: Part, tmp_path: Path) -> None:
    file = tmp_path / "part.json"
    bare = File(result=part.files[0].result)
    file.write_bytes(document.encoded(Part(**{**fields(part), "files": (bare,)})))
    with pytest.raises(UsageError, match=r"part\.json: a damaged part"):
        document.load(file)


def fields(part: Part) -> dict[str, object]:
    return {name: getattr(part, name) for name in part.__struct_fields__}
