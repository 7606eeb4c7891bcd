"""Relay text of the tensor arrays: lists of tensors whose rank, or shape, is known only at each element."""

from __future__ import annotations

from collections.abc import Iterable
from string import Template

from torchrelay.formats.std.names import shape_name
from torchrelay.ir import Any, Dim

__all__ = ["dynamic_arrays", "static_arrays"]

_RANKS = range(7)

_LIST = Template("""
def @tensor_array_$n(%x: int32) -> List[$t] {
  if (%x == 0) { Nil } else { Cons(tensor_nil_$n, @tensor_array_$n(%x - 1)) }
}

def @tensor_array_read_$n(%tensor_array: List[$t], %x: int32) -> $t {
  @nth(%tensor_array, %x)
}

def @tensor_array_scatter_$n(%tensor_array: List[$t], %indices: Tensor[(?), int32], %values: List[$t]) -> List[$t] {
  @tensor_array_scatter_helper_$n(%tensor_array, 0, take(shape_of(%indices, dtype="int32"), 0), %indices, %values)
}

def @tensor_array_scatter_helper_$n(%ta: List[$t], %current: int32, %limit: int32, %indices_: Tensor[(?), int32], %values_: List[$t]) -> List[$t] {
  if (%current == %limit) {
    %ta
  } else {
    @tensor_array_scatter_helper_$n(
      @tensor_array_write_$n(%ta, take(%indices_, %current), @tensor_array_read_$n(%values_, %current)),
      %current + 1, %limit, %indices_, %values_)
  }
}
""")
"""Of a family: the array of no values, reading, and writing at many places."""

_WRITE = Template("""
def @tensor_array_write_$n(%tensor_array: List[$t], %x: int32, %v: $t) -> List[$t] {
  @update(%tensor_array, %x, %v)
}
""")

_SPLIT = Template("""
def @tensor_array_split_$n(%tensor_array: List[$rows], %value: $t, %lengths: Tensor[(?), int32]) -> List[$rows] {
  @ta_split_helper_$n(%tensor_array, %value, 0, 0, take(shape_of(%lengths, dtype="int32"), 0), %lengths)
}

def @ta_split_helper_$n(%tensor_array: List[$rows], %value1: $t, %offset1: int32, %current1: int32, %limit1: int32, %lengths: Tensor[(?), int32]) -> List[$rows] {
  if (%current1 == %limit1) {
    %tensor_array
  } else {
    @tensor_array_write_$rows_name(
      @ta_split_helper_$n(%tensor_array, %value1, %offset1 + take(%lengths, %current1), %current1 + 1, %limit1, %lengths),
      %current1,
      @tensor_take_$n(%value1, %offset1, take(%lengths, %current1) + %offset1))
  }
}

def @tensor_array_concat_$n(%tensor_array: List[$rows]) -> $rows {
  match? (%tensor_array) {
    Nil => tensor_nil_$rows_name,
    Cons(%hd, %tl) => {
      match? (%tl) {
        Nil => %hd,
        _ => @tensor_concatenate_$rows_name(%hd, @tensor_array_concat_$n(%tl)),
      }
    },
  }
}
""")
"""Of a family whose elements have rows: a tensor cut into pieces, and pieces put together; ``rows`` is a piece's type."""

_UNSTACK = Template("""
def @tensor_array_unstack_$n(%tensor: $whole) -> List[$part_t] {
  @tensor_array_unstack_$helper(0, take(shape_of(%tensor, dtype="int32"), 0), %tensor)
}

def @tensor_array_unstack_$helper(%i: int32, %up: int32, %t: $whole) -> List[$part_t] {
  if (%i == %up) {
    Nil
  } else {
    Cons($part(take(%t, %i$axis)), @tensor_array_unstack_$helper(%i + 1, %up, %t))
  }
}
""")
"""A tensor as the array of its rows; ``part`` is the constructor of a row."""

