"""Parameter files: every dtype, no copies, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from torchrelay.errors import BadFile
from torchrelay.formats import load_params, save_params

DTYPES = ["bool", "int8", "uint8", "int16", "int32", "int64", "uint64", "float16", "float32", "float64"]
# The bytes of one file of the real TVM, from the description of the format.
SAMPLE = bytes.fromhex(
    "b79c04054f8de5f7 0000000000000000 0100000000000000 0100000000000000 6e 0100000000000000"
    "3fa1b496f0405edd 0000000000000000 01000000 00000000 01000000 02 20 0100 0200000000000000 0800000000000000"
    "0000803f 00000040"
)


def arrays() -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    made = {name: (random.integers(0, 2, (2, 3)) * 1.0).astype(name) for name in DTYPES}
    made["bfloat16"] = np.ones((4,), ml_dtypes.bfloat16)
    made["layer.0.weight/é"] = np.zeros((0, 3), "float32")
    made["scalar"] = np.array(3.5, "float32")
    made["turned"] = np.arange(6.0).reshape(2, 3).T
    return made


def test_round_trip_from_bytes_and_by_memory_map(tmp_path: Path) -> None:
    wanted = arrays()
    data = save_params(wanted)
    assert data is not None
    save_params(wanted, tmp_path / "x.params")
    assert (tmp_path / "x.params").read_bytes() == data
    for found in (load_params(data), load_params(tmp_path / "x.params")):
        assert list(found) == list(wanted)
        for name, array in wanted.items():
            assert found[name].dtype == array.dtype
            np.testing.assert_array_equal(found[name], array)
            assert not found[name].flags.owndata


def test_the_sample_of_the_format() -> None:
    assert save_params({"n": np.float32([1, 2])}) == SAMPLE
    np.testing.assert_array_equal(load_params(SAMPLE)["n"], np.float32([1, 2]))


@pytest.mark.parametrize("size", range(1, len(SAMPLE)))
def test_every_truncation_is_noticed(size: int) -> None:
    with pytest.raises(BadFile):
        load_params(SAMPLE[:size])


def test_claims_are_checked_before_memory_is_taken() -> None:
    huge = bytearray(SAMPLE)
    huge[16:24] = (2**60).to_bytes(8, "little")
    with pytest.raises(BadFile, match="more than it has bytes for"):
        load_params(bytes(huge))
    with pytest.raises(BadFile, match="after its last array"):
        load_params(SAMPLE + b"x")
    with pytest.raises(BadFile, match="is no parameter file"):
        load_params(b"x" * 64)
