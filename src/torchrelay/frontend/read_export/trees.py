"""The nesting of what a model takes and returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from torch.utils._pytree import TreeSpec

from torchrelay.frontend.graph import Arg

__all__ = ["leaf_paths", "nested"]


def nested(spec: TreeSpec, leaves: Iterator[Arg]) -> Arg:
    """The leaves as the structure of the spec: mappings and data classes as mappings, all other containers as tuples."""
    if spec.is_leaf():
        return next(leaves)
    parts = tuple([nested(child, leaves) for child in spec.children()])
    keys = _keys(spec)
    return parts if keys is None else dict(zip(keys, parts, strict=True))


def leaf_paths(spec: TreeSpec, name: str) -> Iterator[str]:
    """A name for each leaf that says where it stands: ``x``, ``x[0]``, ``x[mask][1]``."""
    if spec.is_leaf():
        yield name
        return
    keys = _keys(spec) or [str(index) for index in range(spec.num_children)]
    for key, child in zip(keys, spec.children(), strict=True):
        yield from leaf_paths(child, f"{name}[{key}]")


def _keys(spec: TreeSpec) -> list[str] | None:
    """The keys of a mapping or the fields of a data class; None for a container that counts its parts."""
    context = spec.context
    if isinstance(spec.type, type) and issubclass(spec.type, tuple | list):
        return None
    candidates: list[object] = [context]
    if isinstance(context, Sequence) and not isinstance(context, str):
        candidates.extend(context)
    for keys in candidates:
        if isinstance(keys, list | tuple) and len(keys) == spec.num_children and all(isinstance(k, str) for k in keys):
            return [str(key) for key in keys]
    if isinstance(spec.type, type) and issubclass(spec.type, Mapping) and isinstance(context, list):
        return [str(key) for key in context]
    return None
