"""TVM's JSON: the node format of ``tvm.ir.save_json``."""

from torchrelay.formats.json.save import save_json, save_nodes

__all__ = ["save_json", "save_nodes"]
