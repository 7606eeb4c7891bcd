"""The stages of one conversion, told from what was kept of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set

from torchrelay.errors import Place
from torchrelay.explain.record import NodeStory, Record, Stages
from torchrelay.explain.shown import expr_line, text_of_value
from torchrelay.frontend import (
    Arg,
    CustomConverter,
    Imported,
    InputInfos,
    Model,
    NodeRecord,
    TorchGraph,
    TorchNode,
    TorchValue,
    captured_texts,
    converters,
    imported,
)
from torchrelay.ir import Expr, Var

__all__ = ["explain", "record_of"]


STAGES_OF = ("trace", "export", "script")
"""What ``auto`` tries for a record, in order."""


def explain(
    model: Model,
    example_inputs: object = None,
    input_infos: InputInfos | None = None,
    *,
    via: str = "auto",
    custom_convert_map: Mapping[str, CustomConverter] | None = None,
) -> Record:
    """The record of the model's conversion: every stage and every node. Raises what converting raises.

    The stages are those of TorchScript, so ``via="auto"`` traces a module first, and exports it where that is refused.
    """
    made = imported(
        model,
        example_inputs,
        input_infos=input_infos,
        via=via,
        custom_convert_map=custom_convert_map,
        order=STAGES_OF,
    )
    return record_of(made, custom_convert_map or {})


def record_of(made: Imported, custom: Mapping[str, CustomConverter]) -> Record:
    """The record of a conversion that is done."""
    graph, conversion = made.capture.graph, made.conversion
    raw, after = captured_texts(made.capture.source)
    state_dict, tensors, param_vars = _parameters(made)
    function = conversion.function
    returned = [_arg_text(output) for output in graph.outputs]
    stages: dict[str, object] = {
        "script_module": [str(made.capture.source)],
        "graph (raw)": raw,
        "convert_map": _convert_map(custom, {node.target for node in _all_nodes(graph)}),
        "graph (after the JIT passes)": after,
        "op_names": sorted({_kind(node) for node in _all_nodes(graph)} | _folded_kinds(after)),
        "opLocation": _locations(graph),
        "pythonOpInfos": [node.target for node in _all_nodes(graph) if node.target.startswith("python::")],
        "params": state_dict,
        "all_graph_input": dict(conversion.input_vars),
        "outputs": dict(conversion.input_vars),
        "param_vars, tensors": {"param_vars": param_vars, "tensors": tensors},
        "packed_param_map": _packed(graph),
        "tvm_params": dict(conversion.params),
        "ret_name": returned,
        "ret": [text_of_value(function.body)] if len(conversion.records) < SHORT else [_body_line(made)],
        "func": function,
    }
    parts = {"graph": after, "param_vars": param_vars, "tensors": tensors}
    return Record(Stages(stages, parts), tuple(_stories(made)), made.capture.route, tuple(made.notes))


SHORT = 40
"""Up to how many nodes a result is shown as one expression in full."""


def _body_line(made: Imported) -> str:
    names = _names(made.conversion.records)
    return f"{expr_line(made.conversion.function.body, names)}: {made.conversion.function.body.type}"


def _all_nodes(graph: TorchGraph) -> list[TorchNode]:
    found: list[TorchNode] = []
    stack = [graph]
    while stack:
        part = stack.pop()
        found.extend(part.nodes)
        stack.extend(block for node in part.nodes for block in node.blocks)
    return found


def _packed(graph: TorchGraph) -> dict[str, list[str]]:
    """What each packed parameter of a quantized module holds, by the names of the arguments that take it."""
    found: dict[str, list[str]] = {}
    for node in _all_nodes(graph):
        for name, arg in node.args.items():
            if node.target.startswith("quantized::") and isinstance(arg, Mapping):
                found[f"{node.where.scope}.{name}"] = [f"{key}: {_arg_text(part)}" for key, part in arg.items()]
    return found


def _kind(node: TorchNode) -> str:
    return node.target.rpartition(".")[0]


def _folded_kinds(graph_text: str) -> set[str]:
    """The kinds of nodes that reading folds into arguments: constants, lists, attributes."""
    kinds = ("prim::GetAttr", "prim::Constant", "prim::ListConstruct", "prim::TupleConstruct")
    return {kind for kind in kinds if kind in graph_text}


def _convert_map(custom: Mapping[str, CustomConverter], used: Set[str]) -> dict[str, str]:
    """The converter of every operator; of those that the model uses first."""
    known = sorted(converters().items(), key=lambda item: (item[0] not in used, item[0]))
    own = {target: f"{c.function.__module__}.{c.function.__name__}" for target, c in known}
    return {**{name: f"{function!r} (the user's own)" for name, function in custom.items()}, **own}


def _locations(graph: TorchGraph) -> dict[str, list[str]]:
    """Node kind to the places in the user's source that made such a node; the node itself where the place is unknown."""
    found: dict[str, list[str]] = defaultdict(list)
    for node in _all_nodes(graph):
        where = _location(node.where) or node_text(node)
        if where not in found[_kind(node)]:
            found[_kind(node)].append(where)
    return dict(found)


