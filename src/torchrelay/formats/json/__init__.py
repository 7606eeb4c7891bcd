"""TVM's JSON: the node format of ``tvm.ir.save_json``."""

from torchrelay.formats.json.load import load_json, load_nodes
from torchrelay.formats.json.save import save_json, save_nodes

__all__ = ["load_json", "load_nodes", "save_json", "save_nodes"]
