"""The names of tvm.relay.build_module that need no compiler."""

from torchrelay.relay.absent import absent
from torchrelay.relay.executor import create_executor
from torchrelay.relay.substitution import bind_params_by_name

__all__ = ["bind_params_by_name", "create_executor"]


def __getattr__(name: str) -> object:
    raise absent(__name__, name, __all__)
