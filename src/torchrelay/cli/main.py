"""``torchrelay``: the commands, each in a file of its own; what is heavy is imported when a command runs."""

from __future__ import annotations

import logging
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import click

from torchrelay import __version__
from torchrelay.cli.convert import convert
from torchrelay.cli.coverage import coverage
from torchrelay.cli.explain import explain
from torchrelay.cli.lower import lower
from torchrelay.cli.ops import ops
from torchrelay.cli.options import verbose_option
from torchrelay.cli.run import run
from torchrelay.cli.show import show
from torchrelay.cli.verify import verify
from torchrelay.errors import Diagnostic, Place, TorchRelayError, WrongUsage

__all__ = ["cli", "main"]

DONE, REFUSED, USAGE = 0, 1, 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="torchrelay")
@verbose_option
def cli() -> None:
    """From PyTorch to Relay, the graph IR of the TVM compiler stack, without TVM.

    MODEL is a .pt (TorchScript), a .pt2 (ExportedProgram), a folder written by convert, a .relay or .json file, or
    module:callable, which is imported and called and gives a model, such as torchvision.models:resnet18.
    """


for _command in (convert, explain, verify, run, lower, coverage, show, ops):
    cli.add_command(verbose_option(_command))


def main() -> None:
    """Runs the command line; exit status 0 done, 1 a mismatch or a refusal, 2 wrong usage."""
    verbose = "--verbose" in sys.argv[1:]
    with _own_words_only(verbose=verbose):
        status = _status(verbose=verbose)
    sys.exit(status)


def _status(*, verbose: bool) -> int:
    try:
        status = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return USAGE
    except click.exceptions.Abort:
        click.echo("stopped; nothing was written", err=True)
        return REFUSED
    except TorchRelayError as error:
        click.echo(str(error), err=True)
        return USAGE if isinstance(error, WrongUsage) else REFUSED
    except BrokenPipeError:
        sys.stderr.close()
        return REFUSED
    except Exception as error:  # the last word on a fault of our own: one error in place of a traceback
        if verbose:
            raise
        click.echo(str(_fault(error)), err=True)
        return REFUSED
    return status if isinstance(status, int) else DONE


def _fault(error: Exception) -> Diagnostic:
    """A fault of torchrelay's own as a finding."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    message = f"a fault of torchrelay: {type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
    hint = "--verbose shows where it came from; please report it with the model"
    return Diagnostic("internal", message, Place(frame.filename, frame.lineno or 0), hint=hint)


@contextmanager
def _own_words_only(*, verbose: bool) -> Iterator[None]:
    """Inside, the warnings and logs of the libraries below are shown with ``--verbose`` only."""
    if verbose:
        own = logging.getLogger("torchrelay")
        before = own.level
        own.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            own.setLevel(before)
        return
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    disabled = logging.root.manager.disable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(disabled)
