"""The passes of torchrelay under the names of tvm.relay.transform."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torchrelay import transform as passes
from torchrelay.errors import WrongUsage
from torchrelay.ir import Expr, Function, IRModule, infer_types
from torchrelay.passes import DeadCode, FoldConstants, Simplify
from torchrelay.relay.absent import absent
from torchrelay.transform import Pass, PassContext, PassInfo, made_of

__all__ = [
    "DeadCodeElimination",
    "FoldConstant",
    "FoldConstantExpr",
    "InferType",
    "InferTypeLocal",
    "RemoveUnusedFunctions",
    "SimplifyExpr",
    "build_config",
    "function_pass",
]


def _pass(name: str, level: int, work: Callable[[IRModule], IRModule]) -> Pass:
    return Pass(PassInfo(level, name), lambda mod, _context: work(mod))


def InferType() -> Pass:
    """Every expression typed, by unification where types are left out. Raises TypeMismatch with the place."""
    return _pass("InferType", 0, infer_types)


def InferTypeLocal(expr: Expr) -> object:
    """The type of an expression."""
    return infer_types(expr).type


def FoldConstant(fold_qnn: bool = False) -> Pass:
    """What can be computed from constants alone, computed. ``fold_qnn``: quantized operators too."""
    return _pass("FoldConstant", 2, FoldConstants())


def FoldConstantExpr(expr: Expr, mod: IRModule, fold_qnn: bool = False) -> Expr:
    """The expression with what can be computed from constants alone computed."""
    folded = FoldConstants()(mod.with_functions({"the expression": Function((), expr)}))
    return folded["the expression"].body


def DeadCodeElimination(inline_once: bool = False, ignore_impurity: bool = False) -> Pass:
    """Lets whose variable nothing uses are taken out. Raises WrongUsage for options that torchrelay has not."""
    if inline_once or ignore_impurity:
        raise WrongUsage("DeadCodeElimination: inline_once and ignore_impurity are not there")
    return _pass("DeadCodeElimination", 1, DeadCode())


def SimplifyExpr() -> Pass:
    """Operators that do nothing or undo each other are taken out."""
    return _pass("SimplifyExpr", 0, Simplify())


def RemoveUnusedFunctions(entry_functions: Sequence[str] | None = None) -> Pass:
    """The module without functions that the entry functions (``main``) do not reach."""
    return _pass("RemoveUnusedFunctions", 1, lambda mod: _reached(mod, entry_functions or ("main",)))


def _reached(mod: IRModule, entries: Sequence[str]) -> IRModule:
    from torchrelay.ir import GlobalVar, post_order

    found = dict.fromkeys(name for name in entries if name in mod)
    waiting = list(found)
    while waiting:
        used = [n.name for n in post_order(mod[waiting.pop()]) if isinstance(n, GlobalVar) and n in mod]
        new = [name for name in dict.fromkeys(used) if name not in found]
        found.update(dict.fromkeys(new))
        waiting.extend(new)
    return IRModule({name: mod[name] for name in mod if name in found}, mod.type_definitions, mod.attrs)


def function_pass(
    pass_func: Callable[[Function, IRModule, PassContext], Function] | type | None = None,
    opt_level: int | None = None,
    name: str | None = None,
    required: Sequence[str] | None = None,
) -> Callable[..., object]:
    """Makes a pass of a function of a Relay function, its module and the context, or of a class with ``transform_function``."""
    return made_of(pass_func, opt_level, name, required, "transform_function", _over_functions)


def _over_functions(work: Callable[..., object]) -> Callable[..., object]:
    def over(mod: IRModule, context: PassContext) -> IRModule:
        made = {name: work(function, mod, context) for name, function in mod.functions.items()}
        for name, function in made.items():
            if not isinstance(function, Function):
                raise WrongUsage(f"the pass made a {type(function).__name__} of @{name}, not a function")
        return mod.with_functions({name: f for name, f in made.items() if isinstance(f, Function)})

    return over


def build_config(
    opt_level: int = 2,
    required_pass: Sequence[str] | None = None,
    disabled_pass: Sequence[str] | None = None,
    trace: object = None,
) -> PassContext:
    """A pass context, under an older name."""
    return PassContext(opt_level, required_pass, disabled_pass, trace=trace)


def __getattr__(name: str) -> object:
    if name in passes.__all__:
        return getattr(passes, name)
    raise absent(__name__, name, [*__all__, *passes.__all__])
