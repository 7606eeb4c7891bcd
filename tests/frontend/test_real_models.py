"""torchvision's models of classification, segmentation, video and optical flow: traced with random weights, converted, run.

One of every family is run and compared with PyTorch; TORCHRELAY_ALL_MODELS=1 converts and runs every one.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
import torch
import torchvision.models
from torch.utils._pytree import tree_leaves

from torchrelay.frontend import fast_attention_off, imported
from torchrelay.runtime import run

EVERY = bool(os.environ.get("TORCHRELAY_ALL_MODELS"))
SMALLEST = (
    "alexnet",
    "convnext_tiny",
    "densenet121",
    "efficientnet_b0",
    "googlenet",
    "inception_v3",
    "maxvit_t",
    "mnasnet0_5",
    "mobilenet_v2",
    "mobilenet_v3_small",
    "regnet_x_400mf",
    "regnet_y_400mf",
    "resnet18",
    "resnext50_32x4d",
    "shufflenet_v2_x0_5",
    "squeezenet1_1",
    "swin_t",
    "swin_v2_t",
    "vgg11_bn",
    "vit_b_16",
    "wide_resnet50_2",
    "deeplabv3_mobilenet_v3_large",
    "fcn_resnet50",
    "lraspp_mobilenet_v3_large",
    "mvit_v2_s",
    "r3d_18",
    "mc3_18",
    "r2plus1d_18",
    "s3d",
    "swin3d_t",
    "raft_small",
)
"""One of every family."""
MODULES = ("", "segmentation", "video", "optical_flow")
IMAGE_SIZES = {"inception_v3": 75, "maxvit_t": 224, "vit_h_14": 518}


def _every() -> list[str]:
    modules = [getattr(torchvision.models, name) if name else torchvision.models for name in MODULES]
    return sorted({name for module in modules for name in torchvision.models.list_models(module=module)})


def _inputs(name: str) -> tuple[torch.Tensor, ...]:
    """Random images, clips or pairs of images of a small size that the model takes."""
    generator = torch.Generator().manual_seed(0)
    if name.startswith("raft"):
        return tuple([torch.rand(1, 3, 128, 128, generator=generator) * 2 - 1 for _ in range(2)])
    if name in torchvision.models.list_models(module=torchvision.models.video):
        frames, size = (16, 224) if name.startswith(("mvit", "s3d")) else (4, 56)
        return (torch.rand(1, 3, frames, size, size, generator=generator),)
    size = IMAGE_SIZES.get(name, 224 if name.startswith("vit") else 64)
    return (torch.rand(1, 3, size, size, generator=generator),)


def _options(name: str) -> dict[str, object]:
    options: dict[str, object] = {"weights": None}
    if name in torchvision.models.list_models(module=torchvision.models.segmentation):
        options["weights_backbone"] = None
    if name in ("googlenet", "inception_v3"):
        options["init_weights"] = False
    return options


@pytest.mark.parametrize("name", _every() if EVERY else SMALLEST)
def test_a_traced_model_gives_what_pytorch_gives(name: str) -> None:
    torch.manual_seed(0)
    model = torchvision.models.get_model(name, **_options(name)).eval()
    inputs = _inputs(name)
    made = imported(model, inputs, via="trace")
    assert set(made.params) <= set(model.state_dict())
    with torch.no_grad(), fast_attention_off():
        wanted = tree_leaves(model(*inputs))
    given = run(made.mod, made.params, inputs)
    for value, expected in zip(given, wanted, strict=True):
        reference = expected.numpy()
        assert value.dtype == reference.dtype
        scale = float(np.abs(reference).max())
        np.testing.assert_allclose(value, reference, rtol=1e-3, atol=1e-4 * max(scale, 1e-6))


def test_every_family_is_among_the_smallest() -> None:
    assert set(SMALLEST) <= set(_every())
