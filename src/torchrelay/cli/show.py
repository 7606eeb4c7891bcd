"""``torchrelay show``."""

from __future__ import annotations

from collections import Counter

import click

from torchrelay.cli.options import as_json, emit, input_option, model_argument, via_option

__all__ = ["show"]


@click.command()
@model_argument
@input_option
@via_option
@click.option("--text", is_flag=True, help="The Relay text itself.")
@as_json
def show(model: str, inputs: tuple[str, ...], via: str, text: bool, as_json: bool) -> int:
    """Summarise MODEL: inputs, results, operators, parameters, memory."""
    from torchrelay.cli.models import relay_of
    from torchrelay.ir import Call, Operator, post_order

    relay = relay_of(model, inputs, via)
    if text:
        click.echo(relay.mod.astext())
        return 0
    main = relay.mod["main"]
    calls = [expr for expr in post_order(main) if isinstance(expr, Call) and isinstance(expr.op, Operator)]
    counts = Counter(call.op.name for call in calls if isinstance(call.op, Operator))
    data = {
        "inputs": {var.name: str(var.type) for var in main.params if var.name not in relay.params},
        "result": str(main.body.type),
        "calls": len(calls),
        "operators": dict(counts.most_common()),
        "parameters": len(relay.params),
        "parameter_elements": sum(array.size for array in relay.params.values()),
        "parameter_bytes": sum(array.nbytes for array in relay.params.values()),
        "largest_value_bytes": max((_bytes(call) for call in calls), default=0),
    }
    if as_json:
        emit(data)
        return 0
    for name, kind in data["inputs"].items():
        click.echo(f"input   {name}: {kind}")
    click.echo(f"result  {data['result']}")
    millions = data["parameter_elements"] / 1e6
    click.echo(
        f"weights {data['parameters']} parameters, {millions:.2f} million elements, {data['parameter_bytes'] / 1e6:.1f} MB"
    )
    click.echo(f"memory  the largest value inside has {data['largest_value_bytes'] / 1e6:.2f} MB")
    click.echo(f"calls   {data['calls']}")
    for name, count in counts.most_common():
        click.echo(f"{count:7} {name}")
    return 0


def _bytes(call) -> int:
    from torchrelay.ir import TensorType, shapes

    kind = call.type
    if not isinstance(kind, TensorType) or not shapes.is_static(kind.shape):
        return 0
    count = shapes.product(kind.shape)
    return count * max(kind.dtype.bits // 8, 1) if isinstance(count, int) else 0
