"""TorchGraph to a Relay function: values by name, missing operators reported at once, a record of every node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import cast

import numpy as np

from torchrelay.errors import Diagnostic, Place, TorchRelayError, TypeMismatch, UnsupportedOperators, UnsupportedProgram
from torchrelay.frontend import aten as _aten
from torchrelay.frontend.aten.quantized import by_integers, is_quantized
from torchrelay.frontend.control import CONTROL, branch, loop
from torchrelay.frontend.decompose import can_decompose, decompose, leads_nowhere
from torchrelay.frontend.graph import TorchGraph, TorchNode, TorchType, TorchValue, walk_nodes
from torchrelay.frontend.names import plain_names
from torchrelay.frontend.numbers import NotComputed, by_torch
from torchrelay.frontend.options import CustomConverter, Options
from torchrelay.frontend.promote import INT64, Computed, Quantized, as_tensor
from torchrelay.frontend.records import NodeRecord
from torchrelay.frontend.registry import Result, find_converter
from torchrelay.frontend.schema import Schema, schema_for
from torchrelay.frontend.scope import Parameters, Scope, known, plain
from torchrelay.frontend.sizes import refined, size_attributes, sizes_at_hand
from torchrelay.frontend.structure import STRUCTURAL, Unknown
from torchrelay.ir import (
    Call,
    Constant,
    DType,
    Expr,
    Function,
    Operator,
    TensorType,
    Tuple,
    TupleType,
    Type,
    Var,
    at,
    free_vars,
    post_order,
)

__all__ = ["Conversion", "NodeRecord", "convert", "missing_operators"]

assert _aten.__name__, "importing the converters declares them"


@dataclass(frozen=True, slots=True)
class Conversion:
    """A converted graph: the function, its parameters by name, the record of every node, the variable of every input."""

    graph: TorchGraph
    function: Function
    params: Mapping[str, np.ndarray]
    records: tuple[NodeRecord, ...]
    environment: Mapping[str, Result]
    input_vars: Mapping[str, Var]


def _base_name(target: str) -> str:
    return target.rpartition(".")[0]


def missing_operators(graph: TorchGraph, custom: Mapping[str, CustomConverter]) -> dict[str, list[Place]]:
    """The targets that have no converter, each with the place of every use."""
    found: dict[str, list[Place]] = defaultdict(list)
    known: dict[str, bool] = {}
    for node in walk_nodes(graph):
        if node.target not in known:
            known[node.target] = _base_name(node.target) in custom or _has_converter(node)
        if not known[node.target]:
            found[node.target].append(node.where)
    return dict(found)


@cache
def _number_schema(target: str) -> Schema | None:
    """The schema of an operator on numbers only, which torch itself computes where they are known; None for others."""
    schema = schema_for(target)
    return schema if schema is not None and schema.only_numbers and not schema.mutates else None


def _has_converter(node: TorchNode) -> bool:
    if (
        node.target in CONTROL
        or node.target in STRUCTURAL
        or find_converter(node.target) is not None
        or _number_schema(node.target) is not None
    ):
        return True
    return can_decompose(node.target) and not leads_nowhere(node)


def _refuse_missing(missing: Mapping[str, Sequence[Place]]) -> None:
    diagnostics = []
    for target, places in sorted(missing.items()):
        times = f", used {len(places)} times" if len(places) > 1 else ""
        notes = [f"also at {place}" for place in dict.fromkeys(places[1:])][:8]
        hint = f"give one by custom_convert_map={{{_base_name(target)!r}: ...}}, or decompose it before the import"
        message = f"{target} has no converter{times}"
        if target.startswith("python::"):
            name = _base_name(target).removeprefix("python::")
            message = f"{target} has no converter: it is {name}, a class of Python's that the capture did not look into{times}"
            hint = f"call what {name}.forward computes in its place, or give custom_convert_map={{{_base_name(target)!r}: ...}}"
        diagnostics.append(Diagnostic(UnsupportedOperators.code, message, places[0], tuple(notes), hint))
    names = ", ".join(sorted(missing))
    raise UnsupportedOperators(f"{len(missing)} operators have no converter: {names}", diagnostics=diagnostics)


def convert(graph: TorchGraph, inputs: Mapping[str, Var], options: Options | None = None) -> Conversion:
    """The Relay function of a functional graph, over the inputs' variables (by value name) and the parameters it uses.

    Parameters become variables named by their state-dict keys, made plain where the options say so; their arrays are views of the model's own storage. What the
    program leaves in its buffers are results behind its own, in the order of their keys, which stand in the function's
    attribute ``updates``. Linear in the number of nodes. Raises UnsupportedOperators, naming all missing ones, before any work; UnsupportedProgram or
    TypeMismatch, with torch operator and place, for a use that has no Relay.
    """
    options = options or Options()
    missing = missing_operators(graph, options.custom)
    if missing:
        _refuse_missing(missing)
    given = {value.name: _of_kind(value, inputs[value.name]) for value in graph.inputs if value.name in inputs}
    names = plain_names(graph, [var.name for var in inputs.values()]) if options.plain_names else None
    parameters = Parameters(graph, names, keep_quantized_weight=options.keep_quantized_weight)
    values = Scope(given, parameters)
    run = _Converting(options)
    with sizes_at_hand(inputs.values()):
        run.nodes(values, graph.nodes)
    results = [known(values, output) for output in graph.outputs]
    updates = {key: _left_in(key, known(values, graph.updates[key])) for key in sorted(graph.updates)}
    body = _with_updates(_returned(results[0] if len(results) == 1 else tuple(results)), updates)
    function = _function(body, list(inputs.values()), updates, size_attributes(list(inputs.values()), graph.bounds))
    used = {var.name for var in function.params}
    params = {name: array for name, array in parameters.arrays.items() if name in used}
    for scope in run.scopes(values):
        for name, value in scope.items():
            scope[name] = plain(value)
    return Conversion(graph, function, params, tuple(run.records), values, inputs)


@dataclass(slots=True)
class _Converting:
    """One conversion on its way: what is asked of it and the record so far."""

    options: Options
    records: list[NodeRecord] = field(default_factory=list)
    _scopes: list[Scope] = field(default_factory=list)
    _depth: int = 0

    @property
    def unroll_loops(self) -> bool:
        """Whether loops of a known number of turns are written out."""
        return self.options.unroll_loops

    def nodes(self, values: Scope, nodes: Iterable[TorchNode]) -> None:
        """Converts the nodes in that scope, which then has their results."""
        for node in nodes:
            if node.target in CONTROL:
                self._control(values, node)
            else:
                record = _convert_node(values, node, self.options)
                self.records.append(replace(record, nested=True) if self._depth else record)

    def _control(self, values: Scope, node: TorchNode) -> None:
        """A branch or a loop; its record stands before those of the nodes in it."""
        mark = self.mark()
        self._depth += 1
        try:
            with at(_place(node, self.options)):
                results = (branch if node.target == "prim::If.default" else loop)(self, values, node)
        except TorchRelayError as error:
            placed = error.diagnostics[0].place
            raise error if placed is not None and str(placed) else _at_node(error, node) from error.__cause__
        finally:
            self._depth -= 1
        for output, value in zip(node.outputs, results, strict=True):
            values[output.name] = value
        shown = tuple([plain(value) for value in results])
        self.records.insert(mark, NodeRecord(node, _base_name(node.target), values, shown, nested=self._depth > 0))

    def block(self, scope: Scope, block: TorchGraph) -> tuple[Result, ...]:
        """The nodes of the block converted in that scope, and its results."""
        self._scopes.append(scope)
        self.nodes(scope, block.nodes)
        return tuple([known(scope, output) for output in block.outputs])

    def mark(self) -> int:
        """Where the record stands."""
        return len(self.records)

    def rewind(self, mark: int) -> None:
        """Forgets what was recorded since."""
        del self.records[mark:]

    def scopes(self, whole: Scope) -> list[Scope]:
        """The scope of the whole program and those of its branches and loops."""
        return [whole, *self._scopes]


def _place(node: TorchNode, options: Options) -> Place:
    """Where the node stands in the program, with the name of what it gives."""
    where = node.where
    if options.scopes_only:
        where = Place(scope=where.scope, scope_class=where.scope_class)
    return replace(where, node=node.outputs[0].name) if node.outputs else where


def _function(body: Expr, inputs: Sequence[Var], updates: Mapping[str, Expr], sizes: Mapping[str, str]) -> Function:
    known = set(inputs)
    params = [var for var in free_vars(body) if var not in known]
    attrs = {**({"updates": ", ".join(updates)} if updates else {}), **sizes}
    return Function((*inputs, *params), body, attrs=attrs, place=None)


def _left_in(key: str, value: Result) -> Expr:
    """What the model leaves in an attribute, as a result."""
    if isinstance(value, Expr | bool | int | float):
        return _returned(value)
    raise UnsupportedProgram(f"the model puts {value!r} into its attribute {key}, which no result can carry")


def _with_updates(result: Expr, updates: Mapping[str, Expr]) -> Expr:
    """The results of the model, and behind them what it leaves in its buffers."""
    if not updates:
        return result
    return Tuple((*(result.fields if isinstance(result, Tuple) else (result,)), *updates.values()))


def _convert_node(values: Scope, node: TorchNode, options: Options) -> NodeRecord:
    args = {name: known(values, arg) for name, arg in node.args.items()}
    name = _base_name(node.target)
    try:
        with at(_place(node, options)):
            parts: tuple[str, ...] = ()
            if name in options.custom:
                result = _by_the_users_own(options.custom[name], name, args)
            elif is_quantized(tuple(args.values())):
                result = by_integers(node.target, args)
            elif _is_decomposed(node.target):
                result, parts = _by_decomposition(node, args, options)
            else:
                result = _converted(node.target, args)
    except TorchRelayError as error:
        raise _at_node(error, node) from error.__cause__
    results = [_folded(value) for value in _results_of(node, result)]
    for output, value in zip(node.outputs, results, strict=True):
        values[output.name] = _of_kind(output, value)
    return NodeRecord(node, name, values, tuple([plain(value) for value in results]), parts)


def _is_decomposed(target: str) -> bool:
    if target in STRUCTURAL or find_converter(target) is not None or _number_schema(target) is not None:
        return False
    return can_decompose(target)


def _by_decomposition(node: TorchNode, args: Mapping[str, Result], options: Options) -> tuple[Result, tuple[str, ...]]:
    """What the node is by PyTorch's own tables, and the operators that these make of it."""
    made = decompose(node.target, args)
    inner = Scope(cast("Mapping[str, Expr]", made.inputs), Parameters(made.graph))
    for part in made.graph.nodes:
        _convert_node(inner, replace(part, where=node.where), replace(options, custom={}))
    results = tuple([known(inner, output) for output in made.graph.outputs])
    targets = tuple(part.target for part in made.graph.nodes)
    return (results[0] if len(node.outputs) == 1 and len(results) == 1 else results), targets


