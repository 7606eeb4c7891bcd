"""``torchrelay lower``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from torchrelay.cli.options import as_json, emit, input_option, model_argument, via_option

__all__ = ["lower"]


@click.command()
@model_argument
@input_option
@via_option
@click.option("--profile", required=True, help="A shipped name (conv2d-only) or a TOML file.")
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), help="The folder to write.")
@as_json
def lower(model: str, inputs: tuple[str, ...], via: str, profile: str, output: Path | None, as_json: bool) -> int:
    """Rewrite MODEL until only the operators of a profile remain; exit status 1 where a call cannot go, with the reason."""
    from torchrelay.cli.models import relay_of
    from torchrelay.formats import check_folder, save
    from torchrelay.lower import lower as lower_module

    if output is not None:
        check_folder(output)
    relay = relay_of(model, inputs, via)
    before = _operators(relay.mod)
    mod, params = lower_module(relay.mod, relay.params, profile)
    if output is not None:
        save(mod, params, output)
    after = _operators(mod)
    if as_json:
        emit({"profile": profile, "before": before, "after": after, "output": str(output) if output else None})
        return 0
    if output is None:
        click.echo(mod.astext())
    gone = ", ".join(f"{name} x{count}" for name, count in before.items() if name not in after)
    click.echo(
        f"lowered to {profile}: {sum(after.values())} calls; said otherwise: {gone or 'nothing'}", err=output is None
    )
    if output is not None:
        click.echo(f"wrote {output}/model.relay, model.json, model.params")
    return 0


def _operators(mod) -> dict[str, int]:
    from torchrelay.ir import Call, Operator, post_order

    calls = [expr for expr in post_order(*mod.functions.values()) if isinstance(expr, Call)]
    counts = Counter(call.op.name for call in calls if isinstance(call.op, Operator))
    return dict(sorted(counts.items()))
