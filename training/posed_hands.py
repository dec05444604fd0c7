"""Hands in poses that no two of them share: a mesh with bones, its fingers bent at random, seen from above.

The mesh is the generic hand of WebXR's input profiles (MIT, credited in backgrounds/index.json).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from training.surfaces import FOLDER
from vision.straighten import Image

Rng = np.random.Generator
Floats = NDArray[np.float64]
Range = tuple[float, float]

MESH = "hands/generic_hand_right.glb"
FINGERS = ("index-finger", "middle-finger", "ring-finger", "pinky-finger")
PINCHING = (FINGERS[0], "thumb")
BONES = ("metacarpal", "phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip")
THUMB = ("metacarpal", "phalanx-proximal", "phalanx-distal", "tip")
PX_PER_M = 1500.0  # of the picture
FINER = 2  # drawn at so many times the size
SKIN = 150.0  # grey level of skin that the light falls on
MARGIN = 4
PAD_M = 0.013  # of a finger's end touch the table at most
TOGETHER_M = 0.009  # fingertips no higher than that above the lowest lie on the table with it


@dataclass(frozen=True)
class Bend:
    """How far a finger's first and second joint are bent, in degrees."""

    first: Range
    second: Range


STRAIGHT, CLAWED = Bend((-8, 32), (0, 38)), Bend((8, 42), (20, 62))
LOOSE, CLOSED = Bend((10, 60), (20, 85)), Bend((45, 88), (65, 108))
HOOKED, STEEP = Bend((5, 75), (10, 85)), Bend((-5, 40), (48, 95))
# By kind: the index finger's bend, the middle one's, that of the last two, the thumb's, and how they spread, degrees.
KINDS: dict[str, tuple[tuple[Bend, Bend, Bend], Range, Range]] = {
    "point": ((STRAIGHT, CLOSED, CLOSED), (5, 50), (0, 6)),
    "two": ((STRAIGHT, STRAIGHT, CLOSED), (5, 50), (0, 10)),
    "flat": ((STRAIGHT, STRAIGHT, STRAIGHT), (-15, 25), (-3, 13)),
    "grab": ((CLAWED, CLAWED, CLAWED), (5, 40), (0, 9)),
    "claw": ((STEEP, STEEP, STEEP), (0, 45), (-2, 10)),
    "pinch": ((HOOKED, LOOSE, LOOSE), (-10, 50), (-2, 8)),
    "relaxed": ((LOOSE, LOOSE, LOOSE), (0, 40), (-2, 6)),
}

# What hands of a kind do, and how often: some point with two fingers, or grasp from above or with one and the thumb.
WAYS = {"point": {"two": 0.3, "point": 0.7}, "grab": {"grab": 0.3, "claw": 0.25, "pinch": 0.45}}
ONTO_THUMB_DEG = (-60.0, 10.0)  # a hand that grasps with its thumb is mostly turned onto that side
APART_M = (0.002, 0.045)  # finger and thumb as they close around a tile, or as they pinch its edge
DRAWN = 40  # poses of which the one is kept in which finger and thumb oppose each other best


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The mesh: points (n, 3) in metres, normals, corners of its triangles, its bones' poses, and who moves whom.

    Fingers point to -y, the hand's back to +x and the thumb to -z. bones: by name. held: (n, 4) bones by number that
    each point follows, shares: (n, 4) by how much.
    """

    points: Floats
    normals: Floats
    triangles: NDArray[np.int64]
    names: tuple[str, ...]
    bones: Floats
    held: NDArray[np.int64]
    shares: Floats

    def numbers(self, finger: str) -> list[int]:
        """A finger's bones from the palm to its tip."""
        return [self.names.index(f"{finger}-{bone}") for bone in (THUMB if finger == "thumb" else BONES)]


