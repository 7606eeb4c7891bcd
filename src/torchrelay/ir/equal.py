"""Structural equality and hash: the same program up to the names of its variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from torchrelay.errors import IllFormed
from torchrelay.ir.attrs import Attrs
from torchrelay.ir.expr import (
    Call,
    Clause,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    Let,
    Match,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    TupleGetItem,
    Var,
)
from torchrelay.ir.module import IRModule
from torchrelay.ir.operator import Operator
from torchrelay.ir.types import (
    FuncType,
    GlobalTypeVar,
    IncompleteType,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeData,
    TypeVar,
)
from torchrelay.ir.visit import bound_vars, children, post_order

__all__ = ["assert_structural_equal", "structural_equal", "structural_hash"]

Comparable = Expr | IRModule | Type | Attrs


def structural_equal(lhs: Comparable, rhs: Comparable, map_free_vars: bool = False) -> bool:  # noqa: FBT001, FBT002 TVM's signature
    """Whether both are the same program: bound variables may have other names, and free ones too with ``map_free_vars``.

    Constants are equal by their bits. Linear in the number of nodes, each shared one compared once.
    """
    return _Comparison(map_free_vars).difference(lhs, rhs) is None


def assert_structural_equal(lhs: Comparable, rhs: Comparable, map_free_vars: bool = False) -> None:  # noqa: FBT001, FBT002 TVM's signature
    """Raises IllFormed with the first difference and where it is, unless both are the same program."""
    found = _Comparison(map_free_vars).difference(lhs, rhs)
    if found is not None:
        raise IllFormed(f"the two are not structurally equal: {found}")


Path = tuple["Path", str] | None
Pair = tuple[object, object, Path]


def _shown(path: Path) -> str:
    parts: list[str] = []
    while path is not None:
        path, part = path
        parts.append(part)
    shown = list(reversed(parts))
    return ".".join(shown if len(shown) <= 12 else [*shown[:4], "...", *shown[-6:]]) or "the root"


@dataclass(slots=True)
class _Comparison:
    map_free_vars: bool
    same: dict[object, object] = field(default_factory=dict[object, object])
    """What each node, variable and type variable of the left is on the right."""
    back: dict[object, object] = field(default_factory=dict[object, object])
    stack: list[Pair] = field(default_factory=list[Pair])

    def difference(self, left: object, right: object) -> str | None:
        """The first difference and where it is, or None."""
        self.stack.append((left, right, None))
        while self.stack:
            one, other, path = self.stack.pop()
            reason = self._compare(one, other, path)
            if reason:
                return f"{reason}, at {_shown(path)}"
        return None

    def _push(self, left: object, right: object, path: Path, part: str) -> None:
        self.stack.append((left, right, (path, part)))

    def _push_all(self, left: tuple[object, ...], right: tuple[object, ...], path: Path, part: str) -> str:
        if len(left) != len(right):
            return f"{len(left)} and {len(right)} {part}"
        for index in range(len(left))[::-1]:
            self._push(left[index], right[index], path, f"{part}[{index}]")
        return ""

    def _bind(self, left: object, right: object) -> bool:
        """Notes that the two stand for each other; false where one stands for another already."""
        if left in self.same or right in self.back:
            return self.same.get(left) is right
        self.same[left], self.back[right] = right, left
        return True

    def _compare(self, left: object, right: object, path: Path) -> str:
        alike = type(left) is type(right)
        if left is right and not isinstance(left, Expr | TypeVar):
            return ""
        if isinstance(left, Expr) and isinstance(right, Expr):
            return self._exprs(left, right, path)
        if isinstance(left, Type) and isinstance(right, Type):
            return self._types(left, right, path)
        if isinstance(left, Attrs) and isinstance(right, Attrs):
            return self._attrs(left, right, path)
        if isinstance(left, IRModule) and isinstance(right, IRModule):
            return self._modules(left, right, path)
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            return self._mappings(cast("Mapping[object, object]", left), cast("Mapping[object, object]", right), path)
        if isinstance(left, tuple) and isinstance(right, tuple):
            return self._push_all(cast("tuple[object, ...]", left), cast("tuple[object, ...]", right), path, "items")
        same_nan = isinstance(left, float) and isinstance(right, float) and left != left and right != right
        return "" if same_nan or (alike and left == right) else f"{left!r} and {right!r}"

    def _exprs(self, left: Expr, right: Expr, path: Path) -> str:
        if left in self.same or right in self.back:
            return "" if self.same.get(left) is right else "shared parts that differ"
        if type(left) is not type(right):
            return f"a {type(left).__name__} and a {type(right).__name__}"
        if isinstance(left, Var):
            return self._vars(left, right, path)
        if isinstance(left, GlobalVar | Operator | Constructor):
            return "" if left.name == right.name else f"{left.name} and {right.name}"  # type: ignore[attr-defined] the same class
        if isinstance(left, Constant) and isinstance(right, Constant):
            # A constant has no identity: the text writes a scalar anew wherever it stands.
            return _arrays(left.data, right.data)
        self._bind(left, right)
        return self._own_fields(left, right, path) or self._push_all(children(left), children(right), path, "parts")

    def _vars(self, left: Expr, right: Expr, path: Path) -> str:
        assert isinstance(left, Var)
        assert isinstance(right, Var)
        if not self.map_free_vars and left is not right:
            return f"the variables %{left.name} and %{right.name}"
        self._bind(left, right)
        self._push(left.type_annotation, right.type_annotation, path, "type")
        return ""

    def _own_fields(self, left: Expr, right: Expr, path: Path) -> str:
        """What an expression has beside its parts; binders are entered before what they bind is looked at."""
        match left, right:
            case Call(), Call():
                self._push(left.attrs, right.attrs, path, "attrs")
                # A call without type arguments leaves them to inference.
                both = left.type_args and right.type_args
                return self._push_all(left.type_args, right.type_args, path, "type_args") if both else ""
            case TupleGetItem(index=index), TupleGetItem(index=other):
                return "" if index == other else f"field {index} and field {other}"
            case Let(var=var), Let(var=other):
                return self._binders((var,), (other,), path)
            case Function(), Function():
                return self._functions(left, right, path)
            case Match(), Match():
                return self._clauses(left.clauses, right.clauses, path)
            case _:
                return ""

    def _functions(self, left: Function, right: Function, path: Path) -> str:
        if len(left.type_params) != len(right.type_params):
            return "another number of type parameters"
        for one, other in zip(left.type_params, right.type_params, strict=True):
            self._bind(one, other)
        # A result type that is not written is that of the body.
        self._push(left.ret_type or left.body.type, right.ret_type or right.body.type, path, "ret_type")
        self._push(dict(left.attrs), dict(right.attrs), path, "attrs")
        return self._binders(left.params, right.params, path)

    def _binders(self, left: tuple[Var, ...], right: tuple[Var, ...], path: Path) -> str:
        if len(left) != len(right):
            return f"{len(left)} and {len(right)} parameters"
        for one, other in zip(left, right, strict=True):
            if not self._bind(one, other):
                return f"the variables %{one.name} and %{other.name}"
            self._push(one.type_annotation, other.type_annotation, path, f"%{one.name}")
        return ""

    def _clauses(self, left: tuple[Clause, ...], right: tuple[Clause, ...], path: Path) -> str:
        if len(left) != len(right):
            return f"{len(left)} and {len(right)} clauses"
        for one, other in zip(left, right, strict=True):
            reason = self._patterns(one.lhs, other.lhs, path)
            if reason:
                return reason
        return ""

    def _patterns(self, left: Pattern, right: Pattern, path: Path) -> str:
        stack = [(left, right)]
        while stack:
            one, other = stack.pop()
            if type(one) is not type(other):
                return f"a {type(one).__name__} and a {type(other).__name__}"
            if isinstance(one, PatternVar) and isinstance(other, PatternVar):
                reason = self._binders((one.var,), (other.var,), path)
                if reason:
                    return reason
            elif isinstance(one, PatternConstructor | PatternTuple) and isinstance(
                other, PatternConstructor | PatternTuple
            ):
                if isinstance(one, PatternConstructor) and one.constructor.name != other.constructor.name:  # type: ignore[union-attr] the same class
                    return f"the patterns {one.constructor.name} and {other.constructor.name}"  # type: ignore[union-attr] the same class
                if len(one.patterns) != len(other.patterns):
                    return "patterns of other arity"
                stack.extend(zip(one.patterns, other.patterns, strict=True))
        return ""

    def _types(self, left: Type, right: Type, path: Path) -> str:  # noqa: C901 one case for each kind
        match left, right:
            case (TensorType(), TensorType()) | (GlobalTypeVar(), GlobalTypeVar()):
                return "" if left == right else f"the types {left} and {right}"
            case TypeVar(), TypeVar():
                known = left in self.same or right in self.back
                same = self.same.get(left) is right if known else left is right or self.map_free_vars
                return "" if same else f"the type variables {left} and {right}"
            case TupleType(fields), TupleType(others):
                return self._push_all(fields, others, path, "fields")
            case RefType(value), RefType(other):
                self._push(value, other, path, "value")
                return ""
            case TypeCall(func, args), TypeCall(other, others):
                self._push(func, other, path, "func")
                return self._push_all(args, others, path, "args")
            case FuncType(), FuncType():
                if len(left.type_params) != len(right.type_params):
                    return "another number of type parameters"
                for one, other in zip(left.type_params, right.type_params, strict=True):
                    self._bind(one, other)
                self._push(left.ret_type, right.ret_type, path, "ret_type")
                return self._push_all(left.arg_types, right.arg_types, path, "arg_types")
            case IncompleteType(), IncompleteType():
                return ""
            case TypeData(), TypeData():
                return self._type_data(left, right, path)
            case _:
                return f"the types {left} and {right}"

    def _type_data(self, left: TypeData, right: TypeData, path: Path) -> str:
        if left.header.name != right.header.name or len(left.type_vars) != len(right.type_vars):
            return f"the data types {left.header.name} and {right.header.name}"
        for one, other in zip(left.type_vars, right.type_vars, strict=True):
            self._bind(one, other)
        if [c.name for c in left.constructors] != [c.name for c in right.constructors]:
            return f"other constructors of {left.header.name}"
        for one, other in zip(left.constructors, right.constructors, strict=True):
            reason = self._push_all(one.inputs, other.inputs, path, one.name)
            if reason:
                return reason
        return ""

    def _attrs(self, left: Attrs, right: Attrs, path: Path) -> str:
        if type(left) is not type(right):
            return f"the records {left!r} and {right!r}"
        for (item, value), (_, other) in zip(left.items(), right.items(), strict=True):
            self._push(value, other, path, item.name)
        return ""

    def _modules(self, left: IRModule, right: IRModule, path: Path) -> str:
        self._push(dict(left.attrs), dict(right.attrs), path, "attrs")
        self._push(dict(left.type_definitions), dict(right.type_definitions), path, "types")
        self._push(dict(left.functions), dict(right.functions), path, "functions")
        return ""

    def _mappings(self, left: Mapping[object, object], right: Mapping[object, object], path: Path) -> str:
        if set(left) != set(right):
            return f"the keys {sorted(map(str, left))} and {sorted(map(str, right))}"
        for key, value in left.items():
            self._push(value, right[key], path, str(key))
        return ""


def _arrays(left: np.ndarray, right: np.ndarray) -> str:
    if left.dtype != right.dtype or left.shape != right.shape:
        return f"constants of {left.dtype}{list(left.shape)} and {right.dtype}{list(right.shape)}"
    same = left is right or left.tobytes() == right.tobytes()
    return "" if same else f"constants of {left.dtype}{list(left.shape)} with other elements"


def structural_hash(node: Expr | IRModule, map_free_vars: bool = False) -> int:  # noqa: FBT001, FBT002 TVM's signature
    """A hash that is the same for structurally equal programs. Linear in the number of nodes."""
    if isinstance(node, IRModule):
        hashes = {name: structural_hash(function, map_free_vars) for name, function in node.functions.items()}
        return hash((tuple(sorted(hashes.items())), tuple(sorted(node.type_definitions))))
    bound = {var: index for index, var in enumerate(bound_vars(node))}
    done: dict[Expr, int] = {}
    for count, part in enumerate(post_order(node)):
        done[part] = _node_hash(part, done, bound, map_free_vars, count)
    return done[node]


def _node_hash(node: Expr, done: Mapping[Expr, int], bound: Mapping[Var, int], map_free_vars: bool, count: int) -> int:  # noqa: FBT001
    match node:
        case Var():
            free = count if map_free_vars else id(node)
            return hash(("bound", bound[node]) if node in bound else ("free", free))
        case GlobalVar(name=name) | Operator(name=name) | Constructor(name=name):
            return hash((type(node).__name__, name))
        case Constant(data=data):
            return hash((data.dtype.str, data.shape, data.tobytes()))
        case TupleGetItem(tuple_value=value, index=index):
            return hash(("projection", done[value], index))
        case _:
            attrs = repr(node.attrs) if isinstance(node, Call) and not _has_exprs(node.attrs) else ""
            return hash((type(node).__name__, attrs, tuple([done[part] for part in children(node)])))


def _has_exprs(attrs: Attrs | None) -> bool:
    return attrs is not None and any(isinstance(value, Expr) for _, value in attrs.items())
