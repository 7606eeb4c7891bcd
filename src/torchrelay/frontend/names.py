"""Names that every reader of Relay text takes: letters, digits and underscores in the place of dots."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from torchrelay.frontend.graph import TorchGraph
from torchrelay.ir import Var

__all__ = ["plain_inputs", "plain_names"]

_OTHER = re.compile(r"[^0-9A-Za-z_]")


def plain_names(graph: TorchGraph, taken: Sequence[str]) -> dict[str, str]:
    """A plain name for each parameter and buffer by its state-dict key: none twice, none of those that are taken."""
    keys = [parameter.key for parameter in graph.parameters.values() if not parameter.constant]
    return _plain(keys, taken)


def plain_inputs(inputs: Mapping[str, Var], given: Collection[str]) -> dict[str, Var]:
    """The variables of the inputs with plain names, but for those whose very names are given."""
    others = [var.name for var in inputs.values() if var.name not in given]
    names = _plain(others, [var.name for var in inputs.values() if var.name in given])
    return {value: replace(var, name=names.get(var.name, var.name)) for value, var in inputs.items()}


def _plain(names: Sequence[str], taken: Sequence[str]) -> dict[str, str]:
    """A name that is plain already stays; another gets the next free number where what it becomes is there already."""
    used = {*taken, *(name for name in names if not _OTHER.search(name))}
    chosen: dict[str, str] = {}
    for name in dict.fromkeys(names):
        chosen[name] = wanted = _OTHER.sub("_", name)
        number = 1
        while chosen[name] in used and chosen[name] != name:
            chosen[name] = f"{wanted}_{number}"
            number += 1
        used.add(chosen[name])
    return chosen
