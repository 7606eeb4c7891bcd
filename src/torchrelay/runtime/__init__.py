"""Running Relay: the interpreter over NumPy, and calls for people."""

from torchrelay import nd as ndarray
from torchrelay.ir import NDArray
from torchrelay.runtime.execution import arguments, as_array, check_engine, data_inputs, evaluate, flattened, run
from torchrelay.runtime.machine import Machine
from torchrelay.runtime.param_dict import load_param_dict, save_param_dict
from torchrelay.runtime.values import Cell, Closure, Data, Value

__all__ = [
    "Cell",
    "Closure",
    "Data",
    "Machine",
    "NDArray",
    "Value",
    "arguments",
    "as_array",
    "check_engine",
    "data_inputs",
    "evaluate",
    "flattened",
    "load_param_dict",
    "ndarray",
    "run",
    "save_param_dict",
]
