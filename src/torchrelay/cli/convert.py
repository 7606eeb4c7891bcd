"""``torchrelay convert``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

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

if TYPE_CHECKING:
    from torchrelay.cli.conversion import Converted
    from torchrelay.ir import IRModule
    from torchrelay.verify import Verification

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
@click.option("--unroll-loops", is_flag=True, help="Write loops of a known number of turns out.")
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
    unroll_loops: bool,
    no_verify: bool,
    rtol: float | None,
    atol: float | None,
    as_json: bool,
) -> int:
    """Convert MODEL to Relay, compare every value with PyTorch, write text, JSON and parameters.

    Without -o the Relay text goes to standard output. Nothing is written when a value differs.
    """
    from torchrelay.cli.conversion import converted
    from torchrelay.cli.models import torch_of
    from torchrelay.formats import check_folder

    if output is not None:
        check_folder(output)
    made = converted(torch_of(model), inputs, via, data, seed, unroll_loops=unroll_loops)
    mod, params = _lowered(made, profile)
    lowered = None if profile is None else mod
    checked = None if no_verify else made.verified(lowered, params, rtol=rtol, atol=atol)
    done = _Done(model, made, mod, params, checked, output)
    done.write(for_tvm=for_tvm)
    if as_json:
        emit(done.summary())
    else:
        done.say(for_tvm=for_tvm)
    return int(done.failed)


def _lowered(made: Converted, profile: str | None) -> tuple[IRModule, Mapping[str, np.ndarray]]:
    if profile is None:
        return made.relay.mod, made.relay.params
    from torchrelay.lower import lower

    return lower(made.relay.mod, made.relay.params, profile)


@dataclass(frozen=True, slots=True)
class _Done:
    """A conversion that is through, and what is to be written and said of it."""

    model: str
    made: Converted
    mod: IRModule
    params: Mapping[str, np.ndarray]
    checked: Verification | None
    output: Path | None

    @property
    def failed(self) -> bool:
        """Whether a value differs from PyTorch's."""
        return self.checked is not None and not self.checked.ok

    def write(self, *, for_tvm: bool) -> None:
        """Writes the folder, where one is asked for and nothing differs."""
        if self.output is None or self.failed:
            return
        from torchrelay.formats import save

        save(self.mod, self.params, self.output, for_tvm=for_tvm)

    def summary(self) -> dict[str, object]:
        """What was done, as plain data."""
        from torchrelay.cli.conversion import verification_data

        return {
            "model": self.model,
            "route": self.made.made.capture.route,
            "notes": self.made.made.notes,
            "nodes": len(self.made.made.conversion.records),
            "parameters": len(self.params),
            "parameter_bytes": sum(array.nbytes for array in self.params.values()),
            "updates": self.mod["main"].attrs.get("updates", ""),
            "seconds": round(self.made.seconds, 3),
            "verification": None if self.checked is None else verification_data(self.checked),
            "output": None if self.output is None or self.failed else str(self.output),
        }

    def say(self, *, for_tvm: bool) -> None:
        """Says what was done; beside the Relay text, on standard error, where no folder is written."""
        aside = self.output is None
        if aside and not self.failed:
            click.echo(self.mod.astext(for_tvm=for_tvm))
        size = sum(array.nbytes for array in self.params.values()) / 1e6
        nodes, route = len(self.made.made.conversion.records), self.made.made.capture.route
        line = (
            f"{nodes} torch nodes via {route}, {len(self.params)} parameters ({size:.1f} MB), {self.made.seconds:.2f} s"
        )
        click.echo(f"converted {self.model}: {line}", err=aside)
        updates = self.mod["main"].attrs.get("updates")
        if updates:
            click.echo(f"the model updates its own buffers, which are results behind its own: {updates}", err=aside)
        click.echo("not verified" if self.checked is None else str(self.checked), err=aside)
        if not aside:
            click.echo(
                "nothing written" if self.failed else f"wrote {self.output}/model.relay, model.json, model.params"
            )
