"""Tensors made in a shape that is a value."""

from __future__ import annotations

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import ANY, Fusion, TensorType, Type, operator, shapes
from torchrelay.op import create, index, sparse
from torchrelay.op._numpy import Array
from torchrelay.op._relations import check_integers, check_same_dtype, given_dtype
from torchrelay.op.create import InitOpAttrs
from torchrelay.op.dyn._values import by_static, check_scalar, integers, length, number, unknown
from torchrelay.op.index.find import OneHotAttrs
from torchrelay.op.sparse import SparseToDenseAttrs

__all__ = ["full", "one_hot", "ones", "sparse_to_dense", "zeros"]


def _sizes(shape: Array, name: str) -> tuple[int, ...]:
    """The values of a shape. Raises WrongArgument for a negative one."""
    sizes = integers(shape)
    if min(sizes, default=0) < 0:
        raise WrongArgument(f"{name} is {sizes}, but its entries must be 0 or more")
    return sizes


@operator("dyn.zeros", InitOpAttrs, Fusion.ELEMWISE, level=3, data_dependent=(True,))
def zeros(shape: TensorType, attrs: InitOpAttrs) -> Type:
    """Zeros in the shape that a tensor says."""
    return TensorType(unknown(length(shape=shape)), given_dtype(attrs.dtype))


@zeros.reference
def zeros_numpy(shape: Array, attrs: InitOpAttrs) -> Array:
    return create.zeros_numpy(attrs.replace(shape=_sizes(shape, "shape")))


@operator("dyn.ones", InitOpAttrs, Fusion.ELEMWISE, level=3, data_dependent=(True,))
def ones(shape: TensorType, attrs: InitOpAttrs) -> Type:
    """Ones in the shape that a tensor says."""
    return TensorType(unknown(length(shape=shape)), given_dtype(attrs.dtype))


@ones.reference
def ones_numpy(shape: Array, attrs: InitOpAttrs) -> Array:
    return create.ones_numpy(attrs.replace(shape=_sizes(shape, "shape")))


@operator("dyn.full", InitOpAttrs, Fusion.ELEMWISE, level=3, data_dependent=(False, True))
def full(fill_value: TensorType, shape: TensorType, attrs: InitOpAttrs) -> Type:
    """One value everywhere in the shape that a tensor says; ``dtype`` is that of the value unless given."""
    check_scalar(fill_value=fill_value)
    return TensorType(unknown(length(shape=shape)), attrs.dtype or fill_value.dtype)


@full.reference
def full_numpy(fill_value: Array, shape: Array, attrs: InitOpAttrs) -> Array:
    return create.full_numpy(fill_value, attrs.replace(shape=_sizes(shape, "shape")))


@operator("dyn.one_hot", OneHotAttrs, Fusion.OUT_ELEMWISE_FUSABLE, level=10, data_dependent=(False, False, False, True))
def one_hot(
    indices: TensorType, on_value: TensorType, off_value: TensorType, depth: TensorType, attrs: OneHotAttrs
) -> Type:
    """``on_value`` at each index along a new axis as long as a scalar says, ``off_value`` elsewhere."""
    check_integers(depth=depth)
    if not shapes.dims_fit(shapes.product(depth.shape), 1):
        raise TypeMismatch(f"depth must be one number, not of shape {depth.shape}")
    if not -1 <= attrs.axis <= indices.rank:
        raise WrongArgument(f"axis is {attrs.axis}, but must be from -1 to {indices.rank}")
    axis = indices.rank if attrs.axis == -1 else attrs.axis
    return TensorType((*indices.shape[:axis], ANY, *indices.shape[axis:]), given_dtype(attrs.dtype))


@one_hot.reference
def one_hot_numpy(indices: Array, on_value: Array, off_value: Array, depth: Array, attrs: OneHotAttrs) -> Array:
    return by_static(index.one_hot, attrs.replace(depth=number(depth)), indices, on_value, off_value)


@operator("dyn.sparse_to_dense", None, Fusion.OPAQUE, level=3, data_dependent=(False, False, False, True))
def sparse_to_dense(
    sparse_indices: TensorType, sparse_values: TensorType, default_value: TensorType, output_shape: TensorType
) -> Type:
    """A dense tensor of the shape that a tensor says with values at coordinates, the default elsewhere."""
    check_integers(sparse_indices=sparse_indices)
    check_same_dtype(sparse_values=sparse_values, default_value=default_value)
    check_scalar(default_value=default_value)
    if sparse_indices.rank > 2 or sparse_values.rank > 1:
        raise TypeMismatch(
            f"ranks {sparse_indices.rank} of coordinates and {sparse_values.rank} of values are too large"
        )
    rank = length(output_shape=output_shape)
    width = sparse_indices.shape[1] if sparse_indices.rank == 2 else 1
    if not shapes.dims_fit(width, rank):
        raise TypeMismatch(f"coordinates of {width} axes do not fit an output_shape of {rank}")
    return TensorType(unknown(rank), sparse_values.dtype)


@sparse_to_dense.reference
def sparse_to_dense_numpy(
    sparse_indices: Array, sparse_values: Array, default_value: Array, output_shape: Array
) -> Array:
    record = SparseToDenseAttrs(output_shape=_sizes(output_shape, "output_shape"))
    return by_static(sparse.sparse_to_dense, record, sparse_indices, sparse_values, default_value)
