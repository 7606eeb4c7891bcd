"""A model's own state, kept as it is while the model runs; and torch's, set for the run."""

from __future__ import annotations

import copy
import io
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, field

import torch

from torchrelay.errors import UnsupportedProgram

__all__ = ["Rebound", "fast_attention_off", "quiet", "unchanged"]


@dataclass(slots=True)
class Rebound:
    """What a run of the model changed beside writing to its buffers; filled when it ends.

    ``buffers`` are those that it put other tensors in the place of, by their state-dict keys; ``attributes`` the numbers,
    texts and tensors that it holds and that are no buffers.
    """

    buffers: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)


@contextmanager
def unchanged(model: object) -> Iterator[Rebound]:
    """Inside, the model may run and write to itself; its buffers and attributes are afterwards what they were before.

    What is no torch.nn.Module has no state to keep. Parameters are not kept twice, but those that an embedding with a
    ``max_norm`` writes to: raises UnsupportedProgram where another one was written to.
    """
    rebound = Rebound()
    if not isinstance(model, torch.nn.Module):
        yield rebound
        return
    attributes = [_Attributes(name, module) for name, module in model.named_modules()]
    tensors = _kept_tensors(model)
    versions = {name: (parameter, _version(parameter)) for name, parameter in model.named_parameters()}
    try:
        yield rebound
    finally:
        for each in attributes:
            rebound.attributes.extend(each.changed())
            rebound.buffers.extend(each.restore())
        rebound.attributes.extend(_restore(tensors))
    kept = {id(each.tensor) for each in tensors}
    for name, (parameter, version) in versions.items():
        if version is not None and parameter._version != version and id(parameter) not in kept:
            message = f"the model writes to its parameter {name} while it runs"
            raise UnsupportedProgram(message, hint="make it a buffer, or write to a copy of it")


def _version(tensor: torch.Tensor) -> int | None:
    """How often the tensor was written to; None where torch does not count."""
    return None if tensor.is_inference() else tensor._version


@dataclass(frozen=True, slots=True)
class _Kept:
    """A tensor that a run may write to, what it held, and its name where it is no buffer or parameter."""

    tensor: torch.Tensor
    before: torch.Tensor
    name: str


def _kept_tensors(model: torch.nn.Module) -> list[_Kept]:
    found: dict[int, tuple[torch.Tensor, str]] = {id(buffer): (buffer, "") for buffer in model.buffers()}
    for path, module in model.named_modules():
        for key, value in _own(module).items():
            for part in value if isinstance(value, list | tuple) else (value,):
                if isinstance(part, torch.Tensor):
                    found.setdefault(id(part), (part, _below(path, key)))
        if getattr(module, "max_norm", None) is not None:
            found.update({id(parameter): (parameter, "") for parameter in module.parameters(recurse=False)})
    return [
        _Kept(tensor, tensor.detach().clone(), name)
        for tensor, name in found.values()
        if tensor.layout is torch.strided and tensor.device.type != "meta"
    ]


def _restore(tensors: list[_Kept]) -> list[str]:
    """Puts back what the tensors held; the names of those that are no buffers and held something else."""
    # Not by the version that torch counts: a norm in training writes to its statistics uncounted.
    written = [each for each in tensors if not torch.equal(each.tensor, each.before)]
    with torch.no_grad():
        for each in written:
            each.tensor.copy_(each.before)
    return [each.name for each in written if each.name]


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _own(module: torch.nn.Module) -> dict[str, object]:
    """The attributes of the module itself; those of a scripted one are not Python's."""
    return {} if isinstance(module, torch.jit.ScriptModule) else vars(module)


class _Attributes:
    """What stood under each name in a module: attributes, parameters, buffers, modules, the elements of lists and mappings."""

    def __init__(self, name: str, module: torch.nn.Module) -> None:
        self._name, self._module = name, module
        self._buffers = dict(module.named_buffers(recurse=False))
        self._values = dict(_own(module))
        self._contents = {
            key: copy.copy(value) for key, value in self._values.items() if type(value) in (list, dict, set)
        }

    def restore(self) -> list[str]:
        """Puts everything back; the state-dict keys of the buffers that others had taken the place of."""
        after = dict(self._module.named_buffers(recurse=False))
        rebound = [key for key, buffer in self._buffers.items() if not _same(after.get(key), buffer)]
        if isinstance(self._module, torch.jit.ScriptModule):
            for key in rebound:
                setattr(self._module, key, self._buffers[key])
        else:
            self._restore_python()
        return [_below(self._name, key) for key in rebound]

    def changed(self) -> list[str]:
        """The numbers, texts and tensors that are not what they were."""
        after = _own(self._module)
        return [
            _below(self._name, key)
            for key, value in self._values.items()
            if isinstance(value, bool | int | float | str | torch.Tensor) and _is_other(after.get(key), value)
        ]

    def _restore_python(self) -> None:
        own = vars(self._module)
        for key in [key for key in own if key not in self._values]:
            del own[key]
        own.update(self._values)
        for key, before in self._contents.items():
            value = self._values[key]
            if isinstance(value, list) and isinstance(before, list):
                value[:] = before
            elif isinstance(value, dict | set) and isinstance(before, dict | set):
                value.clear()
                value.update(before)


def _is_other(after: object, before: object) -> bool:
    return after is not before and (isinstance(before, torch.Tensor) or after != before)


def _same(left: torch.Tensor | None, right: torch.Tensor) -> bool:
    """Whether both are the same memory: a scripted module gives another object for its buffer each time."""
    return left is right or (left is not None and left.data_ptr() == right.data_ptr() and left.shape == right.shape)


@contextmanager
def fast_attention_off() -> Iterator[None]:
    """Inside, torch computes attention as the modules are written, and not by its fast path, which leaves out what is padded."""
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(before)


@contextmanager
def quiet() -> Iterator[list[warnings.WarningMessage]]:
    """Inside, torch neither warns nor logs nor prints on standard error; the warnings come back.

    All of it is shown while the logger ``torchrelay`` is at DEBUG.
    """
    if logging.getLogger("torchrelay").isEnabledFor(logging.DEBUG):
        yield []
        return
    before = logging.root.manager.disable
    with warnings.catch_warnings(record=True) as caught, redirect_stderr(io.StringIO()):
        warnings.simplefilter("always")
        logging.disable(logging.CRITICAL)
        try:
            yield caught
        finally:
            logging.disable(before)
