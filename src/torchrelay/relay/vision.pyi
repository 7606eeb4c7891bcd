"""tvm.relay's functions for operators on detection.

Written by ``python -m torchrelay.relay.stubs``.
"""

from collections.abc import Sequence

from torchrelay.ir import Expr
from torchrelay.relay.functions import Made, TupleWrapper

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
Operand = Expr | TupleWrapper | Sequence[Expr]

def all_class_non_max_suppression(
    boxes: Expr,
    scores: Expr,
    max_output_boxes_per_class: int | Expr = -1,
    iou_threshold: float | Expr = -1.0,
    score_threshold: float | Expr = -1.0,
    output_format: str = "onnx",
) -> TupleWrapper:
    """For every class, the boxes that are left when those that overlap a better one are taken away."""

def get_valid_counts(
    data: Expr, score_threshold: float | Expr, id_index: int = 0, score_index: int = 1
) -> TupleWrapper:
    """How many boxes have a score above the bound, these boxes first, and where they came from."""

def multibox_prior(
    data: Operand,
    sizes: Sequence[float] = (1.0,),
    ratios: Sequence[float] = (1.0,),
    steps: Sequence[float] = (-1.0, -1.0),
    offsets: Sequence[float] = (0.5, 0.5),
    clip: bool = False,
) -> Made:
    """The anchors of every place of a feature map: left, top, right, bottom as parts of the image."""

def multibox_transform_loc(
    cls_prob: Operand,
    loc_pred: Operand,
    anchor: Operand,
    clip: bool = True,
    threshold: float = 0.01,
    variances: Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    keep_background: bool = False,
) -> Made:
    """Class, score and box of each anchor whose best class scores enough, and their number; -1 beyond that number."""

def non_max_suppression(
    data: Expr,
    valid_count: Expr,
    indices: Expr,
    max_output_size: int | Expr = -1,
    iou_threshold: float | Expr = 0.5,
    force_suppress: bool = False,
    top_k: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = 0,
    return_indices: bool = True,
    invalid_to_bottom: bool = False,
) -> Made:
    """The boxes that are left when those that overlap a better one are taken away."""

def proposal(
    cls_prob: Operand,
    bbox_pred: Operand,
    im_info: Operand,
    scales: Sequence[float],
    ratios: Sequence[float],
    feature_stride: int,
    threshold: float,
    rpn_pre_nms_top_n: int,
    rpn_post_nms_top_n: int,
    rpn_min_size: int,
    iou_loss: bool,
) -> Made:
    """The best regions of each image: image, left, top, right, bottom; those kept over again where there are too few."""

def regular_non_max_suppression(
    boxes: Operand,
    scores: Operand,
    max_detections_per_class: int,
    max_detections: int,
    num_classes: int,
    iou_threshold: float,
    score_threshold: float,
) -> Made:
    """The best boxes of all classes, their classes, scores and number; zeros beyond that number."""

def roi_align(
    data: Operand,
    rois: Operand,
    pooled_size: Sequence[int] | int,
    spatial_scale: float,
    sample_ratio: int = -1,
    layout: str = "NCHW",
    mode: str = "avg",
) -> Made:
    """Regions of one size: each cell looks at places in its part of the region, interpolated between four elements.

    A region is its image, left, top, right, bottom.
    """

def roi_pool(
    data: Operand, rois: Operand, pooled_size: Sequence[int] | int, spatial_scale: float, layout: str = "NCHW"
) -> Made:
    """Regions of one size: each cell is the largest element of its part of the region, 0 where that has none."""

def yolo_reorg(data: Operand, stride: int) -> Made:
    """The elements in a shape with more channels, in the order in which Darknet moves them."""
