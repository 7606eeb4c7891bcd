"""The names of tvm.relay.param_dict."""

from torchrelay.runtime import load_param_dict, save_param_dict

__all__ = ["load_param_dict", "save_param_dict"]