_DYNAMIC_STACK = Template("""
def @tensor_array_stack_$n(%tensor_array: List[$t]) -> $t {
  let %rows = @map(@tensor_expand_dims_$n, %tensor_array);
  let %first = @hd(%rows);
  let %rest = @tl(%rows);
  let %stacked = @foldl(@tensor_concatenate_$n, %first, %rest);
  %stacked
}
""")

_STATIC_STACK = Template("""
def @tensor_array_stack_$n(%tensor_array: List[$t]) -> $batch {
  %0 = @map(@tensor_expand_dims_$n, %tensor_array);
  @foldl(@tensor_concatenate_$batch_name, @hd(%0), @tl(%0))
}

def @tensor_array_gather_$n(%tensor_array: List[$t], %indices: Tensor[(?), int32]) -> $batch {
  %1 = take(shape_of(%indices, dtype="int32"), 0);
  @tensor_array_gather_helper_$n(%tensor_array, Nil, %1, %1, %indices)
}

def @tensor_array_gather_helper_$n(%ta: List[$t], %accu: List[$t], %current: int32, %limit: int32, %indices_: Tensor[(?), int32]) -> $batch {
  if (%current == 0) {
    @tensor_array_stack_$n(%accu)
  } else {
    @tensor_array_gather_helper_$n(
      %ta, Cons(@tensor_array_read_$n(%ta, take(%indices_, %current - 1)), %accu), %current - 1, %limit, %indices_)
  }
}

def @tensor_expand_dims_$n(%x: $t) -> $batch {
  match? (%x) { tensor_constructor_$n(%t) => tensor_constructor_$batch_name(expand_dims(%t, axis=0)), }
}

def @tensor_get_data_$n(%tensor: $t) -> $tensor {
  match? (%tensor) { tensor_constructor_$n(%t) => %t, }
}
""")
"""Of a family of one shape: stacking all or some elements, and the tensor in an element; ``batch`` is a stack's type."""

_RANGE = 'arange(%lower, %upper, %2, start=%lower, stop=%upper, step=%2, dtype="int32")'

_STATIC_TAKE = Template("""
def @tensor_take_$n(%tensor: $t, %lower: int32, %upper: int32) -> $rows {
  %2 = 1;
  match? (%tensor) {
    tensor_constructor_$n(%t) => tensor_constructor_$rows_name(take(%t, $range, axis=0)),
  }
}
""")

_STATIC_CONCATENATE = Template("""
def @tensor_concatenate_$n(%x: $t, %y: $t) -> $result {
  match? (%x) {
    tensor_constructor_$n(%t1) => {
      match? (%y) {
        tensor_constructor_$n(%t2) => tensor_constructor_$result_name(concatenate((%t1, %t2))),
      }
    },
  }
}
""")


def _tensor(shape: Iterable[object], dtype: str) -> str:
    dims = ", ".join(map(str, shape))
    return f"Tensor[({dims}), {dtype}]" if dims else dtype


def _axis(rank: int) -> str:
    return ", axis=0" if rank > 1 else ""


def dynamic_arrays(dtype: str) -> str:
    """The data type of tensors of any rank up to 6, and the functions of arrays of them."""
    t, ranked = f"tensor_{dtype}_t", [_tensor("?" * rank, dtype) for rank in _RANKS]
    fields = "".join(f" tensor{rank}_{dtype}({ranked[rank]})," for rank in _RANKS)
    definition = f"\ntype {t} {{ tensor_nil_{dtype},{fields} }}\n"
    names = {"n": dtype, "t": t, "rows": t, "rows_name": dtype}
    parts = [template.substitute(names) for template in (_LIST, _WRITE, _SPLIT, _DYNAMIC_STACK)]
    unstacking = [_dynamic_unstack(dtype, rank, ranked[rank]) for rank in _RANKS[1:]]
    return "".join([definition, *parts, *unstacking, *_dynamic_matches(dtype, t)])


def _dynamic_unstack(dtype: str, rank: int, whole: str) -> str:
    return _UNSTACK.substitute(
        n=f"tensor{rank}_{dtype}",
        helper=f"tensor{rank}_helper_{dtype}",
        whole=whole,
        part=f"tensor{rank - 1}_{dtype}",
        part_t=f"tensor_{dtype}_t",
        axis=_axis(rank),
    )