def _by_the_users_own(converter: CustomConverter, name: str, args: Mapping[str, Result]) -> Result:
    """What a converter of the user's gives. Raises UnsupportedProgram for whatever it raises, and where it gives nothing."""
    values = [plain(value) for value in args.values()]
    try:
        result = converter(values, [_type_text(value) for value in values])
    except TorchRelayError:
        raise
    except Exception as error:  # the user's own code may raise anything
        message = f"the converter given for {name} raised {type(error).__name__}: {error}"
        raise UnsupportedProgram(message) from error
    if result is None:
        raise UnsupportedProgram(f"the converter given for {name} gave None", hint="it must return the expression")
    return result


def _converted(target: str, args: Mapping[str, Result]) -> Result:
    """What the converter gives; for numbers that are known what torch itself computes."""
    if target in STRUCTURAL:
        value = STRUCTURAL[target](list(args.values()))
        if not isinstance(value, Unknown):
            return value
    schema = _number_schema(target)
    if schema is not None and not any(map(_is_computed, args.values())):
        value = by_torch(schema, list(args.values()))
        if not isinstance(value, NotComputed):
            return value  # pyright: ignore[reportReturnType] the schema says numbers
    converter = find_converter(target)
    if converter is None:
        raise UnsupportedProgram("a number is computed while the program runs, but must be known here")
    return converter(args)


