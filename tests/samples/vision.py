"""Boxes in images: what TVM itself computes, torchvision, and loops over pixels."""

from __future__ import annotations

import numpy as np
import torch
import torchvision.ops

from tests.samples.making import array, f32, sample
from torchrelay import op

BOXES = array(
    [
        [
            [0, 0.8, 1, 20, 25, 45],
            [1, 0.7, 30, 60, 50, 80],
            [0, 0.4, 4, 21, 19, 40],
            [2, 0.9, 35, 61, 52, 79],
            [1, 0.5, 100, 60, 70, 110],
            [0, 0.75, 2, 20, 25, 45],
            [0, -0.3, 90, 90, 99, 99],
        ]
    ]
)
PLACES = array([[6, 5, 4, 3, 2, 1, 0]], "int32")
REGIONS = array([[0, 1, 1, 6, 7], [1, 0, 0, 15, 12], [0, 3, 2, 3, 2], [1, -3, -2, 4, 20], [0, 12, 12, 30, 30]])
IMAGES = f32(2, 3, 8, 9)


def valid(data, threshold, **attributes):
    """A row of the boxes that count, judged one by one."""

    def judge(x, least):
        kind, score = attributes.get("id_index", 0), attributes.get("score_index", 1)
        least = attributes.get("score_threshold", least)
        boxes, places, counts = np.full_like(x, -1), np.full(x.shape[:2], -1, "int32"), np.zeros(len(x), "int32")
        for batch, rows in enumerate(x):
            for place, row in enumerate(rows):
                if row[score] > least and (kind < 0 or row[kind] >= 0):
                    boxes[batch, counts[batch]], places[batch, counts[batch]] = row, place
                    counts[batch] += 1
        return counts, boxes, places

    return sample(data, array(threshold), numpy=judge, **{"score_threshold": None, **attributes})


def suppressed(count, most, threshold, result, **attributes):
    """A row with the boxes that TVM keeps: their numbers, -1 for one suppressed."""

    def judge(x, *_):
        boxes = np.full_like(x, -1)
        for place, number in enumerate(result):
            if number >= 0:
                boxes[0, place] = x[0, number]
        found = [PLACES[0, number] for number in result if number >= 0]
        places = array([found + [-1] * (7 - len(found))], "int32")
        return (places, array([[len(found)]], "int32")) if attributes["return_indices"] else boxes

    inputs = (BOXES, array([count], "int32"), PLACES, array(most, "int32"), array(threshold))
    return sample(*inputs, numpy=judge, **attributes)


def suppressions(count, most, threshold, result, **attributes):
    """Both forms of a result."""
    return [suppressed(count, most, threshold, result, return_indices=given, **attributes) for given in (True, False)]


def by_class(boxes, scores, most, threshold, least, output_format="onnx"):
    """A row of all classes, judged by torchvision's suppression of each."""

    def judge(corners, values, *_):
        batches, classes, count = values.shape
        rows = list[tuple[int, int, int]]()
        for batch in range(batches):
            for kind in range(classes):
                good = (values[batch, kind] > least).nonzero()[:, 0]
                kept = torchvision.ops.nms(corners[batch, good], values[batch, kind, good], threshold)
                rows += [(batch, kind, int(place)) for place in good[kept][: most if most > 0 else None]]
        if output_format == "onnx":
            whole = torch.zeros(batches * classes * count, 3, dtype=torch.int64)
            whole[: len(rows)] = torch.tensor(rows)
            return whole, torch.tensor([len(rows)])
        pairs, found = (
            torch.zeros(batches, classes * count, 2, dtype=torch.int64),
            torch.zeros(batches, classes * count),
        )
        numbers = torch.zeros(batches, dtype=torch.int64)
        for batch, kind, place in rows:
            at = numbers[batch].item()
            pairs[batch, at] = torch.tensor([kind, place])
            found[batch, at] = values[batch, kind, place]
            numbers[batch] += 1
        return pairs, found, numbers

    numbers = array(most, "int32"), array(threshold), array(least)
    return sample(boxes, scores, *numbers, output_format=output_format, torch=judge)


def corners(*shape, seed=0):
    """Boxes whose second corner lies beyond the first."""
    low = f32(*shape, 2, low=0, high=4, seed=seed)
    return np.concatenate([low, low + f32(*shape, 2, low=1, high=4, seed=seed + 1)], -1)


def anchors(height, width, sizes=(1.0,), ratios=(1.0,), steps=(-1.0, -1.0), offsets=(0.5, 0.5), clip=False):
    """A row of anchors, judged one by one."""

    def judge(_):
        found = []
        step = [given if given > 0 else 1 / size for given, size in zip(steps, (height, width), strict=True)]
        shapes = [(size * height / width, size) for size in sizes]
        shapes += [(sizes[0] * height / width * ratio**0.5, sizes[0] / ratio**0.5) for ratio in ratios[1:]]
        for row in range(height):
            for column in range(width):
                y, x = (row + offsets[0]) * step[0], (column + offsets[1]) * step[1]
                found += [(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2) for wide, high in shapes]
        return array([np.clip(found, 0, 1) if clip else found])

    given = {"sizes": sizes, "ratios": ratios, "steps": steps, "offsets": offsets, "clip": clip}
    return sample(f32(1, 2, height, width), numpy=judge, **given)


