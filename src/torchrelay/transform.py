"""tvm.transform: what ``torchrelay.ir.transform`` has."""

from torchrelay.ir.transform import Pass, PassContext, PassInfo, PrintIR, Sequential, made_of, module_pass

__all__ = ["Pass", "PassContext", "PassInfo", "PrintIR", "Sequential", "made_of", "module_pass"]