def _is_computed(value: Result) -> bool:
    if isinstance(value, tuple):
        return any(map(_is_computed, value))
    return isinstance(value, Expr | Computed)


_NUMBER_KINDS = frozenset({"int", "float", "bool", "number"})


def _of_kind(output: TorchValue, value: Result) -> Result:
    """The value as what it is to the program: an expression that stands for a number is a number."""
    if output.type.kind not in _NUMBER_KINDS or not isinstance(value, Expr):
        return refined(output.type, value)
    if isinstance(value, Constant) and value.data.ndim == 0:
        return value.data.item()
    return refined(output.type, Computed(value))


_UNPACKING = ("prim::ListUnpack.default", "prim::TupleUnpack.default")
"""What gives as many results as there are, also where that is one."""


def _results_of(node: TorchNode, result: Result) -> tuple[Result, ...]:
    """The value of each output of the node."""
    if len(node.outputs) == 1 and node.target not in _UNPACKING:
        return (result,)
    if isinstance(result, Expr) and isinstance(result.type, TupleType):
        result = tuple(result)
    if isinstance(result, Sequence) and len(result) == len(node.outputs):
        return tuple(result)
    raise UnsupportedProgram(f"{node.target} has {len(node.outputs)} results, its converter gave another number")


def _folded(value: Result) -> Result:
    """A scalar that follows from constant scalars as the constant it is: sizes and what is computed from them."""
    if not isinstance(value, Call) or value.type not in _SCALARS:
        return value
    done: dict[Expr, np.ndarray] = {}
    for expr in post_order(value):
        if isinstance(expr, Constant) and expr.data.ndim == 0:
            done[expr] = expr.data
        elif isinstance(expr, Call) and isinstance(expr.op, Operator) and all(arg in done for arg in expr.args):
            arrays = [done[arg] for arg in expr.args]
            record = () if expr.op.record is None else (expr.attrs,)
            done[expr] = np.asarray(expr.op.meaning(*arrays, *record))
        elif not isinstance(expr, Operator):
            return value
    return Constant(done[value], place=value.place)


