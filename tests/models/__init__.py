"""The real models that tests and benchmarks convert: random weights, small inputs."""

from __future__ import annotations

from collections.abc import Callable

import torch

__all__ = ["MODELS", "build"]


def _vision(name: str, size: int) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    import torchvision

    model = torchvision.models.get_model(name, weights=None, **({"weights_backbone": None} if "fcn" in name else {}))
    return model, (torch.randn(1, 3, size, size),)


class _Outputs(torch.nn.Module):
    """A model of transformers whose outputs are a tuple."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return self.model(input_ids=input_ids, attention_mask=attention_mask, return_dict=False)


def _bert(**config: int) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    from transformers import BertConfig, BertModel

    settings = BertConfig(**config)
    return _Outputs(BertModel(settings)), _tokens(settings.vocab_size)


def _gpt2() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    from transformers import GPT2Config, GPT2Model

    settings = GPT2Config(n_embd=64, n_layer=2, n_head=4, n_positions=64, vocab_size=200, use_cache=False)
    return _Outputs(GPT2Model(settings)), _tokens(settings.vocab_size)


def _tokens(vocabulary: int) -> tuple[torch.Tensor, ...]:
    mask = torch.ones(2, 16, dtype=torch.int64)
    mask[1, 12:] = 0
    return torch.randint(0, vocabulary, (2, 16)), mask


_SMALL_BERT = {
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "vocab_size": 200,
    "max_position_embeddings": 64,
}

MODELS: dict[str, Callable[[], tuple[torch.nn.Module, tuple[torch.Tensor, ...]]]] = {
    "resnet18": lambda: _vision("resnet18", 224),
    "resnet50": lambda: _vision("resnet50", 224),
    "mobilenet_v3_small": lambda: _vision("mobilenet_v3_small", 224),
    "densenet121": lambda: _vision("densenet121", 224),
    "squeezenet1_1": lambda: _vision("squeezenet1_1", 224),
    "efficientnet_b0": lambda: _vision("efficientnet_b0", 224),
    "vit_b_16": lambda: _vision("vit_b_16", 224),
    "convnext_tiny": lambda: _vision("convnext_tiny", 224),
    "fcn_resnet50": lambda: _vision("fcn_resnet50", 128),
    "bert": lambda: _bert(**_SMALL_BERT),
    "bert_base": lambda: _bert(),
    "gpt2": _gpt2,
}
"""Each model's name and what makes it and its example inputs; ``bert_base`` has the size of the published one."""


def build(name: str) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """The model in eval mode, its weights random but the same each time, and example inputs."""
    torch.manual_seed(0)
    model, inputs = MODELS[name]()
    return model.eval(), inputs
