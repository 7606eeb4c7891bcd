"""Writes through aliases become values: a TorchGraph in, one without mutation out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from torchrelay.errors import Place, UnsupportedProgram
from torchrelay.frontend.graph import Arg, TorchGraph, TorchNode, TorchType, TorchValue
from torchrelay.frontend.schema import Schema, functional_twin, schema_for

__all__ = ["functionalize"]

MAY_COPY = frozenset(
    {"aten::reshape", "aten::reshape_as", "aten::contiguous", "aten::to", "aten::flatten", "aten::ravel"}
)
"""Operators whose result shares memory with the input or not, by strides that a graph does not show."""


@dataclass(frozen=True, slots=True)
class _View:
    """One step from a value to a view of it: the node, or the element of the list that it makes."""

    node: TorchNode
    element: int | None = None

    @property
    def certain(self) -> bool:
        return self.node.target.rpartition(".")[0] not in MAY_COPY


@dataclass(frozen=True, slots=True)
class _Alias:
    """What memory a value shows: that of ``root``, through ``views``."""

    root: str
    views: tuple[_View, ...] = ()


@dataclass(slots=True)
class _State:
    """The state of the walk: what each name is now."""

    nodes: list[TorchNode] = field(default_factory=list)
    aliases: dict[str, _Alias] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    current: dict[str, tuple[int, TorchValue]] = field(default_factory=dict)
    """For each name the version of its root that the value shows, and the value."""
    uncertain: dict[str, tuple[str, TorchNode]] = field(default_factory=dict)
    """Roots of which it is not known whether a write reached them: the name written to, and the node that may copy."""
    count: int = 0

    def fresh(self, of: TorchValue) -> TorchValue:
        self.count += 1
        return TorchValue(f"{of.name}'{self.count}", of.type)


def functionalize(graph: TorchGraph) -> TorchGraph:
    """The same program without writes: an in-place operator is its functional twin, and whatever shows the memory that it
    wrote shows the new value from then on, through any chain of views.

    The alias sets of the schemas decide. Linear in nodes where nothing is written. Raises UnsupportedProgram with the place
    where the program does not say what is written: after an operator that may or may not copy, through a view that shows
    an element more than once, inside a branch or a loop.
    """
    if not any(_writes(node) for node in graph.nodes):
        return graph
    state = _State()
    for node in graph.nodes:
        _functional(state, node)
    outputs = tuple([_read_all(state, output, Place()) for output in graph.outputs])
    return replace(graph, nodes=tuple(state.nodes), outputs=outputs)


def _writes(node: TorchNode) -> bool:
    schema = schema_for(node.target)
    if schema is not None:
        return schema.mutates
    return any(_writes(inner) for block in node.blocks for inner in block.nodes)


def _functional(state: _State, node: TorchNode) -> None:
    args = {name: _read_all(state, arg, node.where) for name, arg in node.args.items()}
    schema = schema_for(node.target)
    if schema is not None and schema.mutates:
        _write_node(state, node, schema, args)
        return
    if node.blocks and any(_writes(inner) for block in node.blocks for inner in block.nodes):
        raise UnsupportedProgram(f"{node.target} writes to a tensor inside a branch or a loop", place=node.where)
    made = replace(node, args=args)
    state.nodes.append(made)
    _note_views(state, node, made, schema)


def _note_views(state: _State, node: TorchNode, made: TorchNode, schema: Schema | None) -> None:
    """Notes for each result that shows an argument's memory which it is."""
    if node.target in ("prim::getitem.default", "prim::ListUnpack.default"):
        whole = node.args.get("self")
        for position, output in enumerate(node.outputs):
            index = node.args.get("index", position)
            alias = state.aliases.get(whole.name) if isinstance(whole, TorchValue) else None
            if alias is not None and alias.views and isinstance(index, int):
                last = replace(alias.views[-1], element=index)
                _enter(state, output, _Alias(alias.root, (*alias.views[:-1], last)))
        return
    if schema is None:
        return
    for output, sets in zip(node.outputs, schema.results, strict=False):
        source = next((a.name for a in schema.arguments if a.aliases & sets), None)
        value = node.args.get(source) if source else None
        if sets and isinstance(value, TorchValue):
            alias = _alias_of(state, value)
            _enter(state, output, _Alias(alias.root, (*alias.views, _View(made))))


