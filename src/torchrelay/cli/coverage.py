"""``torchrelay coverage``."""

from __future__ import annotations

from pathlib import Path

import click

from torchrelay.cli.options import as_json, data_option, emit, input_option, model_argument, seed_option, via_option

__all__ = ["coverage"]


@click.command()
@model_argument
@input_option
@data_option
@seed_option
@via_option
@as_json
def coverage(model: str, inputs: tuple[str, ...], data: Path | None, seed: int, via: str, as_json: bool) -> int:
    """List the torch operators of MODEL and whether each converts; exit status 1 where one does not."""
    from torchrelay.cli.conversion import examples_for, progress, tell
    from torchrelay.cli.models import torch_of
    from torchrelay.frontend import coverage as find_coverage

    named = torch_of(model)
    source, examples = examples_for(named, inputs, data, seed)
    tell(named.notes)
    with progress("capturing"):
        found = find_coverage(source, examples, via=via)
    missing = {target: [str(place) for place in places] for target, places in found.missing.items()}
    if as_json:
        emit({"used": dict(found.used), "missing": missing, "complete": found.complete})
        return int(not found.complete)
    for target, count in found.used.items():
        click.echo(f"{'missing' if target in missing else 'converts':9} {count:5} {target}")
        for place in missing.get(target, [])[:5]:
            click.echo(f"{'':15} at {place}")
    total = len(found.used)
    click.echo(f"{total - len(missing)} of {total} operators convert")
    return int(not found.complete)
