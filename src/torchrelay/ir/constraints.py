"""The rules of typing, as constraints between the types of expressions, each expression looked at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from torchrelay.errors import IllFormed, TorchRelayError, TypeMismatch
from torchrelay.ir.exhaustive import unmatched
from torchrelay.ir.expr import (
    Call,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
    at,
)
from torchrelay.ir.operator import Operator
from torchrelay.ir.solver import Solver
from torchrelay.ir.types import (
    DType,
    FuncType,
    IncompleteType,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeData,
    is_known,
)
from torchrelay.ir.unify import joined, substituted
from torchrelay.ir.visit import children

__all__ = ["CONDITION", "Typing", "placed"]

CONDITION = TensorType((), DType.parse("bool"))
"""The type of the condition of an if."""


@dataclass(slots=True)
class Typing:
    """The types of expressions as far as they follow from what has been walked over.

    ``functions`` and ``definitions`` are those of the module; the expressions in ``settled`` keep the types they have.
    """

    functions: Mapping[str, Function]
    definitions: Mapping[str, TypeData]
    settled: Collection[Expr]
    solver: Solver = field(default_factory=Solver)
    types: dict[Expr, Type] = field(default_factory=dict[Expr, Type])
    declared: dict[Function, FuncType] = field(default_factory=dict[Function, FuncType])
    choices: dict[Expr, tuple[Type, ...]] = field(default_factory=dict[Expr, tuple[Type, ...]])
    """The type arguments of calls of polymorphic functions, as far as they are known."""

    def resolved(self, node: Expr) -> Type | None:
        """The type found for a node, as far as it is known; None for one that has not been walked over."""
        return self.solver.resolved(self.types[node]) if node in self.types else None

    def type_args(self, node: Expr) -> tuple[Type, ...]:
        """The type arguments found for the call of a polymorphic function; none for another expression."""
        return tuple([self.solver.resolved(t) for t in self.choices.get(node, ())])

    def _of_global(self, node: GlobalVar) -> Type:
        if node.name not in self.functions:
            if node.type is not None:
                return node.type
            raise IllFormed(f"there is no function @{node.name}", place=node.place)
        function = self.functions[node.name]
        known = function.type
        return known if known is not None and is_known(known) else self._declaration(function)

    def _declaration(self, function: Function) -> FuncType:
        """What a function's type is by its head; its unknown parts are found when its body is looked at."""
        if function not in self.declared:
            params = tuple([self._of_var(param) for param in function.params])
            result = self.solver.opened(function.ret_type)
            self.declared[function] = FuncType(params, result, function.type_params)
        return self.declared[function]

    def _of_var(self, var: Var) -> Type:
        if var not in self.types:
            known = var.type if is_known(var.type) else var.type_annotation
            self.types[var] = self.solver.opened(known)
        return self.types[var]

    # The walk: each event gives the events that come next

    def walk(self, root: Expr) -> None:
        """Types the root and all it is made of. Raises TypeMismatch with the place of what does not fit."""
        stack: list[Event] = [(self._enter, root)]
        while stack:
            event, node = stack.pop()
            try:
                stack.extend(reversed(event(node)))
                while self.solver.ready:
                    node = self.solver.ready.pop()
                    self._solve(node)
            except TorchRelayError as error:
                raise placed(error, node) from None

    def _enter(self, node: Expr) -> list[Event]:
        if node in self.types:
            return []
        if node in self.settled and node.type is not None:
            self.types[node] = node.type
            return []
        match node:
            case Var():
                self._of_var(node)
                return []
            case Let(var=var, value=value, body=body):
                if isinstance(value, Function):
                    # The function may refer to itself through the variable.
                    self.solver.unify(self._of_var(var), self._declaration(value))
                return [(self._enter, value), (self._bind, node), (self._enter, body), (self._leave, node)]
            case Function(body=body):
                self._declaration(node)
                return [(self._enter, body), (self._leave, node)]
            case Match(data=data, clauses=clauses):
                results = [(self._enter, clause.rhs) for clause in clauses]
                return [(self._enter, data), (self._bind, node), *results, (self._leave, node)]
            case _:
                parts = [part for part in children(node) if not isinstance(part, Operator | Constructor)]
                return [*((self._enter, part) for part in parts), (self._leave, node)]

    def _bind(self, node: Expr) -> list[Event]:
        """Types the variables that a let or a match binds, before what is in their scope."""
        if isinstance(node, Let):
            self.solver.unify(self._of_var(node.var), self.types[node.value])
        elif isinstance(node, Match):
            for clause in node.clauses:
                self._fit(clause.lhs, self.types[node.data])
        return []

    def _fit(self, pattern: Pattern, t: Type) -> None:
        stack = [(pattern, t)]
        while stack:
            part, wanted = stack.pop()
            match part:
                case PatternVar(var):
                    self.solver.unify(self._of_var(var), wanted)
                case PatternTuple(patterns):
                    fields = tuple([IncompleteType() for _ in patterns])
                    self.solver.unify(TupleType(fields), wanted)
                    stack.extend(zip(patterns, fields, strict=True))
                case PatternConstructor(constructor, patterns):
                    stack.extend(zip(patterns, self._fields(constructor, wanted), strict=True))
                case _:
                    pass

    def _fields(self, constructor: Constructor, wanted: Type) -> tuple[Type, ...]:
        choice: dict[Type, Type] = {param: IncompleteType() for param in constructor.type_vars}
        self.solver.unify(TypeCall(constructor.belong_to, tuple(choice.values())), wanted)
        return tuple([substituted(t, choice) for t in constructor.inputs])

    def _leave(self, node: Expr) -> list[Event]:
        """Types a node whose parts are typed."""
        if isinstance(node, TupleGetItem) or (isinstance(node, Call) and isinstance(node.op, Operator)):
            self.types[node] = IncompleteType()
            self._solve(node)
        else:
            self.types[node] = self._rule(node)
        return []

    def _rule(self, node: Expr) -> Type:
        match node:
            case GlobalVar():
                return self._of_global(node)
            case Tuple(fields=fields):
                return TupleType(tuple([self._of(part) for part in fields]))
            case Call():
                return self._application(node)
            case Let(body=body):
                return self._of(body)
            case If(cond=cond, true_branch=left, false_branch=right):
                self.solver.unify(self._of(cond), CONDITION)
                return self._joined(self._of(left), self._of(right))
            case Match():
                return self._matching(node)
            case Function(body=body):
                declared = self._declaration(node)
                return replace(declared, ret_type=self.solver.unify(declared.ret_type, self._of(body)))
            case _:
                return self._reference(node)

    def _reference(self, node: Expr) -> Type:
        match node:
            case RefCreate(value=value):
                return RefType(self._of(value))
            case RefRead(ref=ref):
                held = IncompleteType()
                self.solver.unify(self._of(ref), RefType(held))
                return held
            case RefWrite(ref=ref, value=value):
                self.solver.unify(self._of(ref), RefType(self._of(value)))
                return TupleType(())
            case _:
                return self.solver.opened(node.type)

    def _of(self, node: Expr) -> Type:
        if isinstance(node, Constructor) and node.type is not None:
            return node.type
        if isinstance(node, Operator):
            raise TypeMismatch(f"{node.name} is used as a value", hint=f"write a function that calls {node.name}")
        return self.types[node]

    def _application(self, call: Call) -> Type:
        function = self.solver.head(self._of(call.op))
        args = [self._of(arg) for arg in call.args]
        if isinstance(function, IncompleteType):
            result = IncompleteType()
            self.solver.unify(function, FuncType(tuple(args), result))
            return result
        if not isinstance(function, FuncType):
            raise TypeMismatch(f"only a function can be called, not a value of type {self.solver.resolved(function)}")
        if len(args) != len(function.arg_types):
            wanted = len(function.arg_types)
            raise TypeMismatch(f"a function of {wanted} parameters is called with {len(args)} arguments")
        chosen, self.choices[call] = self.solver.instantiated(function, call.type_args)
        for wanted, given in zip(chosen.arg_types, args, strict=True):
            self.solver.unify(wanted, given)
        return chosen.ret_type

    def _joined(self, left: Type, right: Type) -> Type:
        one, other = self.solver.resolved(left), self.solver.resolved(right)
        merged = joined(one, other) if is_known(one) and is_known(other) else self.solver.unify(left, right)
        assert merged is not None, "two types have one in common"
        return merged

    def _matching(self, node: Match) -> Type:
        if not node.clauses:
            raise TypeMismatch("a match without clauses has no type")
        result = self._of(node.clauses[0].rhs)
        for clause in node.clauses[1:]:
            result = self._joined(result, self._of(clause.rhs))
        if node.complete:
            left_out = unmatched([clause.lhs for clause in node.clauses], self.definitions)
            if left_out is not None:
                raise TypeMismatch(f"the match leaves out the case {left_out}", hint="match? may leave out cases")
        return result

    # What waits for types

    def _solve(self, node: Expr) -> None:
        """Types a projection or an operator's call if enough is known by now, else lets it wait for what is not."""
        if isinstance(node, TupleGetItem):
            found = self._projection(node)
        else:
            assert isinstance(node, Call), "only projections and calls wait"
            found = self._operation(node)
        if found is not None:
            self.solver.unify(self.types[node], found)

    def _projection(self, node: TupleGetItem) -> Type | None:
        whole = self.solver.head(self._of(node.tuple_value))
        if isinstance(whole, IncompleteType):
            self.solver.wait(node, whole)
            return None
        if not isinstance(whole, TupleType):
            raise TypeMismatch(f"only a tuple has fields, not a value of type {self.solver.resolved(whole)}")
        if not 0 <= node.index < len(whole.fields):
            raise TypeMismatch(f"field {node.index} of a tuple with {len(whole.fields)} fields")
        return whole.fields[node.index]

    def _operation(self, node: Call) -> Type | None:
        operator = node.op
        assert isinstance(operator, Operator), "only operators' calls wait"
        args = [self._of(arg) for arg in node.args]
        if "keeps_type" in operator.slots and args and not is_known(self.solver.resolved(args[0])):
            self.solver.unify(args[0], self.types[node])
        types = [self.solver.resolved(t) for t in args]
        complete = operator.slots.get("completes")
        if complete is not None and not all(map(is_known, types)) and len(types) == len(operator.inputs):
            known = [t if is_known(t) else None for t in types]
            for arg, t in zip(args, self._completed(complete, known, node), strict=True):
                if t is not None:
                    self.solver.unify(arg, t)
            types = [self.solver.resolved(t) for t in args]
        for t in types:
            unknown = self.solver.unknown_part(t)
            if unknown is not None:
                self.solver.wait(node, unknown)
        with at(node.place):
            return operator.infer(types, node.attrs) if all(map(is_known, types)) else None

    def _completed(
        self, complete: Callable[..., object], known: Sequence[Type | None], node: Call
    ) -> Sequence[Type | None]:
        found = complete(tuple(known), node.attrs) if node.attrs is not None else complete(tuple(known))
        assert isinstance(found, tuple), "a completion gives the types of all inputs"
        return cast("tuple[Type | None, ...]", found)


Event = tuple[Callable[[Expr], "list[Event]"], Expr]


def placed(error: TorchRelayError, node: Expr) -> TorchRelayError:
    """The error with the place of the node, unless it has one."""
    first = error.diagnostics[0]
    if first.place is not None:
        return error
    return type(error)(error.message, place=node.place, notes=first.notes, hint=first.hint)
