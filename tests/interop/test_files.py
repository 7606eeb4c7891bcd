"""JSON and parameter files go to the real TVM and back unchanged, and what it writes itself is read."""

from __future__ import annotations

import base64
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

from tests.formats.programs import PROGRAMS
from tests.interop.conftest import Oracle
from tests.interop.test_operators import described
from torchrelay.formats import load_json, load_params, save_json, save_params
from torchrelay.ir import IRModule, assert_structural_equal


@pytest.mark.parametrize("name", PROGRAMS)
def test_modules_go_there_and_back(name: str, oracle: Oracle) -> None:
    make: Callable[[], IRModule] = PROGRAMS[name]
    module = make()
    said = oracle.ask(ask="save", form="json", content=save_json(module))
    assert "error" not in said, said
    found = load_json(str(said["json"]))
    assert isinstance(found, IRModule)
    assert_structural_equal(found, module)
    typed = oracle.ask(form="json", content=save_json(module))
    wanted = module["main"].body.type
    assert wanted is None or typed == {"type": described(wanted)}


def test_parameters_go_there_and_back(oracle: Oracle) -> None:
    names = ["bool", "int8", "uint8", "int16", "int32", "int64", "uint64", "float16", "float32", "float64"]
    arrays = {name: np.arange(6).reshape(2, 3).astype(name) for name in names}
    arrays["bfloat16"] = np.ones((4,), ml_dtypes.bfloat16)
    arrays["layer.0/é"] = np.zeros((0, 3), np.float32)
    arrays["scalar"] = np.array(3.5, np.float32)
    data = save_params(arrays)
    assert data is not None
    said = oracle.ask(ask="params", content=base64.b64encode(data).decode())
    assert "error" not in said, said
    assert said["shapes"] == {name: [list(array.shape), array.dtype.name] for name, array in arrays.items()}
    found = load_params(base64.b64decode(str(said["params"])))
    assert set(found) == set(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype
