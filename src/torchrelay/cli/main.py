"""``torchrelay``: the commands, each in a file of its own; what is heavy is imported when a command runs."""

from __future__ import annotations

import sys

import click

from torchrelay import __version__
from torchrelay.cli.convert import convert
from torchrelay.cli.coverage import coverage
from torchrelay.cli.explain import explain
from torchrelay.cli.lower import lower
from torchrelay.cli.ops import ops
from torchrelay.cli.run import run
from torchrelay.cli.show import show
from torchrelay.cli.verify import verify
from torchrelay.errors import TorchRelayError, WrongUsage

__all__ = ["cli", "main"]

DONE, REFUSED, USAGE = 0, 1, 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="torchrelay")
def cli() -> None:
    """From PyTorch to Relay, the graph IR of the TVM compiler stack, without TVM.

    MODEL is a .pt (TorchScript), a .pt2 (ExportedProgram), a folder written by convert, a .relay or .json file, or
    module:callable, which is imported and called and gives a model, such as torchvision.models:resnet18.
    """


for _command in (convert, explain, verify, run, lower, coverage, show, ops):
    cli.add_command(_command)


def main() -> None:
    """Runs the command line; exit status 0 done, 1 a mismatch or a refusal, 2 wrong usage."""
    try:
        status = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        sys.exit(REFUSED)
    except TorchRelayError as error:
        click.echo(str(error), err=True)
        sys.exit(USAGE if isinstance(error, WrongUsage) else REFUSED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(REFUSED)
    sys.exit(status if isinstance(status, int) else DONE)