FLOAT64 = DType.parse("float64")
_SCALARS = frozenset(TensorType.of((), name) for name in ("bool", "int32", "int64", "float32", "float64"))


def _at_node(error: TorchRelayError, node: TorchNode) -> TorchRelayError:
    first = error.diagnostics[0]
    if first.message.startswith(node.target):
        return error
    message = f"{node.target}: {first.message}"
    return type(error)(message, place=node.where, notes=first.notes, hint=first.hint)


def _type_text(value: object) -> str:
    """The type of an input as converters of Relay's users get it."""
    if isinstance(value, Expr):
        return str(value.type.dtype) if isinstance(value.type, TensorType) else str(value.type)
    return {bool: "bool", int: "int", float: "float", str: "str", type(None): "NoneType"}.get(type(value), "ListType")


def _returned(value: Result) -> Expr:
    """The results as one expression: a mapping in the order of its keys, None left out, numbers as constants."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, Quantized):
        return value.expr
    if isinstance(value, Computed):
        return as_tensor(value, INT64 if value.expr.dtype.is_int else FLOAT64 if value.expr.dtype.is_float else None)
    if isinstance(value, float):
        return as_tensor(value, FLOAT64)
    if isinstance(value, bool | int):
        return as_tensor(value)
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return Tuple(tuple([_returned(part) for part in value if part is not None]))
    raise UnsupportedProgram(f"the model returns {value!r}, which is no tensor")


def input_type(value: TorchType) -> Type:
    """The Relay type of a data input. Raises TypeMismatch where the capture does not know it."""
    if value.kind == "Tensor" and value.shape is not None and value.dtype is not None:
        return TensorType(value.shape, value.dtype)
    if value.kind in ("Tuple", "List") and value.elements:
        return TupleType(tuple([input_type(part) for part in value.elements]))
    scalars = {"int": "int64", "float": "float64", "bool": "bool"}
    if value.kind in scalars:
        return TensorType.of((), scalars[value.kind])
    raise TypeMismatch(f"an input of type {value.kind} whose shape and dtype are not known")
