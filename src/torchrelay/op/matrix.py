"""Operators on matrices and sequences as wholes: triangles, diagonals, masks, sums of products."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import (
    Attrs,
    Dim,
    Fusion,
    Shape,
    String,
    TensorType,
    TupleType,
    Type,
    attrs,
    operator,
    shapes,
)
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_same_dtype, tensors_of

__all__ = ["einsum", "matrix_set_diag", "sequence_mask", "trilu"]


@attrs("relay.attrs.TriluAttrs")
class TriluAttrs(Attrs):
    upper: bool = True
    """Whether the upper triangle stays, not the lower."""


@operator("trilu", TriluAttrs, Fusion.ELEMWISE, level=3, keyed=False)
def trilu(data: TensorType, k: TensorType, attrs: TriluAttrs) -> Type:
    """A triangle of each matrix in the last two axes, zeros elsewhere; ``k`` moves its diagonal up."""
    if data.rank < 2:
        raise TypeMismatch(f"the data must have rank 2 or more, not {data.rank}")
    if k.rank:
        raise TypeMismatch(f"k must have rank 0, not {k.rank}")
    return data


@trilu.reference
def trilu_numpy(data: Array, k: Array, attrs: TriluAttrs) -> Array:
    return np.triu(data, int(k)) if attrs.upper else np.tril(data, int(k))


@attrs("relay.attrs.MatrixSetDiagAttrs")
class MatrixSetDiagAttrs(Attrs):
    k1: int = 0
    """The lowest diagonal to set; 0 is the main one, above it is positive."""
    k2: int = 0
    """The highest diagonal to set."""
    super_diag_right_align: bool = True
    """Whether a diagonal above the main one that is shorter than its row stands at the right end of it."""
    sub_diag_right_align: bool = False
    """Whether a diagonal below the main one that is shorter than its row stands at the right end of it."""


@operator("matrix_set_diag", MatrixSetDiagAttrs, Fusion.INJECTIVE)
def matrix_set_diag(input: TensorType, diagonal: TensorType, attrs: MatrixSetDiagAttrs) -> Type:
    """The matrices in the last two axes with diagonals replaced.

    ``diagonal`` has one row for each diagonal, the highest first; where it is only one, the row has no axis of its own.
    """
    check_same_dtype(input=input, diagonal=diagonal)
    if input.rank < 2:
        raise TypeMismatch(f"the input must have rank 2 or more, not {input.rank}")
    if attrs.k1 > attrs.k2:
        raise WrongArgument(f"k1 is {attrs.k1}, but must not be larger than k2, {attrs.k2}")
    expected = input.rank - (attrs.k1 == attrs.k2)
    if diagonal.rank != expected:
        raise TypeMismatch(f"diagonal must have rank {expected}, not {diagonal.rank}")
    return input


@matrix_set_diag.reference
def matrix_set_diag_numpy(input: Array, diagonal: Array, attrs: MatrixSetDiagAttrs) -> Array:
    rows, columns = input.shape[-2:]
    width = diagonal.shape[-1]
    lines = diagonal[..., None, :] if attrs.k1 == attrs.k2 else diagonal
    result = input.copy()
    for k in range(attrs.k1, attrs.k2 + 1):
        length = max(min(rows + min(k, 0), columns - max(k, 0)), 0)
        right = attrs.super_diag_right_align if k >= 0 else attrs.sub_diag_right_align
        start = width - length if right else 0
        places = np.arange(length, dtype=np.int64)
        result[..., places - min(k, 0), places + max(k, 0)] = lines[..., attrs.k2 - k, start : start + length]
    return result


@attrs("relay.attrs.SequenceMaskAttrs")
class SequenceMaskAttrs(Attrs):
    mask_value: float = 0
    """What stands beyond the end of a sequence."""
    axis: int = 0
    """The axis along which the sequences run: 0 or 1; they stand beside each other along the other."""


@operator("sequence_mask", SequenceMaskAttrs, Fusion.INJECTIVE, level=10)
def sequence_mask(data: TensorType, valid_length: TensorType, attrs: SequenceMaskAttrs) -> Type:
    """The data with every element beyond the length of its sequence replaced."""
    if attrs.axis not in (0, 1):
        raise WrongArgument(f"axis is {attrs.axis}, but must be 0 or 1")
    if data.rank < 2:
        raise TypeMismatch(f"the data must have rank 2 or more, not {data.rank}")
    wanted = data.shape[1 - attrs.axis]
    if valid_length.rank != 1 or not shapes.dims_fit(valid_length.shape[0], wanted):
        raise TypeMismatch(f"valid_length must have the shape ({wanted},), not {valid_length.shape}")
    return data


@sequence_mask.reference
def sequence_mask_numpy(data: Array, valid_length: Array, attrs: SequenceMaskAttrs) -> Array:
    beyond: Array = np.arange(data.shape[attrs.axis], dtype=np.int64)[:, None] >= valid_length
    beyond = beyond if attrs.axis == 0 else beyond.T
    beside = (1,) * (data.ndim - 2)
    return np.where(beyond.reshape(*beyond.shape, *beside), data.dtype.type(attrs.mask_value), data)


@attrs("relay.attrs.EinsumAttrs")
class EinsumAttrs(Attrs):
    equation: String
    """The axes of each tensor as letters, ``...`` for any others, then ``->`` and those of the result."""


def _letters(term: str, rank: int, equation: str) -> list[str]:
    """A name for each axis: letters, and for axes under an ellipsis their place counted from its end."""
    head, dots, tail = term.partition("...")
    hidden = rank - len(head) - len(tail)
    if hidden < 0 or (hidden and not dots):
        raise TypeMismatch(f"{term!r} of {equation!r} does not name the axes of a value of rank {rank}")
    return [*head, *(f"...{hidden - place}" for place in range(hidden)), *tail]


def _result_term(terms: Sequence[str]) -> str:
    """The axes of the result where the equation does not say: the ellipsis, then letters that stand there once."""
    text = "".join(terms).replace("...", "")
    once = sorted(letter for letter in set(text) if text.count(letter) == 1)
    return ("..." if any("..." in term for term in terms) else "") + "".join(once)


def _summed(equation: str, operands: Sequence[Shape]) -> Shape:
    given, arrow, result = equation.replace(" ", "").partition("->")
    terms = given.split(",")
    if len(terms) != len(operands):
        raise TypeMismatch(f"{equation!r} is about {len(terms)} tensors, but {len(operands)} are given")
    sizes: dict[str, Dim] = {}
    for term, shape in zip(terms, operands, strict=True):
        for name, dim in zip(_letters(term, len(shape), equation), shape, strict=True):
            (sizes[name],) = shapes.broadcast((sizes.get(name, 1),), (dim,))
    hidden = sorted((name for name in sizes if name.startswith("...")), reverse=True, key=lambda name: int(name[3:]))
    wanted = result if arrow else _result_term(terms)
    head, dots, tail = wanted.partition("...")
    names = [*head, *(hidden if dots else ()), *tail]
    unknown = [name for name in names if name not in sizes]
    if unknown:
        raise WrongArgument(f"the result of {equation!r} names {unknown[0]!r}, which no tensor has")
    return tuple([sizes[name] for name in names])


@operator("einsum", EinsumAttrs, Fusion.INJECTIVE, level=11)
def einsum(data: TupleType, attrs: EinsumAttrs) -> Type:
    """The sum of products of elements of the tensors over all axes that the result has not."""
    tensors = tensors_of(data)
    return TensorType(_summed(attrs.equation, [tensor.shape for tensor in tensors]), tensors[0].dtype)


@einsum.reference
def einsum_numpy(data: tuple[Array, ...], attrs: EinsumAttrs) -> Array:
    dtype = data[0].dtype
    parts = data if dtype.kind != "V" else [part.astype(np.float32) for part in data]
    return np.einsum(attrs.equation, *parts, optimize=len(data) > 2).astype(dtype, copy=False)
