"""The record of a conversion, stage by stage and node by node."""

from torchrelay.explain.record import NodeStory, Record, Stages
from torchrelay.explain.stages import STAGES_OF, explain, record_of

__all__ = ["STAGES_OF", "NodeStory", "Record", "Stages", "explain", "record_of"]
