"""``torchrelay explain``."""

from __future__ import annotations

from pathlib import Path

import click

from torchrelay.cli.options import as_json, data_option, input_option, model_argument, seed_option, via_option

__all__ = ["explain"]


@click.command()
@model_argument
@input_option
@data_option
@seed_option
@via_option
@click.option("--stage", "stages", multiple=True, help="Show this stage only, in full; may repeat.")
@click.option("--expand/--collapse", default=None, help="Every node, or a line for each module; by size without it.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write one HTML page instead.")
@as_json
def explain(
    model: str,
    inputs: tuple[str, ...],
    data: Path | None,
    seed: int,
    via: str,
    stages: tuple[str, ...],
    expand: bool | None,
    html: Path | None,
    as_json: bool,
) -> int:
    """Show every stage of the conversion of MODEL, and every node: what it was, what converted it, what it became."""
    from torchrelay.cli.conversion import converted
    from torchrelay.cli.models import torch_of
    from torchrelay.errors import WrongUsage
    from torchrelay.explain import STAGES_OF, record_of

    record = record_of(converted(torch_of(model), inputs, via, data, seed, STAGES_OF).made, {})
    unknown = [name for name in stages if name not in record.stages]
    if unknown:
        raise WrongUsage(f"there is no stage {unknown[0]!r}", hint=f"stages: {', '.join(record.stages)}")
    if html is not None:
        record.to_html(html)
        click.echo(f"wrote {html}")
    elif as_json:
        click.echo(record.to_json())
    else:
        record.print(stages=stages or None, expand=expand)
    return 0
