"""Branches, loops and lists of a program: ``If`` and recursive functions, the values of PyTorch on every way through."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.frontend.test_converters import leaves
from tests.models.control import PROGRAMS
from torchrelay import from_torch, run, verify
from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend import imported
from torchrelay.ir import Function, If, IRModule, Let, post_order
from torchrelay.runtime import as_array


def counted(mod: IRModule, kind: type) -> int:
    return sum(isinstance(expr, kind) for expr in post_order(mod["main"]))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_converted_once_gives_torchs_values_on_every_way_through_it(name: str) -> None:
    program = PROGRAMS[name]
    function = program.function()
    mod, params = from_torch(function, program.inputs[0])
    for inputs in program.inputs:
        wanted = [
            as_array(leaf) if isinstance(leaf, torch.Tensor) else np.asarray(leaf) for leaf in leaves(function(*inputs))
        ]
        results = run(mod, params, inputs)
        assert [result.shape for result in results] == [value.shape for value in wanted]
        for result, value in zip(results, wanted, strict=True):
            assert result.dtype == value.dtype
            np.testing.assert_allclose(result, value, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_verify_compares_what_branches_and_loops_give(name: str) -> None:
    program = PROGRAMS[name]
    found = verify(program.function(), program.inputs[0])
    assert found.ok
    assert not found.skipped


def test_a_loop_is_a_function_that_calls_itself() -> None:
    mod, _ = from_torch(PROGRAMS["for"].function(), PROGRAMS["for"].inputs[0])
    assert counted(mod, Let) == 1
    assert counted(mod, If) == 1


def test_a_loop_is_written_out_where_that_is_asked_for() -> None:
    program = PROGRAMS["for"]
    mod, params = from_torch(program.function(), program.inputs[0], unroll_loops=True)
    assert counted(mod, Let) == counted(mod, If) == 0
    (result,) = run(mod, params, program.inputs[0])
    np.testing.assert_allclose(result, program.function()(*program.inputs[0]))


def test_a_loop_of_computed_turns_stays_a_function_where_writing_out_is_asked_for() -> None:
    program = PROGRAMS["for of a computed number of turns"]
    mod, _ = from_torch(program.function(), program.inputs[0], unroll_loops=True)
    assert counted(mod, Let) == 1


def test_what_a_loop_takes_from_around_it_is_computed_once() -> None:
    mod, _ = from_torch(PROGRAMS["nested loops"].function(), PROGRAMS["nested loops"].inputs[0])
    bound = [
        expr.value for expr in post_order(mod["main"]) if isinstance(expr, Let) and not isinstance(expr.value, Function)
    ]
    assert len(bound) == 1
    assert "multiply" in str(bound[0])


def test_the_record_has_the_nodes_in_branches_and_loops() -> None:
    program = PROGRAMS["nested loops"]
    made = imported(program.function(), program.inputs[0])
    inside = [record.node.target for record in made.conversion.records if record.nested]
    assert "aten::mean.default" in inside
    assert inside.count("prim::If.default") == 1
    assert [record.node.target for record in made.conversion.records if not record.nested][-1] == "prim::Loop.default"


REFUSED = {
    "rank": """(x):
    if bool(x.sum() > 0):
        return x
    return x[0]
""",
    "dtype": """(x):
    if bool(x.sum() > 0):
        return x
    return x.long()
""",
    "elements": """(x, n: int):
    out = [x]
    for i in range(n):
        out.append(out[-1][1:])
    return torch.cat(out)
""",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_one_type_is_refused_with_its_place(name: str) -> None:
    function = torch.jit.CompilationUnit("def f" + REFUSED[name]).f
    inputs = (torch.ones(3), 2)[: 2 if name == "elements" else 1]
    with pytest.raises(UnsupportedProgram, match="depend") as found:
        from_torch(function, inputs)
    assert found.value.diagnostics[0].place.line
