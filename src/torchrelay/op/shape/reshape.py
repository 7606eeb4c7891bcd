"""The same elements in the same order, in another shape."""

from __future__ import annotations

from collections.abc import Sequence

from torchrelay.errors import TypeMismatch, WrongArgument
from torchrelay.ir import Attrs, Dim, Fusion, Integer, Integers, Shape, TensorType, Type, attrs, operator, shapes
from torchrelay.op._numpy import Array, in_shape

__all__ = ["contrib_reverse_reshape", "expand_dims", "reshape", "reshape_like", "squeeze"]


@attrs("relay.attrs.ReshapeAttrs")
class ReshapeAttrs(Attrs):
    newshape: Integers
    """Sizes, or: 0 the size at this place, -1 what remains, -2 all dims left, -3 two dims in one, -4 one in two."""
    allowzero: bool = False
    """Whether 0 is a size."""


class _Walk:
    """The new shape as it is read, beside the dims of the data that its entries refer to."""

    def __init__(self, dims: Shape) -> None:
        self.dims, self.at = dims, 0
        self.result: list[Dim] = []
        self.open_at: int | None = None
        self.given = 1
        self.rest: Dim = 1

    def take(self) -> Dim:
        """The next dim, as one that an entry refers to."""
        if self.at >= len(self.dims):
            raise WrongArgument(f"newshape refers to dim {self.at} of a value of rank {len(self.dims)}")
        self.at += 1
        return self.dims[self.at - 1]

    def put(self, size: int) -> None:
        """A size by itself."""
        self.result.append(size)
        self.given *= size
        self._pass()

    def leave_open(self) -> None:
        """A size to be found in the end."""
        if self.open_at is not None:
            raise WrongArgument("newshape leaves more than one size open")
        self.open_at = len(self.result)
        self.result.append(1)
        self._pass()

    def take_rest(self) -> None:
        """All dims left."""
        self.result += self.dims[self.at :]
        self.at = len(self.dims)

    def split(self, left: int | None, right: int | None) -> None:
        """The next dim as two, one of which may be open."""
        dim = self.take()
        if left is None or right is None or left == right == -1:
            raise WrongArgument("-4 in newshape needs two sizes after it, one of them known")
        whole = shapes.floor_div(dim, right) if left == -1 else left
        part = shapes.floor_div(dim, left) if right == -1 else right
        if not shapes.dims_fit(dim, shapes.multiply(whole, part)):
            raise TypeMismatch(f"a dim of {dim} has no parts of {left} and {right}")
        self.result += (whole, part)

    def _pass(self) -> None:
        self.rest = shapes.multiply(self.rest, shapes.product(self.dims[self.at : self.at + 1]))
        self.at += 1

    def shape(self) -> Shape:
        """The shape read, with the open size found."""
        rest = shapes.multiply(self.rest, shapes.product(self.dims[self.at :]))
        if self.open_at is not None:
            if self.given == 0:
                raise WrongArgument("newshape leaves a size open beside a size of 0")
            found = shapes.floor_div(rest, self.given)
            self.result[self.open_at] = found
            fits = shapes.dims_fit(rest, shapes.multiply(found, self.given))
        else:
            fits = shapes.dims_fit(rest, self.given)
        if not fits:
            raise TypeMismatch(f"a value of shape {self.dims} has not the elements for the shape {tuple(self.result)}")
        return tuple(self.result)


def reshaped(dims: Shape, newshape: Sequence[int], *, allowzero: bool = False) -> Shape:
    """The shape that ``newshape`` makes of the dims.

    Raises WrongArgument for a new shape that means nothing, TypeMismatch for one that these dims do not fill.
    """
    walk = _Walk(dims)
    sizes = iter(newshape)
    for size in sizes:
        if size > 0 or (size == 0 and allowzero):
            walk.put(size)
        elif size == 0:
            walk.result.append(walk.take())
        elif size == -1:
            walk.leave_open()
        elif size == -2:
            walk.take_rest()
        elif size == -3:
            walk.result.append(shapes.multiply(walk.take(), walk.take()))
        elif size == -4:
            walk.split(next(sizes, None), next(sizes, None))
        else:
            raise WrongArgument(f"newshape holds {size}, which has no meaning")
    return walk.shape()


@operator("reshape", ReshapeAttrs, Fusion.INJECTIVE, level=3)
def reshape(data: TensorType, attrs: ReshapeAttrs) -> Type:
    """The elements in the same order in another shape."""
    return TensorType(reshaped(data.shape, attrs.newshape, allowzero=attrs.allowzero), data.dtype)


@reshape.reference
def reshape_numpy(data: Array, attrs: ReshapeAttrs) -> Array:
    return in_shape(data, reshaped(data.shape, attrs.newshape, allowzero=attrs.allowzero))


