"""Hands in random poses: whole, each its own, with fingertips where they touch."""

from __future__ import annotations

import numpy as np
import pytest

from training.posed_hands import random_hand, skeleton

pytestmark = pytest.mark.needs("cv2")

KINDS = ("point", "flat", "grab", "relaxed")


def test_the_mesh_is_a_hand_whose_bones_hang_together() -> None:
    mesh = skeleton()
    assert mesh.shares.sum(axis=1) == pytest.approx(np.ones(len(mesh.points)), abs=1e-3)
    for finger in ("index-finger", "pinky-finger", "thumb"):
        reach = [float(np.linalg.norm(mesh.bones[bone][:3, 3] - mesh.bones[0][:3, 3])) for bone in mesh.numbers(finger)]
        assert reach == sorted(reach)


@pytest.mark.parametrize("kind", KINDS)
def test_fingertips_touch_at_the_far_end_of_the_hand(kind: str) -> None:
    for seed in range(12):
        picture, tips = random_hand(np.random.default_rng(seed), kind)
        covered = np.argwhere(picture[..., 3] > 128)
        top, height = covered[:, 0].min(), picture.shape[0]
        assert covered[:, 0].max() > height - 8  # down to the wrist
        for x, y in tips:
            assert np.hypot(*(covered - [y, x]).T).min() < 6
        assert tips[0][1] - top < 0.55 * height
        assert kind != "point" or tips[0][1] - top < 0.12 * height


def test_no_two_hands_are_alike_but_a_seed_gives_the_same_hand_again() -> None:
    first, again, other = (random_hand(np.random.default_rng(seed), "flat") for seed in (3, 3, 4))
    assert np.array_equal(first[0], again[0])
    assert first[1] == again[1]
    assert first[0].shape != other[0].shape or not np.array_equal(first[0], other[0])


def test_some_hands_that_grasp_do_so_with_a_finger_and_the_thumb() -> None:
    touching = [len(random_hand(np.random.default_rng(seed), "grab")[1]) for seed in range(40)]
    assert 6 < sum(count <= 2 for count in touching) < 34
