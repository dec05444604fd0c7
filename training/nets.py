"""The small networks: they find things in a picture, read tiles and dice, tell what is printed, and see touches."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

FACES = 3  # up, down, no tile
NUMBERS = 13
LAGS = 16  # as vision.hands.landing counts them

Views = tuple[Tensor, Tensor, Tensor, Tensor]


def _conv(inside: int, outside: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    """A convolution with its normalisation, which the export folds into it."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions around which the input passes unchanged."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


def _twice(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class PiecesNet(nn.Module):
    """The detector's eyes for what is no tile: they share its views of the picture, with a way up of their own.

    A quarter of the tiles' channels was all that pieces once had, and dice were found faintly.
    """

    def __init__(self) -> None:
        super().__init__()
        self.side32, self.side16, self.side8 = _conv(96, 64, 1), _conv(96, 64, 1), _conv(64, 64, 1)
        self.mix16, self.fine = _conv(64, 64), _conv(24, 64, 3, 2)
        self.head = nn.Sequential(_conv(64, 64), Residual(64), _conv(64, 48), nn.Conv2d(48, 12, 1))
        with torch.no_grad():
            self.head[-1].bias[:5] = -4.0

    def forward(self, at4: Tensor, at8: Tensor, at16: Tensor, at32: Tensor) -> Tensor:
        up16 = self.mix16(self.side16(at16) + _twice(self.side32(at32)))
        out: Tensor = self.head(self.fine(at4) + self.side8(at8) + _twice(up16))
        return out


class DetectorNet(nn.Module):
    """(n, 3, h, w) pictures, h and w multiples of 32 -> maps of tiles (n, 8, h/4, w/4), of pieces (n, 12, h/8, w/8).

    What each map says stands in vision.peaks.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 16, 3, 2), _conv(16, 24, 3, 2), Residual(24))
        self.down8 = nn.Sequential(_conv(24, 64, 3, 2), Residual(64))
        self.down16 = nn.Sequential(_conv(64, 96, 3, 2), Residual(96))
        self.down32 = nn.Sequential(_conv(96, 96, 3, 2), Residual(96))
        self.side32, self.side16, self.side8 = _conv(96, 64, 1), _conv(96, 64, 1), _conv(64, 64, 1)
        self.mix16, self.mix8, self.side4 = _conv(64, 64), _conv(64, 24), _conv(24, 24, 1)
        self.head = nn.Sequential(_conv(24, 24), _conv(24, 24), nn.Conv2d(24, 8, 1))
        self.pieces = PiecesNet()
        with torch.no_grad():
            self.head[-1].bias[:2] = -4.0

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        seen = self.views(x)
        return self.tiles(*seen), self.pieces(*seen)

    def views(self, x: Tensor) -> Views:
        """What tiles and pieces are both found by: the picture at a quarter of its size, an eighth and so on."""
        at4 = self.stem(x)
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        return at4, at8, at16, self.down32(at16)

    def eyes_for_tiles(self) -> tuple[nn.Module, ...]:
        """The way up from the views to the maps of tiles."""
        return self.side32, self.side16, self.mix16, self.side8, self.mix8, self.side4, self.head

    def tiles(self, at4: Tensor, at8: Tensor, at16: Tensor, at32: Tensor) -> Tensor:
        """The maps of tiles."""
        up16 = self.mix16(self.side16(at16) + _twice(self.side32(at32)))
        up8 = self.mix8(self.side8(at8) + _twice(up16))
        out: Tensor = self.head(self.side4(at4) + _twice(up8))
        return out


class ReaderNet(nn.Module):
    """(n, 3, 80, 160) tiles -> pip map (n, 1, 40, 80), numbers (n, 13, 1, 2), face (n, 3), corners (n, 8)."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(_conv(3, 16, 3, 2), _conv(16, 16))
        self.middle = nn.Sequential(_conv(16, 48, 3, 2), Residual(48))
        self.coarse = nn.Sequential(_conv(48, 96, 3, 2), Residual(96))
        self.whole = nn.Sequential(_conv(96, 96, 3, 2), Residual(96))
        self.numbers = nn.Sequential(nn.Conv2d(96, 96, 5, 5), nn.ReLU(inplace=True), nn.Conv2d(96, NUMBERS, 1))
        self.squeeze = nn.Sequential(_conv(96, 16, 1), nn.Flatten(), nn.Linear(16 * 5 * 10, 96), nn.ReLU(inplace=True))
        self.face, self.corners = nn.Linear(96, FACES), nn.Linear(96, 8)
        self.up2, self.up1 = _conv(96, 48, 1), _conv(48, 16, 1)
        self.mix2, self.mix1 = _conv(48, 48), _conv(16, 16)
        self.pips = nn.Conv2d(16, 1, 1)
        with torch.no_grad():
            assert self.pips.bias is not None
            self.pips.bias[:] = -3.0

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        fine = self.fine(x)
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        whole = self.whole(coarse)
        around = self.squeeze(whole)
        up = self.mix2(middle + _twice(self.up2(coarse)))
        up = self.mix1(fine + _twice(self.up1(up)))
        return self.pips(up), self.numbers(whole), self.face(around), self.corners(around)


class DieNet(nn.Module):
    """(n, 3, 80, 80) dice seen from above -> (n, 7): no die, or the number of its top face; its corners (n, 8)."""

    def __init__(self) -> None:
        super().__init__()
        self.eyes = nn.Sequential(
            _conv(3, 16, 3, 2), _conv(16, 32, 3, 2), Residual(32), _conv(32, 64, 3, 2), Residual(64), Residual(64)
        )
        self.number = nn.Sequential(
            _conv(64, 16, 1), nn.Flatten(), nn.Linear(16 * 10 * 10, 64), nn.ReLU(inplace=True), nn.Linear(64, 7)
        )
        self.corners = nn.Sequential(
            _conv(64, 16, 1), nn.Flatten(), nn.Linear(16 * 10 * 10, 64), nn.ReLU(inplace=True), nn.Linear(64, 8)
        )

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        seen = self.eyes(x)
        return self.number(seen), self.corners(seen)


class ReliefNet(nn.Module):
    """(n, 3, 80, 120) places with their surroundings -> (n, 1): log odds that a tile lies there and is no picture."""

    def __init__(self) -> None:
        super().__init__()
        self.eyes = nn.Sequential(
            _conv(3, 16, 3, 2), _conv(16, 24, 3, 2), Residual(24), _conv(24, 48, 3, 2), Residual(48),
            _conv(48, 64, 3, 2), Residual(64),
        )  # fmt: skip
        self.lies = nn.Sequential(
            _conv(64, 16, 1), nn.Flatten(), nn.Linear(16 * 5 * 8, 48), nn.ReLU(inplace=True), nn.Linear(48, 1)
        )

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.lies(self.eyes(x))
        return out


class TouchNet(nn.Module):
    """Close-ups (n, 8, 108, 108), the features (n, 96, 12) of those before, whereabouts (n, 4) -> what a hand does.

    Gives the features (n, 96) of these close-ups, the lags (n, 17), and the log odds (n,) that the hand is on the tile
    just now: see vision.hands.landing. A row is one tile as the
    player of one side sees it; who: (n, 2), which tile and which side, by number. What seems to happen there as others
    see it counts, too: a touch is most likely that of the hand which explains it best. Most features say where
    something is (spatial soft-argmax, Finn and others 2016), the first of them the fingertip: how a hand moves is then
    plain from one frame to the next.
    """

    features, memory = 96, 12
    points, whole = 24, 24

    def __init__(self) -> None:
        super().__init__()
        self.at6 = nn.Sequential(_conv(8, 32, 7, 3), _conv(32, 48, 3, 2), Residual(48))
        self.at12 = nn.Sequential(_conv(48, 64, 3, 2), Residual(64))
        self.at24 = nn.Sequential(_conv(64, 96, 3, 2), Residual(96))
        self.side24, self.side12, self.mix = _conv(96, 64, 1), _conv(64, 48, 1), _conv(48, 48)
        self.maps = nn.Conv2d(48, self.points, 1)
        self.around = nn.Sequential(_conv(96, 16, 1), nn.Flatten(), nn.Linear(16 * 5 * 5, self.whole), nn.ReLU())
        self.some = nn.Dropout1d(0.1)
        self.own = nn.Sequential(*_moments(3 * self.features + 4, 96, 4))
        self.remember = nn.Sequential(*_moments(2 * 96, 96, 4), *_moments(96, 96, 4), nn.Conv1d(96, LAGS + 2, 1))
        self.tip = nn.Linear(self.features, 2)  # for training alone: whether it is there, and how high
        along = torch.linspace(-1, 1, 18)
        self.register_buffer("across", along.repeat(18), persistent=False)
        self.register_buffer("down", along.repeat_interleave(18), persistent=False)

    def forward(self, picture: Tensor, before: Tensor, where: Tensor, who: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        seen = self.look(picture)[0]
        told = self.says(torch.cat([before, seen[..., None]], 2), where, who)[..., -1]
        return seen, told[:, :-1], told[:, -1]

    def judges(self) -> tuple[nn.Module, ...]:
        """The parts that say what hands do by what is seen."""
        return self.some, self.own, self.remember

    def look(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """The features (n, 96), and the logits (n, 24, 324) of where each point is, row by row of 18 x 18 places."""
        at6 = self.at6(picture)
        at12 = self.at12(at6)
        at24 = self.at24(at12)
        up12 = at12 + _twice(self.side24(at24))[..., :9, :9]
        maps = self.maps(self.mix(at6 + _twice(self.side12(up12)))).float().flatten(2)
        shares = maps.softmax(2)
        x, y = (shares * self.across).sum(2), (shares * self.down).sum(2)
        sure = maps.amax(2) / 10
        return torch.cat([x, y, sure, self.around(at24).float()], 1), maps

    def says(self, seen: Tensor, where: Tensor, who: Tensor) -> Tensor:
        """The lags and, last, that the hand is on the tile (n, 18, t - 12), from the features (n, 96, t) of a film."""
        some = self.some(seen)
        now = some[..., 3:]
        moved = (now - some[..., 2:-1]) * 4, (now - some[..., :-3]) * 4  # since the last frame, and since three ago
        around = where[..., None].expand(-1, -1, now.shape[2])
        own = self.own(torch.cat([now, *moved, around], 1))
        tile, side = who[:, :1], who[:, 1:]
        others = ((tile == tile.T) & (side != side.T)).to(own.dtype)
        theirs = (others[..., None, None] * own[None]).amax(1)
        out: Tensor = self.remember(torch.cat([own, theirs], 1))
        return out


def _moments(inside: int, outside: int, size: int) -> tuple[nn.Module, ...]:
    return nn.Conv1d(inside, outside, size), nn.ReLU(inplace=True), nn.Dropout(0.15)