def _location(place: Place) -> str:
    scope = f"__module.{place.scope}" if place.scope else ""
    position = f"{place.file}:{place.line}:{place.column}" if place.file else ""
    return " ".join(part for part in (position, scope) if part)


def _parameters(made: Imported) -> tuple[dict[str, str], dict[str, object], dict[str, Var]]:
    graph, environment = made.capture.graph, made.conversion.environment
    state: dict[str, str] = {}
    variables: dict[str, Var] = {}
    for name, parameter in graph.parameters.items():
        if parameter.key:
            state[parameter.key] = f"{str(parameter.tensor.dtype).removeprefix('torch.')}{list(parameter.tensor.shape)}"
        found = environment.get(name)
        if isinstance(found, Var):
            variables[name] = found
    tensors: dict[str, object] = {var.name: made.conversion.params[var.name] for var in variables.values()}
    return state, tensors, variables


def _arg_text(arg: Arg) -> str:
    if isinstance(arg, TorchValue):
        return arg.name
    if isinstance(arg, tuple):
        return f"({', '.join(map(_arg_text, arg))})"
    if isinstance(arg, Mapping):
        return f"{{{', '.join(f'{key}: {_arg_text(part)}' for key, part in arg.items())}}}"
    return repr(arg) if isinstance(arg, str) and not hasattr(arg, "bits") else str(arg)


def node_text(node: TorchNode) -> str:
    """The torch node in one line: ``%5 = aten::relu.default(self=%3)``."""
    args = ", ".join(f"{name}={_marked(arg)}" for name, arg in node.args.items())
    outputs = ", ".join(f"%{output.name}" for output in node.outputs)
    return f"{outputs} = {node.target}({args})" if outputs else f"{node.target}({args})"


def _marked(arg: Arg) -> str:
    if isinstance(arg, TorchValue):
        return f"%{arg.name}"
    if isinstance(arg, tuple):
        return f"[{', '.join(map(_marked, arg))}]"
    return _arg_text(arg)


def _names(records: Sequence[NodeRecord]) -> dict[Expr, str]:
    """The torch value that each expression is."""
    found: dict[Expr, str] = {}
    for record in records:
        for output, result in zip(record.node.outputs, record.results, strict=True):
            if isinstance(result, Expr):
                found.setdefault(result, output.name)
    return found


def _stories(made: Imported) -> list[NodeStory]:
    records = made.conversion.records
    names = _names(records)
    own = converters()
    stories: list[NodeStory] = []
    for index, record in enumerate(records):
        node = record.node
        converter = own.get(node.target)
        name = f"{converter.function.__module__}.{converter.function.__name__}" if converter else "the user's own"
        if record.decomposed:
            name = f"PyTorch's decomposition: {', '.join(dict.fromkeys(record.decomposed))}"
        exprs = record.exprs
        relay = "; ".join(expr_line(expr, names) for expr in exprs) or "; ".join(map(str, record.results))
        types = "; ".join(str(expr.type) for expr in exprs) or ", ".join(type(r).__name__ for r in record.results)
        inputs = {key: _input_text(value, names) for key, value in record.inputs.items()}
        entry = tuple(output.name for output in node.outputs)
        text = node_text(node)
        stories.append(NodeStory(index, node.target, text, name, inputs, relay, types, node.where, entry))
    return stories


def _input_text(value: object, names: Mapping[Expr, str]) -> str:
    if isinstance(value, Var):
        return f"%{value.name}: {value.type}"
    if isinstance(value, Expr):
        name = names.get(value)
        return f"%{name}: {value.type}" if name else f"{expr_line(value, names)}: {value.type}"
    if isinstance(value, tuple):
        return f"[{', '.join(_input_text(part, names) for part in value)}]"
    return str(value)
