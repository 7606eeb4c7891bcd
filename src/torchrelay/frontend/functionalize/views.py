"""Views: whether a result shows the memory of an argument, and what a write through it leaves in the argument."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from torchrelay.errors import UnsupportedProgram
from torchrelay.frontend.graph import Arg, TorchNode, TorchType, TorchValue
from torchrelay.ir import Any, Shape

__all__ = ["UNDECLARED", "View", "put_back", "shows_memory"]


@dataclass(frozen=True, slots=True)
class View:
    """One step from the value ``parent`` to a value that shows its memory.

    ``node`` took the view of its ``argument``; if it gave a list, the value ``whole``, this is the ``element`` of that list.
    Without a node, the value is the parent itself under another name.
    """

    parent: str
    node: TorchNode | None = None
    argument: str = ""
    element: int | None = None
    whole: str = ""


UNDECLARED: Mapping[str, str] = {
    "aten::dropout": "input",
    "aten::feature_dropout": "input",
    "aten::alpha_dropout": "input",
    "aten::feature_alpha_dropout": "input",
    "aten::atleast_1d": "self",
    "aten::atleast_2d": "self",
    "aten::atleast_3d": "self",
    "aten::broadcast_tensors": "tensors",
    "aten::einsum": "tensors",
    "aten::meshgrid": "tensors",
    "aten::sum_to_size": "self",
    "aten::type_as": "self",
}
"""Operators that may give back an argument, or a view of it, without saying so in their schema; and that argument."""

_DROPOUTS = frozenset({"aten::dropout", "aten::feature_dropout", "aten::alpha_dropout", "aten::feature_alpha_dropout"})
_RESHAPES = frozenset({"aten::reshape", "aten::reshape_as", "aten::flatten", "aten::ravel"})
_CASTS = frozenset(
    {"aten::to", "aten::type_as", "aten::_autocast_to_full_precision", "aten::_autocast_to_reduced_precision"}
)
_SOMETIMES = frozenset({"aten::as_tensor", "aten::_grad_sum_to_size", "aten::pin_memory", *UNDECLARED})


def shows_memory(node: TorchNode, source: TorchValue, output: TorchValue) -> bool | None:
    """Whether the output certainly shows the memory of the argument (True), certainly does not (False), or may (None)."""
    name = node.target.rpartition(".")[0]
    if name in _DROPOUTS:
        return node.args.get("train") is False or None
    if name in _RESHAPES:
        return _reshape_shows(source.type, output.type)
    if name == "aten::contiguous":
        plain = node.args.get("memory_format") in (None, "contiguous_format")
        return _is_contiguous(source.type) if plain else None
    if name in _CASTS:
        return _cast_shows(node, source.type, output.type)
    return None if name in _SOMETIMES else True


def _cast_shows(node: TorchNode, source: TorchType, output: TorchType) -> bool | None:
    if node.args.get("copy") is True:
        return False
    if source.dtype is None or output.dtype is None:
        return None
    if source.dtype != output.dtype:
        return False
    return True if node.args.get("memory_format") in (None, "preserve_format") else None


def _known(dims: Shape | None) -> tuple[int, ...] | None:
    """The dims as numbers; None where one is not known."""
    if dims is None or any(isinstance(dim, Any) for dim in dims):
        return None
    return tuple([dim for dim in dims if isinstance(dim, int)])


def _is_contiguous(kind: TorchType) -> bool | None:
    shape, strides = _known(kind.shape), _known(kind.strides)
    if shape is None or strides is None:
        return None
    if 0 in shape:
        return True
    step = 1
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        if size != 1 and stride != step:
            return False
        step *= size
    return True


def _reshape_shows(source: TorchType, output: TorchType) -> bool | None:
    """Whether a reshape is a view: it is, unless sizes are joined that do not lie in one piece of memory."""
    if _is_contiguous(source):
        return True
    shape, strides, wanted = _known(source.shape), _known(source.strides), _known(output.shape)
    if shape is None or strides is None or wanted is None:
        return None
    pieces = _pieces(shape, strides)
    return 0 in shape or _splits(pieces, [size for size in wanted if size != 1])


def _pieces(shape: tuple[int, ...], strides: tuple[int, ...]) -> list[int]:
    """The number of elements in each run of dims that lie one after another in memory, outermost first."""
    pieces: list[int] = []
    expected = None
    for size, stride in reversed([(size, stride) for size, stride in zip(shape, strides, strict=True) if size != 1]):
        if pieces and stride == expected:
            pieces[-1] *= size
        else:
            pieces.append(size)
        expected = stride * size
    return pieces[::-1]


def _splits(pieces: list[int], sizes: list[int]) -> bool:
    """Whether the sizes, in order, divide up each piece."""
    rest = iter(sizes)
    for piece in pieces:
        product = 1
        while product < piece:
            product *= next(rest, piece + 1)
        if product != piece:
            return False
    return True


def put_back(view: View, parent: TorchValue, new: TorchValue, writer: TorchNode) -> tuple[str, dict[str, Arg]]:
    """Target and arguments of what gives the parent with ``new`` in the place that the view shows.

    Raises UnsupportedProgram, at the writer, for a view that shows an element twice or reads memory another way.
    """
    node = view.node
    assert node is not None, "a value under another name has nothing between"
    inverse = _INVERSE.get(node.target.rpartition(".")[0])
    if inverse is None:
        message = f"{writer.target} writes through {node.target}, and what that changes cannot be said as a value"
        raise UnsupportedProgram(message, place=writer.where, hint="clone the view before the write")
    return inverse(view, node, parent, new)


_Inverse = Callable[[View, TorchNode, TorchValue, TorchValue], tuple[str, dict[str, Arg]]]


def _kept(node: TorchNode, *names: str) -> dict[str, Arg]:
    return {name: node.args[name] for name in names}


def _select(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    return "aten::select_scatter.default", {"self": parent, "src": new, **_kept(node, "dim", "index")}


def _unbind(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    args: dict[str, Arg] = {"self": parent, "src": new, "dim": node.args["dim"], "index": view.element}
    return "aten::select_scatter.default", args


def _slice(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    return "aten::slice_scatter.default", {"self": parent, "src": new, **_kept(node, "dim", "start", "end", "step")}


def _stretch(parent: TorchValue, new: TorchValue, dim: Arg, start: int, length: int) -> tuple[str, dict[str, Arg]]:
    end = None if start < 0 <= start + length else start + length  # counted from the end, as start is
    args: dict[str, Arg] = {"self": parent, "src": new, "dim": dim, "start": start, "end": end, "step": 1}
    return "aten::slice_scatter.default", args


def _unknown(node: TorchNode, what: str) -> UnsupportedProgram:
    return UnsupportedProgram(f"a write through {node.target} whose {what} is not known", place=node.where)


def _narrow(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    start, length = node.args["start"], node.args["length"]
    if not isinstance(start, int) or not isinstance(length, int):
        raise _unknown(node, "start or length")
    return _stretch(parent, new, node.args["dim"], start, length)


def _size(node: TorchNode, value: TorchValue, dim: Arg) -> int:
    shape = value.type.shape
    size = shape[dim] if shape is not None and isinstance(dim, int) else None
    if not isinstance(size, int):
        raise _unknown(node, "size")
    return size


def _part(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    """The element of a split, a chunk or a tensor_split: where it starts follows from the sizes."""
    element = view.element
    assert element is not None, "the operator gives a list"
    dim = node.args.get("dim", _DIMS.get(node.target.rpartition(".")[0]))
    sizes = _sizes_of_parts(node, parent, dim, element)
    return _stretch(parent, new, dim, sum(sizes[:element]), sizes[element])


_DIMS: Mapping[str, int] = {"aten::hsplit": 1, "aten::vsplit": 0, "aten::dsplit": 2}


def _sizes_of_parts(node: TorchNode, parent: TorchValue, dim: Arg, element: int) -> list[int]:
    for name in (
        "split_size",
        "split_sizes",
        "chunks",
        "sections",
        "indices_or_sections",
        "indices",
        "tensor_indices_or_sections",
    ):
        if name in node.args:
            count = node.args[name]
            break
    else:
        raise _unknown(node, "division")
    if name == "split_size" and isinstance(count, int):
        return [count] * element + [min(count, _size(node, parent, dim) - count * element)]
    if isinstance(count, tuple) and not all(isinstance(part, int) for part in count):
        raise _unknown(node, "division")
    if name in ("split_size", "split_sizes") and isinstance(count, tuple):
        return [part for part in count if isinstance(part, int)]
    size = _size(node, parent, dim)
    if name == "chunks" and isinstance(count, int):
        most = -(-size // count)
        return [most] * element + [min(most, size - most * element)]
    if isinstance(count, int):
        return [size // count + (1 if part < size % count else 0) for part in range(count)]
    if isinstance(count, tuple):
        ends = [0, *(part % size if isinstance(part, int) and part < 0 else part for part in count), size]
        ends = [min(end, size) for end in ends if isinstance(end, int)]
        return [max(after - before, 0) for before, after in pairwise(ends)]
    raise _unknown(node, "division")


def _transpose(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    first, second = [arg for name, arg in node.args.items() if name != view.argument]
    return "aten::transpose.int", {"self": new, "dim0": first, "dim1": second}


def _swap_last(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    return "aten::transpose.int", {"self": new, "dim0": -2, "dim1": -1}


def _flipped(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    return node.target, {view.argument: new}


def _permute(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    dims = node.args["dims"]
    if not isinstance(dims, tuple) or not all(isinstance(dim, int) for dim in dims):
        raise _unknown(node, "order of dims")
    order = [dim % len(dims) for dim in dims if isinstance(dim, int)]
    return "aten::permute.default", {"self": new, "dims": tuple([order.index(axis) for axis in range(len(order))])}


def _moved(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    return node.target, {"self": new, "source": node.args["destination"], "destination": node.args["source"]}


def _as_parent(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    return "aten::view_as.default", {"self": new, "other": parent}


def _same(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    return "aten::alias.default", {"self": new}


def _diagonal(view: View, node: TorchNode, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    kept = _kept(node, "offset", "dim1", "dim2")
    return "aten::diagonal_scatter.default", {"self": parent, "src": new, **kept}


def _rows(names: str, inverse: _Inverse) -> dict[str, _Inverse]:
    return {f"aten::{name}": inverse for name in names.split()}


_INVERSE: Mapping[str, _Inverse] = {
    **_rows("select", _select),
    **_rows("slice", _slice),
    **_rows("narrow", _narrow),
    **_rows("unbind", _unbind),
    **_rows("split split_with_sizes chunk tensor_split hsplit vsplit dsplit", _part),
    **_rows("transpose swapaxes swapdims", _transpose),
    **_rows("mT mH adjoint", _swap_last),
    **_rows("t numpy_T matrix_H", _flipped),
    **_rows("permute", _permute),
    **_rows("movedim moveaxis", _moved),
    **_rows("diagonal", _diagonal),
    **_rows("view view_as reshape reshape_as flatten ravel unsqueeze squeeze unflatten _reshape_alias", _as_parent),
    **_rows("atleast_1d atleast_2d atleast_3d", _as_parent),
    **_rows(
        "alias detach contiguous to type_as cpu real conj _conj resolve_conj resolve_neg positive lift_fresh", _same
    ),
    **_rows("dropout feature_dropout alpha_dropout feature_alpha_dropout", _same),
}
"""By the operator that took a view, what puts a new value of the view back in its place."""