def _alias_of(state: _State, value: TorchValue) -> _Alias:
    return state.aliases.get(value.name) or _Alias(value.name)


def _enter(state: _State, value: TorchValue, alias: _Alias) -> None:
    state.aliases[value.name] = alias
    state.current[value.name] = (state.versions.get(alias.root, 0), value)


def _read_all(state: _State, arg: Arg, where: Place) -> Arg:
    if not state.versions:
        return arg
    if isinstance(arg, TorchValue):
        return _read(state, arg, where)
    if isinstance(arg, tuple):
        return tuple([_read_all(state, part, where) for part in arg])
    if isinstance(arg, Mapping):
        return {key: _read_all(state, part, where) for key, part in arg.items()}
    return arg


def _read(state: _State, value: TorchValue, where: Place) -> TorchValue:
    """What the value shows now: the value itself, or its views taken again of what its root has become."""
    alias = _alias_of(state, value)
    version = state.versions.get(alias.root, 0)
    seen, shown = state.current.get(value.name, (0, value))
    if seen == version:
        return shown
    written = state.uncertain.get(alias.root)
    if written is not None:
        message = (
            f"whether a write to %{written[0]} also changes %{value.name} depends on whether {written[1].target} copied"
        )
        raise UnsupportedProgram(message, place=written[1].where, hint="use the result of the write, or clone first")
    fresh = _replayed(state, alias, value)
    state.current[value.name] = (version, fresh)
    return fresh


def _replayed(state: _State, alias: _Alias, value: TorchValue) -> TorchValue:
    _, part = state.current.get(alias.root, (0, TorchValue(alias.root, TorchType("Tensor"))))
    for view in alias.views:
        part = _viewed(state, view, part, value)
    return part


def _viewed(state: _State, view: _View, parent: TorchValue, like: TorchValue) -> TorchValue:
    """The view taken of another value."""
    node = view.node
    source = _source_name(node)
    output = state.fresh(node.outputs[0])
    state.nodes.append(replace(node, args={**node.args, source: parent}, outputs=(output,)))
    if view.element is None:
        return output
    element = state.fresh(like)
    args: dict[str, Arg] = {"self": output, "index": view.element}
    state.nodes.append(TorchNode("prim::getitem.default", args, (element,), node.where))
    return element


def _source_name(node: TorchNode) -> str:
    schema = schema_for(node.target)
    assert schema is not None, "a view has a schema"
    return next(argument.name for argument in schema.arguments if argument.aliases)


def _write_node(state: _State, node: TorchNode, schema: Schema, args: dict[str, Arg]) -> None:
    written = [argument.name for argument in schema.arguments if argument.written]
    twin = functional_twin(schema)
    values = [node.args[name] for name in written]
    if twin is None or len(written) != 1 or not isinstance(values[0], TorchValue):
        raise UnsupportedProgram(
            f"{node.target} writes to {', '.join(written)}, which cannot be said as a value", place=node.where
        )
    (value,) = values
    result = node.outputs[0] if node.outputs else state.fresh(value)
    state.nodes.append(TorchNode(twin.schema.target, twin.args(args), (result,), node.where))
    _write(state, value, result, node)
    for output in node.outputs:
        alias = _alias_of(state, value)
        state.aliases[output.name] = alias
        state.current[output.name] = (state.versions[alias.root], result)


def _write(state: _State, value: TorchValue, new: TorchValue, node: TorchNode) -> None:
    """Makes ``new`` what the value shows, and its root what it then is."""
    alias = _alias_of(state, value)
    version = state.versions.get(alias.root, 0) + 1
    doubtful = next((view for view in alias.views if not view.certain), None)
    if doubtful is not None:
        state.uncertain[alias.root] = (value.name, doubtful.node)
    else:
        root = _written_back(state, alias, new, node)
        state.current[alias.root] = (version, root)
    state.versions[alias.root] = version
    state.current[value.name] = (version, new)