@lru_cache(maxsize=1)
def skeleton() -> Skeleton:
    """The mesh as it was made, by the layout of glTF 2.0's binary files."""
    data = (FOLDER / MESH).read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    told, blob = json.loads(data[20 : 20 + length]), data[28 + length :]
    types = {5121: np.uint8, 5123: np.uint16, 5126: np.float32}

    def values(number: int) -> NDArray[np.float64]:
        one = told["accessors"][number]
        view = told["bufferViews"][one["bufferView"]]
        size = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[one["type"]]
        start = view.get("byteOffset", 0) + one.get("byteOffset", 0)
        read = np.frombuffer(blob, types[one["componentType"]], one["count"] * size, start)
        return read.reshape(-1, size).astype(np.float64)

    skin, mesh = told["skins"][0], told["meshes"][0]["primitives"][0]
    parts = {name: values(number) for name, number in mesh["attributes"].items()}
    away = values(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    return Skeleton(
        parts["POSITION"],
        parts["NORMAL"],
        values(mesh["indices"]).astype(np.int64).reshape(-1, 3),
        tuple(str(told["nodes"][node]["name"]) for node in skin["joints"]),
        np.asarray(np.linalg.inv(away), np.float64),
        parts["JOINTS_0"].astype(np.int64),
        parts["WEIGHTS_0"],
    )


@dataclass(frozen=True, eq=False)
class Posed:
    """A hand in a pose. moved: (25, 4, 4), what becomes of each bone."""

    points: Floats
    normals: Floats
    moved: Floats

    def bone(self, number: int) -> Floats:
        """A bone's pose (4, 4)."""
        return np.asarray(self.moved[number] @ skeleton().bones[number])


def random_hand(rng: Rng, kind: str) -> tuple[Image, list[tuple[float, float]]]:
    """A hand's picture, blue, green, red, alpha, fingers up, and where its fingertips touch, the leading one first.

    kind: "point", "flat", "grab" or "relaxed". The skin is grey, for its tone comes later; it ends at the wrist.
    """
    ways = WAYS.get(kind)
    fingers = str(rng.choice([*ways], p=[*ways.values()])) if ways else kind
    posed = _posed(rng, fingers)
    corner = posed.points[:, [2, 1]].min(axis=0) * PX_PER_M - MARGIN

    def seen(points: Floats) -> Floats:
        return np.asarray(points[..., [2, 1]] * PX_PER_M - corner)

    wrist = seen(posed.bone(skeleton().names.index("wrist"))[:3, 3])[1]
    picture = _drawn(posed, seen(posed.points), rng)[: round(wrist)]
    tips = {finger: _pad(posed, finger) for finger in (*FINGERS, "thumb")}
    return picture, [(float(x), float(y)) for x, y in map(seen, _touching(tips, fingers))]


def _touching(tips: Mapping[str, Floats], kind: str) -> list[Floats]:
    """The fingertips that reach the table: the lower one of the first two fingers, and those that come with it."""
    grasping = (*FINGERS, "thumb")
    able = {"point": FINGERS[:1], "two": FINGERS[:2], "grab": grasping, "claw": grasping, "pinch": PINCHING}.get(
        kind, FINGERS
    )
    lead = min(able[:2], key=lambda finger: tips[finger][0])  # people grab with these two
    lowest = tips[lead][0] + TOGETHER_M
    return [tips[lead], *(tips[one] for one in able if one != lead and tips[one][0] < lowest)]


def _pad(posed: Posed, finger: str) -> Floats:
    """The lowest place of a finger's end."""
    mesh = skeleton()
    last = mesh.numbers(finger)[-2:]
    points = posed.points[(mesh.shares * np.isin(mesh.held, last)).sum(axis=1) > 0.5]
    points = points[points[:, 1] < points[:, 1].min() + PAD_M]
    return np.asarray(points[np.argsort(points[:, 0])[:4]].mean(axis=0))


def _posed(rng: Rng, kind: str) -> Posed:
    """The mesh with its fingers bent, the hand tipped forward and to a side, and of a shape of its own."""
    mesh = skeleton()
    moved = _opposed(rng, kind) if kind == "pinch" else _bent(rng, kind)
    weighed = np.einsum("nk,nkij->nij", mesh.shares, moved[mesh.held])
    points = np.einsum("nij,nj->ni", weighed[:, :3, :3], mesh.points) + weighed[:, :3, 3]
    normals = np.einsum("nij,nj->ni", weighed[:, :3, :3], mesh.normals)
    points = points + normals * float(rng.normal(0, 0.0006))  # thin and thick fingers
    return Posed(points, normals / np.linalg.norm(normals, axis=1, keepdims=True), moved)


def _opposed(rng: Rng, kind: str) -> Floats:
    """Of some poses that one in which finger and thumb come down as low as each other, and so far apart as wished."""
    mesh, apart = skeleton(), float(rng.uniform(*APART_M))
    ends = [mesh.numbers(finger)[-1] for finger in PINCHING]

    def off(moved: Floats) -> float:
        finger, thumb = (moved[end] @ mesh.bones[end][:, 3] for end in ends)
        return abs(finger[0] - thumb[0]) + abs(float(np.hypot(*(finger - thumb)[1:3])) - apart)

    return min((_bent(rng, kind) for _ in range(DRAWN)), key=off)


def _bent(rng: Rng, kind: str) -> Floats:
    """What becomes of each bone (25, 4, 4) in a pose of a kind."""
    mesh = skeleton()
    (index, middle, others), thumb, spread = KINDS[kind]
    moved = np.repeat(np.eye(4)[None], len(mesh.bones), axis=0)
    curl, wide = rng.random(), float(rng.uniform(*spread))
    for place, (finger, bend) in enumerate(zip(FINGERS, (index, middle, others, others), strict=True)):
        share = np.clip(curl + rng.normal(0, 0.15, 2), 0, 1)
        first, second = (
            low + (high - low) * s for (low, high), s in zip((bend.first, bend.second), share, strict=True)
        )
        aside = wide * (1.2 - place) + float(rng.normal(0, 2))
        turns = [(0.0, 0.0), (first, aside), (second, 0.0), (0.6 * second, 0.0), (0.0, 0.0)]
        _bend(moved, mesh.numbers(finger), turns)
    low, high = thumb
    turns = [
        (rng.uniform(low, high) * 0.5, rng.uniform(*(-35, 40) if kind == "pinch" else (-15, 25))),
        (rng.uniform(low, high), 0),
        (rng.uniform(0, 45), 0),
    ]
    _bend(moved, mesh.numbers("thumb"), [*turns, (0.0, 0.0)])
    steep = (8, 48) if kind in ("point", "two") else (2, 28)
    aside = float(rng.uniform(*ONTO_THUMB_DEG) if kind == "pinch" else rng.normal(0, 9))
    return np.asarray(_tipped(float(rng.uniform(*steep)), aside, rng) @ moved)


def _bend(moved: Floats, bones: list[int], turns: list[tuple[float, float]]) -> None:
    """Turn a finger's bones, each with all that hangs on it; turns: toward the palm and aside, in degrees."""
    so_far = np.eye(4)
    for bone, (down, aside) in zip(bones, turns, strict=True):
        at = skeleton().bones[bone]
        turn = np.eye(4)
        turn[:3, :3] = _turn((0, np.radians(aside), 0)) @ _turn((-np.radians(down), 0, 0))
        so_far = so_far @ at @ turn @ np.linalg.inv(at)
        moved[bone] = so_far


def _turn(vector: tuple[float, float, float]) -> Floats:
    return np.asarray(cv2.Rodrigues(np.array(vector, float))[0], np.float64)


def _tipped(forward: float, aside: float, rng: Rng) -> Floats:
    """The whole hand turned about its wrist, (4, 4): fingers down, and onto a side; and some hands are longer."""
    wrist = skeleton().bones[skeleton().names.index("wrist")][:3, 3]
    turn = _turn((0, 0, np.radians(forward))) @ _turn((0, np.radians(aside), 0))
    turn = turn @ np.diag([1.0, *np.exp(rng.normal(0, 0.05, 2))])
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = turn, wrist - turn @ wrist
    return whole


def _drawn(posed: Posed, seen: Floats, rng: Rng) -> Image:
    """The hand's picture: the farther triangles first, each as bright as the light falls on it."""
    mesh = skeleton()
    width, height = np.ceil(seen.max(axis=0) + MARGIN).astype(int)
    size = (int(height) * FINER, int(width) * FINER)
    light = _turn((0.0, float(rng.normal(0, 0.6)), float(rng.normal(0, 0.6)))) @ np.array([1.0, 0, 0])
    even, gloss = float(rng.uniform(0.35, 0.75)), float(rng.uniform(0, 0.35))
    falls = np.clip(posed.normals @ light, 0, 1)
    bright = even * (0.75 + 0.25 * posed.normals[:, 0]) + (1 - even) * falls + gloss * falls**12
    height_of = posed.points[:, 0]
    order = np.argsort(height_of[mesh.triangles].mean(axis=1))
    canvas, depth = np.zeros((*size, 2), np.float32), np.full(size, float(height_of.min()), np.float32)
    corners = np.round(seen * FINER * 16).astype(np.int32)
    for triangle in mesh.triangles[order]:
        shape = corners[triangle]
        cv2.fillConvexPoly(canvas, shape, (float(bright[triangle].mean()), 1.0), cv2.LINE_8, 4)
        cv2.fillConvexPoly(depth, shape, float(height_of[triangle].mean()), cv2.LINE_8, 4)
    skin, alpha = canvas[..., 0], canvas[..., 1]
    skin = np.where(
        alpha > 0,
        cv2.GaussianBlur(skin, (0, 0), 1.5 * FINER) / cv2.GaussianBlur(alpha, (0, 0), 1.5 * FINER).clip(0.05),
        0,
    )
    above = cv2.GaussianBlur(depth, (0, 0), 6 * FINER) - depth
    skin = skin * np.clip(1 - float(rng.uniform(10, 40)) * np.clip(above, 0, None), 0.45, 1)
    color = np.repeat((SKIN * skin)[..., None], 3, axis=2).astype(np.float32)
    _creases(color, posed, seen, rng)
    _nails(color, depth, posed, seen, rng)
    color *= _blotches(size, rng)
    whole = np.dstack([np.clip(color, 0, 255), alpha * 255]).astype(np.uint8)
    return np.asarray(cv2.resize(whole, (int(width), int(height)), interpolation=cv2.INTER_AREA), np.uint8)


def _creases(color: NDArray[np.float32], posed: Posed, seen: Floats, rng: Rng) -> None:
    """Knuckles: darker and redder than the skin around them."""
    strong = float(rng.uniform(0, 0.2))
    for finger in FINGERS:
        for bone in skeleton().numbers(finger)[2:4]:
            at, across, along = _on_back(posed, bone, seen)
            if across is None or along is None:
                continue
            patch = np.zeros(color.shape[:2], np.float32)
            for step in rng.normal(0, 0.0012, 3) * PX_PER_M * FINER:
                ends = [at + along * step + across * way * 0.006 * PX_PER_M * FINER for way in (-1, 1)]
                a, b = (tuple(int(v) for v in np.round(end)) for end in ends)
                cv2.line(patch, a, b, 1.0, max(1, FINER))
            soft = cv2.GaussianBlur(patch, (0, 0), 1.2 * FINER)
            color *= 1 - strong * soft[..., None] * np.array([1.0, 0.9, 0.6], np.float32)


def _nails(color: NDArray[np.float32], depth: NDArray[np.float32], posed: Posed, seen: Floats, rng: Rng) -> None:
    """Fingernails where the back of a fingertip is seen: lighter, pinker, or painted."""
    painted = rng.random() < 0.15
    tint = np.array(rng.uniform(0.3, 1.6, 3) if painted else rng.normal([1.12, 1.08, 1.2], 0.05), np.float32)
    for finger in (*FINGERS, "thumb"):
        bone = skeleton().numbers(finger)[-1]
        at, across, along = _on_back(posed, bone, seen)
        if across is None or along is None:
            continue
        middle = at + along * 0.001 * PX_PER_M * FINER
        x, y = (int(v) for v in np.round(middle))
        inside = 0 <= x < depth.shape[1] and 0 <= y < depth.shape[0]
        if not inside or depth[y, x] > posed.bone(bone)[0, 3] + 0.014:
            continue  # another finger lies over it
        turns = np.linspace(0, 2 * np.pi, 24)[:, None]
        wide, long = 0.0055 * PX_PER_M * FINER, 0.0065 * PX_PER_M * FINER
        ring = middle + across * np.cos(turns) * wide + along * np.sin(turns) * long
        nail = np.zeros(color.shape[:2], np.float32)
        cv2.fillPoly(nail, [np.round(ring).astype(np.int32)], 1.0)
        color *= 1 + cv2.GaussianBlur(nail, (0, 0), 0.7 * FINER)[..., None] * (tint - 1)


def _on_back(posed: Posed, bone: int, seen: Floats) -> tuple[Floats, Floats | None, Floats | None]:
    """Where a bone lies in the picture, and the ways across and along it there, foreshortened; None seen from below."""
    pose = posed.bone(bone)
    corner = seen[0] - posed.points[0, [2, 1]] * PX_PER_M
    at = (pose[[2, 1], 3] * PX_PER_M + corner) * FINER
    if pose[0, 1] < 0.25:  # its back does not look up
        return at, None, None
    return at, pose[[2, 1], 0], pose[[2, 1], 2]


def _blotches(size: tuple[int, int], rng: Rng) -> NDArray[np.float32]:
    """Skin is not of one colour: coarse and fine patches (rows, columns, 3)."""
    total = np.ones((*size, 3), np.float32)
    for cells, strength in ((6, 0.06), (25, 0.04), (110, 0.03)):
        grid = rng.normal(0, strength * float(rng.uniform(0.2, 1)), (cells, cells // 2 + 1, 1))
        grid = grid * rng.uniform(0.7, 1.3, 3)
        total += cv2.resize(grid.astype(np.float32), size[::-1], interpolation=cv2.INTER_CUBIC)
    return total
