"""Types where some dims are unknown, as Relay infers them."""

from __future__ import annotations

from typing import Any as Anything

import pytest

from torchrelay import op
from torchrelay.ir import ANY, Dim, Operator, TensorType, TupleType, Type


def of(*shape: Dim, dtype: str = "float32") -> TensorType:
    """A type."""
    return TensorType.of(shape, dtype)


def both(*fields: Type) -> TupleType:
    """A tuple type."""
    return TupleType(fields)


X = of(ANY, 3, ANY)
ROWS: list[tuple[Operator[...], tuple[Type, ...], dict[str, Anything], Type]] = [
    (op.add, (of(ANY, 4), of(1, 4)), {}, of(ANY, 4)),
    (op.add, (of(ANY, 4), of(3, 4)), {}, of(3, 4)),
    (op.add, (of(ANY, 4), of(ANY, 4)), {}, of(ANY, 4)),
    (op.where, (of(1, 3, dtype="bool"), of(ANY, 3), of(2, 1)), {}, of(2, 3)),
    (op.sum, (X,), {"axis": (0,)}, of(3, ANY)),
    (op.sum, (X,), {"axis": (1,), "exclude": True, "keepdims": True}, of(1, 3, 1)),
    (op.argmax, (X,), {"axis": (1,)}, of(ANY, ANY, dtype="int32")),
    (op.cumsum, (X,), {"axis": 1}, X),
    (op.reshape, (X,), {"newshape": (0, -1)}, of(ANY, ANY)),
    (op.reshape, (X,), {"newshape": (-1, 3)}, of(ANY, 3)),
    (op.reshape, (X,), {"newshape": (-3, 0)}, of(ANY, ANY)),
    (op.reshape, (X,), {"newshape": (0, 0, -4, -1, 2)}, of(ANY, 3, ANY, 2)),
    (op.reshape, (X,), {"newshape": (3, 4)}, of(3, 4)),
    (op.reshape, (of(ANY, 3, 4),), {"newshape": (0, -1)}, of(ANY, 12)),
    (op.reshape, (of(ANY, 3, 4),), {"newshape": (0, 2, -1)}, of(ANY, 2, 6)),
    (op.reshape, (of(ANY, 3, 4),), {"newshape": (-3, -1)}, of(ANY, 4)),
    (op.reshape, (of(ANY, 3, 4),), {"newshape": (-1, 12)}, of(ANY, 12)),
    (op.reshape, (of(ANY, 3, 4),), {"newshape": (1, 0, -1)}, of(1, 3, ANY)),
    (op.reshape, (of(ANY, 3, 4),), {"newshape": (-4, 2, -1, -2)}, of(2, ANY, 3, 4)),
    (op.contrib_reverse_reshape, (of(ANY, 3, 4),), {"newshape": (-1, 0)}, of(ANY, 4)),
    (op.reshape_like, (of(2, 6), of(4, ANY)), {}, of(4, ANY)),
    (op.squeeze, (of(1, ANY, 1),), {"axis": (1,)}, of(1, 1)),
    (op.broadcast_to, (of(ANY, 3),), {"shape": (3, 3)}, of(3, 3)),
    (op.repeat, (X,), {"repeats": 2, "axis": 0}, X),
    (op.tile, (X,), {"reps": (2, 1)}, of(ANY, 6, ANY)),
    (op.meshgrid, (both(of(ANY), of(4)),), {"indexing": "xy"}, both(of(4, ANY), of(4, ANY))),
    (op.concatenate, (both(of(1, 3), of(1, ANY)),), {}, of(2, ANY)),
    (op.concatenate, (both(of(ANY, 3), of(2, ANY)),), {}, of(ANY, 3)),
    (op.stack, (both(of(1, ANY), of(1, 3)),), {}, of(2, 1, ANY)),
    (op.stack, (both(of(1, 3), of(1, ANY)),), {}, of(2, 1, 3)),
    (op.split, (of(ANY, 3),), {"indices_or_sections": 2}, both(of(ANY, 3), of(ANY, 3))),
    (op.split, (of(ANY, 3),), {"indices_or_sections": (1, 3)}, both(of(1, 3), of(2, 3), of(ANY, 3))),
    (op.strided_slice, (X,), {"begin": (0, 0), "end": (2, 2), "strides": (1,), "axes": None}, of(ANY, 2, ANY)),
    (op.slice_like, (X, of(1, 2, 3)), {"axes": None}, of(1, 2, 3)),
    (op.layout_transform, (of(1, ANY, 5, 6),), {"src_layout": "NCHW", "dst_layout": "NHWC"}, of(1, 5, 6, ANY)),
    (op.take, (X, of(ANY, dtype="int32")), {"axis": 0}, of(ANY, 3, ANY)),
    (op.gather, (X, of(1, 3, 4, dtype="int32")), {"axis": 0}, of(1, 3, 4)),
    (op.gather_nd, (X, of(1, 5, dtype="int32")), {}, of(5, 3, ANY)),
    (op.adv_index, (both(X, of(ANY, dtype="int32"), of(3, 1, dtype="int64")),), {}, of(3, ANY, ANY)),
    (op.argwhere, (X,), {}, of(ANY, 3, dtype="int32")),
    (op.topk, (X,), {"k": 2, "ret_type": "values", "dtype": "int32"}, of(ANY, 3, 2)),
    (op.stft, (of(2, ANY), of(4)), {"n_fft": 4, "hop_length": 2, "win_length": 4}, of(2, 3, ANY, 2)),
    (op.einsum, (both(of(ANY, 3), of(3, 4)),), {"equation": "ij,jk->ik"}, of(ANY, 4)),
    (op.shape_of, (X,), {"dtype": "int64"}, of(3, dtype="int64")),
]


@pytest.mark.parametrize(
    ("operator", "types", "attributes", "wanted"), ROWS, ids=[f"{row[0].name}-{n}" for n, row in enumerate(ROWS)]
)
def test_type(operator: Operator[...], types: tuple[Type, ...], attributes: dict[str, Anything], wanted: Type) -> None:
    assert operator.infer(types, operator.attributes(attributes)) == wanted