def located(boxes, **attributes):
    """A row of anchors moved, judged by what TVM gives."""
    scores = array([[[0.2, 0.5, 0.3], [0.25, 0.3, 0.5], [0.7, 0.5, 0.0049]]])
    moves = array([[0.1, -0.2, 0.3, 0.2, 0.2, 0.4, 0.5, -0.3, 0.7, -0.2, -0.4, -0.8]])
    places = array([[[-0.1, -0.1, 0.1, 0.1], [-0.2, -0.2, 0.2, 0.2], [1.2, 1.2, 1.5, 1.5]]])
    rows = [*boxes, *[[-1] * 6] * (3 - len(boxes))]
    judge = lambda *_: (array([rows]), array([len(boxes)], "int32"))
    return sample(scores, moves, places, atol=1e-4, numpy=judge, **attributes)


def aligned(pooled, scale, ratio, **attributes):
    """A row of regions, judged by torchvision."""
    judge = lambda x, r: torchvision.ops.roi_align(x, r, pooled, scale, ratio, aligned=False)
    given = {"pooled_size": pooled, "spatial_scale": scale, "sample_ratio": ratio, **attributes}
    return sample(IMAGES, REGIONS, rtol=1e-4, atol=1e-5, torch=judge, **given)


def largest_of_places(x, rois, pooled, ratio):
    """The largest of each cell's places, each place by torchvision as a cell of its own."""
    many = torchvision.ops.roi_align(x, rois, (pooled[0] * ratio, pooled[1] * ratio), 1.0, 1, aligned=False)
    return torch.nn.functional.max_pool2d(many, ratio)


def pooled(size, scale):
    """A row of regions, judged by torchvision."""
    return sample(
        IMAGES,
        REGIONS,
        pooled_size=size,
        spatial_scale=scale,
        torch=lambda x, r: torchvision.ops.roi_pool(x, r, size, scale),
    )


def turned(function):
    """A judge of data in the layout NHWC."""
    return lambda x, r: function(x.permute(0, 3, 1, 2), r).permute(0, 2, 3, 1)


