"""Models that the tests of the command line name, right and wrong ones."""

from __future__ import annotations

import logging
import sys
import warnings

import torch
from torch import nn

DEEP_LINE = "raise ZeroDivisionError"


class Small(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x: torch.Tensor, scale: torch.Tensor | None = None) -> torch.Tensor:
        y = torch.relu(self.layer(x))
        return y if scale is None else y * scale


def small() -> nn.Module:
    torch.manual_seed(0)
    return Small()


def with_inputs() -> tuple[nn.Module, dict[str, torch.Tensor]]:
    return small(), {"x": torch.randn(2, 3)}


def drops() -> nn.Module:
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(0.5))


class Nested(nn.Module):
    def forward(self, pair: tuple[torch.Tensor, torch.Tensor], more: dict[str, torch.Tensor]) -> torch.Tensor:
        return pair[0] + pair[1] * more["scale"]


def nested() -> nn.Module:
    return Nested()


class Loud(Small):
    """Warns and logs as libraries do."""

    def forward(self, x: torch.Tensor, scale: torch.Tensor | None = None) -> torch.Tensor:
        warnings.warn("loud: deprecated", FutureWarning, stacklevel=1)
        logging.getLogger("torch.loud").warning("loud: logged")
        print("loud: printed", file=sys.stderr)
        return super().forward(x, scale)


def loud() -> nn.Module:
    warnings.warn("loud: made", FutureWarning, stacklevel=1)
    return Loud()


class Branch(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1 if x.tolist()[0][0] > 0 else x - 1


def branch() -> nn.Module:
    return Branch()


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        return x * self.count


def counter() -> nn.Module:
    return Counter()


class Wrong(nn.Module):
    """Converts, but does not run on what it is given."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise ZeroDivisionError


def wrong() -> nn.Module:
    return Wrong()


def raising() -> nn.Module:
    raise ZeroDivisionError("no weights here")


def leaving() -> nn.Module:
    sys.exit(3)


def needing(weights: str) -> nn.Module:
    return nn.Linear(len(weights), 1)


def no_module() -> int:
    return 3


def interrupted() -> nn.Module:
    raise KeyboardInterrupt


class Cast(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.float() * 2


def cast() -> nn.Module:
    return Cast()


def unseeded() -> nn.Module:
    return nn.Linear(3, 4)


model = nn.ReLU()
not_callable = 3
