"""The text and the JSON of every converted model are read by the real TVM, which infers the same type for the result."""

from __future__ import annotations

import pytest

import torchrelay
from tests.interop.conftest import Oracle
from tests.models import MODELS, build
from tests.models.control import PROGRAMS
from torchrelay.formats import save_json
from torchrelay.ir import TensorType, TupleType, Type


def described(kind: Type | None) -> object:
    if isinstance(kind, TensorType):
        return {"shape": [dim if isinstance(dim, int) else "?" for dim in kind.shape], "dtype": str(kind.dtype)}
    assert isinstance(kind, TupleType)
    return [described(part) for part in kind.fields]


@pytest.mark.parametrize("name", [name for name in MODELS if name != "bert_base"])
def test_the_real_tvm_reads_the_model(name: str, oracle: Oracle) -> None:
    mod, _ = torchrelay.from_torch(*build(name))
    wanted = described(mod["main"].body.type)
    assert oracle.ask(form="text", content=mod.astext(for_tvm=True)) == {"type": wanted}
    assert oracle.ask(form="json", content=save_json(mod)) == {"type": wanted}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_real_tvm_reads_branches_and_loops(name: str, oracle: Oracle) -> None:
    program = PROGRAMS[name]
    mod, _ = torchrelay.from_torch(program.function(), program.inputs[0])
    wanted = described(mod["main"].body.type)
    assert oracle.ask(form="text", content=mod.astext(for_tvm=True)) == {"type": wanted}
    assert oracle.ask(form="json", content=save_json(mod)) == {"type": wanted}
