"""How fast modules of more than 5 MB of text are written, and read again."""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchmarks.harness import Row, benchmark


@benchmark("formats")
def formats() -> Sequence[Row]:
    import numpy as np

    from torchrelay import op
    from torchrelay.formats import astext, load_json, load_params, parse, save_json, save_params
    from torchrelay.ir import IRModule, TensorType, Var

    value = x = Var("x", TensorType.of((1, 64, 56, 56)))
    weight = Var("weight", TensorType.of((64, 64, 3, 3)))
    for index in range(50_000):
        value = op.nn.conv2d(value, weight, padding=(1, 1, 1, 1)) if index % 3 else op.add(op.nn.relu(value), x)
    mod = IRModule.from_expr(value)
    rows = []
    for name, write, bound in (("print text", astext, 3), ("write JSON", save_json, None)):
        start = time.perf_counter()
        text = write(mod)
        size = len(text) / 1e6
        speed = size / (time.perf_counter() - start)
        rows.append(Row(f"{name} of {size:.1f} MB", speed, 1, "MB/s", "1 MB/s", bound, at_least=True))
    for name, write, read_back, bound in (("read text", astext, parse, 1.5), ("read JSON", save_json, load_json, None)):
        text = write(mod)
        start = time.perf_counter()
        read_back(text)
        speed = len(text) / 1e6 / (time.perf_counter() - start)
        rows.append(Row(f"{name} of {len(text) / 1e6:.1f} MB", speed, 1, "MB/s", "1 MB/s", bound, at_least=True))
    params = {f"p{index}": np.ones((256, 1024), np.float32) for index in range(64)}
    start = time.perf_counter()
    data = save_params(params)
    write = len(data) / 1e6 / (time.perf_counter() - start)
    start = time.perf_counter()
    load_params(data)
    read = len(data) / 1e6 / (time.perf_counter() - start)
    rows.append(Row("write 67 MB of parameters", write, 1, "MB/s", "1 MB/s"))
    rows.append(Row("map 67 MB of parameters", read, 1, "MB/s", "1 MB/s"))
    return rows
