"""The verdict on one operator of the database: each of its samples through torchrelay, beside PyTorch itself."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice

import numpy as np
import torch
from torch.testing._internal.opinfo.core import OpInfo, SampleInput
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

import torchrelay
from torchrelay.errors import TorchRelayError, WrongInput
from torchrelay.frontend.tensors import array_of

DTYPES = (torch.float32, torch.int64, torch.bool)
SAMPLES = 10
"""How many samples of each dtype are judged."""
RTOL, ATOL = 1e-4, 1e-5
DIMS = {"sort": (0, -1), "argsort": (0, -1), "topk": (1, -1), "kthvalue": (1, -1)}
"""The operators that leave open which of equal elements they choose: where their ``dim`` stands behind the input, its default."""
UNINITIALISED = ("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided")
"""The operators whose results are whatever stood in memory."""
IN_SCOPE = ("right", "refused", "wrong", "untyped")
OUTSIDE = ("no capture", "random", "complex", "sparse")
"""What is no matter of torchrelay: torch cannot capture it, its results are random or uninitialised, or no Relay type holds them."""
_CAPTURE = ("cannot capture the model", "does not run on the example inputs")


@dataclass(frozen=True)
class Verdict:
    """What came of one sample: the verdict, its dtype and number, and why."""

    verdict: str
    dtype: str
    index: int
    reason: str = ""

    def as_json(self) -> dict[str, object]:
        return asdict(self)


class Sample(torch.nn.Module):
    """One call of an operator as a module: the tensors of the sample are its inputs, all else is fixed."""

    def __init__(self, name: str, function: Callable[..., object], sample: SampleInput) -> None:
        super().__init__()
        leaves, self._tree = tree_flatten((sample.input, sample.args, sample.kwargs))
        self._leaves = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self._tensors = [index for index, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        self._function = function
        self.name = name
        self.dim = _dim_of_choice(name, sample)
        self.inputs = tuple([leaves[index].detach().clone() for index in self._tensors])

    def forward(self, *tensors: torch.Tensor) -> object:
        leaves = list(self._leaves)
        for index, tensor in zip(self._tensors, tensors, strict=True):
            leaves[index] = tensor
        first, args, keywords = tree_unflatten(leaves, self._tree)
        return self._function(first, *args, **keywords)


def _dim_of_choice(name: str, sample: SampleInput) -> int | None:
    """The dim along which an operator chooses among elements that may be equal; None where its choice is determined."""
    if name not in DIMS or sample.kwargs.get("stable"):
        return None
    position, default = DIMS[name]
    given = sample.args[position] if len(sample.args) > position else default
    return sample.kwargs.get("dim", given)


def judged(operator: OpInfo, route: str) -> Iterator[Verdict]:
    """The verdict on each sample of the operator."""
    for dtype in DTYPES:
        if dtype not in operator.supported_dtypes("cpu"):
            continue
        name = str(dtype).removeprefix("torch.")
        samples = islice(operator.sample_inputs("cpu", dtype, requires_grad=False), SAMPLES)
        for index, sample in enumerate(samples):
            yield _verdict(Sample(operator.name, operator.op, sample).eval(), route, name, index)


def _verdict(module: Sample, route: str, dtype: str, index: int) -> Verdict:
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        verdict, reason = _judged(module, route)
    return Verdict(verdict, dtype, index, reason)


def _judged(module: Sample, route: str) -> tuple[str, str]:
    torch.manual_seed(0)
    expected = _tensors(module)
    outside = _outside(module, expected)
    if outside:
        return outside
    try:
        mod, params = torchrelay.from_torch(module, module.inputs, via=route)
        inputs = [array_of(tensor.contiguous()) for tensor in module.inputs]
        found = torchrelay.run(mod, params, inputs)
    except TorchRelayError as error:
        message = error.diagnostics[0].message
        captured = isinstance(error, WrongInput) or any(text in message for text in _CAPTURE)
        return ("no capture" if captured else "refused"), message
    except Exception as error:  # what must not happen is what this looks for
        return "untyped", f"{type(error).__name__}: {error}"
    difference = _difference(found, expected) if module.dim is None else _other_choice(module, found, expected)
    return ("wrong", difference) if difference else ("right", "")


def _tensors(module: Sample) -> list[object]:
    return [leaf for leaf in tree_leaves(module(*[tensor.clone() for tensor in module.inputs])) if leaf is not None]


def _outside(module: Sample, expected: Sequence[object]) -> tuple[str, str] | None:
    """Why the sample is no matter of torchrelay, if it is none."""
    tensors = [leaf for leaf in (*module.inputs, *expected) if isinstance(leaf, torch.Tensor)]
    if any(tensor.layout is not torch.strided or tensor.is_quantized for tensor in tensors):
        return "sparse", ""
    if any(tensor.is_complex() for tensor in tensors):
        return "complex", ""
    for seed in range(1, 9):
        torch.manual_seed(seed)
        if module.name in UNINITIALISED or not _alike(_tensors(module), expected):
            return "random", ""
    return None


def _alike(left: Sequence[object], right: Sequence[object]) -> bool:
    try:
        torch.testing.assert_close(left, right, equal_nan=True)
    except (AssertionError, TypeError):
        return False
    return True


def _difference(found: Sequence[np.ndarray], expected: Sequence[object]) -> str:
    """How the results differ from torch's; empty where they do not."""
    wanted = [array_of(leaf.contiguous()) if isinstance(leaf, torch.Tensor) else np.asarray(leaf) for leaf in expected]
    if len(found) != len(wanted):
        return f"{len(found)} results, torch has {len(wanted)}"
    for index, (ours, torchs) in enumerate(zip(found, wanted, strict=True)):
        if ours.shape != torchs.shape or ours.dtype != torchs.dtype:
            return f"result {index} is {ours.dtype}{ours.shape}, torch's {torchs.dtype}{torchs.shape}"
        if not np.allclose(ours, torchs, rtol=RTOL, atol=ATOL, equal_nan=True):
            return f"result {index} is {_shown(ours)}, torch's {_shown(torchs)}"
    return ""


def _other_choice(module: Sample, found: Sequence[np.ndarray], expected: Sequence[object]) -> str:
    """How the results differ from torch's, where places count by the elements that stand there."""
    data = module.inputs[0]
    indices = [torch.tensor(found[-1]), expected[-1]]
    difference = _difference(found[:-1], expected[:-1])
    if difference or indices[0].shape != indices[1].shape or indices[0].dtype != indices[1].dtype:
        return difference or _difference(found, expected)
    if data.ndim and indices[0].ndim < data.ndim:
        indices = [index.unsqueeze(module.dim) for index in indices]
    ours, torchs = [data.gather(module.dim, index) if data.ndim else index for index in indices]
    return _difference([ours.numpy()], [torchs])


def _shown(values: np.ndarray) -> str:
    return np.array2string(values.ravel()[:6], separator=",")