def darknet(x, step):
    """Darknet's order, element by element."""
    batch, channels, height, width = x.shape
    groups, result = channels // step**2, np.empty_like(x)
    flat = x.reshape(batch, groups, height * step, width * step)
    for k, j, i in np.ndindex(channels, height, width):
        offset = k // groups
        result[:, k, j, i] = flat[:, k % groups, j * step + offset // step, i * step + offset % step]
    return result.reshape(batch, channels * step**2, height // step, width // step)


SCORES = array(
    [[[[0.3, 0.6, 0.2], [0.4, 0.7, 0.5], [0.1, 0.4, 0.3]], [[0.7, 0.5, 0.3], [0.6, 0.4, 0.8], [0.9, 0.2, 0.5]]]]
)
MOVES = array(
    [
        [
            [[0.5, 1.0, 0.6], [0.8, 1.2, 2.0], [0.9, 1.0, 0.8]],
            [[0.5, 1.0, 0.7], [0.8, 1.2, 1.6], [2.1, 1.5, 0.7]],
            [[1.0, 0.5, 0.7], [1.5, 0.9, 1.6], [1.4, 1.5, 0.8]],
            [[1.0, 0.5, 0.6], [1.5, 0.9, 2.0], [1.8, 1.0, 0.9]],
        ]
    ]
)
ROWS = {
    op.vision.get_valid_counts: [
        valid(BOXES, 0.5),
        valid(array([[[0, 0.8, 1, 2], [-1, 0.9, 1, 1], [2, 0.5, 0, 0], [1, 0.6, 7, 7]]]), 0.5),
        valid(f32(2, 10, 5, low=0, high=1), 0.6, id_index=-1, score_index=0),
        valid(BOXES, 0.9, score_threshold=0.4),
    ],
    op.vision.non_max_suppression: [
        *suppressions(7, -1, 0.7, [3, 0, -1, 1, 4, 2, 6]),
        *suppressions(7, -1, 0.3, [3, 0, -1, -1, 4, -1, 6], force_suppress=True),
        *suppressions(4, -1, 0.7, [3, 0], force_suppress=True, top_k=2),
        *suppressions(7, 2, 0.7, [3, 0]),
        *suppressions(7, -1, 0.7, [3, 0, 1, 4, 2, 6], invalid_to_bottom=True),
        *suppressions(7, -1, 0.3, [3, 0, -1, -1, 4, -1, 6], id_index=-1),
        *suppressions(4, -1, 0.0, [0, 1, 2, 3]),
        *suppressions(5, -1, 0.7, [3, 0, 1], top_k=3),
    ],
    op.vision.all_class_non_max_suppression: [
        by_class(corners(2, 8), f32(2, 3, 8, low=0, high=1), 3, 0.4, 0.2),
        by_class(corners(1, 9), f32(1, 2, 9, low=0, high=1), -1, 0.3, 0.0),
        by_class(corners(2, 8), f32(2, 3, 8, low=0, high=1), 2, 0.4, 0.3, "tensorflow"),
    ],
    op.vision.regular_non_max_suppression: [
        sample(
            array([[[0, 0, 10, 10], [0, 0, 10, 9], [20, 20, 30, 30], [40, 40, 45, 45], [0, 5, 10, 15]]]),
            array([[[0.1, 0.9, 0.2], [0.1, 0.8, 0.3], [0.3, 0.5, 0.05], [0, 0.2, 0.7], [0, 0.6, 0.6]]]),
            max_detections_per_class=2,
            max_detections=3,
            num_classes=2,
            iou_threshold=0.5,
            score_threshold=0.1,
            numpy=lambda *_: (
                array([[[0, 0, 10, 10], [40, 40, 45, 45], [0, 5, 10, 15]]]),
                array([[0, 1, 0]]),
                array([[0.9, 0.7, 0.6]]),
                array([3], "int32"),
            ),
        ),
    ],
    op.vision.multibox_prior: [
        anchors(3, 4),
        anchors(4, 3, sizes=(0.3, 1.5, 0.7), ratios=(1.3, 2.4), steps=(2.0, 1.5), offsets=(0.2, 0.3), clip=True),
        anchors(2, 2, sizes=(0.5,), ratios=(1.0, 2.0, 0.5)),
    ],
    op.vision.multibox_transform_loc: [
        located([[1, 0.7, 0, 0, 0.1082, 0.1001], [1, 0.5, 0, 0, 0.229, 0.2044], [0, 0.5, 1, 1, 1, 1]]),
        located(
            [
                [1, 0.7, -0.1042, -0.1081, 0.1082, 0.1001],
                [1, 0.5, -0.213, -0.1724, 0.229, 0.2044],
                [0, 0.5, 1.2325, 1.2162, 1.5095, 1.4718],
            ],
            clip=False,
        ),
        located(
            [[2, 0.7, 0, 0, 0.1082, 0.1001], [0, 0.5, 0, 0, 0.229, 0.2044], [1, 0.5, 1, 1, 1, 1]], keep_background=True
        ),
        located([[1, 0.7, 0, 0, 0.1082, 0.1001]], threshold=0.6),
    ],
    op.vision.proposal: [
        sample(
            SCORES,
            MOVES,
            array([[48, 48, 1]]),
            scales=(0.5,),
            ratios=(0.5,),
            rpn_pre_nms_top_n=200,
            rpn_post_nms_top_n=4,
            iou_loss=loss,
            atol=1e-3,
            numpy=lambda *_, wanted=wanted: array(wanted),
        )
        for loss, wanted in (
            (
                False,
                [
                    [0.0, 0.0, 2.8452, 28.3801, 18.1548],
                    [0.0, 0.0, 15.3549, 41.9697, 41.2451],
                    [0.0, 18.0199, 1.0538, 51.9801, 25.9462],
                    [0.0, 27.3209, -1.2664, 55.0, 24.6664],
                ],
            ),
            (
                True,
                [
                    [0, -5.25, -2.5, 21.75, 19],
                    [0, 11.25, -2, 37.25, 18.5],
                    [0, 26.85, -2.3, 53.45, 18.6],
                    [0, -4.95, 13.8, 22.25, 35.5],
                ],
            ),
        )
    ],
    op.vision.roi_align: [
        aligned((2, 3), 0.5, -1),
        aligned((2, 3), 1.0, 2),
        aligned((3, 3), 0.25, 3),
        sample(
            IMAGES,
            REGIONS[:2],
            pooled_size=(2, 3),
            spatial_scale=1.0,
            sample_ratio=2,
            mode="max",
            rtol=1e-4,
            atol=1e-5,
            torch=lambda x, r: largest_of_places(x, r, (2, 3), 2),
        ),
        sample(
            f32(2, 8, 9, 3),
            REGIONS,
            pooled_size=(2, 2),
            spatial_scale=0.5,
            sample_ratio=2,
            layout="NHWC",
            rtol=1e-4,
            atol=1e-5,
            torch=turned(lambda x, r: torchvision.ops.roi_align(x, r, (2, 2), 0.5, 2, aligned=False)),
        ),
    ],
    op.vision.roi_pool: [
        pooled((2, 3), 0.5),
        pooled((2, 3), 1.0),
        sample(
            f32(2, 8, 9, 3),
            REGIONS,
            pooled_size=(3, 2),
            spatial_scale=0.5,
            layout="NHWC",
            torch=turned(lambda x, r: torchvision.ops.roi_pool(x, r, (3, 2), 0.5)),
        ),
    ],
    op.vision.yolo_reorg: [
        sample(f32(1, 4, 6, 6), stride=2, numpy=lambda x: darknet(x, 2)),
        sample(f32(2, 9, 3, 6), stride=3, numpy=lambda x: darknet(x, 3)),
        sample(f32(1, 2, 3, 3), numpy=lambda x: x),
    ],
}
