"""``torchrelay convert``."""

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

__all__ = ["convert"]


@click.command()
@model_argument
@input_option
@data_option
@seed_option
@via_option
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), help="The folder to write.")
@click.option("--profile", help="Lower to this operator profile: a shipped name or a TOML file.")
@click.option("--for-tvm", is_flag=True, help="Write what the real TVM reads: plain, unique names.")
@click.option("--no-verify", is_flag=True, help="Do not compare with PyTorch.")
@tolerance_options
@as_json
def convert(
    model: str,
    inputs: tuple[str, ...],
    data: Path | None,
    seed: int,
    via: str,
    output: Path | None,
    profile: str | None,
    for_tvm: bool,
    no_verify: bool,
    rtol: float | None,
    atol: float | None,
    as_json: bool,
) -> int:
    """Convert MODEL to Relay, compare every value with PyTorch, write text, JSON and parameters.

    Without -o the Relay text goes to standard output. Nothing is written when a value differs.
    """
    from torchrelay.cli.conversion import converted, verification_data
    from torchrelay.cli.models import torch_of
    from torchrelay.formats import save

    made = converted(torch_of(model), inputs, via, data, seed)
    mod, params = made.relay.mod, made.relay.params
    if profile is not None:
        from torchrelay.lower import lower

        mod, params = lower(mod, params, profile)
    checked = None if no_verify else _verified(made, mod, params, profile, rtol, atol)
    summary = {
        "model": model,
        "route": made.made.capture.route,
        "nodes": len(made.made.conversion.records),
        "parameters": len(params),
        "parameter_bytes": sum(array.nbytes for array in params.values()),
        "seconds": round(made.seconds, 3),
        "verification": None if checked is None else verification_data(checked),
        "output": str(output) if output is not None else None,
    }
    failed = checked is not None and not checked.ok
    if output is not None and not failed:
        save(mod, params, output, for_tvm=for_tvm)
    if as_json:
        emit(summary)
        return int(failed)
    if output is None and not failed:
        click.echo(mod.astext(for_tvm=for_tvm))
    nodes, size = summary["nodes"], sum(array.nbytes for array in params.values()) / 1e6
    line = f"{nodes} torch nodes via {summary['route']}, {len(params)} parameters ({size:.1f} MB), {made.seconds:.2f} s"
    click.echo(f"converted {model}: {line}", err=output is None)
    click.echo("not verified" if checked is None else str(checked), err=output is None)
    if output is not None:
        click.echo("nothing written" if failed else f"wrote {output}/model.relay, model.json, model.params")
    return int(failed)


def _verified(made, mod, params, profile, rtol, atol):
    from torchrelay.verify import verify_imported

    if profile is None:
        return made.verified(rtol=rtol, atol=atol)
    return verify_imported(made.made, made.model, made.example_inputs, mod, params, rtol=rtol, atol=atol)