def _written_back(state: _State, alias: _Alias, new: TorchValue, node: TorchNode) -> TorchValue:
    _, root = state.current.get(alias.root, (0, TorchValue(alias.root, TorchType("Tensor"))))
    if not alias.views:
        return new
    parents = [root]
    for view in alias.views[:-1]:
        parents.append(_viewed(state, view, parents[-1], new))
    for view, parent in zip(reversed(alias.views), reversed(parents), strict=True):
        new = _put_back(state, view, parent, new, node)
    return new


def _put_back(state: _State, view: _View, parent: TorchValue, new: TorchValue, node: TorchNode) -> TorchValue:
    """The parent with ``new`` in the place that the view shows."""
    name = view.node.target.rpartition(".")[0]
    inverse = _INVERSE.get(name)
    if inverse is None:
        message = f"{node.target} writes through {view.node.target}, and what that changes cannot be said as a value"
        raise UnsupportedProgram(message, place=node.where)
    target, args = inverse(view, parent, new)
    output = state.fresh(parent)
    state.nodes.append(TorchNode(target, args, (output,), node.where))
    return output


_Inverse = Callable[[_View, TorchValue, TorchValue], tuple[str, dict[str, Arg]]]


def _select(view: _View, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    args = view.node.args
    return "aten::select_scatter.default", {"self": parent, "src": new, "dim": args["dim"], "index": args["index"]}


def _unbind(view: _View, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    dim = view.node.args["dim"]
    return "aten::select_scatter.default", {"self": parent, "src": new, "dim": dim, "index": view.element}


def _slice(view: _View, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    kept = {name: view.node.args[name] for name in ("dim", "start", "end", "step")}
    return "aten::slice_scatter.default", {"self": parent, "src": new, **kept}


def _narrow(view: _View, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    dim, start, length = (view.node.args[name] for name in ("dim", "start", "length"))
    if not isinstance(start, int) or not isinstance(length, int):
        raise UnsupportedProgram("a write through a narrow whose start is not known", place=view.node.where)
    args = {"self": parent, "src": new, "dim": dim, "start": start, "end": start + length, "step": 1}
    return "aten::slice_scatter.default", args


def _split(view: _View, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    size, dim, index = view.node.args["split_size"], view.node.args["dim"], view.element
    if not isinstance(size, int) or index is None:
        raise UnsupportedProgram("a write through a split whose sizes are not known", place=view.node.where)
    args = {"self": parent, "src": new, "dim": dim, "start": index * size, "end": (index + 1) * size, "step": 1}
    return "aten::slice_scatter.default", args


def _transpose(view: _View, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    args = view.node.args
    return "aten::transpose.int", {"self": new, "dim0": args["dim0"], "dim1": args["dim1"]}


def _permute(view: _View, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    dims = view.node.args["dims"]
    assert isinstance(dims, tuple), "the schema says a list"
    order = [int(dim) % len(dims) for dim in dims if isinstance(dim, int)]
    return "aten::permute.default", {"self": new, "dims": tuple(order.index(axis) for axis in range(len(order)))}


def _reshape(view: _View, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    return "aten::view_as.default", {"self": new, "other": parent}


def _same(view: _View, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    return "aten::alias.default", {"self": new}


def _diagonal(view: _View, parent: TorchValue, new: TorchValue) -> tuple[str, dict[str, Arg]]:
    kept = {name: view.node.args[name] for name in ("offset", "dim1", "dim2")}
    return "aten::diagonal_scatter.default", {"self": parent, "src": new, **kept}


_INVERSE: Mapping[str, _Inverse] = {
    "aten::select": _select,
    "aten::slice": _slice,
    "aten::narrow": _narrow,
    "aten::split": _split,
    "aten::unbind": _unbind,
    "aten::transpose": _transpose,
    "aten::t": lambda view, parent, new: ("aten::t.default", {"self": new}),
    "aten::permute": _permute,
    "aten::diagonal": _diagonal,
    "aten::alias": _same,
    "aten::detach": _same,
    "aten::view_as": _reshape,
    **dict.fromkeys(
        ("aten::view", "aten::unsqueeze", "aten::squeeze", "aten::unflatten", "aten::_unsafe_view"), _reshape
    ),
}