def _from_the_end(dims: Shape, attrs: ReshapeAttrs) -> Shape:
    return reshaped(dims[::-1], attrs.newshape[::-1], allowzero=attrs.allowzero)[::-1]


@operator("contrib_reverse_reshape", ReshapeAttrs, Fusion.INJECTIVE)
def contrib_reverse_reshape(data: TensorType, attrs: ReshapeAttrs) -> Type:
    """The elements in the same order in another shape, whose entries refer to the dims from the last one on."""
    return TensorType(_from_the_end(data.shape, attrs), data.dtype)


@contrib_reverse_reshape.reference
def contrib_reverse_reshape_numpy(data: Array, attrs: ReshapeAttrs) -> Array:
    return in_shape(data, _from_the_end(data.shape, attrs))


@attrs("relay.attrs.ReshapeLikeAttrs")
class ReshapeLikeAttrs(Attrs):
    lhs_begin: int = 0
    """The first dim of the data to replace."""
    lhs_end: Integer | None = None
    """The dim of the data where replacing ends."""
    rhs_begin: int = 0
    """The first dim of the other to take."""
    rhs_end: Integer | None = None
    """The dim of the other where taking ends."""


def _like(data: Shape, like: Shape, attrs: ReshapeLikeAttrs) -> Shape:
    begin, end, _ = slice(attrs.lhs_begin, attrs.lhs_end).indices(len(data))
    return (*data[:begin], *like[slice(attrs.rhs_begin, attrs.rhs_end)], *data[end:])


@operator("reshape_like", ReshapeLikeAttrs, Fusion.INJECTIVE, level=3)
def reshape_like(data: TensorType, shape_like: TensorType, attrs: ReshapeLikeAttrs) -> Type:
    """The elements in the shape of another tensor, or with some dims replaced by some of the other's."""
    shape = _like(data.shape, shape_like.shape, attrs)
    if not shapes.dims_fit(shapes.product(data.shape), shapes.product(shape)):
        raise TypeMismatch(f"a value of shape {data.shape} has not the elements for the shape {shape}")
    return TensorType(shape, data.dtype)


@reshape_like.reference
def reshape_like_numpy(data: Array, shape_like: Array, attrs: ReshapeLikeAttrs) -> Array:
    return in_shape(data, _like(data.shape, shape_like.shape, attrs))


@attrs("relay.attrs.ExpandDimsAttrs")
class ExpandDimsAttrs(Attrs):
    axis: int
    """Where the new axes stand in the result; counted from its end, were it one axis, when negative."""
    num_newaxis: int = 1
    """How many."""


def _expanded(shape: Shape, attrs: ExpandDimsAttrs) -> Shape:
    at = attrs.axis + len(shape) + 1 if attrs.axis < 0 else attrs.axis
    return (*shape[:at], *(1,) * attrs.num_newaxis, *shape[at:])


@operator("expand_dims", ExpandDimsAttrs, Fusion.BROADCAST, level=1)
def expand_dims(data: TensorType, attrs: ExpandDimsAttrs) -> Type:
    """New axes of size 1."""
    if not -data.rank - 1 <= attrs.axis <= data.rank:
        raise WrongArgument(f"axis is {attrs.axis}, but must be from {-data.rank - 1} to {data.rank}")
    if attrs.num_newaxis < 0:
        raise WrongArgument(f"num_newaxis is {attrs.num_newaxis}, but must be 0 or more")
    return TensorType(_expanded(data.shape, attrs), data.dtype)


@expand_dims.reference
def expand_dims_numpy(data: Array, attrs: ExpandDimsAttrs) -> Array:
    return in_shape(data, _expanded(data.shape, attrs))


@attrs("relay.attrs.SqueezeAttrs")
class SqueezeAttrs(Attrs):
    axis: Integers | None = None
    """The axes to drop; all of size 1 for None."""


def _squeezed(shape: Shape, axes: Sequence[int] | None) -> Shape:
    if axes is None:
        return tuple([dim for dim in shapes.static(shape, "axis=None") if dim != 1])
    dropped = {shapes.normal_axis(axis, len(shape)) for axis in axes}
    for axis in dropped:
        if not shapes.dims_fit(shape[axis], 1):
            raise TypeMismatch(f"axis {axis} has size {shape[axis]}, only one of size 1 can be dropped")
    return tuple([dim for axis, dim in enumerate(shape) if axis not in dropped])


@operator("squeeze", SqueezeAttrs, Fusion.INJECTIVE, level=3)
def squeeze(data: TensorType, attrs: SqueezeAttrs) -> Type:
    """Without axes of size 1."""
    return TensorType(_squeezed(data.shape, attrs.axis), data.dtype)


@squeeze.reference
def squeeze_numpy(data: Array, attrs: SqueezeAttrs) -> Array:
    return in_shape(data, _squeezed(data.shape, attrs.axis))
