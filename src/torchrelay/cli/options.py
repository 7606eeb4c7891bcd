"""Arguments and options that several commands share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import click

__all__ = [
    "as_json",
    "data_option",
    "emit",
    "input_option",
    "model_argument",
    "seed_option",
    "tolerance_options",
    "verbose_option",
    "via_option",
]

F = TypeVar("F", bound=Callable[..., object])

model_argument = click.argument("model")
input_option = click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="NAME:SHAPE[:DTYPE[:LOW..HIGH]]",
    help="An input of the model by the name of its argument; may repeat: x:1x3x224x224:float32.",
)
data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, dir_okay=False),
    help="An .npz with a value for each input by name; made up without it.",
)
seed_option = click.option("--seed", default=0, show_default=True, help="The seed of made-up values.")
via_option = click.option(
    "--via",
    type=click.Choice(["auto", "trace", "script", "export"]),
    default="auto",
    show_default=True,
    help="How a module is captured; auto: exported, else traced, else scripted.",
)
verbose_option = click.option(
    "--verbose", is_flag=True, expose_value=False, help="Show warnings and logs of torch too, and tracebacks."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def tolerance_options(command: F) -> F:
    """``--rtol`` and ``--atol``."""
    relative = click.option(
        "--rtol", type=float, help="Allowed share of the largest magnitude; by dtype without it, 1e-4 for float32."
    )
    absolute = click.option("--atol", type=float, help="Allowed difference beside it; by dtype without it.")
    return relative(absolute(command))


def emit(data: Mapping[str, object]) -> None:
    """Prints one JSON object; infinite and NaN numbers as texts."""
    click.echo(json.dumps(_plain(data), indent=1))


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not -1e308 < value < 1e308:
        return str(value)
    return value
