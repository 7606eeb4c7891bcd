"""Passes as tvm.transform has them: pass contexts, sequences, passes made of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from types import TracebackType

from torchrelay.errors import WrongUsage, expect
from torchrelay.ir.module import IRModule

__all__ = ["Pass", "PassContext", "PassInfo", "PrintIR", "Sequential", "made_of", "module_pass"]


@dataclass(frozen=True, slots=True)
class PassInfo:
    """What a pass is called, at which level of optimisation it runs, and which passes it needs before it."""

    opt_level: int
    name: str
    required: tuple[str, ...] = ()
    traceable: bool = False


_current: ContextVar[PassContext | None] = ContextVar("pass context", default=None)


@dataclass
class PassContext:
    """What passes run under inside a ``with``: passes above ``opt_level`` and disabled ones are left out of a sequence."""

    opt_level: int = 2
    required_pass: Sequence[str] | None = None
    disabled_pass: Sequence[str] | None = None
    instruments: Sequence[Callable[[object, IRModule, IRModule], None]] | None = None
    """Each sees a pass that ran, the module before and the module after."""
    config: Mapping[str, object] | None = None
    trace: object = None
    trace_stack: Sequence[object] | None = None
    make_traceable: Sequence[str] | None = None
    num_evals: int = 0
    tuning_api_database: object = None
    _entered: list[Token[PassContext | None]] = field(
        default_factory=list[Token["PassContext | None"]], init=False, repr=False
    )

    def __enter__(self) -> PassContext:
        self._entered.append(_current.set(self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _current.reset(self._entered.pop())

    @staticmethod
    def current() -> PassContext:
        """The context of the innermost ``with``, or the one with all defaults."""
        return _current.get() or PassContext()

    def runs(self, info: PassInfo) -> bool:
        """Whether a pass in a sequence runs under this context."""
        if info.name in (self.disabled_pass or ()):
            return False
        return info.opt_level <= self.opt_level or info.name in (self.required_pass or ())


@dataclass(frozen=True, slots=True)
class Pass:
    """A module in, a module out, with the name that Relay users know."""

    info: PassInfo
    work: Callable[[IRModule, PassContext], IRModule]

    def __call__(self, mod: IRModule) -> IRModule:
        """The module after the pass. Raises WrongUsage for what is no module."""
        expect(mod, IRModule, f"{self.info.name} takes a module, as IRModule.from_expr(expr) is one")
        return self.work(mod, PassContext.current())


class Sequential:
    """Passes one after the other. Those that the pass context leaves out are left out."""

    def __init__(
        self,
        passes: Sequence[Callable[[IRModule], IRModule]] | None = None,
        opt_level: int = 0,
        name: str = "sequential",
        required: Sequence[str] | None = None,
        traceable: bool = False,
    ) -> None:
        self.passes = list(passes or ())
        self.info = PassInfo(opt_level, name, tuple(required or ()), traceable)

    def __call__(self, mod: IRModule) -> IRModule:
        """The module after all passes."""
        context = PassContext.current()
        for step in self.passes:
            info = getattr(step, "info", None)
            if info is None or context.runs(info):
                mod = self._watched(step, mod, context)
        return mod

    def _watched(self, step: Callable[[IRModule], IRModule], mod: IRModule, context: PassContext) -> IRModule:
        after = step(mod)
        for instrument in context.instruments or ():
            instrument(step, mod, after)
        return after


def module_pass(
    pass_func: Callable[[IRModule, PassContext], IRModule] | type | None = None,
    opt_level: int | None = None,
    name: str | None = None,
    required: Sequence[str] | None = None,
    traceable: bool = False,
) -> Callable[..., object]:
    """Makes a pass of a function of a module and a context, or a class of passes of one with ``transform_module``.

    Raises WrongUsage where no ``opt_level`` is given.
    """
    return made_of(pass_func, opt_level, name, required, "transform_module", lambda work: work, traceable=traceable)


def made_of(
    given: Callable[..., object] | type | None,
    opt_level: int | None,
    name: str | None,
    required: Sequence[str] | None,
    method: str,
    over: Callable[[Callable[..., object]], Callable[..., object]],
    *,
    traceable: bool = False,
) -> Callable[..., object]:
    """The pass, or the class of passes, of what is decorated; ``over`` makes work on a module of its work."""
    if opt_level is None:
        raise WrongUsage("a pass needs an opt_level")

    def declare(work: Callable[..., object] | type) -> object:
        info = PassInfo(opt_level, name or work.__name__, tuple(required or ()), traceable)
        if not isinstance(work, type):
            return Pass(info, over(work))  # type: ignore[arg-type] checked when it runs

        def make(*args: object, **kwargs: object) -> Pass:
            """A pass with these options."""
            return Pass(info, over(getattr(work(*args, **kwargs), method)))  # type: ignore[arg-type] checked when it runs

        make.__name__ = work.__name__
        make.__doc__ = work.__doc__ or make.__doc__
        return make

    return declare if given is None else declare(given)  # type: ignore[return-value] a pass is called too


def PrintIR(header: str = "", show_meta_data: bool = False) -> Pass:
    """A pass that prints the module and leaves it as it is."""

    def work(mod: IRModule, _context: PassContext) -> IRModule:
        print(f"PrintIR({header}):\n{mod.astext(show_meta_data)}")  # noqa: T201 that is what it is for
        return mod

    return Pass(PassInfo(0, "PrintIR"), work)
