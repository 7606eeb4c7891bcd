"""Calls of every operator, as text and as JSON, are read by the real TVM, which infers the same type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from tests.interop.conftest import Oracle
from tests.samples import Sample, all_rows
from torchrelay.formats import save_json
from torchrelay.ir import (
    Any,
    Call,
    DType,
    Expr,
    Function,
    IRModule,
    Operator,
    TensorType,
    Tuple,
    TupleType,
    Type,
    Var,
    free_vars,
)


@dataclass(frozen=True)
class Difference:
    """Rows of an operator, and in which form, on which the real TVM says something else, and why that is so."""

    reason: str
    rows: Callable[[int, Sample], bool] = lambda number, row: True
    forms: tuple[str, ...] = ("text", "json")


def numbered(*numbers: int) -> Callable[[int, Sample], bool]:
    return lambda number, row: number in numbers


WITHOUT_REGION = Difference(
    "its relation checks that roi has two values for each axis, used or not",
    lambda n, row: row.attributes.get("roi") is None,
)
NO_GROUPS = "its relation gives the weight's channels, not those times the groups"
DIFFERENCES = {
    "debug": Difference("it wants the function that breaks to be registered in its own process"),
    "image.resize1d": WITHOUT_REGION,
    "image.resize2d": WITHOUT_REGION,
    "image.resize3d": WITHOUT_REGION,
    "unravel_index": Difference("its relation drops all axes of the indices but the first", numbered(1)),
    "nn.leaky_relu": Difference("its reader takes no negative alpha", numbered(2), ("text",)),
    "nn.bitserial_conv2d": Difference("its channels must be given", numbered(0, 2, 3)),
    "nn.bitserial_dense": Difference("its units must be given", numbered(2)),
    "nn.conv1d": Difference(
        "its relation wants all channels in the weight whatever the groups, and reads padding[1] of a list of one",
        numbered(1, 2, 3, 4, 6),
    ),
    "nn.contrib_conv2d_NCHWc": Difference("its relation checks that channels and kernel_size are given", numbered(1)),
    "nn.contrib_conv2d_gemm_weight_transform": Difference(
        "the build at hand keeps one more attribute", forms=("json",)
    ),
    "nn.conv1d_transpose": Difference(NO_GROUPS, numbered(3, 4)),
    "nn.conv2d_transpose": Difference(NO_GROUPS, numbered(3, 4)),
    "nn.conv3d_transpose": Difference(
        "its relation takes the kernel's height, dilated, for its width and its width for its height", numbered(0, 3)
    ),
    "nn.contrib_dense_pack": Difference("it is registered with the record of another operator", forms=("text",)),
    "nn.avg_pool2d_grad": Difference("it is registered with the record of another operator", forms=("text",)),
    "nn.nll_loss": Difference("its relation reads predictions.shape[1] of a single row too", numbered(6)),
    "nn.lrn": Difference("the build at hand keeps one more attribute", forms=("json",)),
}
ENDS = {"annotation.with_funcid": "the real TVM ends without a word"}


def variable_of(value: object) -> Expr:
    """Variables of the types of the inputs."""
    if isinstance(value, tuple):
        return Tuple(tuple(map(variable_of, value)))
    array = np.asarray(value)
    return Var("x", TensorType(array.shape, DType.of(array.dtype)))


def described(type_: Type | None) -> object:
    match type_:
        case TensorType(shape, dtype):
            return {"shape": ["?" if isinstance(dim, Any) else dim for dim in shape], "dtype": str(dtype)}
        case TupleType(fields):
            return [described(part) for part in fields]
        case _:
            return str(type_)


@pytest.mark.parametrize("operator", [o for o in all_rows() if o.name not in ENDS], ids=lambda operator: operator.name)
def test_the_real_tvm_infers_the_same_type(operator: Operator[...], oracle: Oracle) -> None:
    known = DIFFERENCES.get(operator.name)
    for number, row in enumerate(all_rows()[operator]):
        call = Call(operator, tuple(map(variable_of, row.inputs)), row.attrs(operator))
        module = IRModule.from_expr(Function(free_vars(call), call))
        for form, content in (("text", module.astext(for_tvm=True)), ("json", save_json(module))):
            said = oracle.ask(form=form, content=content)
            differs = known is not None and form in known.forms and known.rows(number, row)
            assert (said != {"type": described(call.type)}) is differs, (number, form, row.attributes, said)
