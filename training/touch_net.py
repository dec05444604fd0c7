"""The network that sees when a finger comes to rest on a tile."""

from __future__ import annotations

from torch import Tensor, nn

from training.nets import Residual
from vision.contact import AGES, COLORED, FRAMES

CHANNELS = FRAMES + len(COLORED) + 2


def _half(inside: int, outside: int) -> nn.Sequential:
    """A convolution that halves the sides, with its normalisation, which the export folds into it."""
    layers = nn.Conv2d(inside, outside, 3, 2, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    return nn.Sequential(*layers)


class TouchNet(nn.Module):
    """(n, 22, 48, 48) strips -> (n, 10): no contact lately, or one so many frames before the newest, 1 to 9."""

    def __init__(self) -> None:
        super().__init__()
        self.eyes = nn.Sequential(_half(CHANNELS, 32), _half(32, 32), Residual(32), _half(32, 64), Residual(64))
        self.moment = nn.Sequential(
            nn.Conv2d(64, 24, 1), nn.ReLU(inplace=True), nn.Flatten(),
            nn.Linear(24 * 6 * 6, 96), nn.ReLU(inplace=True), nn.Linear(96, AGES + 1),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.moment(self.eyes(x))
        return out