def _dynamic_matches(dtype: str, t: str) -> list[str]:
    """The functions that have a case for each rank: taking rows, putting tensors together, one more axis."""

    def made(rank: int, value: str) -> str:
        return f"tensor{rank}_{dtype}({value})"

    taking = "".join(f" {made(rank, '%t')} => {made(rank, f'take(%t, {_RANGE}{_axis(rank)})')}," for rank in _RANKS[1:])
    expanding = "".join(f" {made(rank, '%t')} => {made(rank + 1, 'expand_dims(%t, axis=0)')}," for rank in _RANKS[:-1])
    joining = "".join(
        f" {made(rank, '%t')} => {{ match? (%y) {{ {made(rank, '%u')} => {made(rank, 'concatenate((%t, %u))')}, }} }},"
        for rank in _RANKS[1:5]
    )
    return [
        f"\ndef @tensor_take_{dtype}(%tensor: {t}, %lower: int32, %upper: int32) -> {t} {{ %2 = 1; match? (%tensor) {{{taking} }} }}\n",
        f"\ndef @tensor_expand_dims_{dtype}(%x: {t}) -> {t} {{ match? (%x) {{{expanding} }} }}\n",
        f"\ndef @tensor_concatenate_{dtype}(%x: {t}, %y: {t}) -> {t} {{ match? (%x) {{{joining} }} }}\n",
    ]


def static_arrays(dtype: str, shape: tuple[Dim, ...]) -> str:
    """The data types of tensors of that shape and of those they are cut into and stacked to, and the functions."""
    batch = (Any(), *shape)
    shapes = [shape, batch] if not shape else [shape, shape[1:], batch, (Any(), *shape[1:])]
    definitions = {shape_name(dtype, s): _tensor(s, dtype) for s in shapes}
    types = [
        f"\ntype static_tensor_{n}_t {{ tensor_nil_{n}, tensor_constructor_{n}({tensor}), }}\n"
        for n, tensor in definitions.items()
    ]
    n = shape_name(dtype, shape)
    names = {"n": n, "t": f"static_tensor_{n}_t", "tensor": _tensor(shape, dtype)}
    batch_names = {"batch_name": shape_name(dtype, batch), "batch": f"static_tensor_{shape_name(dtype, batch)}_t"}
    parts = [_LIST.substitute(names), _WRITE.substitute(names), _STATIC_STACK.substitute(names, **batch_names)]
    joined = {batch_names["batch_name"]: batch_names["batch_name"]}
    if shape:
        rows = shape_name(dtype, (Any(), *shape[1:]))
        joined |= {n: rows, rows: rows}
        parts.extend(_static_rows(dtype, shape, names, rows))
    return "".join([*types, *parts, *(_static_concatenate(one, result) for one, result in joined.items())])


def _static_rows(dtype: str, shape: tuple[Dim, ...], names: dict[str, str], rows: str) -> list[str]:
    part = shape_name(dtype, shape[1:])
    row_names = {"rows_name": rows, "rows": f"static_tensor_{rows}_t"}
    made = [_SPLIT.substitute(names, **row_names), _STATIC_TAKE.substitute(names, **row_names, range=_RANGE)]
    made.append(
        _UNSTACK.substitute(
            n=names["n"],
            helper=f"helper_{names['n']}",
            whole=names["tensor"],
            part=f"tensor_constructor_{part}",
            part_t=f"static_tensor_{part}_t",
            axis=", axis=0",
        )
    )
    if rows != names["n"]:
        made.append(_WRITE.substitute(n=rows, t=row_names["rows"]))
    return made


def _static_concatenate(n: str, result: str) -> str:
    names = {"n": n, "t": f"static_tensor_{n}_t", "result_name": result, "result": f"static_tensor_{result}_t"}
    return _STATIC_CONCATENATE.substitute(names)
