"""The record of a conversion, stage by stage and node by node."""

from torchrelay.explain.record import NodeStory, Record, Stages
from torchrelay.explain.stages import explain, record_of

__all__ = ["NodeStory", "Record", "Stages", "explain", "record_of"]
