"""The operators under ``vision.``: boxes in images, and what lies in them."""

from torchrelay.op.vision.anchors import multibox_prior, multibox_transform_loc
from torchrelay.op.vision.classes import all_class_non_max_suppression, regular_non_max_suppression
from torchrelay.op.vision.proposal import proposal
from torchrelay.op.vision.regions import roi_align, roi_pool
from torchrelay.op.vision.reorg import yolo_reorg
from torchrelay.op.vision.suppression import get_valid_counts, non_max_suppression

__all__ = [
    "all_class_non_max_suppression",
    "get_valid_counts",
    "multibox_prior",
    "multibox_transform_loc",
    "non_max_suppression",
    "proposal",
    "regular_non_max_suppression",
    "roi_align",
    "roi_pool",
    "yolo_reorg",
]
