"""Runs inside the process that has a real TVM: reads Relay, tells what it made of it. One JSON object a line, both ways."""

import base64
import contextlib
import inspect
import io
import json
import platform
import sys

import numpy as np
import tvm
from tvm import relay

HOST = f"llvm -mtriple={platform.machine()}-unknown-linux-gnu"  # the build at hand may default to another machine


def read(request):
    if request["form"] == "text":
        return relay.parse(request["content"])
    return tvm.ir.load_json(request["content"])


def typed(request):
    """The type of main's result, as the real one infers it."""
    module = relay.transform.InferType()(read(request))
    return {"type": described(module["main"].body.checked_type)}


def saved(request):
    """The module as the real one writes it in JSON."""
    return {"json": tvm.ir.save_json(read(request))}


def params(request):
    """The parameters of a file as the real one writes them."""
    loaded = relay.load_param_dict(base64.b64decode(request["content"]))
    shapes = {name: [list(array.shape), array.dtype] for name, array in loaded.items()}
    return {"params": base64.b64encode(relay.save_param_dict(loaded)).decode(), "shapes": shapes}


def computed(request):
    """The result of main for the inputs, all as .npy files in base64, as the real one compiles it."""
    module = relay.transform.InferType()(read(request))
    inputs = [np.load(io.BytesIO(base64.b64decode(content))) for content in request["inputs"]]
    with tvm.transform.PassContext(opt_level=3):
        result = relay.create_executor("graph", module, tvm.cpu(), HOST).evaluate()(*inputs)
    file = io.BytesIO()
    np.save(file, result.numpy())
    return {"result": base64.b64encode(file.getvalue()).decode()}


def signatures(request):
    """The parameters, with their defaults, of every function and class of a module, or every method of a class."""
    first, *rest = request["content"].split(".")
    module = {"relay": relay, "tvm": tvm}[first]
    for part in rest:
        module = getattr(module, part)
    found = {}
    for name in dir(module):
        value = getattr(module, name)
        if callable(value) and not name.startswith("_"):
            with contextlib.suppress(ValueError):  # some are made elsewhere and have none
                parameters = inspect.signature(value).parameters.values()
                found[name] = [[p.name, "" if p.default is p.empty else repr(p.default)] for p in parameters]
    return {"signatures": found}


def made(request):
    """The text of what a call of a function of relay makes."""
    names = {name: relay.var(name) for name in "xyzw"}
    names.update(
        relay=relay, tvm=tvm, t=relay.var("t", shape=(2, 3, 8, 8)), v=relay.var("v", shape=(2,), dtype="int64")
    )
    value = eval(request["content"], names)
    value = value.astuple() if isinstance(value, relay.expr.TupleWrapper) else value
    return {"text": tvm.IRModule.from_expr(value).astext(show_meta_data=False)}


def arrays(value):
    """The arrays in a value of the virtual machine, left to right."""
    if isinstance(value, list | tuple | tvm.runtime.container.ADT):
        return [array for part in value for array in arrays(part)]
    return [value.numpy()]


def executed(request):
    """The results of main for the inputs, as the real one's virtual machine runs it, as .npy files in base64."""
    module = relay.transform.InferType()(read(request))
    inputs = [np.load(io.BytesIO(base64.b64decode(content))) for content in request["inputs"]]
    with tvm.transform.PassContext(opt_level=1):
        result = relay.create_executor("vm", module, tvm.cpu(), HOST).evaluate()(*inputs)
    files = []
    for array in arrays(result):
        files.append(io.BytesIO())
        np.save(files[-1], array)
    return {"results": [base64.b64encode(file.getvalue()).decode() for file in files]}


def described(kind):
    if isinstance(kind, relay.TensorType):
        return {"shape": [int(d) if isinstance(d, tvm.tir.IntImm) else "?" for d in kind.shape], "dtype": kind.dtype}
    if isinstance(kind, relay.TupleType):
        return [described(part) for part in kind.fields]
    return str(kind)


ANSWERS = {
    "made": made,
    "signatures": signatures,
    "type": typed,
    "save": saved,
    "params": params,
    "run": computed,
    "execute": executed,
}

for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = ANSWERS[request.get("ask", "type")](request)
    except Exception as error:  # whatever the real one says is the answer
        reply = {"error": str(error)[-600:]}
    print(json.dumps(reply), flush=True)
