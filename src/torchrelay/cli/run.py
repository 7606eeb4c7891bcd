"""``torchrelay run``."""

from __future__ import annotations

import time
from pathlib import Path

import click

from torchrelay.cli.options import as_json, data_option, emit, input_option, model_argument, seed_option, via_option

__all__ = ["run"]


@click.command()
@model_argument
@input_option
@data_option
@seed_option
@via_option
@click.option("--engine", default="reference", show_default=True, help="What runs it.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write the results to this .npz.")
@as_json
def run(
    model: str,
    inputs: tuple[str, ...],
    data: Path | None,
    seed: int,
    via: str,
    engine: str,
    output: Path | None,
    as_json: bool,
) -> int:
    """Run MODEL in Relay on the data, or on made-up values, and show or write the results."""
    import numpy as np

    from torchrelay.cli.inputs import load_arrays
    from torchrelay.cli.models import relay_of
    from torchrelay.formats import write_atomically
    from torchrelay.runtime import data_inputs, run as run_module

    relay = relay_of(model, inputs, via)
    wanted = data_inputs(relay.mod["main"], relay.params)
    values = load_arrays(data) if data is not None else _made_up(wanted, inputs, seed)
    start = time.perf_counter()
    results = run_module(relay.mod, relay.params, values, engine)
    seconds = time.perf_counter() - start
    if output is not None:
        import io

        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **{f"out{index}": array for index, array in enumerate(results)})
        write_atomically(output, [buffer.getvalue()])
    shown = [_summary(array) for array in results]
    if as_json:
        emit({"seconds": seconds, "results": shown, "output": str(output) if output else None})
        return 0
    for index, summary in enumerate(shown):
        click.echo(f"result {index}: {', '.join(f'{key} {value}' for key, value in summary.items())}")
    click.echo(f"{seconds:.3f} s on the engine {engine}")
    return 0


def _made_up(wanted, inputs, seed):
    from torchrelay.cli.inputs import InputSpec, example_arrays, parse_input
    from torchrelay.errors import WrongUsage
    from torchrelay.ir import TensorType, shapes

    given = {spec.name: spec for spec in map(parse_input, inputs)}
    names = [var.name for var in wanted]
    for name in given:
        if name not in names:
            raise WrongUsage(f"the model has no input {name!r}", notes=[f"it takes {', '.join(names) or 'nothing'}"])
    specs: list[InputSpec] = []
    for var in wanted:
        kind = var.type
        if var.name in given:
            specs.append(given[var.name])
        elif isinstance(kind, TensorType) and shapes.is_static(kind.shape):
            specs.append(InputSpec(var.name, shapes.static(kind.shape, var.name), kind.dtype))
        else:
            raise WrongUsage(
                f"no values can be made up for the input {var.name} of type {kind}", hint="give --input or --data"
            )
    return example_arrays(specs, seed)


def _summary(array) -> dict[str, object]:
    data: dict[str, object] = {"shape": list(array.shape), "dtype": str(array.dtype)}
    if array.size and array.dtype.kind in "fiu":
        data.update(min=float(array.min()), max=float(array.max()), mean=float(array.mean()))
    return data
