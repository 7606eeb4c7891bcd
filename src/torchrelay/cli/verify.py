"""``torchrelay verify``."""

from __future__ import annotations

from pathlib import Path

import click

from torchrelay.cli.options import (
    as_json,
    data_option,
    emit,
    input_option,
    model_argument,
    seed_option,
    tolerance_options,
    via_option,
)

__all__ = ["verify"]


@click.command()
@model_argument
@input_option
@data_option
@seed_option
@via_option
@click.option("--relay", type=click.Path(path_type=Path), help="The Relay to compare, as convert or lower wrote it.")
@tolerance_options
@as_json
def verify(
    model: str,
    inputs: tuple[str, ...],
    data: Path | None,
    seed: int,
    via: str,
    relay: Path | None,
    rtol: float | None,
    atol: float | None,
    as_json: bool,
) -> int:
    """Run MODEL in PyTorch and in Relay and compare every value inside; exit status 1 at a mismatch.

    MODEL is converted for it, or compared with the --relay that is there.
    """
    from torchrelay.cli.conversion import converted, verification_data
    from torchrelay.cli.models import relay_in, torch_of

    other = None if relay is None else relay_in(relay)
    made = converted(torch_of(model), inputs, via, data, seed)
    if other is None:
        found = made.verified(rtol=rtol, atol=atol)
    else:
        found = made.verified(other.mod, other.params, rtol=rtol, atol=atol)
    if as_json:
        emit(verification_data(found))
    else:
        click.echo(str(found))
    return int(not found.ok)
