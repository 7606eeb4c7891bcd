"""The runner over PyTorch's database: a few operators of each kind, and that it tells a wrong number from a right one."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.testing._internal.opinfo.core import SampleInput

from tests.opinfo import judge
from tests.opinfo.table import share, verdict_of

OP_DB = pytest.importorskip("torch.testing._internal.common_methods_invocations").op_db


@pytest.mark.parametrize("route", ["trace", "export"])
@pytest.mark.parametrize("name", ["cumsum", "sort", "trapezoid", "nn.functional.unfold"])
def test_every_sample_is_right(name: str, route: str) -> None:
    operator = next(operator for operator in OP_DB if operator.name == name)
    verdicts = list(judge.judged(operator, route))
    assert verdicts
    assert [verdict for verdict in verdicts if verdict.verdict != "right"] == []


def _verdict(function: object, *inputs: torch.Tensor) -> str:
    return judge._judged(judge.Sample("f", function, SampleInput(inputs[0], args=inputs[1:])).eval(), "trace")[0]


def test_what_is_no_matter_of_the_importer_is_told_apart() -> None:
    x = torch.ones(8)
    assert _verdict(torch.bernoulli, x / 2) == "random"
    assert _verdict(lambda x: torch.complex(x, x), x) == "complex"
    assert _verdict(lambda x: x.to_sparse(), x) == "sparse"
    assert _verdict(lambda x: torch.ops.aten.hash_tensor(x), x) == "refused"


def test_a_wrong_number_or_dtype_is_seen() -> None:
    expected = [torch.tensor([1.0, 2.0])]
    assert judge._difference([np.float32([1, 2])], expected) == ""
    assert "torch's float32(2,)" in judge._difference([np.float64([1, 2])], expected)
    assert judge._difference([np.float32([1, 3])], expected).startswith("result 0 is [1.,3.]")


def test_an_operator_counts_by_its_worst_sample() -> None:
    rows = [
        {"samples": [{"verdict": v} for v in verdicts]}
        for verdicts in (["right"], ["right", "wrong"], ["random", "right"])
    ]
    assert [verdict_of(row) for row in rows] == ["right", "wrong", "right"]
    assert share(rows) == 0.5
