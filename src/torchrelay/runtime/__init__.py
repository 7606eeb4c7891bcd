"""Running Relay: the interpreter over NumPy, and calls for people."""

from torchrelay.runtime.execution import arguments, as_array, check_engine, data_inputs, evaluate, flattened, run
from torchrelay.runtime.machine import Machine
from torchrelay.runtime.values import Cell, Closure, Data, Value

__all__ = [
    "Cell",
    "Closure",
    "Data",
    "Machine",
    "Value",
    "arguments",
    "as_array",
    "check_engine",
    "data_inputs",
    "evaluate",
    "flattened",
    "run",
]
